"""What is chosen for the keys of a configuration that are left to the program.

The table has a row for each size of corpus. The rows up to 165,000 pairs were found by trying, see
the page of results; those of millions are sizes that others publish, and were not tried.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from translator.base.languages import language_facts
from translator.config.schema import Config
from translator.corpora import CorpusSize


class Size(NamedTuple):
    """A size of the model, and the learning rate that fits its width.

    Attributes:
        num_layers: of ``model``.
        d_model: likewise.
        num_heads: likewise.
        dff: likewise.
        learning_rate: the highest one of the schedule.
    """

    num_layers: int
    d_model: int
    num_heads: int
    dff: int
    learning_rate: float


class Recipe(NamedTuple):
    """How a corpus of some size is trained on.

    Attributes:
        pairs: its sentence pairs.
        vocab_size: pieces of the vocabulary of both languages.
        batch_tokens: as the key of that name, as all below.
        size: the number of one of `SIZES`.
        warmup_steps: of the schedule, in a training of so many updates.
        updates: after which longer training hardly improves the scores.
        without_r_drop: the share of the epochs before R-Drop begins; 1 where it does not help.
    """

    pairs: int
    vocab_size: int
    batch_tokens: int
    size: int
    warmup_steps: int
    updates: int
    without_r_drop: float


SIZES = (
    Size(3, 128, 4, 256, 3e-3),
    Size(4, 128, 4, 512, 3e-3),
    Size(3, 256, 8, 1_024, 2e-3),
    Size(6, 512, 8, 2_048, 1e-3),
)
RECIPES = (
    Recipe(1_000, 1_000, 1_024, 0, 200, 1_200, 0.4),
    Recipe(5_000, 2_500, 1_024, 1, 400, 3_000, 0.4),
    Recipe(29_000, 6_000, 2_048, 1, 1_000, 12_000, 0.4),
    Recipe(165_000, 8_000, 3_072, 2, 1_000, 10_000, 1.0),
    Recipe(1_500_000, 16_000, 8_192, 3, 4_000, 60_000, 1.0),
    Recipe(10_000_000, 32_000, 25_600, 3, 4_000, 100_000, 1.0),
)
LABEL_SMOOTHING = 0.1
# Sentences for each of the two splits, where a corpus has none, and their share at least and most.
HELD_OUT = 200
LEAST_HELD_OUT, MOST_HELD_OUT = 0.01, 0.1
# Learning rates of a training that goes on from a model of these widths: below those from scratch.
TRAINED_RATES = {128: 1.5e-3, 256: 1e-3, 512: 2.5e-4, 1_024: 1e-4}
SAME_LETTERS = 0.5  # with fewer letters in common, each language has a vocabulary of its own
PIECES_A_LETTER = 3  # in a vocabulary
OTHER_PIECES = 300  # bytes, marks and special tokens
CHARACTERS_A_TOKEN = 2.5  # at least, where spaces divide words


class Choice(NamedTuple):
    """Values for some keys, and why they were chosen.

    Attributes:
        values: by the full names of the keys.
        reason: ends the line that reports them.
    """

    values: Mapping[str, Any]
    reason: str


def recipe_for(pairs: int) -> Recipe:
    """What lies between two rows of the table, by the logarithm of the sentence pairs.

    The size of the model is that of the nearer row.
    """
    at = math.log(min(max(pairs, RECIPES[0].pairs), RECIPES[-1].pairs))
    sizes = np.log([recipe.pairs for recipe in RECIPES])

    def between(key: str, multiple: int) -> int:
        logs = np.log([getattr(recipe, key) for recipe in RECIPES])
        return _round(math.exp(np.interp(at, sizes, logs)), multiple)

    return RECIPES[int(np.argmin(abs(sizes - at)))]._replace(
        pairs=round(math.exp(at)),
        vocab_size=between("vocab_size", 100),
        batch_tokens=between("batch_tokens", 128),
        warmup_steps=between("warmup_steps", 50),
        updates=between("updates", 100),
    )


def choose_encoding(config: Config, size: CorpusSize) -> list[Choice]:
    """Chooses what is held out, vocabularies and batches.

    Args:
        config: with keys that are left to the program.
        size: of its corpus.
    """
    recipe = recipe_for(size.pairs)
    are_alike = size.letters_in_common >= SAME_LETTERS
    spaces = all(language_facts(language).has_spaces for language in config.corpus.languages)
    longest = _round_up(size.long / (CHARACTERS_A_TOKEN if spaces else 1.0) + 2, 16)
    max_length = min(max(longest, 48), 256)
    if "data.max_length" not in config.automatic:
        max_length = config.data.max_length
    elif "data.batch_tokens" not in config.automatic and config.data.batch_tokens is not None:
        max_length = min(max_length, config.data.batch_tokens)
    trained = config.tokenizer.name == "sentencepiece" and config.tokenizer.model_paths is None
    vocabulary: dict[str, Any] = {}
    if trained:
        vocabulary["tokenizer.vocab_size"] = vocab_size_for(size, are_alike)
        vocabulary["tokenizer.shared"] = are_alike
    alphabets = "one alphabet" if are_alike else "two alphabets"
    share = round(min(max(HELD_OUT / max(1, size.pairs), LEAST_HELD_OUT), MOST_HELD_OUT), 3)
    return [
        Choice({f"corpus.split.{name}": share for name in size.taken}, f"for {size.pairs:,} pairs"),
        Choice(vocabulary, f"for {size.pairs:,} pairs of sentences in {alphabets}"),
        Choice(
            {"data.max_length": max_length},
            f"for sentences of up to {size.long} characters, but for one in a thousand",
        ),
        Choice(
            {"data.batch_tokens": max(recipe.batch_tokens, max_length)},
            f"for {size.pairs:,} pairs",
        ),
    ]


def vocab_size_for(size: CorpusSize, are_alike: bool) -> int:
    """The number of pieces for a corpus.

    As many as the table has, and a few for each letter; but not more than a third of the different
    words, and then at least one for each letter.

    Args:
        size: of the corpus.
        are_alike: whether both sides have one vocabulary; otherwise each has one of this size.
    """
    sides = [size.together] if are_alike else size.sides
    letters, words = max(side.letters for side in sides), min(side.words for side in sides)
    wanted = max(recipe_for(size.pairs).vocab_size, PIECES_A_LETTER * letters)
    return _round_up(max(min(wanted, OTHER_PIECES + words / 3), OTHER_PIECES + letters), 100)


def sizes_for(config: Config, pairs: int) -> list[Size]:
    """The sizes that a model may have, the best one for so many pairs first.

    Args:
        config: leaves the size to the program, or says some of it; then there is one choice.
        pairs: of an epoch.
    """
    largest = recipe_for(pairs).size
    keys = {f"model.{key}" for key in ("num_layers", "d_model", "num_heads", "dff")}
    smallest = 0 if keys <= config.automatic else largest
    return [SIZES[number] for number in range(largest, smallest - 1, -1)]


def choose_model(config: Config, pairs: int, size: Size) -> Choice:
    """Chooses the model.

    Args:
        config: with keys that are left to the program; those of `choose_encoding` are chosen.
        pairs: of an epoch.
        size: of the model.
    """
    is_best = config.training.init is not None or size is SIZES[recipe_for(pairs).size]
    return Choice(
        {
            "model.num_layers": size.num_layers,
            "model.d_model": size.d_model,
            "model.num_heads": size.num_heads,
            "model.dff": size.dff,
            "model.normalize_first": True,
            "model.tied_embeddings": "all" if config.tokenizer.shared else "target",
        },
        f"for {pairs:,} pairs to train on{'' if is_best else ', and the time'}",
    )


def choose_rate(config: Config) -> Choice:
    """Chooses the schedule and its highest learning rate.

    Args:
        config: with keys that are left to the program; the model and the warm-up are chosen.
    """
    d_model, schedule = config.model.d_model, config.training.schedule
    rates = {size.d_model: size.learning_rate for size in SIZES}
    reason = f"for a model of width {d_model}"
    if config.training.init is not None:
        rates, reason = TRAINED_RATES, f"to go on from a model of width {d_model}"
    logs = np.interp(math.log(d_model), np.log(list(rates)), np.log(list(rates.values())))
    rate = math.exp(logs)
    is_named = "training.schedule.name" not in config.automatic
    if is_named and schedule.name == "noam":  # where it is a factor, not the highest rate
        rate *= math.sqrt(d_model * max(1, schedule.warmup_steps))
    return Choice(
        {
            "training.label_smoothing": LABEL_SMOOTHING,
            "training.schedule.name": "linear",
            "training.schedule.learning_rate": float(f"{rate:.1e}"),
        },
        reason,
    )


def _round(number: float, multiple: int) -> int:
    return multiple * round(number / multiple)


def _round_up(number: float, multiple: int) -> int:
    return math.ceil(number / multiple) * multiple
