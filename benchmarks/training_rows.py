"""The rows of both benchmarks of training: this program and PyTorch, on the same batches."""

import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from translator.base.errors import InputError
from translator.base.keras_startup import set_random_seed, start_keras
from translator.base.machine import ALL_CORES
from translator.config.schema import Config
from translator.data.batches import Batches, BatchLayout
from translator.data.encoded_pairs import EncodedPairs
from translator.data.numpy_batches import UpdateArrays
from translator.data.preparation import prepare
from translator.tokenizers.subword import Tokenizer, Tokenizers

LEARNING_RATE = 1e-4


class Ids(NamedTuple):
    """All that a model and its batches need to know of a tokenizer."""

    size: int
    padding_id: int = 0


class Workload(NamedTuple):
    """What a row trains on.

    Attributes:
        config: of the training.
        updates: of a round, at most.
        untimed: updates at its beginning.
        layout: of the batches.
        pairs: an epoch of ids; None reads the corpus of the configuration.
        vocab_size: V of both sides of ``pairs``.
        is_padded: whether all batches are padded to the longest sentence.
    """

    config: Config
    updates: int
    untimed: int
    layout: BatchLayout = BatchLayout()
    pairs: EncodedPairs | None = None
    vocab_size: int = 0
    is_padded: bool = False

    @property
    def backend(self) -> str:
        """That of the configuration, or TensorFlow."""
        chosen = self.config.training.backend
        return "tensorflow" if chosen == "auto" else chosen

    def batches(self, layout: BatchLayout | None = None) -> tuple[Batches, Tokenizers]:
        """The batches of a round and what knows their ids."""
        pairs, tokenizers = self.pairs, Tokenizers(*[cast(Tokenizer, Ids(self.vocab_size))] * 2)
        if pairs is None:
            data = prepare(self.config, lambda line: None)
            pairs, tokenizers = data.train, data.tokenizers
        seed = (self.config.training.seed, 0)
        batches = Batches(pairs, self.config.data, tokenizers, seed, layout or self.layout)
        if self.is_padded:
            batches.shapes[:, 1:] = [int(side.lengths.max()) for side in pairs]
        return batches, tokenizers

    def count_timed(self, batches: Batches) -> tuple[int, int]:
        """The updates and the real target tokens of a round, without the untimed updates."""
        last, tokens = min(self.updates, batches.count), batches.target_tokens()
        return last - self.untimed, int(tokens[last] - tokens[self.untimed])


class Round(NamedTuple):
    """A round without its untimed updates, and its mean loss."""

    seconds: float
    loss: float
    updates: int
    tokens: int


class Device(NamedTuple):
    """The first device: ``gpu`` or ``cpu``, and its name."""

    platform: str
    kind: str


def prepare_keras(workload: Workload) -> Callable[[str | None], Any]:
    """A row of this program: `fit` as ``translator train`` calls it, without bar and signals.

    Returns:
        Answers "device" with the `Device`, and else makes a round.
    """
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # others use the GPU as well
    start_keras(workload.backend)
    import keras

    from translator.training.compilation import make_training_model
    from translator.training.feeding import feed, training_layout
    from translator.training.resolution import resolve

    config = resolve(workload.config)
    layout = training_layout(config.training)
    if layout._replace(shards=1) != workload.layout:
        raise InputError(f"expected batches of {workload.layout}, found {layout}")
    set_random_seed(config.training.seed)
    batches, tokenizers = workload.batches(layout)
    model = make_training_model(config, tokenizers)
    updates, tokens = workload.count_timed(batches)
    fed = feed(batches, 0, workload.untimed + updates)

    def run(question: str | None) -> Any:
        if question == "device":
            return find_device()
        times: list[float] = []

        def end_update(number: int, logs: Any) -> None:
            if number == workload.untimed - 1:
                float(logs["loss"])  # waits for the device
                times.append(time.perf_counter())

        clock = keras.callbacks.LambdaCallback(
            on_train_batch_end=end_update,
            on_epoch_end=lambda epoch, logs: times.append(time.perf_counter()),
        )
        history = model.fit(fed, shuffle=False, verbose=0, callbacks=[clock])
        loss = float(history.history["cross_entropy"][0])
        return Round(times[1] - times[0], loss, updates, tokens)

    return run


def find_device() -> Device:
    """JAX's first device, or the processor."""
    import keras

    if keras.backend.backend() != "jax":
        return Device("cpu", "cpu")
    import jax

    device = jax.devices()[0]
    return Device(device.platform, device.device_kind)


def prepare_pytorch(
    workload: Workload, bfloat16: bool, compiled: bool, on_gpu: bool
) -> Callable[[Any], Round]:
    """A row of PyTorch, on the same batches.

    Args:
        workload: what is trained.
        bfloat16: whether products are computed in it.
        compiled: whether ``torch.compile`` compiles the model, on a GPU with its loss.
        on_gpu: whether all runs on a GPU.

    Returns:
        Makes a round; nothing is read from the device before its end.
    """
    try:
        import torch
        from pytorch_transformer import Transformer, make_step
    except ImportError as error:
        raise InputError(f'{error}; pip install ".[bench]"') from None
    if on_gpu and not torch.cuda.is_available():
        raise InputError("PyTorch finds no GPU")
    from translator.model.constants import sinusoidal_positions

    torch.set_num_threads(ALL_CORES)
    torch.manual_seed(workload.config.training.seed)
    batches, tokenizers = workload.batches()
    updates, tokens = workload.count_timed(batches)
    sizes, padding_id = workload.config.model, tokenizers.source.padding_id
    device = "cuda" if on_gpu else "cpu"
    model = Transformer(
        (tokenizers.source.size, tokenizers.target.size),
        (padding_id, tokenizers.target.padding_id),
        torch.from_numpy(sinusoidal_positions(workload.config.data.max_length, sizes.d_model)),
        sizes.num_layers,
        sizes.num_heads,
        sizes.dff,
        sizes.dropout_rate,
        sizes.tied_embeddings == "all",
    ).to(device)
    step = make_step(model, LEARNING_RATE, bfloat16, compiled, with_loss=on_gpu)

    def tensor(ids: np.ndarray) -> Any:
        made = torch.from_numpy(ids).long()
        return made.pin_memory() if on_gpu else made

    arrays = UpdateArrays(batches, 0, workload.untimed + updates)
    made = []
    for number in range(len(arrays)):
        for (source, target_in), target_out in arrays[number]:
            real = (source != padding_id).any(axis=1)  # attention over padding alone would be NaN
            target = np.concatenate([target_in[:, :1], target_out], axis=1)
            made.append((tensor(source[real]), tensor(target[real])))

    def move_and_step(pair: tuple[Any, Any]) -> Any:
        return step(*(side.to(device, non_blocking=True) for side in pair))

    def run(_: Any) -> Round:
        losses = [move_and_step(pair) for pair in made[: workload.untimed]]
        float(losses[-1])  # waits for the device
        began = time.perf_counter()
        losses += [move_and_step(pair) for pair in made[workload.untimed :]]
        float(losses[-1])
        seconds = time.perf_counter() - began
        return Round(seconds, statistics.fmean(map(float, losses)), updates, tokens)

    return run
