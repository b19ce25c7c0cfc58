"""The tables behind all automatic settings; `choices` reads them.

The rows up to 165,000 pairs come from experiments; see the page of results. The rows for
millions of pairs have published sizes, which were not tried.
"""

import math
from typing import NamedTuple

import numpy as np


class Size(NamedTuple):
    """A size of the model, and the learning rate that fits its width.

    Attributes:
        num_layers: like the key of ``model``; d_model, num_heads and dff, too.
        learning_rate: the highest rate of the schedule.
    """

    num_layers: int
    d_model: int
    num_heads: int
    dff: int
    learning_rate: float


class Recipe(NamedTuple):
    """How to train on a corpus of some size.

    Attributes:
        vocab_size: pieces of the vocabulary of both languages.
        batch_tokens: as the key ``data.batch_tokens``.
        size: the number of one of `SIZES`.
        warmup_steps: the warm-up in a training of ``updates``.
        updates: more updates hardly improve the scores.
        without_r_drop: the share of the epochs before R-Drop begins; 1 if it does not help.
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
# Values between two rows are rounded to a multiple of these.
ROUNDED_TO = {"vocab_size": 100, "batch_tokens": 128, "warmup_steps": 50, "updates": 100}
# Learning rates to continue from a model of these widths: lower than from scratch.
TRAINED_RATES = {128: 1.5e-3, 256: 1e-3, 512: 2.5e-4, 1_024: 1e-4}
UPDATES_OF_TRAINED = 0.4  # share of the recipe's updates, to continue from another run
LABEL_SMOOTHING = 0.1
R_DROP = 1.0  # the weight of R-Drop
WARM_UP_SHARE = 0.15  # largest share of a training's updates
# Dropout by the number of epochs, which says how often a pair is seen.
EPOCHS = (8, 38)
DROPOUT_RATES = (0.1, 0.3)

# Sentences for each split, if a corpus has no splits, and the bounds of their share.
HELD_OUT = 200
LEAST_HELD_OUT, MOST_HELD_OUT = 0.01, 0.1
SAME_LETTERS = 0.5  # with fewer common letters, each language has its own vocabulary
PIECES_A_LETTER = 3  # fewest pieces of a vocabulary for each letter
OTHER_PIECES = 300  # bytes, marks and special tokens
CHARACTERS_A_TOKEN = 2.5  # fewest, where spaces divide words
SHORTEST, LONGEST = 48, 256  # tokens of ``data.max_length``

MOST_UPDATES = 1.5  # most updates, in times of the recipe's updates
ENOUGH = 0.4  # share of a recipe's updates; if the time allows fewer, a smaller model is better
ENOUGH_FOR_R_DROP = 0.8  # share of a recipe's updates; with fewer, R-Drop makes a model worse
VALIDATIONS = 20  # validations of a training
VALIDATION_SHARE = 0.1  # largest share of the time for validations
SECONDS_TO_FINISH = 30.0  # for export, confidence and so on
MOST_TO_FINISH = 0.1  # largest share of the set time for finishing


def recipe_for(pairs: int) -> Recipe:
    """Interpolates between two rows of the table, by the logarithm of the sentence pairs.

    The size of the model comes from the nearer row.
    """
    rows = RECIPES
    at = math.log(min(max(pairs, rows[0].pairs), rows[-1].pairs))
    sizes = np.log([row.pairs for row in rows])
    between = {
        key: multiple
        * round(math.exp(np.interp(at, sizes, np.log([getattr(r, key) for r in rows]))) / multiple)
        for key, multiple in ROUNDED_TO.items()
    }
    nearer = rows[int(np.argmin(abs(sizes - at)))]
    return nearer._replace(pairs=round(math.exp(at)), **between)
