"""Steps that are compiled before the first update, and found again by later trainings."""

import collections
import os
from pathlib import Path

import jax
import pytest
from jax.experimental.compilation_cache import compilation_cache

from tests.builders import quiet
from tests.training_states import assert_same_endings
from translator.training.backends.jax import JaxBackend
from translator.training.start import keep_compiled, train

pytestmark = pytest.mark.slow
STEPS = ("jit_update-", "jit__measure_batch-")
SETTINGS = ("model.num_layers=1", "training.epochs=1", "training.devices=1")


@pytest.fixture
def new_program(tmp_path):
    """Begins as a new process does: nothing is compiled but what the folder has."""

    def begin(folder=tmp_path / "compiled"):
        jax.clear_caches()
        compilation_cache.reset_cache()
        keep_compiled(folder)
        return folder

    yield begin
    jax.config.update("jax_compilation_cache_dir", None)
    compilation_cache.reset_cache()


@pytest.fixture
def compiled(monkeypatch):
    """How many steps each training compiled ahead, and those in the folder when it had."""
    found = []
    prepare = JaxBackend.prepare

    def spy(backend, *args):
        prepare(backend, *args)
        found.append((len(backend._compiled), steps(Path(jax.config.jax_compilation_cache_dir))))

    monkeypatch.setattr(JaxBackend, "prepare", spy)
    return found


def steps(folder):
    return sorted(path.name for path in folder.glob("jit_*-cache") if path.name.startswith(STEPS))


def test_training_finds_all_steps_compiled_and_a_second_one_compiles_nothing(
    settings, tmp_path, new_program, compiled
):
    folder = new_program()
    assert train(settings(), tmp_path / "first", report=quiet).finished
    [(count, ahead)] = compiled
    assert count == len(ahead) == 2
    assert steps(folder) == ahead
    new_program()
    events: collections.Counter[str] = collections.Counter()
    jax.monitoring.register_event_listener(lambda name, **_: events.update([name]))
    assert train(settings(), tmp_path / "second", report=quiet).finished
    assert compiled[1:] == [(2, ahead)]
    assert events["/jax/compilation_cache/cache_hits"] > len(ahead)
    assert events["/jax/compilation_cache/cache_misses"] == 0
    assert_same_endings(tmp_path / "first", tmp_path / "second")


def test_a_damaged_file_is_removed_and_compiled_anew(settings, tmp_path, new_program, compiled):
    folder = new_program()
    assert train(settings(), tmp_path / "first", report=quiet).finished
    kept = steps(folder)
    for name in kept:
        os.truncate(folder / name, (folder / name).stat().st_size // 2)
    new_program()
    assert train(settings(), tmp_path / "second", report=quiet).finished
    assert_same_endings(tmp_path / "first", tmp_path / "second")
    assert [count for count, _ in compiled] == [2, 2]
    assert not set(kept) & set(steps(folder)), "the next training writes them"


def test_a_folder_that_cannot_be_written_is_passed_over(settings, tmp_path, new_program, compiled):
    (tmp_path / "file").touch()
    new_program(tmp_path / "file" / "compiled")
    assert train(settings(), tmp_path / "run", report=quiet).finished
    assert compiled == [(2, [])]
