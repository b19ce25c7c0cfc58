"""Runs that version 0.1.0 trained: they load, translate, draw and export as they did then."""

import functools
import json
import tarfile
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

import translator
from tests.commands import captured
from translator.text.agreement import AgreementJudge

STORED = Path(__file__).parents[1] / "stored_runs"
NAMES = ("sentencepiece", "bpemb", "zero-digits")
each_run = pytest.mark.parametrize(
    "name", [NAMES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES[1:])]
)
SEARCHES = {"greedy": ("--beam-size", 1), "beam 4": ("--beam-size", 4)}
EXPORTED = {
    "config.json",
    "config.yaml",
    "model.bin",
    "run.json",
    "source.model",
    "source_vocabulary.json",
    "target.model",
    "target_vocabulary.json",
}


@pytest.fixture(scope="module")
def unpack(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stored")

    @functools.cache
    def unpack(name: str) -> Path:
        with tarfile.open(STORED / f"{name}.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        return folder / name

    return unpack


def expected(name: str) -> dict:
    """Sentences, and what version 0.1.0 made of them."""
    return json.loads((STORED / f"{name}.json").read_text("utf-8"))


def assert_translates_the_same(run: Path, name: str, engine: str, tmp_path: Path) -> None:
    """Texts are equal and scores are close, whatever the search.

    Where the best text of version 0.1.0 has not the numbers of the sentence, one that has them is
    taken now, and a text with more or fewer digits than the sentence keeps the zeros that the model
    wrote: those are not compared. Nor are the other hypotheses of a beam, which goes on longer now.
    """
    stored, judge = expected(name), AgreementJudge("en", "de")
    (tmp_path / "lines.en").write_text("\n".join(stored["sentences"]) + "\n", "utf-8")
    for search, options in SEARCHES.items():
        code, out, err = captured(
            "translate", "--run", run, "--engine", engine, "--file", tmp_path / "lines.en",
            "--json", *options,
        )  # fmt: skip
        assert code == 0, err
        for source, line, hypotheses in zip(
            stored["sentences"], out.splitlines(), stored[engine][search], strict=True
        ):
            best, (text, score) = json.loads(line)["hypotheses"][0], hypotheses[0]
            if judge.compare(source, text) or judge.compare(source, best["text"]):
                continue
            assert best["text"] == text, search
            assert best["score"] == pytest.approx(score, rel=1e-4, abs=1e-6), search


@each_run
def test_keras_translates_a_stored_run_the_same(unpack, name, tmp_path):
    assert_translates_the_same(unpack(name), name, "keras", tmp_path)


@pytest.mark.parametrize("name", NAMES[:2])
def test_ctranslate2_translates_a_stored_export_the_same(unpack, name, tmp_path):
    assert_translates_the_same(unpack(name), name, "ctranslate2", tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_run_is_exported_the_same(unpack, name, tmp_path):
    code, _, err = captured("export", unpack(name), "--out", tmp_path / "export")
    assert code == 0, err
    exported = {path.name for path in (tmp_path / "export").iterdir()}
    assert exported - {"target.words"} == EXPORTED
    assert ("target.words" in exported) == (name == "bpemb"), "of those without capitals"
    assert_translates_the_same(tmp_path / "export", name, "ctranslate2", tmp_path)


@each_run
def test_a_stored_run_has_the_same_attention(unpack, name, tmp_path):
    sentences = expected(name)["sentences"][:2]
    code, _, err = captured(
        "attention", *sentences, "--run", unpack(name), "--engine", "keras",
        "--beam-size", 4, "--n-best", 2, "--save", tmp_path / "maps.npz",
    )  # fmt: skip
    assert code == 0, err
    stored, found = (
        list(translator.load_records(path))
        for path in (STORED / f"{name}-attention.npz", tmp_path / "maps.npz")
    )
    for old, new in zip(stored[::2], found[::2], strict=True):  # the best hypotheses
        assert new.aligning is not None, "of a run that aligns"
        new = new._replace(aligning=old.aligning)  # not in old ones
        for field, value in old._asdict().items():
            if isinstance(value, np.ndarray):
                assert np.allclose(getattr(new, field), value, rtol=0, atol=1e-4), field
            elif isinstance(value, float):
                assert getattr(new, field) == pytest.approx(value, rel=1e-4, abs=1e-6), field
            else:
                assert getattr(new, field) == value, field


@each_run
def test_stored_records_are_drawn_the_same(name, tmp_path):
    record = next(iter(translator.load_records(STORED / f"{name}-attention.npz")))
    with np.load(STORED / f"{name}-drawn.npz") as arrays:
        stored = dict(arrays)
    for kind in ("encoder", "decoder", "cross"):
        for words in (False, True):
            figure = translator.plot_attention(record, kind, words=words, hide_ends=words)
            shown = [axes.images[0].get_array() for axes in figure.axes if axes.images]
            for number, drawn in enumerate(shown):
                was = stored.pop(f"{kind}/{'words' if words else 'pieces'}/{number}")
                assert np.allclose(drawn, was, rtol=0, atol=1e-6)
    assert not stored, "every heat map of then is drawn"
    code, _, err = captured(
        "draw", STORED / f"{name}-attention.npz", "--out", tmp_path / "maps.png"
    )
    assert code == 0, err
    assert matplotlib.image.imread(tmp_path / "maps.png").std() > 0
