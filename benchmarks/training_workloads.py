"""What `gpu.py` trains: sizes of models, synthetic pairs, and the work that they are."""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.config.schema import Config, ModelConfig
from translator.data.batches import FINE_EDGES, Batches, BatchLayout
from translator.data.encoding import EncodedPairs, TokenArray
from translator.data.numpy_batches import MicroBatch, UpdateArrays
from translator.tokenizers.subword import Tokenizers

PADDING, START, END, FIRST_WORD = 0, 2, 3, 4  # ids
LAYOUT = BatchLayout(edges=FINE_EDGES, equal_shapes=True)  # as JAX trains on one device
PEAKS = {  # operations a second in bfloat16, dense, by a pattern of the device's name
    r"H100 80GB HBM3$": 989e12,
    r"H200$": 989e12,
    r"A100\b": 312e12,
    r"L4$": 121e12,
    r"RTX 4090$": 165e12,
}


Draw = Callable[[np.random.Generator, int], np.ndarray]


class Size(NamedTuple):
    """The size of a model.

    Attributes:
        sizes: of `ModelConfig`.
        vocab_size: V of both sides.
        is_tied: whether one table of embeddings serves source, target and output.
    """

    sizes: dict[str, int]
    vocab_size: int
    is_tied: bool


def _size(layers: int, d_model: int, heads: int, dff: int, vocab_size: int, is_tied: bool) -> Size:
    sizes = {"num_layers": layers, "d_model": d_model, "num_heads": heads, "dff": dff}
    return Size(sizes, vocab_size, is_tied)


BASE = _size(6, 512, 8, 2048, 32_000, True)


class Case(NamedTuple):
    """A model and the sentences that it is trained on.

    Attributes:
        size: of the model.
        draw: draws the lengths of the sentences.
        max_length: the longest of them.
    """

    size: Size
    draw: Draw
    max_length: int


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


def two_lengths(short: int, long: int) -> Draw:
    """The same of sentences of two lengths, which have half of the tokens each."""

    def draw(random: np.random.Generator, tokens: int) -> np.ndarray:
        counts = [tokens // (2 * length) + 1 for length in (short, long)]
        return np.stack([random.permutation(np.repeat([short, long], counts))] * 2)

    return draw


TINY = Case(_size(1, 32, 2, 64, 400, True), two_lengths(24, 256), 256)
CASES = {
    "tutorial": Case(_size(4, 128, 8, 512, 10_000, False), usual_lengths, 64),
    "base": Case(BASE, usual_lengths, 64),
    "base-long": Case(BASE, long_lengths, 512),
    "big": Case(_size(6, 1024, 16, 4096, 32_000, True), usual_lengths, 64),
}
OF_MEMORY = Case(BASE, two_lengths(32, 96), 96)


class Ids(NamedTuple):
    """All that a model and its batches need to know of a tokenizer."""

    size: int
    padding_id: int = PADDING


class Workload(NamedTuple):
    """What a row trains on.

    Attributes:
        config: of the training.
        pairs: random ids of realistic lengths, an epoch.
        vocab_size: V of both sides.
        untimed: updates at the beginning of each round.
        on_gpu: whether all is to run on a GPU.
    """

    config: Config
    pairs: EncodedPairs
    vocab_size: int
    untimed: int
    on_gpu: bool

    @property
    def tokenizers(self) -> Tokenizers:
        """Of the model."""
        return Tokenizers(Ids(self.vocab_size), Ids(self.vocab_size))

    def batches(self, layout: BatchLayout = LAYOUT) -> Batches:
        """The updates of a round."""
        seed = (self.config.training.seed, 0)
        return Batches(self.pairs, self.config.data, self.tokenizers, seed, layout)

    def arrays(self) -> list[MicroBatch]:
        """The batch of each update."""
        updates = UpdateArrays(self.batches())
        return [batch for number in range(len(updates)) for batch in updates[number]]

    def count_timed(self) -> tuple[int, int, float]:
        """The updates, target tokens and operations of a round, without the untimed updates."""
        batches = self.batches()
        tokens = batches.target_tokens()
        rows = np.concatenate(batches.plan[self.untimed :])
        source, target = (side.lengths[rows[rows >= 0]] for side in self.pairs)
        flops = count_flops(self.config.model, self.vocab_size, source, target - 1)
        return batches.count - self.untimed, int(tokens[-1] - tokens[self.untimed]), flops


def make_workload(
    case: Case, batch_tokens: int, updates: int, untimed: int, on_gpu: bool
) -> Workload:
    """Draws the pairs and makes the configuration of a row.

    Args:
        case: the model and its sentences.
        batch_tokens: bounds the sentences of a batch times the tokens of its longest side.
        updates: about how many an epoch has.
        untimed: how many of them are not timed.
        on_gpu: whether all is to run on a GPU.

    Raises:
        InputError: there are not enough pairs for a full batch of any length, or nothing to time.
    """
    random = np.random.default_rng(1)
    lengths = case.draw(random, updates * batch_tokens)
    total = np.cumsum(lengths.max(axis=0))
    lengths = lengths[:, : int(np.searchsorted(total, updates * batch_tokens)) + 1]
    pairs = EncodedPairs(*(draw_ids(random, side, case.size.vocab_size) for side in lengths))
    config = make_config(case, batch_tokens)
    workload = Workload(config, pairs, case.size.vocab_size, untimed, on_gpu)
    workload = workload._replace(pairs=pairs_of_full_batches(workload.batches()))
    if workload.batches().count <= untimed:
        raise InputError(f"expected more than {untimed} full batches; make more updates")
    return workload


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
    size = case.size
    return Config(
        corpus={"name": "demo"},  # it is not read
        tokenizer={"shared": size.is_tied, "vocab_size": size.vocab_size},
        data={"max_length": case.max_length, "batch_tokens": batch_tokens},
        model={**size.sizes, "tied_embeddings": "all" if size.is_tied else "none"},
        training={
            "backend": "jax",
            "devices": 1,
            "precision": "bfloat16",
            "schedule": {"name": "constant", "learning_rate": 1e-4, "warmup_steps": 1},
        },
    )


def draw_ids(random: np.random.Generator, lengths: np.ndarray, vocab_size: int) -> TokenArray:
    """Sentences of random words, each with start and end."""
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    ids = random.integers(FIRST_WORD, vocab_size, offsets[-1], np.int32)
    ids[offsets[:-1]], ids[offsets[1:] - 1] = START, END
    return TokenArray(ids, offsets)


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
