"""The state of `fit` under JAX in few arrays: a compiled step takes time to take and give each."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import keras
from keras import ops

Values = list[Any]  # of variables
STATE = "_jax_state"  # of a model, after an update of `fit`: values by kinds of variables


class Packed(NamedTuple):
    """The values of some variables.

    Attributes:
        matrices: those of two axes or more.
        vectors: by type, all others one after the other, flat. They are most of the arrays and
            few of the bytes.
    """

    matrices: Values
    vectors: dict[str, Any]


def pack(values: Sequence[Any]) -> Packed:
    """Packs the values of variables."""
    import jax

    vectors = [value for value in values if len(value.shape) < 2]
    return Packed([each for each in values if len(each.shape) > 1], jax.jit(_join)(vectors))


def unpack(packed: Packed, variables: Sequence[Any]) -> Values:
    """The values of variables, which `pack` was given in this order."""
    import jax

    kinds = tuple((each.dtype, tuple(each.shape)) for each in variables if len(each.shape) < 2)
    vectors = iter(jax.jit(_part, static_argnums=1)(packed.vectors, kinds))
    matrices = iter(packed.matrices)
    return [next(vectors if len(each.shape) < 2 else matrices) for each in variables]


def pack_state(state: Sequence[Sequence[Any]]) -> tuple[Packed, ...]:
    """Packs each kind of variables."""
    return tuple(map(pack, state))


def _join(vectors: Values) -> dict[str, Any]:
    found: dict[str, Values] = {}
    for each in vectors:
        found.setdefault(str(each.dtype), []).append(ops.reshape(each, (-1,)))
    return {dtype: ops.concatenate(parts) for dtype, parts in found.items()}


def _part(joined: dict[str, Any], kinds: Sequence[tuple[str, tuple[int, ...]]]) -> Values:
    starts, parts = dict.fromkeys(joined, 0), []
    for dtype, shape in kinds:
        start, starts[dtype] = starts[dtype], starts[dtype] + math.prod(shape)
        parts.append(ops.reshape(joined[dtype][start : starts[dtype]], shape))
    return parts


class PackedState(keras.Model):
    """A model under JAX whose ``train_step`` takes and gives the state packed.

    All that is not public here is Keras's, see `translator.model.keras_internals`.
    """

    def unpack_state(self, state: Sequence[Packed]) -> tuple[Values, ...]:
        """The values of the trained variables, the other ones, the optimiser's, the metrics'."""
        kinds = (
            self.trainable_variables,
            self.non_trainable_variables,
            self.optimizer.variables,
            self.metrics_variables,
        )
        return tuple(map(unpack, state, kinds))

    def jax_state_sync(self) -> None:
        """Gives the variables their values, which the compiled step has while `fit` runs."""
        state = getattr(self, STATE, None) or {}
        if any(isinstance(values, Packed) for values in state.values()):
            setattr(self, STATE, dict(zip(state, self.unpack_state(tuple(state.values())))))
        super().jax_state_sync()

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets an attribute; Keras would wrap each array of the state, after each update."""
        if name == STATE:
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)

    def _get_jax_state(self, **kinds: bool) -> tuple[Any, ...]:
        state: tuple[Any, ...] = super()._get_jax_state(**kinds)
        is_of_fit = kinds.get("optimizer_variables")  # and not of `evaluate`
        return pack_state(state) if is_of_fit else state

    def _get_state_sharding_spec(self) -> tuple[Any, ...]:
        """Each device has all of every array."""
        from jax.sharding import NamedSharding, PartitionSpec

        mesh = self.trainable_variables[0].value.sharding.mesh
        return (NamedSharding(mesh, PartitionSpec()),) * 4
