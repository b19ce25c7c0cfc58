"""The state of `fit` under JAX in few arrays: a compiled step takes time to take and give each."""

import functools
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
    matrices, vectors = [], dict[str, Values]()
    for value in values:
        if len(value.shape) > 1:
            matrices.append(value)
        else:
            vectors.setdefault(str(value.dtype), []).append(ops.reshape(value, (-1,)))
    return Packed(matrices, {dtype: ops.concatenate(parts) for dtype, parts in vectors.items()})


def unpack(packed: Packed, variables: Sequence[Any]) -> Values:
    """The values of variables, which `pack` was given in this order."""
    matrices, starts = iter(packed.matrices), dict.fromkeys(packed.vectors, 0)
    values = []
    for variable in variables:
        if len(variable.shape) > 1:
            values.append(next(matrices))
            continue
        start, dtype = starts[variable.dtype], variable.dtype
        starts[dtype] = start + math.prod(variable.shape)
        part = packed.vectors[dtype][start : starts[dtype]]
        values.append(ops.reshape(part, variable.shape))
    return values


def pack_state(state: Sequence[Sequence[Any]]) -> tuple[Packed, ...]:
    """Packs each kind of variables."""
    return tuple(map(pack, state))


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
            setattr(self, STATE, dict(zip(state, self._unpack_compiled(tuple(state.values())))))
        super().jax_state_sync()

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets an attribute; Keras would wrap each array of the state, after each update."""
        if name == STATE:
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)

    def _get_jax_state(self, **kinds: bool) -> tuple[Any, ...]:
        import jax

        state: tuple[Any, ...] = super()._get_jax_state(**kinds)
        if not kinds.get("optimizer_variables"):  # of `evaluate`
            return state
        return jax.jit(pack_state, out_shardings=state[0][0].sharding)(state)

    def _get_state_sharding_spec(self) -> tuple[Any, ...]:
        """That of all arrays of a kind: each device has all of them."""
        return tuple(next(iter(each), None) for each in super()._get_state_sharding_spec())

    @functools.cached_property
    def _unpack_compiled(self) -> Any:
        import jax

        return jax.jit(self.unpack_state)
