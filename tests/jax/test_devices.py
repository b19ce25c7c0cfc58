"""Any number of devices computes what one device computes, with every option of a training."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.builders import quiet
from translator.base.keras_startup import set_random_seed
from translator.config.schema import Config
from translator.data.epochs import Epochs
from translator.data.preparation import TrainingData, prepare
from translator.training.backends import Backend, open_backend, training_layout
from translator.training.hardware import device_count, sharing_batches
from translator.training.settings import begin_settings

pytestmark = pytest.mark.slow
UPDATES = 20
SETTINGS = (
    "training.precision=float32",
    "model.num_layers=1",
    "data.batch_size=7",  # not a multiple of the devices
    "data.max_length=16",
    "training.schedule.learning_rate=1e-3",
)
OPTIONS = {
    "dropout": (),
    "accumulation": ("training.accumulation_steps=3", "training.clip_grad_norm=0.5"),
    "r_drop": ("training.r_drop_alpha=5.0", "training.label_smoothing=0.1"),
    "average": ("training.ema_momentum=0.9", "model.attention_dropout_rate=0.1"),
    "bfloat16": ("training.precision=bfloat16",),
    "float16": ("training.precision=float16", "training.accumulation_steps=2"),
}


def resolved(config: Config, devices: int) -> Config:
    """As a training has it, in a precision that it may refuse on a CPU."""
    training = config.training.model_copy(update={"devices": devices})
    return config.model_copy(update={"training": training})


def train(
    config: Config,
    data: TrainingData,
    devices: int,
    after: Callable[[Backend], object] = lambda backend: None,
) -> tuple[list[dict], dict]:
    """The figures of each update, and the weights (their averages) at the end.

    Figures are means since the beginning. After each update ``after`` acts.
    """
    config = resolved(config, devices)
    figures: list[dict[str, float]] = []
    with sharing_batches(config.training):
        assert device_count() == devices
        set_random_seed(1)
        backend = open_backend(config, data.tokenizers)
        backend.r_drop_alpha = config.training.r_drop_alpha
        epochs, epoch = Epochs(config, data, training_layout(config.training)), 0
        while len(figures) < UPDATES:
            of_epoch = epochs.batches(epoch)
            for batch in backend.feed(of_epoch, 0, min(of_epoch.count, UPDATES - len(figures))):
                figures.append(backend.update(batch).read())
                after(backend)
            epoch += 1
        return figures, backend.weights()


@pytest.mark.parametrize("option", OPTIONS)
def test_two_devices_compute_what_one_computes(settings, option):
    """The figures of every update, and the weights after the last."""
    config = settings(*OPTIONS[option])
    data = prepare(config, quiet)
    tolerance = 1e-5 if config.training.precision == "float32" else 1e-2
    (one, its_weights), (two, other_weights) = (train(config, data, n) for n in (1, 2))
    assert len(one) == UPDATES
    for figures, others in zip(one, two):
        for name in ("cross_entropy", "loss"):
            assert others[name] == pytest.approx(figures[name], rel=tolerance)
    assert one[-1]["loss"] < one[0]["loss"], "it does not learn"
    for name, weights in its_weights.items():
        if not name.endswith("key/bias"):
            np.testing.assert_allclose(other_weights[name], weights, atol=10 * tolerance)


def test_three_devices_compute_what_one_computes(settings):
    """Seven rows of a batch are then filled up to nine."""
    config = settings()
    data = prepare(config, quiet)
    (one, _), (three, _) = (train(config, data, n) for n in (1, 3))
    for figures, others in zip(one, three):
        assert others["cross_entropy"] == pytest.approx(figures["cross_entropy"], rel=1e-5)


def test_auto_is_float32_on_a_cpu(settings):
    training = begin_settings(settings("training.precision=auto")).training
    assert (training.backend, training.precision, training.data_parallel) == ("jax", "float32", 1)
