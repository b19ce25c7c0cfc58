"""Records of sentences at some updates of a training."""

import numpy as np
import pytest

from tests.builders import quiet
from tests.commands import refused
from tests.commands import run as run_command
from tests.filming import assert_filmed
from tests.integration.training.conftest import SMALL
from tests.training_states import train_until
from translator.addons.attention.alignments import Links
from translator.addons.attention.film import load_film
from translator.addons.attention.filming import FRAMES, frame_updates
from translator.addons.attention.gold_alignments import SegmentedPair
from translator.addons.attention.record_files import load_records
from translator.base.errors import InputError
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory
from translator.training.start import train
from translator.translation.records import KINDS

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
    updates = int(sum(1 for _ in run.film.iterdir()))
    last = max(int(path.stem) for path in run.film.iterdir())
    assert [int(path.stem) for path in sorted(run.film.iterdir())] == frame_updates(last)
    assert updates > 10
    for path in run.film.iterdir():
        first, second = load_records(path)
        assert first.source == config.film[0]
        assert first.hypothesis == (tiny_corpus / "test.de").read_text("utf-8").splitlines()[0]
        assert f"{second.source}\t{second.hypothesis}" == OWN


def test_the_last_frame_is_the_attention_of_the_last_weights(run):
    assert_filmed(run)


def test_filming_changes_nothing(run, config, tmp_path):
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


def test_loss_entropy_and_errors_of_the_frames(run):
    source, target = OWN.split("\t")
    words = source.split(), target.split()
    links = frozenset((i, i) for i in range(3))
    gold = {
        (source, target): SegmentedPair(
            1, source, target, tuple(words[0]), tuple(words[1]), Links(links, links)
        )
    }
    film = load_film(run.film, gold)
    assert list(film.updates) == sorted(film.updates)
    first, second = film.sentences
    assert first.errors is None
    assert second.errors.shape == second.scores["cross"].shape[:3]
    assert ((second.errors >= 0) & (second.errors <= 1)).all()
    assert first.losses[0] > first.losses[-1]
    for kind in KINDS:
        frames, layers, heads, _, keys = first.scores[kind].shape
        assert first.entropies[kind].shape == (frames, layers, heads)
        assert (first.entropies[kind] <= np.log2(keys) + 0.01).all()


def test_what_cannot_be_filmed_is_refused(tiny_corpus, tmp_path, run):
    config = read_config(tiny_corpus / "config.yaml", (*SMALL, 'film=["nobody knows this"]'))
    with pytest.raises(InputError, match="film: expected a sentence of the validation or test"):
        train(config, tmp_path / "run", report=quiet)
    assert not (tmp_path / "run").exists()
    with pytest.raises(InputError, match="expected frames, found none"):
        load_film(tmp_path)


def test_the_command_writes_a_page_and_an_animation(capfd, run, tmp_path):
    page, animation = tmp_path / "film.html", tmp_path / "film.gif"
    code, _, err = run_command(
        capfd, "film", run.path, "--html", page, "--gif", animation, "--layer", 1, "--head", 2
    )
    assert code == 0, err
    assert "der alte Hund" in page.read_text("utf-8")
    assert animation.read_bytes().startswith(b"GIF8")


def test_bad_options_of_the_command_are_one_line(capfd, run, tmp_path):
    for options, message in [
        ((), "expected --html FILE.html or --gif FILE.gif"),
        (("--html", "film.png"), "film.png"),
        (("--html", "{}/film.html", "--layer", 1), "--layer: expected --gif with it"),
        (("--gif", "{}/film.gif", "--layer", 9), "layer: expected 1 to"),
    ]:
        options = [each.format(tmp_path) if isinstance(each, str) else each for each in options]
        assert message in refused(capfd, "film", run.path, *options)
        assert not list(tmp_path.iterdir())
