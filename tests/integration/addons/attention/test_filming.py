"""Records of sentences at some updates of a training."""

import json
import re

import numpy as np
import pytest

from tests.builders import quiet
from tests.commands import refused
from tests.commands import run as run_command
from tests.filming import assert_filmed
from tests.integration.training.conftest import SMALL
from tests.training_states import train_until
from translator.addons.attention.filming import FRAMES, frame_updates
from translator.addons.attention.record_files import load_records
from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory
from translator.training.start import train

OWN = "the old dog\tder alte Hund"


@pytest.fixture(scope="module")
def config(tiny_corpus):
    held_out = (tiny_corpus / "test.en").read_text("utf-8").splitlines()[0]
    film = 'film=["{}", "{}"]'.format(held_out, OWN.replace("\t", "\\t"))
    return read_config(tiny_corpus / "config.yaml", (*SMALL, "training.precision=float32", film))


@pytest.fixture(scope="module")
def run(config, tmp_path_factory):
    path = tmp_path_factory.mktemp("filmed") / "run"
    assert train(config, path, report=quiet).finished
    return RunDirectory(path)


def test_frames_are_close_together_at_first():
    updates = frame_updates(3_600)
    assert updates[:5] == [0, 1, 4, 9, 16]
    assert updates[-1] == 3_600
    assert len(updates) == FRAMES + 1
    assert frame_updates(5) == [0, 1, 2, 3, 4, 5]


def test_every_frame_has_the_sentences_with_their_translations(run, config, tiny_corpus):
    updates = sorted(int(path.stem) for path in run.film.iterdir())
    assert updates == frame_updates(updates[-1])
    assert len(updates) > 10
    for path in run.film.iterdir():
        first, second = load_records(path)
        assert first.source == config.film[0]
        assert first.hypothesis == (tiny_corpus / "test.de").read_text("utf-8").splitlines()[0]
        assert f"{second.source}\t{second.hypothesis}" == OWN


@pytest.mark.slow
def test_the_last_frame_is_that_of_the_last_weights_and_filming_changes_nothing(
    run, config, tmp_path
):
    assert_filmed(run)
    train(config.with_values({"film": []}), tmp_path / "plain", report=quiet)
    with np.load(run.weights) as filmed, np.load(tmp_path / "plain" / "weights.npz") as plain:
        assert all(np.array_equal(filmed[name], plain[name]) for name in plain.files)


@pytest.mark.slow
def test_a_resumed_training_has_the_same_frames(run, config, tmp_path, monkeypatch):
    assert not train_until((1, 1), config, tmp_path / "run", monkeypatch).finished
    assert train(config, tmp_path / "run", resume=True, report=quiet).finished
    again = sorted((tmp_path / "run" / "film").iterdir())
    assert [path.name for path in again] == sorted(path.name for path in run.film.iterdir())
    for path in again:
        for record, other in zip(load_records(path), load_records(run.film / path.name)):
            assert np.array_equal(record.cross, other.cross)
            assert record.log_probability == other.log_probability


def test_the_command_writes_the_explorer_of_the_frames(capfd, run, tmp_path):
    page = tmp_path / "film.html"
    code, out, err = run_command(capfd, "attention", "--film", run.path, "--html", page)
    assert (code, out) == (0, ""), err
    [data] = re.findall(r'id="data">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
    frames = json.loads(data)["frames"]
    assert [frame["update"] for frame in frames] == sorted(
        int(path.stem) for path in run.film.iterdir()
    )
    first, last = (frame["sentences"][1]["hypotheses"][0] for frame in (frames[0], frames[-1]))
    assert first["text"] == last["text"] == "der alte Hund"
    assert first["score"] < last["score"]


def test_what_cannot_be_filmed_or_shown_is_refused(capfd, tiny_corpus, tiny_run, tmp_path, run):
    config = read_config(tiny_corpus / "config.yaml", (*SMALL, 'film=["nobody knows this"]'))
    with pytest.raises(InputError, match="film: expected a sentence of the validation or test"):
        train(config, tmp_path / "run", report=quiet)
    page = ("--html", tmp_path / "film.html")
    for film, options, message in (
        (tiny_run, page, "expected frames of a training, found none; set the key film"),
        (run.path, ("--html", "film.png"), "film.png"),
        (run.path, (), "--film: expected --html FILE.html and no other option or text"),
    ):
        assert message in refused(capfd, "attention", "--film", film, *options)
    assert not list(tmp_path.iterdir())
