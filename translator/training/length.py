"""How long a training is that is left to the program, and how often it is measured."""

import math
from typing import Any, NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.training.recipe import Choice, recipe_for
from translator.training.trial import Speed

MOST_UPDATES = 1.5  # times those of the recipe, where there is time for them
ENOUGH = 0.4  # of a recipe's updates; where there is no time for so many, a smaller model is better
ENOUGH_FOR_R_DROP = 0.8  # likewise, training without R-Drop is better
R_DROP = 1.0  # its weight
WARM_UP_SHARE = 0.15  # of a training's updates, at most
UPDATES_OF_TRAINED = 0.4  # times those of the recipe, to go on from another run
VALIDATIONS = 20  # of a training
VALIDATION_SHARE = 0.1  # of the time, at most
SECONDS_TO_FINISH = 30.0  # export, confidence and so on
MARGIN = 1.2  # of the time that is asked for, since the next trial may find all a little slower
# Dropout for a number of epochs, which is how often a pair is seen.
EPOCHS = (8, 38)
DROPOUT_RATES = (0.1, 0.3)


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
        share = VALIDATION_SHARE * self._for_updates(0) / self.speed.validation
        return min(float(VALIDATIONS), max(1.0, share))

    @property
    def updates(self) -> float:
        """How many, besides these validations."""
        return self._for_updates(self.validations) / self.speed.update

    def is_enough(self, pairs: int) -> bool:
        """Whether a model of this speed can learn what it is able to learn."""
        return self.updates >= ENOUGH * recipe_for(pairs).updates

    def check(self, updates_per_epoch: int, passes: float, minutes: float) -> None:
        """Checks that there is time for an epoch.

        Args:
            updates_per_epoch: with the chosen batches.
            passes: as many times that of updates without R-Drop it takes.
            minutes: that were given for the whole training.

        Raises:
            InputError: there is not.
        """
        lacking = (passes * updates_per_epoch - self.updates) * self.speed.update
        if lacking <= 0:
            return
        needed = math.ceil(10 * minutes + lacking / 6 * MARGIN) / 10
        raise InputError(
            f"training.minutes: expected at least {needed:.1f}, which one epoch of"
            f" {updates_per_epoch:,} updates needs with the start and the end, found {minutes:g};"
            " give more time, or fewer pairs"
        )

    def _for_updates(self, validations: float) -> float:
        """Seconds for updates, with so many validations."""
        used = self.speed.start + SECONDS_TO_FINISH + validations * self.speed.validation
        return self.seconds - used


def choose_length(
    config: Config, pairs: int, updates_per_epoch: int, room: Room | None = None
) -> list[Choice]:
    """Chooses how long to train, with how much dropout and R-Drop, and how often to validate.

    Args:
        config: with keys that are left to the program; all others are chosen.
        pairs: of an epoch.
        updates_per_epoch: with its batches.
        room: None where no time was given, or it does not count.

    Raises:
        InputError: the time is too short for one epoch.
    """
    recipe = recipe_for(pairs)
    epochs, without_r_drop, reason = _choose_epochs(config, pairs, updates_per_epoch, room)
    if "training.epochs" not in config.automatic:
        epochs = config.training.epochs
        reason = f"for {epochs} epochs of {updates_per_epoch:,} updates"
    updates = epochs * updates_per_epoch
    end = min(updates, config.training.schedule.total_steps or updates)
    warmup = min(recipe.warmup_steps, max(1, int(end * WARM_UP_SHARE)), end - 1)
    has_r_drop = without_r_drop < 1
    values = {
        "training.epochs": epochs,
        "training.schedule.warmup_steps": warmup,
        "training.r_drop_alpha": R_DROP if has_r_drop else 0.0,
        "training.r_drop_after": round(without_r_drop * epochs) if has_r_drop else 0,
    }
    dropout = round(float(np.interp(epochs, EPOCHS, DROPOUT_RATES)), 2)
    validations = VALIDATIONS if room is None else room.validations
    return [
        Choice(values, reason),
        Choice({"model.dropout_rate": dropout}, f"for {epochs} epochs"),
        _choose_validations(config, epochs, updates_per_epoch, validations),
    ]


def _choose_epochs(
    config: Config, pairs: int, updates_per_epoch: int, room: Room | None
) -> tuple[int, float, str]:
    """How many epochs, which share of them is without R-Drop, and why so many."""
    recipe = recipe_for(pairs)
    without_r_drop, needed = recipe.without_r_drop, recipe.updates / updates_per_epoch
    if config.training.init is not None:
        without_r_drop = 0.0 if without_r_drop < 1 else 1.0
        needed *= UPDATES_OF_TRAINED
    updates = f"{needed * updates_per_epoch:,.0f} updates"
    if room is None:
        reason = f"for about {updates}, as {pairs:,} pairs need"
        return max(1, round(needed)), without_r_drop, reason
    passes = room.updates / updates_per_epoch
    if passes < ENOUGH_FOR_R_DROP * _count_passes(config, needed, without_r_drop):
        without_r_drop = 1.0
    of_one = _count_passes(config, 1.0, without_r_drop)
    room.check(updates_per_epoch, of_one, config.training.minutes or 0.0)
    fitting = _epochs_of_passes(config, passes, without_r_drop)
    most = MOST_UPDATES * needed
    reason = f"for {MOST_UPDATES} times the {updates} that {pairs:,} pairs need"
    if fitting <= most:
        left, update = room.seconds / 60, 1_000 * room.speed.update
        reason = f"for the {left:.1f} minutes left, {update:.0f} ms an update"
    return max(1, int(min(fitting, most))), without_r_drop, reason


def _count_passes(config: Config, epochs: float, without: float) -> float:
    """The passes through the pairs that some epochs make: two in each that has R-Drop.

    Args:
        config: may say itself whether there is R-Drop, and when it begins.
        epochs: of the training.
        without: share of the epochs that have none, where the configuration does not say it.
    """
    return epochs + max(0.0, epochs - _begin_of_r_drop(config, epochs, without))


def _epochs_of_passes(config: Config, passes: float, without: float) -> float:
    """How many epochs make so many passes; the inverse of `_count_passes`."""
    if "training.r_drop_after" in config.automatic:  # then it is in proportion to the epochs
        return passes / _count_passes(config, 1.0, without)
    return min(passes, (passes + _begin_of_r_drop(config, passes, without)) / 2)


def _begin_of_r_drop(config: Config, epochs: float, without: float) -> float:
    """The epochs before R-Drop; all of them where it is not used."""
    has_r_drop = config.training.r_drop_alpha > 0
    if "training.r_drop_alpha" in config.automatic:
        has_r_drop = without < 1
    if not has_r_drop:
        return epochs
    if "training.r_drop_after" not in config.automatic:
        return min(epochs, config.training.r_drop_after)
    return epochs * without if without < 1 else 0.0


def _choose_validations(
    config: Config, epochs: int, updates_per_epoch: int, validations: float
) -> Choice:
    """How often to validate: every few epochs, or within them where they are long."""
    between = epochs / validations  # epochs
    every_updates = max(1, int(between * updates_per_epoch)) if between < 0.6 else None
    if "validation.every_epochs" not in config.automatic:
        every_updates = None
    elif "validation.every_updates" not in config.automatic:
        every_updates = config.validation.every_updates
    values: dict[str, Any] = {
        "validation.every_epochs": max(1, round(between)) if every_updates is None else 1,
        "validation.every_updates": every_updates,
        "validation.translate_every": 1,
        "validation.metric": "accuracy",  # it rises longer than perplexity falls, as BLEU does
    }
    return Choice(values, f"for about {validations:.0f} validations")
