"""Measures the speed of training on a GPU, next to PyTorch.

    pip install ".[jax-cuda,bench]"
    python benchmarks/gpu.py --cases base-long --updates 60 --rounds 2

It is `fit` as ``translator train`` calls it, with JAX in bfloat16, and the same model in PyTorch
(`benchmarks/pytorch_transformer.py`) on the same batches, compiled, with fused attention and fused
Adam. Each is a process of its own. They take turns, and a row's figure is the median of its rounds;
the first round, which compiles, is apart. Only operations that the model needs count as its work.
With --try, all is tiny and runs on a CPU.
"""

import argparse
import contextlib
import functools
import re
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import harness
import numpy as np
from training_rows import Device, Round, Workload, prepare_keras, prepare_pytorch

from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.config.schema import Config, ModelConfig
from translator.config.yaml_file import validate_config
from translator.data.batches import FINE_EDGES, Batches, BatchLayout
from translator.data.encoded_pairs import EncodedPairs, TokenArray

START, END, FIRST_WORD = 2, 3, 4  # ids
LAYOUT = BatchLayout(edges=FINE_EDGES, equal_shapes=True)  # as JAX trains on one device
OURS, THEIRS = "translator", "PyTorch"
PEAKS = {  # operations a second in bfloat16, dense, by a pattern of the device's name
    r"H100 80GB HBM3$": 989e12,
    r"H200$": 989e12,
    r"A100\b": 312e12,
    r"L4$": 121e12,
    r"RTX 4090$": 165e12,
}
Draw = Callable[[np.random.Generator, int], np.ndarray]
Timed = tuple[Round, float]  # a round, and all seconds that it took


def usual_lengths(random: np.random.Generator, tokens: int) -> np.ndarray:
    """Lengths of both sides, (2, pairs), start and end included.

    They are log-normal with a median of 17 and quartiles of 12 and 24, and at most 64.

    Args:
        random: draws them.
        tokens: the source sides have at least so many, all together.
    """
    source = 17 * np.exp(random.normal(0, 0.5, tokens // 4))
    target = source * np.exp(random.normal(0, 0.15, len(source)))
    return np.clip(np.rint([source, target]), 4, 64).astype(int)


def long_lengths(random: np.random.Generator, tokens: int) -> np.ndarray:
    """The same of long sentences: 256 to 512 tokens."""
    source = random.uniform(256, 512, tokens // 256 + 1)
    target = source * np.exp(random.normal(0, 0.1, len(source)))
    return np.clip(np.rint([source, target]), 256, 512).astype(int)


def equal_lengths(random: np.random.Generator, tokens: int) -> np.ndarray:
    """The same of sentences of 24 tokens."""
    return np.full((2, tokens // 24 + 1), 24)


class Case(NamedTuple):
    """A model and the sentences that it is trained on: `ModelConfig`'s sizes, V, their lengths."""

    sizes: tuple[int, int, int, int]
    vocab_size: int
    is_tied: bool
    draw: Draw
    max_length: int


BASE = (6, 512, 8, 2048)
TINY = Case((1, 32, 2, 64), 400, True, equal_lengths, 24)
CASES = {
    "tutorial": Case((4, 128, 8, 512), 10_000, False, usual_lengths, 64),
    "base": Case(BASE, 32_000, True, usual_lengths, 64),
    "base-long": Case(BASE, 32_000, True, long_lengths, 512),
    "big": Case((6, 1024, 16, 4096), 32_000, True, usual_lengths, 64),
}


def main() -> None:
    """Prints a table of each case."""
    parser = harness.Parser(__doc__, rounds=5)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--batch-tokens", type=int, default=16384, help="of each side")
    parser.add_argument("--updates", type=int, default=120, help="of a round, about")
    options = parser.parse(batch_tokens=256, updates=6, rounds=1, cases=["tiny"])
    for name in options.cases:
        case = CASES.get(name, TINY)
        work = make_workload(case, options.batch_tokens, options.updates)
        device, rounds = measure(work, options)
        rows = make_rows(work, rounds, find_peak(device.kind))
        sizes = "{} layers, d_model {}, {} heads, dff {}".format(*case.sizes)
        title = f"{name}: {sizes}, batches of {options.batch_tokens:,} tokens"
        columns = ["", "tokens/s", "range", "ms an update", "share of the peak", "compiling"]
        columns.append("translator, times as fast")
        harness.show(options, f"gpu-{name}", title, columns, rows, "bfloat16", device.kind)


def measure(work: Workload, options: argparse.Namespace) -> tuple[Device, dict[str, list[Timed]]]:
    """The device, and the rounds of each row; the first round of a row compiles."""
    is_process = not options.small
    turns: dict[str, Callable[[], Timed]] = {}
    with contextlib.ExitStack() as workers:
        ours = harness.Worker(prepare_keras, work, is_process=is_process)
        workers.enter_context(contextlib.closing(ours))
        device = ours.ask("device")
        if device.platform != "gpu" and not options.small:
            raise InputError("JAX finds no GPU; --try measures tiny sizes on a CPU")
        turns[OURS] = functools.partial(ask, ours)
        try:
            arguments = (work, True, True, device.platform == "gpu")
            theirs = harness.Worker(prepare_pytorch, *arguments, is_process=is_process)
            workers.enter_context(contextlib.closing(theirs))
            turns[THEIRS] = functools.partial(ask, theirs)
        except harness.WorkerFailed as error:
            print(f"{THEIRS}: left out, {error}")
        return device, harness.in_turns(turns, options.rounds + 1, warm_up=0)


def ask(worker: harness.Worker) -> Timed:
    """A round of a row."""
    began = time.perf_counter()
    return worker.ask(), time.perf_counter() - began


def make_rows(
    work: Workload, rounds: dict[str, list[Timed]], peak: float | None
) -> list[harness.Row]:
    """The rows of a case; ``peak`` is the operations a second of the device, if it is known."""
    flops = count_work(work)
    seconds = {
        row: statistics.median(each.seconds for each, _ in its[1:]) for row, its in rounds.items()
    }
    rows: list[harness.Row] = []
    for row, ((first, in_all), *later) in rounds.items():
        speeds = [each.tokens / each.seconds for each, _ in later]
        rows.append(
            [
                row,
                round(first.tokens / seconds[row]),
                harness.spread(speeds),
                round(1000 * seconds[row] / first.updates, 2),
                f"{flops / seconds[row] / peak:.1%}" if peak else "",
                f"{in_all - statistics.median(taken for _, taken in later):.0f} s",
                None if row == OURS else round(seconds[row] / seconds[OURS], 2),
            ]
        )
    return rows


def make_workload(case: Case, batch_tokens: int, updates: int) -> Workload:
    """Draws the pairs and makes the configuration.

    Args:
        case: the model and its sentences.
        batch_tokens: bounds the sentences of a batch times the tokens of its longest side.
        updates: about how many an epoch has.

    Raises:
        InputError: there are not enough pairs for a full batch of any length, or nothing to time.
    """
    random = np.random.default_rng(1)
    lengths = case.draw(random, updates * batch_tokens)
    total = np.cumsum(lengths.max(axis=0))
    lengths = lengths[:, : int(np.searchsorted(total, updates * batch_tokens)) + 1]
    pairs = EncodedPairs(*(draw_ids(random, side, case.vocab_size) for side in lengths))
    untimed = min(5, max(1, updates // 3))
    work = Workload(make_config(case, batch_tokens), updates, untimed, LAYOUT, pairs,
                    case.vocab_size)  # fmt: skip
    full = pairs_of_full_batches(work.batches()[0])
    work = work._replace(pairs=full, updates=10 * updates)
    if work.batches()[0].count <= untimed:
        raise InputError(f"expected more than {untimed} full batches; make more updates")
    return work


def pairs_of_full_batches(batches: Batches) -> EncodedPairs:
    """The pairs without those of batches that are not full: a long epoch has few of them."""
    full = np.zeros(len(batches.pairs), bool)
    for rows, sentences in zip(batches.plan, batches.shapes[:, 0]):
        full[rows] = len(rows) == sentences
    if not full.any():
        raise InputError("expected a full batch, found none; make more updates, or smaller ones")
    return EncodedPairs(*(side.select(full) for side in batches.pairs))


def make_config(case: Case, batch_tokens: int) -> Config:
    """The configuration of a training on one device with JAX, in bfloat16."""
    sizes = dict(zip(("num_layers", "d_model", "num_heads", "dff"), case.sizes))
    schedule = {"name": "constant", "learning_rate": 1e-4, "warmup_steps": 1}
    values = {
        "corpus": {"name": "demo"},  # it is not read
        "tokenizer": {"shared": case.is_tied, "vocab_size": case.vocab_size},
        "data": {"max_length": case.max_length, "batch_tokens": batch_tokens},
        "model": {**sizes, "tied_embeddings": "all" if case.is_tied else "none"},
        "training": {
            "backend": "jax",
            "devices": 1,
            "precision": "bfloat16",
            "schedule": schedule,
        },
    }
    return validate_config(values, "gpu.py")


def draw_ids(random: np.random.Generator, lengths: np.ndarray, vocab_size: int) -> TokenArray:
    """Sentences of random words, each with start and end."""
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    ids = random.integers(FIRST_WORD, vocab_size, offsets[-1], np.int32)
    ids[offsets[:-1]], ids[offsets[1:] - 1] = START, END
    return TokenArray(ids, offsets)


def count_work(work: Workload) -> float:
    """The operations of a round that the model needs, without the untimed updates."""
    batches, _ = work.batches()
    rows = np.concatenate(batches.plan[work.untimed :])
    source, target = (side.lengths[rows[rows >= 0]] for side in batches.pairs)
    return count_flops(work.config.model, work.vocab_size, source, target - 1)


def count_flops(
    model: ModelConfig, vocab_size: int, source: np.ndarray, target: np.ndarray
) -> float:
    """The operations that updates need: two for each multiplication and addition of a product.

    The backward pass takes twice those of the forward pass. Only what a model needs is counted:
    no padding, no positions that the decoder's mask hides, nothing that is computed again.

    Args:
        model: its sizes.
        vocab_size: V of the target side.
        source: the source tokens of each sentence, (sentences,).
        target: the predicted tokens of each sentence, (sentences,).
    """
    width = model.num_heads * (model.head_dim or model.d_model // model.num_heads)
    dense = model.d_model * width  # of a token, in each of the four projections of attention
    feed_forward = 2 * model.d_model * model.dff
    s, t = np.asarray(source, float), np.asarray(target, float)
    encoder = s * (4 * dense + feed_forward) + 2 * width * s * s
    seen = t * (t + 1) / 2 + s * t  # positions, by self- and by cross-attention
    decoder = t * (6 * dense + feed_forward) + s * 2 * dense + 2 * width * seen
    output = t * model.d_model * vocab_size
    forward = 2 * np.sum(model.num_layers * (encoder + decoder) + output)
    return float(3 * forward)


def find_peak(device_kind: str) -> float | None:
    """The most operations a second of a device in bfloat16; None where it is unknown.

    Args:
        device_kind: as JAX names it, such as NVIDIA H100 80GB HBM3.
    """
    found = (peak for pattern, peak in PEAKS.items() if re.search(rf"\b{pattern}", device_kind))
    return next(found, None)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
