"""A schedule of the user's own: kept by the run, so that it resumes exactly."""

import json

import keras
import pytest
from keras.optimizers.schedules import CosineDecay, LearningRateSchedule

from tests.builders import quiet
from tests.training_states import read_figures, train_until
from translator.addons.monitoring.curves import read_curves
from translator.base.errors import InputError
from translator.runs.directory import RunDirectory
from translator.training.optimizer import restore_schedule, serialize_schedule
from translator.training.start import train

COSINE = {"initial_learning_rate": 1e-4, "decay_steps": 10, "warmup_target": 4e-3}


def cosine(**others) -> CosineDecay:
    """A schedule of Keras's that rises for four updates."""
    return CosineDecay(**{**COSINE, "warmup_steps": 4, **others})


@keras.saving.register_keras_serializable(package="tests")
class Halved(LearningRateSchedule):
    """Half of another schedule."""

    def __init__(self, whole):
        self.whole = whole

    def __call__(self, step):
        return 0.5 * self.whole(step)

    def get_config(self):
        return {"whole": keras.saving.serialize_keras_object(self.whole)}

    @classmethod
    def from_config(cls, config):
        return cls(keras.saving.deserialize_keras_object(config["whole"]))


class Unregistered(Halved):
    """One that Keras cannot find by its name."""


@keras.saving.register_keras_serializable(package="tests")
class Forgetful(LearningRateSchedule):
    """One that does not say what it was made with."""

    def __init__(self, rate=1e-3):
        self.rate = rate

    def __call__(self, step):
        return self.rate

    def get_config(self):
        return {}


@keras.saving.register_keras_serializable(package="tests")
class Unwritable(Forgetful):
    """One whose configuration is no JSON."""

    def get_config(self):
        return {"rate": {1, 2}}


@pytest.mark.slow
def test_it_survives_a_resume(small, tmp_path, monkeypatch):
    run = RunDirectory(tmp_path / "run")
    assert not train_until((0, 5), small, run.path, monkeypatch, schedule=Halved(cosine())).finished
    assert run.read_config().training.schedule.name == "custom"
    with pytest.raises(InputError, match="expected the schedule with which .* began, found an"):
        train(small, run.path, resume=True, report=quiet, schedule=cosine())
    assert train(small, run.path, resume=True, report=quiet).finished
    updates, rates = read_curves(run).rates
    assert updates.tolist() == [7, 14]
    assert rates == pytest.approx([float(cosine()(n)) / 2 for n in (7, 14)], abs=1e-6)
    assert rates.tolist() == [line["learning_rate"] for line in read_figures(run.path)]


def test_a_run_without_one_resumes_with_none(small, small_copy):
    with pytest.raises(InputError, match="expected the schedule with which .* began, found an"):
        train(small, small_copy, resume=True, report=quiet, schedule=cosine())


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        (1e-3, "expected a keras.optimizers.schedules.LearningRateSchedule, found float"),
        (Unregistered(cosine()), "that Keras can restore, found Unregistered; register it"),
        (
            Forgetful(0.5),
            "expected the same rates from a Forgetful rebuilt from its get_config, found",
        ),
        (Unwritable(0.5), "expected numbers, texts, lists and dictionaries from get_config of Unw"),
    ],
    ids=["number", "unregistered", "forgetful", "unwritable"],
)
def test_what_cannot_be_kept_is_refused_before_anything_is_written(small, tmp_path, schedule, said):
    with pytest.raises(InputError, match=f"^schedule: .*{said}"):
        train(small, tmp_path / "run", report=quiet, schedule=schedule)
    assert not (tmp_path / "run").exists()


def test_a_form_of_another_class_is_never_called():
    form = serialize_schedule(cosine())
    assert json.loads(json.dumps(form)) == form
    assert float(restore_schedule(form)(3)) == float(cosine()(3))
    for changes in (
        {"class_name": "system", "module": "os"},
        {"class_name": "deserialize"},
        {"class_name": "Adam", "module": "keras.optimizers"},
        {"config": {"command": "ls"}},
    ):
        with pytest.raises(InputError, match=r"^schedule: "):
            restore_schedule(form | changes)
