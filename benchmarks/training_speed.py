"""Measures the speed of a training step, next to PyTorch.

    pip install ".[bench]"
    python benchmarks/training_speed.py --set tokenizer.stand_in=target
    pip install ".[jax-cuda,bench]"
    python benchmarks/training_speed.py --gpu

Every row is a separate process that trains the same model on the same batches: the model of a
configuration, or with --gpu a Transformer-base on random sentences of 256 to 512 tokens. Rows of
translator measure the update of ``translator train``, on a GPU with JAX. Rows of PyTorch measure
the same model in PyTorch (`benchmarks/pytorch_transformer.py`). The rows take turns, so that other
load affects all of them. The figure of a row is the median of its rounds without the first, which
compiles. Each round is printed, and --minutes limits the rounds. Only operations that the model
needs count for the share of the peak. With --try, everything is tiny and runs on a CPU.
"""

import argparse
import contextlib
import functools
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, cast

import harness
import numpy as np

from translator.base.errors import InputError
from translator.base.keras_startup import set_random_seed
from translator.cli import errors_as_one_line
from translator.config.schema import Config, ModelConfig
from translator.config.yaml_file import read_config, validate_config
from translator.data.batches import EDGES, Batches, BatchLayout
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.numpy_batches import UpdateArrays
from translator.data.preparation import prepare
from translator.tokenizers.subword import Tokenizer, Tokenizers
from translator.training.hardware import has_fast_bfloat16
from translator.training.start import start_backend

UNTIMED = 5  # updates at the beginning of each round
ON_JAX = BatchLayout(edges=EDGES)  # on one device
PEAKS = {  # operations a second in bfloat16, dense, by a pattern of the device's name
    r"H100 80GB HBM3$": 989e12,
    r"H200$": 989e12,
    r"A100\b": 312e12,
}


class Row(NamedTuple):
    """A line of the table.

    Attributes:
        precision: the precision of its products.
        pytorch: of a row of PyTorch, whether ``torch.compile`` compiles the model; else None.
        is_padded: whether all batches are padded to the longest sentence.
    """

    precision: str
    pytorch: bool | None = None
    is_padded: bool = False


ON_CPU = {
    "translator, float32": Row("float32"),
    "PyTorch, float32": Row("float32", False),
    "PyTorch, float32, torch.compile": Row("float32", True),
    "translator, float32, padded to the longest": Row("float32", is_padded=True),
    "translator, bfloat16": Row("bfloat16"),
    "PyTorch, bfloat16": Row("bfloat16", False),
}
ON_GPU = {"translator, bfloat16": Row("bfloat16"), "PyTorch, bfloat16": Row("bfloat16", True)}


class Drawn(NamedTuple):
    """Random sentences, and the model that is trained on them: sizes of `ModelConfig`, and V."""

    sizes: dict[str, int]
    vocab_size: int
    shortest: int
    longest: int
    batch_tokens: int


BASE = Drawn({"num_layers": 6, "d_model": 512, "num_heads": 8, "dff": 2048}, 32000, 256, 512, 16384)
TINY = Drawn({"num_layers": 1, "d_model": 32, "num_heads": 2, "dff": 64}, 400, 24, 24, 256)


class Workload(NamedTuple):
    """The training of a row.

    Attributes:
        config: the configuration of the training.
        updates: the most updates of a round, the untimed updates included.
        layout: how the batches are laid out.
        pairs: an epoch of ids; None reads the corpus of the configuration.
        vocab_size: V of both sides of ``pairs``.
        is_padded: whether all batches are padded to the longest sentence.
    """

    config: Config
    updates: int
    layout: BatchLayout = BatchLayout()
    pairs: EncodedPairs | None = None
    vocab_size: int = 0
    is_padded: bool = False

    def batches(self, layout: BatchLayout | None = None) -> tuple[Batches, Tokenizers]:
        """The batches of a round, and the facts about their ids."""
        pairs, tokenizers = (
            self.pairs,
            Tokenizers(*[cast(Tokenizer, harness.Ids(self.vocab_size))] * 2),
        )
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
        return last - UNTIMED, int(tokens[last] - tokens[UNTIMED])


class Round(NamedTuple):
    """A round of a row.

    Attributes:
        seconds: the time without the untimed updates.
        all_seconds: the time with them.
        updates: how many updates were timed.
        tokens: real target tokens of the timed updates.
        device: its name.
    """

    seconds: float
    all_seconds: float
    updates: int
    tokens: int
    device: str = "cpu"

    def describe(self) -> str:
        """The speed of the round."""
        return f"{self.tokens / self.seconds:,.0f} tokens/s"


def main() -> None:
    """Measures all rows and prints them."""
    parser = harness.Parser(__doc__, rounds=5)
    parser.add_argument("--gpu", action="store_true", help="Transformer-base, with JAX")
    parser.add_argument("--config", type=Path, default=Path("configs/tatoeba.yaml"))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--updates", type=int, default=60, help="of each round, about")
    parser.add_argument("--minutes", type=float, default=15, help="no round begins after this time")
    options = parser.parse(rounds=1, updates=UNTIMED + 3, config=None)
    with tempfile.TemporaryDirectory() as folder:
        if options.gpu:
            work = draw_workload(TINY if options.small else BASE, options.updates)
        else:
            config = options.config or harness.write_small_config(Path(folder))
            work = Workload(read_config(config, tuple(options.set)), options.updates)
            check(work.config)
        rounds = measure(work, options)
    device = next(iter(rounds.values()))[0].device
    peak = find_peak(device)
    rows = make_rows(rounds, peak and count_work(work) / peak)
    columns = ["", "tokens/s", "range", "ms an update", "share of the peak", "compiling"]
    columns.append("translator in the same precision, times")
    name, machine = ("gpu-alone", device) if options.gpu else ("training-speed", "")
    title = "Real target tokens a second of a training step"
    harness.show(options, name, title, columns, rows, "as the rows say", machine)


def measure(work: Workload, options: argparse.Namespace) -> dict[str, list[Round]]:
    """The rounds of each row that this machine can run."""
    rows = ON_GPU if options.gpu else ON_CPU
    on_gpu, has_torch = options.gpu and not options.small, find_spec("torch") is not None
    turns: dict[str, Callable[[], Round]] = {}
    with contextlib.ExitStack() as workers:
        for name, row in rows.items():
            if options.small and turns and row.pytorch is None:
                continue
            if row.precision == "bfloat16" and not (options.gpu or has_fast_bfloat16()):
                print(f"{name}: left out, because this processor only emulates bfloat16")
                continue
            print(f"preparing {name}", file=sys.stderr, flush=True)
            training = work.config.training.model_copy(update={"precision": row.precision})
            config = work.config.model_copy(update={"training": training})
            arguments = (work._replace(config=config, is_padded=row.is_padded), on_gpu)
            pytorch = functools.partial(prepare_pytorch, compiled=bool(row.pytorch))
            prepare_row = prepare_keras if row.pytorch is None else pytorch
            is_process = not options.small or has_torch and row.pytorch is not None
            try:
                worker = harness.Worker(prepare_row, *arguments, is_process=is_process)
            except InputError as error:
                print(f"{name}: left out, {error}")
                continue
            turns[name] = workers.enter_context(contextlib.closing(worker)).ask
        if not turns:
            raise InputError("expected a row that can be measured, found none")
        rounds = options.rounds + 1
        return harness.in_turns(turns, rounds, 0, options.minutes, Round.describe)


def make_rows(rounds: dict[str, list[Round]], least: float | None) -> list[harness.Row]:
    """The lines of the table.

    Args:
        rounds: of each row; the first one of each compiles.
        least: the seconds that a round takes at least on this device, if they are known.
    """
    seconds = {name: statistics.median(each.seconds for each in its[1:])
               for name, its in rounds.items()}  # fmt: skip
    rows: list[harness.Row] = []
    for name, (first, *later) in rounds.items():
        ours = seconds.get(f"translator, {(ON_CPU | ON_GPU)[name].precision}", seconds[name])
        compiling = first.all_seconds - statistics.median(each.all_seconds for each in later)
        rows.append(
            [
                name,
                round(first.tokens / seconds[name]),
                harness.spread([each.tokens / each.seconds for each in later]),
                round(1000 * seconds[name] / first.updates, 2),
                f"{least / seconds[name]:.1%}" if least else "",
                f"{compiling:.0f} s",
                None if seconds[name] == ours else round(seconds[name] / ours, 2),
            ]
        )
    return rows


def check(config: Config) -> None:
    """Refuses a model that differs from the one in PyTorch."""
    usual = ModelConfig()
    for key in ("head_dim", "activation", "normalize_first", "positions", "tied_embeddings"):
        if getattr(config.model, key) != getattr(usual, key):
            raise InputError(
                f"model.{key}: expected {getattr(usual, key)}, which the model in PyTorch has"
            )
    if config.training.label_smoothing:
        raise InputError("training.label_smoothing: expected 0, which the model in PyTorch has")


def prepare_keras(work: Workload, on_gpu: bool) -> Callable[[Any], Round]:
    """A row of this program: updates as ``translator train`` makes them."""
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # other processes use the GPU, too
    start_backend(work.config.training, lambda line: None, deterministic=True)
    import keras

    from translator.training.backends import open_backend, training_layout
    from translator.training.settings import begin_settings

    device = "cpu"
    if keras.backend.backend() == "jax":
        import jax

        device = jax.devices()[0].device_kind
        if on_gpu and jax.devices()[0].platform != "gpu":
            raise InputError("JAX finds no GPU; --try measures tiny sizes on a CPU")
    config = begin_settings(work.config)
    layout = training_layout(config.training)
    if layout._replace(shards=1) != work.layout:
        raise InputError(f"expected batches of {work.layout}, found {layout}")
    set_random_seed(config.training.seed)
    batches, tokenizers = work.batches(layout)
    trained = open_backend(config, tokenizers)
    updates, tokens = work.count_timed(batches)

    def run(_: Any) -> Round:
        times = [time.perf_counter()]
        latest = None
        for number, batch in enumerate(trained.feed(batches, 0, UNTIMED + updates)):
            figures = trained.update(batch)
            if latest is not None:
                latest.read()  # as in a training, which waits for the device
            latest = figures
            if number == UNTIMED - 1:
                figures.read()
                times.append(time.perf_counter())
        figures.read()
        times.append(time.perf_counter())
        return Round(times[2] - times[1], times[2] - times[0], updates, tokens, device)

    return run


def prepare_pytorch(work: Workload, on_gpu: bool, compiled: bool) -> Callable[[Any], Round]:
    """A row of PyTorch on the same batches."""
    try:
        import pytorch_transformer
    except ImportError as error:
        raise InputError(f'{error}; pip install ".[bench]"') from None
    batches, tokenizers = work.batches()
    updates, tokens = work.count_timed(batches)
    arrays = UpdateArrays(batches, 0, UNTIMED + updates)
    step = pytorch_transformer.Step(work.config, tokenizers, compiled, on_gpu)
    pairs = [step.read(pair) for number in range(len(arrays)) for pair in arrays[number]]

    def run(_: Any) -> Round:
        times = [time.perf_counter()]
        for some in (pairs[:UNTIMED], pairs[UNTIMED:]):
            step.take(some)
            times.append(time.perf_counter())
        return Round(times[2] - times[1], times[2] - times[0], updates, tokens)

    return run


def draw_workload(drawn: Drawn, updates: int) -> Workload:
    """Draws pairs for about so many updates with full batches.

    Raises:
        InputError: there are not enough pairs for a full batch, or nothing to time.
    """
    random = np.random.default_rng(1)
    tokens = updates * drawn.batch_tokens
    lengths = draw_lengths(random, drawn, tokens)
    count = int(np.searchsorted(np.cumsum(lengths.max(axis=0)), tokens)) + 1
    pairs = EncodedPairs(*(draw_ids(random, side, drawn.vocab_size) for side in lengths[:, :count]))
    schedule = {"name": "constant", "learning_rate": 1e-4, "warmup_steps": 1}
    values = {
        "corpus": {"name": "demo"},  # it is not read
        "tokenizer": {"shared": True, "vocab_size": drawn.vocab_size},
        "data": {"max_length": drawn.longest, "batch_tokens": drawn.batch_tokens},
        "model": {**drawn.sizes, "tied_embeddings": "all"},
        "training": {"backend": "jax", "devices": 1, "schedule": schedule},
    }
    config = validate_config(values, "training_speed.py")
    work = Workload(config, 10 * updates, ON_JAX, pairs, drawn.vocab_size)
    batches, _ = work.batches()
    full = np.zeros(len(pairs), bool)  # a long epoch has few batches that are not full
    for rows, sentences in zip(batches.plan[:], batches.shapes[:, 0]):
        full[rows] = len(rows) == sentences
    if full.any():
        work = work._replace(pairs=EncodedPairs(*(side.select(full) for side in pairs)))
    if not full.any() or work.batches()[0].count <= UNTIMED:
        raise InputError(f"expected more than {UNTIMED} full batches; make more --updates")
    return work


def draw_lengths(random: np.random.Generator, drawn: Drawn, tokens: int) -> np.ndarray:
    """Lengths of both sides, (2, pairs), with start and end; together at least ``tokens``."""
    source = random.uniform(drawn.shortest, drawn.longest, tokens // drawn.shortest + 1)
    target = source * np.exp(random.normal(0, 0.1, len(source)))
    return np.clip(np.rint([source, target]), drawn.shortest, drawn.longest).astype(int)


def draw_ids(random: np.random.Generator, lengths: np.ndarray, vocab_size: int) -> TokenArray:
    """Sentences of random words, each with start and end."""
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    ids = random.integers(4, vocab_size, offsets[-1], np.int32)
    ids[offsets[:-1]], ids[offsets[1:] - 1] = 2, 3
    return TokenArray(ids, offsets)


def count_work(work: Workload) -> float:
    """The operations of a round that the model needs, without the untimed updates."""
    batches, _ = work.batches()
    rows = np.concatenate(batches.plan[UNTIMED : work.updates])
    source, target = (side.lengths[rows[rows >= 0]] for side in batches.pairs)
    return count_flops(work.config.model, work.vocab_size, source, target - 1)


def count_flops(
    model: ModelConfig, vocab_size: int, source: np.ndarray, target: np.ndarray
) -> float:
    """The operations that updates need: two for each multiplication and addition of a product.

    The backward pass needs twice the operations of the forward pass. Operations are not counted for
    padding, for positions that the decoder's mask hides, and for repeated computations.

    Args:
        model: its sizes.
        vocab_size: V of the target side.
        source: the source tokens of each sentence, (sentences,).
        target: the predicted tokens of each sentence, (sentences,).
    """
    dense = model.d_model**2  # of a token, in each of the four projections of attention
    feed_forward = 2 * model.d_model * model.dff
    s, t = np.asarray(source, float), np.asarray(target, float)
    encoder = s * (4 * dense + feed_forward) + 2 * model.d_model * s * s
    seen = t * (t + 1) / 2 + s * t  # positions, by self- and by cross-attention
    decoder = t * (6 * dense + feed_forward) + s * 2 * dense + 2 * model.d_model * seen
    output = t * model.d_model * vocab_size
    forward = 2 * np.sum(model.num_layers * (encoder + decoder) + output)
    return float(3 * forward)


def find_peak(device: str) -> float | None:
    """The most operations a second in bfloat16 of a device, as JAX names it; None if unknown."""
    return next((p for kind, p in PEAKS.items() if re.search(rf"\b{kind}", device)), None)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
