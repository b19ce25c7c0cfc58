"""Replaces what a configuration leaves to the program, and says what was chosen and why."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from translator.config.schema import Config
from translator.config.yaml_file import replace_values
from translator.corpora import measure_corpus
from translator.data.preparation import TrainingData
from translator.training.epochs import Epochs
from translator.training.length import Room, choose_length
from translator.training.processes import Processes
from translator.training.recipe import Choice, choose_encoding, choose_model, choose_rate, sizes_for
from translator.training.trial import Speed, measure_speed

Report = Callable[[str], None]


def choose_for_encoding(config: Config, report: Report) -> Config:
    """Chooses what decides how the corpus is encoded; reads the corpus once.

    Args:
        config: with keys that are left to the program.
        report: is given a line for each group of keys.

    Raises:
        InputError: the corpus cannot be read, or what is chosen does not fit other keys.
    """
    if not any(name.startswith(("corpus.", "tokenizer.", "data.")) for name in config.automatic):
        return config
    return _apply(config, choose_encoding(config, measure_corpus(config.corpus)), report)


def choose_for_training(
    config: Config, data: TrainingData, began: float, report: Report, processes: Processes
) -> Config:
    """Chooses the model, and how and how long it is trained.

    Args:
        config: with keys that are left to the program.
        data: the encoded corpus.
        began: when the program began, as ``time.perf_counter`` tells it.
        report: is given a line for each group of keys.
        processes: those that train together; the speed of the first decides.

    Raises:
        InputError: the time is too short, or what is chosen does not fit other keys.
    """
    if not config.automatic:
        return config
    pairs, room = Epochs(config, data).pairs, None
    is_limited = config.training.minutes is not None and "training.epochs" in config.automatic
    for size in sizes_for(config, pairs):
        of_model = [choose_model(config, pairs, size)]
        chosen = _apply(config, of_model)
        if not is_limited:
            break
        room = _measure_room(chosen, data, began, processes)
        if room.is_enough(pairs):
            break
    chosen = _apply(config, of_model, report)
    updates = Epochs(chosen, data).batches(0).count
    chosen = _apply(chosen, choose_length(chosen, pairs, updates, room), report)
    return _apply(chosen, [choose_rate(chosen)], report)


def _measure_room(config: Config, data: TrainingData, began: float, processes: Processes) -> Room:
    """What the time that is left is enough for, as the first of several processes measures it."""
    speed = measure_speed(config, data)
    left = 60 * (config.training.minutes or 0.0) - (time.perf_counter() - began)
    seconds, *of_speed = processes.exchange([left, *speed])[0]
    return Room(seconds, Speed(*of_speed))


def _apply(config: Config, choices: Sequence[Choice], report: Report = lambda line: None) -> Config:
    """The configuration with what was chosen for the keys that it leaves to the program."""
    values: dict[str, Any] = {}
    for choice in choices:
        chosen = {key: choice.values[key] for key in choice.values if key in config.automatic}
        values |= chosen
        if chosen:
            listed = ", ".join(f"{name} {value}" for name, value in chosen.items())
            report(f"chosen: {listed}: {choice.reason}")
    return replace_values(config, values, "what was chosen") if values else config
