"""The steps of a training under JAX, always compiled, on one device or several.

The compiled step takes and returns the values of all variables in a few arrays, because each array
costs time. `look` writes the values back to the variables.
"""

import functools
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import jax
import keras
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec
from keras import ops

from translator.base.machine import ALL_CORES
from translator.base.progress import progress
from translator.data.batches import Batches
from translator.data.numpy_batches import UpdateArrays
from translator.model.losses import sum_tokens
from translator.model.transformer import Transformer
from translator.training.backends import Backend, Figures, MicroBatch, as_sums
from translator.training.optimizer import moving_averages

CACHE_ERROR = re.compile("Error reading persistent compilation cache entry")
Values = list[Any]  # the values of variables


class Packed(NamedTuple):
    """The values of some variables.

    Attributes:
        matrices: the values of two axes or more.
        vectors: all other values, flat and joined by type. Most variables are here, but together
            they are small.
    """

    matrices: Values
    vectors: dict[str, Any]


class Sums(NamedTuple):
    """The sums over the batches of an update.

    Attributes:
        others: the values of variables that are not trained, such as the seeds of dropout.
        figures: the sums of `Figures`.
    """

    gradients: Values
    others: Values
    figures: Any


class JaxBackend(Backend):
    """A model in training under JAX.

    The gradient of an update is the gradient of the mean over all its target tokens, for any number
    of devices and batches. All batches of an update have one shape, and `jax.lax.scan` goes through
    them. So only one is in memory at a time, and one compilation serves any number of batches.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        model, optimizer = self.model, self.optimizer
        self.kinds = (
            model.trainable_variables,
            model.non_trainable_variables,
            optimizer.variables,
            [self.sums],
        )
        spread = keras.distribution.distribution()  # None for one device
        mesh = model.trainable_variables[0].value.sharding.mesh if spread else None
        self.everywhere = mesh and NamedSharding(mesh, PartitionSpec())
        self.by_rows = mesh and NamedSharding(mesh, PartitionSpec(mesh.axis_names))
        self._packed: tuple[Packed, ...] | None = None  # None while the variables have the values
        self._steps: dict[float, Callable[..., Any]] = {}  # steps by the weight of R-Drop
        self._compiled: dict[Any, Callable[..., Any]] = {}  # by weight and shapes
        self._measure = jax.jit(self._measure_batch, out_shardings=self.everywhere)

    def feed(self, batches: Batches, start: int = 0, end: int | None = None) -> Iterable[Any]:
        """See `Backend`; only this process's rows of each batch."""
        return self._place(batches, start, end, self.copies)

    def update(self, batch: tuple[MicroBatch, ...], skipped: int = 0) -> Figures:
        """See `Backend`."""
        step = self._compiled.get((self.r_drop_alpha, _shapes(batch))) or self._step()
        sums, self._packed = step(self._pack(), batch, np.int32(skipped))
        self.schedule.skipped = skipped  # tracing had replaced the number
        return Figures(sums)

    def measure(self, batches: Batches) -> dict[str, float]:
        """See `Backend`."""
        state, sums = self._pack(), np.zeros(6, np.float32)
        for batch in self._place(batches):
            step = self._compiled.get((None, _shapes(batch))) or self._measure
            sums = step(state, batch, sums)
        return Figures(sums).read()

    def look(self) -> Transformer:
        """See `Backend`."""
        if self._packed is not None:
            for variables, packed in zip(self.kinds, self._packed):
                for variable, value in zip(variables, unpack(packed, variables)):
                    variable.assign(value)
            self._packed = None
        return self.model

    def prepare(
        self, batches: Batches, validation: Batches, is_stopped: Callable[[], bool]
    ) -> None:
        """Compiles for each shape, several at a time, if JAX has a folder for compiled steps.

        Tracing holds Python's lock; compiling does not. An error of compiling is not raised before
        the step is used.
        """
        folder = jax.config.jax_compilation_cache_dir
        if not folder or self.everywhere or self.r_drop_alpha in self._steps:
            return
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            steps = self._compile(batches, self.copies, self._step(), np.int32(0), is_stopped)
            self._compiled |= {(self.r_drop_alpha, shapes): step for shapes, step in steps}
            zeros = np.zeros(6, np.float32)
            steps = self._compile(validation, 1, self._measure, zeros, is_stopped)
            self._compiled |= {(None, shapes): step for shapes, step in steps}
        if any(CACHE_ERROR.match(str(warning.message)) for warning in caught):
            for path in Path(folder).glob("*-cache"):  # JAX never replaces a damaged file
                path.unlink(missing_ok=True)

    def lower(self, *arguments: Any) -> Any:
        """Lowers the step of an update for the shapes of its arguments. It is not compiled yet."""
        return self._step().lower(*arguments)

    def _place(
        self, batches: Batches, start: int = 0, end: int | None = None, copies: int = 1
    ) -> Iterator[tuple[MicroBatch, ...]]:
        process = jax.process_index(), jax.process_count()
        arrays = UpdateArrays(batches, start, end, copies, *process)
        for number in range(len(arrays)):
            if self.by_rows is not None:
                make = functools.partial(jax.make_array_from_process_local_data, self.by_rows)
                yield jax.tree.map(make, arrays[number])
            else:
                yield arrays[number]

    def _pack(self) -> tuple[Packed, ...]:
        """Packs the values of all variables. An update makes the variables' own values invalid."""
        if self._packed is None:
            values = ([variable.value for variable in kind] for kind in self.kinds)
            self._packed = tuple(map(pack, values))
        return self._packed

    def _step(self) -> Any:
        """The step with the current weight of R-Drop. It is compiled for each new shape."""
        if self.r_drop_alpha not in self._steps:
            self._steps[self.r_drop_alpha] = jax.jit(
                self._make_update(self.r_drop_alpha),
                donate_argnums=0,
                out_shardings=self.everywhere,
            )
        return self._steps[self.r_drop_alpha]

    def _compile(
        self,
        batches: Batches,
        copies: int,
        step: Any,
        last: Any,
        is_stopped: Callable[[], bool],
    ) -> list[tuple[Any, Callable[..., Any]]]:
        """Compiles a step for each shape of some batches; returns the shapes and the steps.

        Args:
            last: the last argument of the step.
        """
        futures: dict[Any, Future[Callable[..., Any]]] = {}
        shapes = batches.shapes[:: batches.layout.accumulation_steps]
        numbers = sorted(np.unique(shapes, axis=0, return_index=True)[1].tolist())
        with (
            progress("compiling for each length", len(numbers), " lengths") as advance,
            ThreadPoolExecutor(ALL_CORES) as pool,
        ):
            for number in numbers:
                if is_stopped():
                    pool.shutdown(cancel_futures=True)
                    break
                [batch] = self._place(batches, number, number + 1, copies)
                lowered = step.lower(self._pack(), batch, last)
                futures[_shapes(batch)] = pool.submit(lowered.compile)
                futures[_shapes(batch)].add_done_callback(lambda _: advance(1))
        whole = {key: future for key, future in futures.items() if not future.cancelled()}
        return [(key, future.result()) for key, future in whole.items() if not future.exception()]

    def _make_update(self, r_drop_alpha: float) -> Callable[..., Any]:
        def update(
            state: tuple[Packed, ...], batches: tuple[MicroBatch, ...], skipped: Any
        ) -> tuple[Any, tuple[Packed, ...]]:
            """Makes an update; returns the sums after it, and the new state."""
            trained, others, of_optimizer, [figures] = map(unpack, state, self.kinds)
            total = ops.maximum(sum(self.count_tokens(y) for _, y in batches), 1.0)
            sums = Sums([ops.zeros_like(value) for value in trained], others, figures)
            shared = together(trained) if len(batches) > 1 else trained
            differentiate = self._make_gradient(shared, of_optimizer, total, r_drop_alpha)
            sums = _add_batches(sums, batches, differentiate)
            self.schedule.skipped = skipped
            trained, of_optimizer = self.optimizer.stateless_apply(
                of_optimizer, together(self._without_key_biases(sums.gradients)), trained
            )
            values = trained, sums.others, of_optimizer, [sums.figures]
            return sums.figures, tuple(map(pack, values))

        return update

    def _make_gradient(
        self, trained: Values, of_optimizer: Values, total: Any, r_drop_alpha: float
    ) -> Callable[[MicroBatch, Values, Any], Sums]:
        """Makes a function for a batch's part of the gradient of an update of ``total`` tokens."""
        mean_loss = self.loss(r_drop_alpha)

        def differentiate(batch: MicroBatch, others: Values, figures: Any) -> Sums:
            (x, y), others = batch, together(others)
            count = self.count_tokens(y)

            def scaled_loss(trained: Values) -> tuple[Any, Any]:
                logits, new_others = self.model.stateless_call(trained, others, x, training=True)
                loss = mean_loss(y, logits)
                with keras.StatelessScope(list(zip(self.optimizer.variables, of_optimizer))):
                    scaled = self.optimizer.scale_loss(loss * (count / total))
                return scaled, (loss, logits, new_others)

            gradient = jax.grad(scaled_loss, has_aux=True)
            gradients, (loss, logits, new_others) = gradient(together(trained))
            added = as_sums(loss, count, sum_tokens(y, logits, self.padding_id))
            return Sums(gradients, new_others, figures + added)

        return differentiate

    def _measure_batch(
        self, state: tuple[Packed, ...], batches: tuple[MicroBatch], sums: Any
    ) -> Any:
        """Adds the sums of a batch; they are measured with moving averages, if there are any."""
        [((x, y))] = batches
        values = list(map(unpack, state, self.kinds))
        averages = {id(variable): average for variable, average in moving_averages(self.adam)}
        value_of = dict(zip(map(id, self.kinds[2]), values[2]))
        trained = [
            value_of[id(averages[id(variable)])] if id(variable) in averages else value
            for variable, value in zip(self.kinds[0], values[0])
        ]
        logits, _ = self.model.stateless_call(trained, values[1], x, training=False)
        tokens = sum_tokens(y, logits, self.padding_id)
        return sums + as_sums(self.loss(0.0)(y, logits), tokens.tokens, tokens)

    def _without_key_biases(self, gradients: Values) -> Values:
        """Sets the gradients of biases of key projections to 0, which is their value in theory.

        Such a bias adds the same to all logits of a query, so softmax ignores it. The computed
        gradients are rounding errors. They depend on the number of devices, and Adam enlarges them.
        """
        return [
            ops.zeros_like(gradient) if variable.path.endswith("/key/bias") else gradient
            for gradient, variable in zip(gradients, self.model.trainable_variables)
        ]


def _add_batches(
    sums: Sums,
    batches: tuple[MicroBatch, ...],
    differentiate: Callable[[MicroBatch, Values, Any], Sums],
) -> Sums:
    """Sums up the parts of an update, one after the other."""

    def add(sums: Sums, batch: MicroBatch) -> tuple[Sums, None]:
        gradients, others, figures = differentiate(batch, sums.others, sums.figures)
        added = [sum_ + gradient for sum_, gradient in zip(sums.gradients, gradients)]
        return Sums(added, others, figures), None

    if len(batches) == 1:
        return add(sums, batches[0])[0]
    sums = sums._replace(others=together(sums.others))
    stacked = jax.tree.map(lambda *arrays: ops.stack(arrays), *batches)
    sums, _ = jax.lax.scan(add, sums, stacked)
    return sums


def together(values: Values) -> Values:
    """Multiplies all values by the same 1, so that XLA joins their kernels.

    XLA joins kernels that do the same with arrays of one shape and have a common argument. Most
    variables are so small that a GPU needs more time to start a kernel than to run it.
    """
    one = jax.lax.optimization_barrier(ops.ones(2))[0]
    return [value * ops.cast(one, value.dtype) for value in values]


def pack(values: Sequence[Any]) -> Packed:
    """Packs the values of variables."""
    vectors = [value for value in values if len(value.shape) < 2]
    return Packed([value for value in values if len(value.shape) > 1], jax.jit(_join)(vectors))


def unpack(packed: Packed, variables: Sequence[Any]) -> Values:
    """The values of variables, in the order of the call of `pack`."""
    forms = [(variable.dtype, tuple(variable.shape)) for variable in variables]
    kinds = tuple((dtype, shape) for dtype, shape in forms if len(shape) < 2)
    vectors = iter(jax.jit(_part, static_argnums=1)(packed.vectors, kinds))
    matrices = iter(packed.matrices)
    return [next(vectors if len(shape) < 2 else matrices) for _, shape in forms]


def _join(vectors: Values) -> dict[str, Any]:
    by_type: dict[str, Values] = {}
    for vector in vectors:
        by_type.setdefault(str(vector.dtype), []).append(ops.reshape(vector, (-1,)))
    return {dtype: ops.concatenate(parts) for dtype, parts in by_type.items()}


def _part(joined: dict[str, Any], kinds: Sequence[tuple[str, tuple[int, ...]]]) -> Values:
    starts, parts = dict.fromkeys(joined, 0), []
    for dtype, shape in kinds:
        start, starts[dtype] = starts[dtype], starts[dtype] + math.prod(shape)
        parts.append(ops.reshape(joined[dtype][start : starts[dtype]], shape))
    return parts


def _shapes(batches: tuple[MicroBatch, ...]) -> tuple[Any, ...]:
    """The key of a compiled step: the number and the shape of an update's batches."""
    (source, target), _ = batches[0]
    return len(batches), source.shape, target.shape
