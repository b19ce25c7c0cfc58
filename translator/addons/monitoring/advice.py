"""Advises what to try after a training, from the figures of that training."""

import math
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures
from translator.training.clock import TimeBudget
from translator.training.recipes import ENOUGH, UPDATES_OF_TRAINED, recipe_for
from translator.training.state import Selection

# The least gain per epoch, over the last three validations, that makes another epoch worthwhile.
# The figures of one validation split differ by less than this by chance.
STILL_FALLING = 0.01  # of cross-entropy: 1 % of the perplexity
STILL_RISING = 0.002  # of accuracy: two tokens in a thousand
WORSE = 0.02  # rise of the cross-entropy above its best that counts: 2 % of the perplexity
# Dropout, and the early weights of an epoch, make the training side's figures worse than the
# validation's. So figures that are this much better show that the model memorised pairs.
FAR_BELOW = 0.1  # cross-entropy of the training side below the validation's: 10 % of the perplexity
BETTER_BLEU = 1.0  # 1,000 sentences show such a gain; BLEU often improves long after the loss
MOST_DROPOUT = 0.5
LEARNT = 0.9  # validation accuracy that no real text allows, so few updates were enough


class Trained(NamedTuple):
    """A training that has ended.

    Attributes:
        validations: the lines of ``metrics.jsonl``.
        rate_is_zero: whether its learning rate would be 0 in another epoch.
        pairs: number of pairs that it was trained on.
        room: the budget of its time limit; None without a limit.
    """

    config: Config
    validations: Sequence[Figures]
    run: Path
    rate_is_zero: bool
    pairs: int
    updates: int
    room: TimeBudget | None = None


class Lack(NamedTuple):
    """The reason why a training is too short.

    Attributes:
        problem: the number of its updates, and the number that its pairs need.
        setting: a key with a value that is enough.
    """

    problem: str
    setting: str
    updates: int


def advise_after(
    config: Config,
    validations: Sequence[Figures],
    run: RunDirectory,
    updates: int,
    pairs: int,
    room: TimeBudget | None,
) -> str | None:
    """Advises what to try next after a training; see `advise`."""
    epochs = config.training.epochs
    last_of_another_epoch = updates + updates // epochs - 1
    is_over = config.training.schedule.is_zero_after(last_of_another_epoch)
    return advise(Trained(config, validations, run.path, is_over, pairs, updates, room))


def advise(trained: Trained) -> str | None:
    """Advises what to try next, with the keys to set; None if the figures show nothing."""
    finders = (
        _too_short_advice,
        _overfitting_advice,
        _longer_advice,
    )
    advice = (find(trained) for find in finders)
    return next((line for line in advice if line is not None), None)


def _too_short_advice(trained: Trained) -> str | None:
    """Advice for a run that was too short from the beginning."""
    lack = lacking_updates(trained.config, trained.pairs, trained.updates, trained.room)
    has_learnt = trained.validations and trained.validations[-1]["val_accuracy"] >= LEARNT
    if lack is None or has_learnt:
        return None
    if trained.config.training.schedule.name == "custom":  # no command can set it
        remedy = lack.setting
    elif trained.config.training.minutes is None:
        settings = [lack.setting, "training.schedule.total_steps=null"]
        if trained.config.training.schedule.warmup_steps > lack.updates:
            warmup = suggested_warmup(lack.updates)
            settings.append(f"training.schedule.warmup_steps={warmup}")
        remedy = _train_again(trained, "longer", *settings)
    else:  # the time limit chose settings; the command names the user's file
        init = trained.config.training.init
        settings = [lack.setting, *([f"training.init={init}"] if init else [])]
        remedy = _train_again(trained, "longer", *settings, config="CONFIG")
    return f"{lack.problem}: {remedy}"


def lacking_updates(
    config: Config, pairs: int, updates: int, room: TimeBudget | None = None
) -> Lack | None:
    """Finds why a training is too short to learn everything from its pairs; None if it is not.

    Args:
        room: the budget of a time limit; None without a limit.
    """
    if config.corpus.name == "demo":  # its grammar needs fewer updates than a language
        return None
    training, recipe = config.training, recipe_for(pairs)
    needed = recipe.updates * (1.0 if training.init is None else UPDATES_OF_TRAINED)
    needed *= min(1.0, recipe.batch_tokens / (config.data.batch_tokens or recipe.batch_tokens))
    if updates >= ENOUGH * needed:
        return None
    key, longer = "epochs", training.epochs * needed / updates
    if training.minutes is not None:
        key, longer = "minutes", training.minutes * needed / updates
        longer = longer if room is None else room.minutes_for(pairs, needed, training.minutes)
    return Lack(
        f"{updates:,} updates are too few; {pairs:,} pairs need about {round(needed, -2):,.0f}",
        f"training.{key}={math.ceil(longer)}",
        round(needed),
    )


def suggested_warmup(updates: int) -> int:
    """A tenth of a training's updates, the usual share."""
    return max(1, updates // 10)


def rounded(size: int) -> int:
    """Rounds a size to one significant digit; it is at least the smallest allowed size."""
    return max(300, round(size, 1 - len(str(size))))


def _overfitting_advice(trained: Trained) -> str | None:
    """Advice for a run whose validation got worse while its training side got better."""
    lines = trained.validations
    losses = [line["val_cross_entropy"] for line in lines]
    if len(lines) < 3 or _is_among_last(trained, 2) or losses[-1] - min(losses) < WORSE:
        return None
    if losses[-1] - lines[-1]["cross_entropy"] < FAR_BELOW:
        return None
    best = lines[losses.index(min(losses))]
    advice = (
        f"overfitting: the validation loss was lowest in epoch {best['epoch']:,}"
        f" ({min(losses):.3f}) and ended at {losses[-1]:.3f}; the training loss ended at"
        f" {lines[-1]['cross_entropy']:.3f}; try more pairs{_or_more_dropout(trained)}"
    )
    highest = max(line.get("val_bleu", 0.0) for line in lines)
    if "val_bleu" in best and highest - best["val_bleu"] >= BETTER_BLEU:
        gain = f"from {best['val_bleu']:.2f} to {highest:.2f}"
        return f"{advice}; BLEU rose {gain}; set validation.metric=bleu to keep its best weights"
    if best["epoch"] >= trained.config.training.epochs:
        return advice
    return f"{advice}, or fewer epochs (training.epochs={best['epoch']})"


def _or_more_dropout(trained: Trained) -> str:
    rate = trained.config.model.dropout_rate
    higher = min(MOST_DROPOUT, round(rate + 0.1, 3))
    return f", more dropout (model.dropout_rate={higher:g})" if higher > rate else ""


def _longer_advice(trained: Trained) -> str | None:
    """Advice for a run that was still getting better when its last epoch ended."""
    training = trained.config.training
    if len(trained.validations) < 3 or not _is_among_last(trained, 1):
        return None
    name, gain, enough = _latest_gain(trained)
    if trained.validations[-1]["epoch"] < training.epochs or gain < enough:
        return None
    longer = f"training.epochs={training.epochs + max(2, training.epochs // 2)}"
    command = (
        _train_again(trained, "longer", longer, "training.schedule.total_steps=null")
        if trained.rate_is_zero
        else _command(trained, trained.run, "--resume", "--set", longer)
    )
    return f"validation {name} was still improving; train for more epochs: {command}"


def _latest_gain(trained: Trained) -> tuple[str, float, float]:
    """The figure that counts, its gain per epoch over the last three validations, and a good gain.

    Accuracy counts if the best weights are chosen by accuracy or by a score of translations: both
    improve long after the cross-entropy. Each validation must be better than the validation before.
    """
    follows_accuracy = trained.config.validation.metric in ("accuracy", "bleu", "chrf")
    key, sign = ("val_accuracy", 1) if follows_accuracy else ("val_cross_entropy", -1)
    first, second, third = trained.validations[-3:]
    steps = [sign * (b[key] - a[key]) for a, b in ((first, second), (second, third))]
    epochs = (third["updates"] - first["updates"]) / third["updates"] * third["epoch"]
    gain = sum(steps) / epochs if min(steps) > 0 else 0.0
    return ("accuracy", gain, STILL_RISING) if follows_accuracy else ("loss", gain, STILL_FALLING)


def _is_among_last(trained: Trained, count: int) -> bool:
    """Whether the best validation is among the latest ones that measured the metric."""
    ranked = Selection(trained.config.validation).ranked(trained.validations)
    return bool(ranked) and ranked[0] in sorted(ranked)[-count:]


def _train_again(trained: Trained, name: str, *settings: str, config: str | None = None) -> str:
    run = trained.run if trained.run.name not in ("", "..") else trained.run.resolve()
    run = run.with_name(f"{run.name}-{name}")
    options = [part for setting in settings for part in ("--set", setting)]
    return _command(trained, run, *options, config=config)


def _command(trained: Trained, run: Path, *options: str, config: str | None = None) -> str:
    config = config or str(trained.run / "config.yaml")
    return shlex.join(["translator", "train", config, "--run", str(run), *options])
