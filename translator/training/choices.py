"""Chooses the settings that are left to the program, by the tables of `recipes`."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from translator.base.languages import language_facts
from translator.config.schema import Config
from translator.corpora.sizes import CorpusSize
from translator.training import recipes
from translator.training.clock import Room
from translator.training.recipes import Size, recipe_for


class Choice(NamedTuple):
    """Values for some keys, and why they were chosen.

    Attributes:
        values: by the full names of the keys.
        reason: ends the line that reports them.
    """

    values: Mapping[str, Any]
    reason: str


def choose_encoding(config: Config, size: CorpusSize) -> list[Choice]:
    """Chooses what is held out, vocabularies and batches."""
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
            f"for sentences of up to {size.long} characters, but for one in a thousand",
        ),
        Choice({"data.batch_tokens": max(recipe.batch_tokens, max_length)}, for_pairs),
    ]


def vocab_size_for(size: CorpusSize, are_alike: bool) -> int:
    """The number of pieces for a corpus.

    As many as the table has, and a few for each letter; but not more than a third of the different
    words, and then at least one for each letter.

    Args:
        are_alike: whether both sides have one vocabulary; otherwise each has one of this size.
    """
    sides = [size.together] if are_alike else size.sides
    letters, words = max(side.letters for side in sides), min(side.words for side in sides)
    wanted = max(recipe_for(size.pairs).vocab_size, recipes.PIECES_A_LETTER * letters)
    most, least = recipes.OTHER_PIECES + words / 3, recipes.OTHER_PIECES + letters
    return _round_up(max(min(wanted, most), least), 100)


def sizes_for(config: Config, pairs: int) -> list[Size]:
    """The sizes that a model may have, the best one for so many pairs first.

    Args:
        config: leaves the size to the program, or says some of it; then there is one choice.
    """
    largest = recipe_for(pairs).size
    keys = {f"model.{key}" for key in ("num_layers", "d_model", "num_heads", "dff")}
    smallest = 0 if keys <= config.automatic else largest
    return [recipes.SIZES[number] for number in range(largest, smallest - 1, -1)]


def choose_model(config: Config, pairs: int, size: Size) -> Choice:
    """Chooses the model.

    Args:
        config: with keys that are left to the program; those of `choose_encoding` are chosen.
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
    config: Config, pairs: int, updates_per_epoch: int, room: Room | None = None
) -> list[Choice]:
    """Chooses how long to train, with how much dropout and R-Drop, and how often to validate.

    Args:
        config: with keys that are left to the program; all others are chosen.
        room: None where no time was given, or it does not count.
    """
    epochs, without_r_drop, reason = _choose_epochs(config, pairs, updates_per_epoch, room)
    if "training.epochs" not in config.automatic:
        epochs = config.training.epochs
        reason = f"for {epochs} epochs of {updates_per_epoch:,} updates"
    updates = count_updates(epochs, updates_per_epoch, room)
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
    validations = recipes.VALIDATIONS if room is None else room.validations
    return [
        Choice(length, reason),
        Choice({"model.dropout_rate": dropout}, f"for {epochs} epochs"),
        _choose_validations(config, epochs / validations, updates_per_epoch, validations),
    ]


def count_updates(epochs: int, updates_per_epoch: int, room: Room | None) -> int:
    """The updates of a training; of one epoch only those that there is time for."""
    updates = epochs * updates_per_epoch
    is_part = room is not None and epochs == 1 and room.updates < updates
    return max(2, int(room.updates)) if room is not None and is_part else updates


def _choose_epochs(
    config: Config, pairs: int, updates_per_epoch: int, room: Room | None
) -> tuple[int, float, str]:
    """How many epochs, which share of them is without R-Drop, and why so many."""
    recipe = recipe_for(pairs)
    without_r_drop, needed = recipe.without_r_drop, recipe.updates / updates_per_epoch
    if config.training.init is not None:
        without_r_drop = 0.0 if without_r_drop < 1 else 1.0
        needed *= recipes.UPDATES_OF_TRAINED
    updates = f"{needed * updates_per_epoch:,.0f} updates"
    if room is None:
        reason = f"for about {updates}, as {pairs:,} pairs need"
        return max(1, round(needed)), without_r_drop, reason
    passes = room.updates / updates_per_epoch
    if passes < recipes.ENOUGH_FOR_R_DROP * _count_passes(config, needed, without_r_drop):
        without_r_drop = 1.0
    if room.updates < updates_per_epoch:
        minutes = config.training.minutes or 0.0
        reason = (
            "for a part of one epoch, which as a whole takes"
            f" {room.minutes_for_epoch(updates_per_epoch, minutes):.1f} minutes with start and end"
            f" instead of {minutes:g}; fewer pairs take less"
        )
        return 1, 1.0, reason
    most = recipes.MOST_UPDATES * needed
    epochs = range(1, int(min(passes, most + 1)) + 1)
    fitting = max(n for n in epochs if n == 1 or _count_passes(config, n, without_r_drop) <= passes)
    reason = f"for {recipes.MOST_UPDATES} times the {updates} that {pairs:,} pairs need"
    if fitting <= most:
        left, update = room.seconds / 60, 1_000 * room.update
        reason = f"for the {left:.1f} minutes left, {update:.0f} ms an update"
    return max(1, int(min(fitting, most))), without_r_drop, reason


def _count_passes(config: Config, epochs: float, without: float) -> float:
    """The passes through the pairs that some epochs make: two in each that has R-Drop.

    Args:
        config: may say itself whether there is R-Drop, and when it begins.
        without: share of the epochs that have none, where the configuration does not say it.
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
    """How often to validate: every few epochs, or within them where ``between`` is short."""
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
            "validation.metric": "accuracy",  # it rises longer than perplexity falls, as BLEU does
        },
        f"for about {validations:.0f} validations",
    )


def choose_rate(config: Config) -> Choice:
    """Chooses the schedule and its highest learning rate.

    Args:
        config: with keys that are left to the program; the model and the warm-up are chosen.
    """
    d_model, schedule = config.model.d_model, config.training.schedule
    rates = {size.d_model: size.learning_rate for size in recipes.SIZES}
    reason = f"for a model of width {d_model}"
    if config.training.init is not None:
        rates, reason = recipes.TRAINED_RATES, f"to go on from a model of width {d_model}"
    logs = np.interp(math.log(d_model), np.log(list(rates)), np.log(list(rates.values())))
    rate = math.exp(logs)
    is_named = "training.schedule.name" not in config.automatic
    if is_named and schedule.name == "noam":  # where it is a factor, not the highest rate
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
