"""Trainings whose settings are left to the program."""

import pytest

from tests.builders import quiet
from tests.integration.training.conftest import training_in
from tests.training_states import assert_same_endings, train_until
from translator.base.errors import InputError
from translator.config.comparison import flatten
from translator.config.schema import Config
from translator.config.yaml_file import read_config, replace_values
from translator.data.epochs import Epochs
from translator.data.preparation import prepare
from translator.runs.directory import RunDirectory
from translator.training import clock, recipes
from translator.training.backends import training_layout
from translator.training.backends.tensorflow import TensorFlowBackend
from translator.training.settings import begin_settings, decide_encoding
from translator.training.start import train
from translator.training.state import read_progress

SILENT = ("validation.translate_every=0", "validation.metric=loss")


@pytest.fixture
def configure(tiny_corpus, tmp_path, monkeypatch):
    """A file that names a corpus, and a time that is enough; trainings are tiny here."""
    small, *larger = recipes.SIZES
    small = small._replace(num_layers=1, d_model=16, num_heads=2, dff=32)
    monkeypatch.setattr(recipes, "SIZES", (small, *larger))
    monkeypatch.setattr(recipes, "RECIPES", (recipes.RECIPES[0]._replace(updates=100),))
    monkeypatch.setattr(recipes, "MOST_UPDATES", 0.06)
    monkeypatch.setattr(clock, "SECONDS", 0.1)
    path = tmp_path / "mine.yaml"
    tsv, held_out = tiny_corpus / "train.tsv", tiny_corpus / "validation.tsv"
    path.write_text(
        f"corpus: {{train: {{tsv: {tsv}}}, validation: {{tsv: {held_out}}}}}\n"
        "training: {minutes: 10}\n"
    )
    return lambda *settings: read_config(path, settings)


@pytest.fixture
def train_mine(configure, tmp_path):
    return training_in(tmp_path, configure)


@pytest.mark.slow
def test_what_is_chosen_is_reported_and_written_and_trains_alike_without_a_trial(
    configure, train_mine, tmp_path
):
    said = ("tokenizer.vocab_size=360", "data.batch_tokens=600", "validation.every_epochs=2")
    config, (run, lines, result) = configure(*said), train_mine(*said)
    assert result.finished
    chosen = [line for line in lines if line.startswith("chosen: ")]
    keys = {key for key, _ in flatten(config.model_dump())}
    named = {word for line in chosen for word in line.split() if word in keys}
    assert named == config.automatic - {"corpus.split.validation", "corpus.split.test"}
    assert named.isdisjoint(setting.partition("=")[0] for setting in said)
    assert all(": for " in line or ": because " in line for line in chosen)
    of_run = run.read_config()
    assert of_run.automatic == frozenset()
    assert (of_run.model.d_model, of_run.training.minutes) == (16, 10)
    assert (of_run.tokenizer.vocab_size, of_run.data.batch_tokens) == (360, 600)
    assert of_run.validation.every_epochs == 2
    validations = read_progress(run).validations
    assert validations[-1]["updates"] == of_run.training.schedule.total_steps
    train(of_run, tmp_path / "again", report=quiet)
    assert_same_endings(run.path, tmp_path / "again")


@pytest.fixture
def trials(monkeypatch) -> list[Config]:
    """The configurations that were tried; the trials themselves take no time."""
    tried: list[Config] = []

    def measure(config, epochs, seconds):
        tried.append(config)
        return 1.0, 0.01, 0.01  # seconds of the start, an update, a validation

    monkeypatch.setattr(clock, "measure_speed", measure)
    return tried


@pytest.mark.slow
def test_a_resumed_training_chooses_nothing_again_and_ends_alike(
    configure, train_mine, tmp_path, monkeypatch, trials
):
    run, whole = RunDirectory(tmp_path / "run"), train_mine(name="whole").run
    trials.clear()
    assert not train_until((2, 1), configure(), run.path, monkeypatch).finished
    before, of_first, trials[:] = run.config.read_text(), len(trials), []
    _, lines, result = train_mine(resume=True)
    assert result.finished
    assert (of_first, trials) == (1, [])
    assert not [line for line in lines if line.startswith("chosen")]
    assert run.config.read_text() == before
    assert_same_endings(whole.path, run.path)


@pytest.mark.slow
def test_translations_count_as_time_of_a_validation_by_model_search_and_sentences(
    configure, monkeypatch
):
    config = decide_encoding(begin_settings(configure()), None, quiet)
    epochs = Epochs(config, prepare(config, quiet), training_layout(config.training))
    monkeypatch.setattr(clock, "_time", lambda act, seconds: (1.0, 2.0))
    few, small, searched, wide, silent = (
        clock.measure_speed(replace_values(config, changes, "here"), epochs, 1.0)[-1]
        for changes in (
            {"model.d_model": 16, "validation.max_sentences": 1},
            {"model.d_model": 16},
            {"model.d_model": 16, "validation.beam_size": 2},
            {"model.d_model": 64},
            {"validation.translate_every": 0, "validation.metric": "loss"},
        )
    )
    assert 2.0 == silent < few < small < wide
    assert searched - silent == pytest.approx(2 * (small - silent))
    assert few - silent == pytest.approx((small - silent) / len(epochs.data.validation))


def test_a_batch_too_large_for_the_memory_is_said_in_the_trial(train_mine, tmp_path, monkeypatch):
    def update(backend, batch, skipped=0):
        raise MemoryError

    monkeypatch.setattr(TensorFlowBackend, "update", update)
    with pytest.raises(InputError, match="^out of memory in a trial .* data.batch_tokens below"):
        train_mine()
    assert not (tmp_path / "run").exists()


def test_too_little_time_trains_an_epoch_and_no_more(train_mine, trials, computes_nothing):
    _, lines, result = train_mine("training.minutes=0.01")
    assert result.finished
    [chosen] = (line for line in lines if "training.epochs 1," in line)
    assert "for a part of an epoch: a whole epoch takes" in chosen
    assert len(trials) == 1, "the first has used up its share of the time"


@pytest.mark.slow
def test_a_training_on_a_machine_that_became_slow_ends_after_its_time(
    train_mine, tmp_path, monkeypatch, trials, computes_nothing
):
    """Within an epoch, with its schedule at the end; also when it is resumed."""
    monkeypatch.setattr(recipes, "MOST_UPDATES", 0.3)
    passed: list[int] = []
    update = TensorFlowBackend.update

    def note_update(backend, batch, skipped=0):
        passed.append(skipped)
        return update(backend, batch, skipped)

    monkeypatch.setattr(TensorFlowBackend, "update", note_update)
    with monkeypatch.context() as patched:  # the seconds that are left
        patched.setattr(clock.Clock, "_left", lambda self: 5.0 - 0.5 * self.updates)
        patched.setattr(clock.Clock, "_estimate", lambda *_: 20.0)
        run, lines, result = train_mine(*SILENT)
    assert result.finished
    [line] = (line for line in lines if line.startswith("stopped in epoch "))
    assert "because 10 minutes were too short" in line
    progress, given = read_progress(run), run.read_config()
    total = given.training.schedule.total_steps
    assert 0 < progress.validations[-1]["updates"] == total - progress.skipped < total
    assert passed == sorted(passed)
    assert 0 < passed[-1] <= progress.skipped
    assert train_mine(*SILENT, resume=True).lines[-1] == line
    assert given.training.minutes == 10
    whole = train(given, tmp_path / "whole", report=quiet)
    assert whole.progress.epoch == given.training.epochs > 2, "given epochs are not cut"
    longer = train_mine(*SILENT, "training.minutes=null", resume=True)
    assert longer.result.progress.epoch == given.training.epochs
