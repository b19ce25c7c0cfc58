"""Chooses the automatic settings with the tables of `recipes`."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from translator.base.languages import language_facts
from translator.config.schema import Config
from translator.corpora.sizes import CorpusSize
from translator.training import recipes
from translator.training.clock import TimeBudget
from translator.training.recipes import Size, recipe_for


class Choice(NamedTuple):
    """Values for some keys, and why they were chosen.

    Attributes:
        values: the values by the full names of their keys.
        reason: the end of the line that reports the values.
    """

    values: Mapping[str, Any]
    reason: str


def choose_encoding(config: Config, size: CorpusSize) -> list[Choice]:
    """Chooses held-out shares, vocabularies and batches."""
    for_pairs, recipe = f"for {size.pairs:,} pairs", recipe_for(size.pairs)
    are_alike = size.letters_in_common >= recipes.SAME_LETTERS
    spaces = all(language_facts(language).has_spaces for language in config.corpus.languages)
    longest = _round_up(size.long / (recipes.CHARACTERS_A_TOKEN if spaces else 1.0) + 2, 16)
    max_length = min(max(longest, recipes.SHORTEST), recipes.LONGEST)
    if "data.max_length" not in config.automatic:
        max_length = config.data.max_length
    elif "data.batch_tokens" not in config.automatic and config.data.batch_tokens is not None:
        max_length = min(max_length, config.data.batch_tokens)
    vocabulary: dict[str, Any] = {}
    if config.tokenizer.name == "sentencepiece" and config.tokenizer.model_paths is None:
        vocabulary["tokenizer.vocab_size"] = vocab_size_for(size, are_alike)
        vocabulary["tokenizer.shared"] = are_alike
    share = recipes.HELD_OUT / max(1, size.pairs)
    share = round(min(max(share, recipes.LEAST_HELD_OUT), recipes.MOST_HELD_OUT), 3)
    alphabets = "one alphabet" if are_alike else "two alphabets"
    return [
        Choice({f"corpus.split.{name}": share for name in size.taken}, for_pairs),
        Choice(vocabulary, f"{for_pairs} of sentences in {alphabets}"),
        Choice(
            {"data.max_length": max_length},
            f"for sentences of up to {size.long} characters, except one in a thousand",
        ),
        Choice({"data.batch_tokens": max(recipe.batch_tokens, max_length)}, for_pairs),
    ]


def vocab_size_for(size: CorpusSize, are_alike: bool) -> int:
    """The number of pieces for a corpus.

    It is the number in the table, or a few pieces for each letter if this is more. At most it is a
    third of the number of different words. At least it is one piece for each letter.

    Args:
        are_alike: whether both sides share a vocabulary; if not, each side has this many pieces.
    """
    sides = [size.together] if are_alike else size.sides
    letters, words = max(side.letters for side in sides), min(side.words for side in sides)
    count = max(recipe_for(size.pairs).vocab_size, recipes.PIECES_A_LETTER * letters)
    most, least = recipes.OTHER_PIECES + words / 3, recipes.OTHER_PIECES + letters
    return _round_up(max(min(count, most), least), 100)


def sizes_for(config: Config, pairs: int) -> list[Size]:
    """The possible sizes of a model, the best one for this many pairs first.

    If the configuration sets a part of the size, there is only one.
    """
    largest = recipe_for(pairs).size
    keys = {f"model.{key}" for key in ("num_layers", "d_model", "num_heads", "dff")}
    smallest = 0 if keys <= config.automatic else largest
    return [recipes.SIZES[number] for number in range(largest, smallest - 1, -1)]


def choose_model(config: Config, pairs: int, size: Size) -> Choice:
    """Chooses the model.

    Args:
        config: has automatic keys; but the keys of `choose_encoding` have values.
    """
    is_best = config.training.init is not None or size is recipes.SIZES[recipe_for(pairs).size]
    return Choice(
        {
            "model.num_layers": size.num_layers,
            "model.d_model": size.d_model,
            "model.num_heads": size.num_heads,
            "model.dff": size.dff,
            "model.normalize_first": True,
            "model.tied_embeddings": "all" if config.tokenizer.shared else "target",
        },
        f"for {pairs:,} pairs and copies to train on{'' if is_best else ', and the time'}",
    )


def choose_length(
    config: Config, pairs: int, updates_per_epoch: int, budget: TimeBudget | None = None
) -> list[Choice]:
    """Chooses how long to train, with how much dropout and R-Drop, and how often to validate.

    Args:
        config: has automatic keys; all other keys have values.
        budget: None if no time is set, or if the time does not count.
    """
    epochs, without_r_drop, reason = _choose_epochs(config, pairs, updates_per_epoch, budget)
    if "training.epochs" not in config.automatic:
        epochs = config.training.epochs
        reason = f"for {epochs} epochs of {updates_per_epoch:,} updates"
    updates = count_updates(epochs, updates_per_epoch, budget)
    end = min(updates, config.training.schedule.total_steps or updates)
    longest_warmup = min(max(1, int(end * recipes.WARM_UP_SHARE)), end - 1)
    has_r_drop = without_r_drop < 1
    length = {
        "training.epochs": epochs,
        "training.schedule.warmup_steps": min(recipe_for(pairs).warmup_steps, longest_warmup),
        "training.r_drop_alpha": recipes.R_DROP if has_r_drop else 0.0,
        "training.r_drop_after": round(without_r_drop * epochs) if has_r_drop else 0,
    }
    dropout = round(float(np.interp(epochs, recipes.EPOCHS, recipes.DROPOUT_RATES)), 2)
    validations = recipes.VALIDATIONS if budget is None else budget.validations
    return [
        Choice(length, reason),
        Choice({"model.dropout_rate": dropout}, f"for {epochs} epochs"),
        _choose_validations(config, epochs / validations, updates_per_epoch, validations),
    ]


def count_updates(epochs: int, updates_per_epoch: int, budget: TimeBudget | None) -> int:
    """The updates of a training. A single epoch is shortened if there is too little time."""
    updates = epochs * updates_per_epoch
    is_part = budget is not None and epochs == 1 and budget.updates < updates
    return max(2, int(budget.updates)) if budget is not None and is_part else updates


def _choose_epochs(
    config: Config, pairs: int, updates_per_epoch: int, budget: TimeBudget | None
) -> tuple[int, float, str]:
    """Chooses the number of epochs and their share without R-Drop; gives the number's reason."""
    recipe = recipe_for(pairs)
    without_r_drop, needed = recipe.without_r_drop, recipe.updates / updates_per_epoch
    if config.training.init is not None:
        without_r_drop = 0.0 if without_r_drop < 1 else 1.0
        needed *= recipes.UPDATES_OF_TRAINED
    updates = f"{needed * updates_per_epoch:,.0f} updates"
    if budget is None:
        reason = f"for about {updates}, as {pairs:,} pairs need"
        return max(1, round(needed)), without_r_drop, reason
    passes = budget.updates / updates_per_epoch
    if passes < recipes.ENOUGH_FOR_R_DROP * _count_passes(config, needed, without_r_drop):
        without_r_drop = 1.0
    if budget.updates < updates_per_epoch:
        minutes = config.training.minutes or 0.0
        needed_minutes = budget.minutes_for_epoch(updates_per_epoch, minutes)
        reason = (
            f"for a part of an epoch: a whole epoch takes {needed_minutes:.1f} minutes with start"
            f" and end instead of {minutes:g}; fewer pairs take less time"
        )
        return 1, 1.0, reason
    most = recipes.MOST_UPDATES * needed
    epochs = range(1, int(min(passes, most + 1)) + 1)
    fitting = max(n for n in epochs if n == 1 or _count_passes(config, n, without_r_drop) <= passes)
    reason = f"for {recipes.MOST_UPDATES} times the {updates} that {pairs:,} pairs need"
    if fitting <= most:
        left, update = budget.seconds / 60, 1_000 * budget.update
        reason = f"for the {left:.1f} minutes left, {update:.0f} ms an update"
    return max(1, int(min(fitting, most))), without_r_drop, reason


def _count_passes(config: Config, epochs: float, without: float) -> float:
    """Counts the passes over the pairs in some epochs. Epochs with R-Drop have two passes.

    Args:
        config: may set whether there is R-Drop, and when R-Drop begins.
        without: share of the epochs without R-Drop, if the configuration does not set this.
    """
    has_r_drop, begin = without < 1, epochs * without if without < 1 else 0.0
    if "training.r_drop_alpha" not in config.automatic:
        has_r_drop = config.training.r_drop_alpha > 0
    if "training.r_drop_after" not in config.automatic:
        begin = min(epochs, config.training.r_drop_after)
    return epochs + (epochs - begin if has_r_drop else 0.0)


def _choose_validations(
    config: Config, between: float, updates_per_epoch: int, validations: float
) -> Choice:
    """How often to validate: every few epochs, or within them if ``between`` is short."""
    every_updates = max(1, int(between * updates_per_epoch)) if between < 0.6 else None
    if "validation.every_epochs" not in config.automatic:
        every_updates = None
    elif "validation.every_updates" not in config.automatic:
        every_updates = config.validation.every_updates
    return Choice(
        {
            "validation.every_epochs": max(1, round(between)) if every_updates is None else 1,
            "validation.every_updates": every_updates,
            "validation.translate_every": 1,
            "validation.metric": "accuracy",  # improves as long as BLEU does
        },
        f"for about {validations:.0f} validations",
    )


def choose_rate(config: Config) -> Choice:
    """Chooses the schedule and its highest learning rate.

    Args:
        config: has automatic keys; but the model and the warm-up have values.
    """
    d_model, schedule = config.model.d_model, config.training.schedule
    rates = {size.d_model: size.learning_rate for size in recipes.SIZES}
    reason = f"for a model of width {d_model}"
    if config.training.init is not None:
        rates, reason = recipes.TRAINED_RATES, f"to continue from a model of width {d_model}"
    logs = np.interp(math.log(d_model), np.log(list(rates)), np.log(list(rates.values())))
    rate = math.exp(logs)
    is_named = "training.schedule.name" not in config.automatic
    if is_named and schedule.name == "noam":  # its learning_rate is a factor, not the highest rate
        rate *= math.sqrt(d_model * max(1, schedule.warmup_steps))
    return Choice(
        {
            "training.label_smoothing": recipes.LABEL_SMOOTHING,
            "training.schedule.name": "linear",
            "training.schedule.learning_rate": float(f"{rate:.1e}"),
        },
        reason,
    )


def _round_up(number: float, multiple: int) -> int:
    return math.ceil(number / multiple) * multiple
