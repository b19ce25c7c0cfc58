"""What is chosen for the keys of a configuration that are left to the program.

The table has a row for each size of corpus; all of it was found by trying, see the page of results.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.config.schema import Config
from translator.corpora import CorpusSize
from translator.training.trial import Speed


class Size(NamedTuple):
    """A size of the model, and the learning rate that fits it.

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
        dropout_rate: of ``model``.
        warmup_steps: of the schedule, in a training of so many updates.
        updates: after which longer training hardly improves the scores.
        without_r_drop: the share of the epochs before R-Drop begins; 1 where it does not help.
    """

    pairs: int
    vocab_size: int
    batch_tokens: int
    size: int
    dropout_rate: float
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
    Recipe(1_000, 1_000, 1_024, 0, 0.2, 200, 1_200, 0.4),
    Recipe(5_000, 2_500, 2_048, 1, 0.2, 400, 2_000, 0.4),
    Recipe(29_000, 6_000, 2_048, 1, 0.3, 1_000, 12_000, 0.4),
    Recipe(165_000, 8_000, 3_072, 2, 0.15, 1_000, 10_000, 1.0),
    Recipe(1_500_000, 16_000, 8_192, 3, 0.1, 4_000, 60_000, 1.0),
    Recipe(10_000_000, 32_000, 25_600, 3, 0.1, 4_000, 100_000, 1.0),
)
LABEL_SMOOTHING = 0.1
WARM_UP_SHARE = 0.15  # of a training's updates, at most
MOST_UPDATES = 1.5  # times those of the recipe, where there is time for them
ENOUGH = 0.4  # of a recipe's updates; where there is no time for so many, a smaller model is better
ENOUGH_FOR_R_DROP = 0.5  # likewise, training without R-Drop is better
R_DROP = 1.0  # its weight
# Of a training that goes on from another run:
RATE_OF_TRAINED = 1e-3  # at this width; it falls with the square of the width
WIDTH_OF_TRAINED = 256
UPDATES_OF_TRAINED = 0.4  # times those of the recipe; R-Drop from the first of them

VALIDATIONS = 20  # of a training
VALIDATION_SHARE = 0.1  # of the time, at most
SECONDS_TO_FINISH = 30.0  # export, confidence and so on
SECONDS_TO_TRANSLATE = 3.0  # the validation split, once
SAME_LETTERS = 0.5  # with fewer letters in common, each language has a vocabulary of its own
PIECES_A_LETTER = 3  # at least, in a vocabulary
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

    dropouts = [recipe.dropout_rate for recipe in RECIPES]
    return RECIPES[int(np.argmin(abs(sizes - at)))]._replace(
        pairs=round(math.exp(at)),
        vocab_size=between("vocab_size", 100),
        batch_tokens=between("batch_tokens", 128),
        dropout_rate=round(float(np.interp(at, sizes, dropouts)), 2),
        warmup_steps=between("warmup_steps", 50),
        updates=between("updates", 100),
    )


def choose_encoding(config: Config, size: CorpusSize) -> list[Choice]:
    """Chooses vocabularies and batches.

    Args:
        config: with keys that are left to the program.
        size: of its corpus.
    """
    recipe = recipe_for(size.pairs)
    are_alike = size.letters_in_common >= SAME_LETTERS
    spaces = all(language_facts(language).has_spaces for language in config.corpus.languages)
    longest = _round_up(size.long / (CHARACTERS_A_TOKEN if spaces else 1.0) + 2, 16)
    max_length = min(max(longest, 48), 256)
    trained = config.tokenizer.name == "sentencepiece" and config.tokenizer.model_paths is None
    vocabulary: dict[str, Any] = {}
    if trained:
        vocabulary["tokenizer.vocab_size"] = vocab_size_for(size)
        vocabulary["tokenizer.shared"] = are_alike
    alphabets = "one alphabet" if are_alike else "two alphabets"
    return [
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


def vocab_size_for(size: CorpusSize) -> int:
    """The number of pieces for a corpus.

    Never more than its text has a use for: a third of its different words. Never fewer than a few
    for each of its letters.
    """
    found = min(recipe_for(size.pairs).vocab_size, 300 + size.words / 3)
    return _round_up(max(found, 300, PIECES_A_LETTER * size.letters), 100)


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


def choose_model(config: Config, pairs: int, size: Size) -> list[Choice]:
    """Chooses the model and the learning rate.

    Args:
        config: with keys that are left to the program; those of `choose_encoding` are chosen.
        pairs: of an epoch.
        size: of the model. It does not count where the training goes on from another run.
    """
    recipe = recipe_for(pairs)
    of_size = "" if size is SIZES[recipe.size] else ", and the time"
    rate, of_rate = size.learning_rate, "for a model of this size"
    if config.training.init is not None:
        rate = RATE_OF_TRAINED * (WIDTH_OF_TRAINED / config.model.d_model) ** 2
        of_size, of_rate = "", f"to go on from a model of width {config.model.d_model}"
    return [
        Choice(
            {
                "model.num_layers": size.num_layers,
                "model.d_model": size.d_model,
                "model.num_heads": size.num_heads,
                "model.dff": size.dff,
                "model.dropout_rate": recipe.dropout_rate,
                "model.normalize_first": True,
                "model.tied_embeddings": "all" if config.tokenizer.shared else "target",
            },
            f"for {pairs:,} pairs to train on{of_size}",
        ),
        Choice(
            {
                "training.label_smoothing": LABEL_SMOOTHING,
                "training.schedule.name": "linear",
                "training.schedule.learning_rate": float(f"{rate:.1e}"),
            },
            of_rate,
        ),
    ]


class Room(NamedTuple):
    """What there is time for.

    Attributes:
        seconds: that are left of the time that was given.
        speed: of a trial on this machine.
    """

    seconds: float
    speed: Speed

    @property
    def validations(self) -> float:
        """How many."""
        share = VALIDATION_SHARE * self._for_updates(0) / self._of_validation
        return min(float(VALIDATIONS), max(1.0, share))

    @property
    def updates(self) -> float:
        """How many, besides these validations."""
        return self._for_updates(self.validations) / self.speed.update

    def is_enough(self, pairs: int) -> bool:
        """Whether a model of this speed can learn what it is able to learn."""
        return self.updates >= ENOUGH * recipe_for(pairs).updates

    def check(self, updates_per_epoch: int) -> None:
        """Checks that there is time for an epoch.

        Raises:
            InputError: there is not.
        """
        if self.updates >= updates_per_epoch:
            return
        left = max(0.0, self._for_updates(0)) / 60
        minutes = (updates_per_epoch * self.speed.update + self._of_validation) / 60
        raise InputError(
            f"training.minutes: expected {minutes:.1f} more for one epoch of"
            f" {updates_per_epoch:,} updates, found {left:.1f} that are left; give more time, or"
            " fewer pairs"
        )

    @property
    def _of_validation(self) -> float:
        return self.speed.validation + SECONDS_TO_TRANSLATE

    def _for_updates(self, validations: float) -> float:
        """Seconds for updates, with so many validations."""
        used = self.speed.start + SECONDS_TO_FINISH + validations * self._of_validation
        return self.seconds - used


def choose_length(
    config: Config, pairs: int, updates_per_epoch: int, room: Room | None = None
) -> list[Choice]:
    """Chooses how long to train, with R-Drop from when on, and how often to validate.

    Args:
        config: with keys that are left to the program; all others are chosen.
        pairs: of an epoch.
        updates_per_epoch: with its batches.
        room: None where no time was given, or it does not count.

    Raises:
        InputError: the time is too short for one epoch.
    """
    recipe = recipe_for(pairs)
    share, needed = recipe.without_r_drop, recipe.updates / updates_per_epoch
    if config.training.init is not None:
        share, needed = 0.0 if share < 1 else 1.0, UPDATES_OF_TRAINED * needed
    validations, epochs = float(VALIDATIONS), max(1, round(needed))
    reason = f"for about {needed * updates_per_epoch:,.0f} updates, as {pairs:,} pairs need"
    if room is not None:
        room.check(updates_per_epoch)
        validations, fitting = room.validations, room.updates / updates_per_epoch
        if fitting < ENOUGH_FOR_R_DROP * needed * (2 - share):
            share = 1.0
        with_r_drop = _epochs_with_r_drop(config, fitting, share)
        epochs = max(1, int(min(with_r_drop, MOST_UPDATES * needed)))
        reason = f"because more updates do not help with {pairs:,} pairs"
        if with_r_drop <= MOST_UPDATES * needed:
            left, update = room.seconds / 60, 1_000 * room.speed.update
            reason = f"for the {left:.0f} minutes left, {update:.0f} ms an update"
    if "training.epochs" not in config.automatic:
        epochs = config.training.epochs
        reason = f"for {epochs} epochs of {updates_per_epoch:,} updates"
    updates = epochs * updates_per_epoch
    warmup = min(recipe.warmup_steps, max(1, int(updates * WARM_UP_SHARE)), updates - 1)
    every = epochs / validations
    within = max(1, int(every * updates_per_epoch)) if every < 0.6 else None
    if "validation.every_epochs" not in config.automatic:
        within = None
    elif "validation.every_updates" not in config.automatic:
        within = config.validation.every_updates
    return [
        Choice(
            {
                "training.epochs": epochs,
                "training.schedule.warmup_steps": warmup,
                "training.r_drop_alpha": R_DROP if share < 1 else 0.0,
                "training.r_drop_after": round(share * epochs) if share < 1 else 0,
            },
            reason,
        ),
        Choice(
            {
                "validation.every_epochs": max(1, round(every)) if within is None else 1,
                "validation.every_updates": within,
                "validation.translate_every": 1,
                "validation.metric": "accuracy",  # it rises longer than perplexity falls, as BLEU
            },
            f"for about {validations:.0f} validations",
        ),
    ]


def _epochs_with_r_drop(config: Config, epochs: float, share: float) -> float:
    """How many epochs there is time for, of which some take twice the time.

    Args:
        config: may say itself when R-Drop begins.
        epochs: that there is time for without it.
        share: of the epochs are without it.
    """
    if "training.r_drop_alpha" in config.automatic:
        return epochs / (2 - share)
    if not config.training.r_drop_alpha:
        return epochs
    after = config.training.r_drop_after
    return epochs if epochs <= after else (epochs + after) / 2


def _round(number: float, multiple: int) -> int:
    return multiple * round(number / multiple)


def _round_up(number: float, multiple: int) -> int:
    return math.ceil(number / multiple) * multiple
