"""Processes that `gpu.py` starts: each trains one model, so that none holds memory."""

import contextlib
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
from training_workloads import LAYOUT, PADDING, Workload

from translator.base.errors import InputError

LEARNING_RATE = 1e-4
FED, ON_DEVICE, GATHERED = "fed", "on the device", "gathered"  # rounds of `prepare_keras`


class Round(NamedTuple):
    """A round, in seconds without its untimed updates, and its mean loss."""

    seconds: float
    loss: float


class Device(NamedTuple):
    """JAX's first device: ``gpu`` or ``cpu``, and its name."""

    platform: str
    kind: str


class WorkerFailed(Exception):
    """A process cannot do what it was asked for; the message is one line."""


class Worker:
    """A process of its own that answers questions one after the other.

    Args:
        prepare: makes what answers the questions, in the process.
        *arguments: of ``prepare``.

    Raises:
        WorkerFailed: ``prepare`` failed.
    """

    def __init__(self, prepare: Callable[..., Callable[[Any], Any]], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, there = context.Pipe()
        self.process = context.Process(target=_work, args=(there, prepare, arguments), daemon=True)
        self.process.start()
        there.close()
        try:
            self._receive()
        except WorkerFailed:
            self.close()
            raise

    def ask(self, question: Any = None) -> Any:
        """The process's answer.

        Raises:
            WorkerFailed: it failed, or ended.
        """
        try:
            self.connection.send(question)
        except OSError:
            raise WorkerFailed("its process has ended") from None
        return self._receive()

    def close(self) -> None:
        """Ends the process."""
        self.connection.close()
        self.process.join(timeout=20)
        self.process.kill()
        self.process.join()

    def _receive(self) -> Any:
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            self.process.join(timeout=20)
            code = self.process.exitcode
            raise WorkerFailed(f"its process ended with exit code {code}") from None
        if isinstance(answer, WorkerFailed):
            raise answer
        return answer


@contextlib.contextmanager
def closing(worker: Worker) -> Iterator[Worker]:
    """Ends a worker's process after the block."""
    try:
        yield worker
    finally:
        worker.close()


def _work(there: Connection, prepare: Callable[..., Callable[[Any], Any]], arguments: Any) -> None:
    """Answers until the other side closes the connection."""
    try:
        answer = prepare(*arguments)
        there.send(None)
        while True:
            there.send(answer(there.recv()))
    except EOFError:
        return
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()] or ["no message"]
        kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
        there.send(WorkerFailed(f"{kind}{lines[0].strip()}"))


def prepare_description() -> Callable[[Any], Device]:
    """Answers with the `Device`."""
    from translator.base.keras_startup import start_keras

    start_keras("jax")
    import jax

    device = jax.devices()[0]
    return lambda _: Device(device.platform, device.device_kind)


def prepare_keras(workload: Workload) -> Callable[[str], Round]:
    """A row of this program: `fit` as ``translator train`` calls it, without bar and signals.

    Returns:
        Makes a round: ``FED`` as a training does, ``ON_DEVICE`` with all batches on the device
        before. ``GATHERED`` only gathers the batches, without training.
    """
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # others use the GPU as well
    model, batches = _make_keras_model(workload)
    import jax
    import keras

    from translator.training.feeding import feed

    fed = feed(batches)
    on_device = [jax.device_put(fed[number]) for number in range(len(fed))]

    class OnDevice(keras.utils.PyDataset):
        """The updates of a round, on the device."""

        def __len__(self) -> int:
            return len(on_device)

        def __getitem__(self, number: int) -> Any:
            return on_device[number]

    def run(kind: str) -> Round:
        if kind == GATHERED:
            began = time.perf_counter()
            for number in range(workload.untimed, len(fed)):
                fed[number]
            return Round(time.perf_counter() - began, float("nan"))
        return _fit(model, OnDevice() if kind == ON_DEVICE else feed(batches), workload.untimed)

    return run


def _make_keras_model(workload: Workload) -> tuple[Any, Any]:
    """A model that is ready for `fit`, and its batches."""
    from translator.base.keras_startup import set_random_seed, start_keras

    start_keras("jax")
    from translator.training.compilation import make_training_model
    from translator.training.feeding import training_layout
    from translator.training.resolution import resolve

    config = resolve(workload.config)
    if (layout := training_layout(config.training)) != LAYOUT:
        raise InputError(f"expected batches of {LAYOUT}, found {layout}; PyTorch gets others")
    set_random_seed(config.training.seed)
    return make_training_model(config, workload.tokenizers), workload.batches(layout)


def _fit(model: Any, updates: Any, untimed: int) -> Round:
    """A round of `fit`, with the callbacks of a training."""
    import keras

    from translator.training.callbacks import StopOnSignal, UnreadLogs, UpdateCounter
    from translator.training.processes import Processes
    from translator.training.state import Progress

    times: list[float] = []

    class Clock(keras.callbacks.Callback):
        """Notes the time when the device has computed the last untimed update, and the last."""

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            if batch == untimed - 1:
                float(logs["loss"])
                times.append(time.perf_counter())

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            times.append(time.perf_counter())

    counter = UpdateCounter(Progress(), lambda: None, 1e6, StopOnSignal(), Processes())
    callbacks = UnreadLogs([counter, Clock()], add_history=True, model=model)
    history = model.fit(updates, shuffle=False, verbose=0, callbacks=callbacks)
    return Round(times[1] - times[0], float(history.history["cross_entropy"][0]))


def prepare_memory(workload: Workload) -> Callable[[Any], tuple[int, int] | None]:
    """Trains for a round, alone on the device.

    Returns:
        Answers with the most bytes that were in use and those that JAX may use, both 0 where
        the device does not say; None if memory ran out.
    """
    model, batches = _make_keras_model(workload)
    import jax

    from translator.training.failures import is_out_of_memory
    from translator.training.feeding import feed

    def run(_: Any) -> tuple[int, int] | None:
        try:
            _fit(model, feed(batches), workload.untimed)
        except Exception as error:
            if is_out_of_memory(error):
                return None
            raise
        found = jax.devices()[0].memory_stats() or {}
        return found.get("peak_bytes_in_use", 0), found.get("bytes_limit", 0)

    return run


def prepare_pytorch(workload: Workload, is_built_in: bool) -> Callable[[Any], Round]:
    """A row of PyTorch, compiled, in bfloat16, on the same batches.

    Args:
        workload: what is trained.
        is_built_in: whether the layers are those of PyTorch's own ``nn.Transformer``.

    Returns:
        Makes a round.
    """
    try:
        import torch
        from pytorch_transformer import BuiltInTransformer, Transformer, make_step
    except ImportError as error:
        raise InputError(f'{error}; pip install ".[bench]"') from None
    if workload.on_gpu and not torch.cuda.is_available():
        raise InputError("PyTorch finds no GPU")
    from translator.model.constants import sinusoidal_positions

    torch.manual_seed(workload.config.training.seed)
    sizes = workload.config.model
    model = (BuiltInTransformer if is_built_in else Transformer)(
        (workload.vocab_size, workload.vocab_size),
        (PADDING, PADDING),
        torch.from_numpy(sinusoidal_positions(workload.config.data.max_length, sizes.d_model)),
        sizes.num_layers,
        sizes.num_heads,
        sizes.dff,
        sizes.dropout_rate,
        sizes.tied_embeddings == "all",
    ).to("cuda" if workload.on_gpu else "cpu")
    step = make_step(model, LEARNING_RATE, bfloat16=True, compiled=True, with_loss=True)
    return _make_rounds(step, workload)


def _make_rounds(step: Callable[[Any, Any], Any], workload: Workload) -> Callable[[Any], Round]:
    """Rounds of PyTorch; nothing is read from the device before the end of a round."""
    import torch

    def tensor(ids: np.ndarray) -> Any:
        made = torch.from_numpy(ids).long()
        return made.pin_memory() if workload.on_gpu else made

    device = "cuda" if workload.on_gpu else "cpu"
    updates = []
    for (source, target_in), target_out in workload.arrays():
        real = (source != PADDING).any(axis=1)  # attention over padding alone would be NaN
        target = np.concatenate([target_in[:, :1], target_out], axis=1)
        updates.append((tensor(source[real]), tensor(target[real])))

    def move_and_step(pair: tuple[Any, Any]) -> Any:
        return step(*(side.to(device, non_blocking=True) for side in pair))

    def run(_: Any) -> Round:
        losses = [move_and_step(pair) for pair in updates[: workload.untimed]]
        float(losses[-1])  # waits for the device
        began = time.perf_counter()
        losses += [move_and_step(pair) for pair in updates[workload.untimed :]]
        float(losses[-1])
        return Round(time.perf_counter() - began, statistics.fmean(map(float, losses)))

    return run
