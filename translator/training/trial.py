"""A short trial of a training, which tells how long an update and a validation take here."""

import time
from collections.abc import Callable

from translator.config.schema import Config, ScheduleConfig
from translator.data.epochs import Epochs
from translator.training.choices import Speed
from translator.training.compilation import make_training_model
from translator.training.failures import explaining_lack_of_memory
from translator.training.feeding import feed, validation_batches

UPDATES = 12  # of a random sample of an epoch's batches
SECONDS = 4.0  # that are measured, if there is time for it
SHARE = 0.1  # of a given time that trials may take
# A validation split of 1,000 sentences takes so long to export for and translate greedily on two
# cores, for each million parameters. A model that has learnt nothing stops nowhere, so it is not
# measured.
SECONDS_TO_TRANSLATE = 0.6


def measure_speed(config: Config, epochs: Epochs, seconds: float = SECONDS) -> Speed:
    """Trains a model for a few seconds and throws it away.

    Args:
        seconds: that this may take besides building, compiling and one round of updates.
    """
    constant = ScheduleConfig(name="constant", learning_rate=1e-4)  # others have no end yet
    training = config.training.model_copy(update={"schedule": constant})
    config = config.model_copy(update={"training": training})
    data, batches = epochs.data, epochs.batches(0)
    model = make_training_model(config, data.tokenizers)
    validation = validation_batches(config, data)
    updates = min(UPDATES, batches.count)

    def train() -> None:
        with model.loss.without_r_drop():
            model.fit(feed(batches, 0, updates), shuffle=False, verbose=0)

    def validate() -> None:
        with model.loss.without_r_drop():
            model.evaluate(feed(validation), verbose=0)

    with explaining_lack_of_memory(config.data, lambda: "in a trial of some updates"):
        start, update = _time(train, seconds)
        _, of_loss = _time(validate, seconds / 4)
    sentences = len(data.validation) if config.validation.translate_every else 0
    if config.validation.max_sentences is not None:
        sentences = min(sentences, config.validation.max_sentences)
    translating = SECONDS_TO_TRANSLATE * model.count_params() / 1e6 * sentences / 1_000
    translating *= config.validation.beam_size / max(1, config.validation.translate_every)
    return Speed(start, update / updates, of_loss + translating)


def _time(act: Callable[[], None], seconds: float) -> tuple[float, float]:
    """Seconds of the first time, and of each time after that, of which there is one at least."""
    began = time.perf_counter()
    act()
    first, count, began = time.perf_counter() - began, 0, time.perf_counter()
    while not count or (elapsed := time.perf_counter() - began) < min(seconds, SECONDS):
        act()
        count += 1
    return first, elapsed / count
