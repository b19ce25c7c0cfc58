"""Test pairs that an export brings for machines without its corpus."""

import json
import shutil
import zipfile

import pytest

from tests.commands import refused
from translator.base.errors import InputError
from translator.config.yaml_file import config_to_yaml, validate_config
from translator.corpora import registry
from translator.corpora.corpus import HeldOutPairs, load_held_out
from translator.corpora.pairs import SentencePairs
from translator.corpora.registry import fingerprint
from translator.runs.directory import RunDirectory
from translator.runs.exports import describe_export
from translator.runs.held_out import load_split
from translator.runs.record import RunRecord, settings_of
from translator.runs.weights import save_arrays
from translator.tokenizers.subword import FILE_NAMES


@pytest.fixture
def tatoeba(own_home, monkeypatch):
    """The corpus in the cache, from an address that never answers."""
    nowhere = registry.TATOEBA._replace(address="http://127.0.0.1:9/deu-eng.zip")
    monkeypatch.setattr(registry, "TATOEBA", nowhere)
    nowhere.path.parent.mkdir(parents=True)
    with zipfile.ZipFile(nowhere.path, "w") as archive:
        archive.writestr("deu.txt", "".join(f"Line {i}.\tZeile {i}.\n" for i in range(2000)))
    monkeypatch.setattr("translator.corpora.corpus.MOST_KEPT", 5)
    return nowhere.path


def write_run(folder, **corpus) -> RunDirectory:
    """As much of a run as its corpus needs."""
    folder.mkdir()
    values = {"corpus": corpus, "data": {"batch_size": 8}}
    config = validate_config(values, "test")
    (folder / "config.yaml").write_text(config_to_yaml(config), "utf-8")
    key = fingerprint(config.corpus)
    RunRecord(config.model.model_dump(), ["a", "b"], key, settings_of(config)).write(folder)
    save_arrays(folder / "weights.npz", {})
    for name in FILE_NAMES:
        (folder / name).touch()
    return RunDirectory(folder)


@pytest.fixture
def run(tatoeba, tmp_path) -> RunDirectory:
    return write_run(tmp_path / "run", name="tatoeba")


@pytest.fixture
def export(run, tmp_path) -> RunDirectory:
    """The same with its test pairs, as if they were from an export."""
    export = RunDirectory(shutil.copytree(run.path, tmp_path / "export"))
    corpus = export.read_config().corpus
    splits = (load_held_out(corpus, split)[0] for split in ("test", "validation"))
    HeldOutPairs.of("tatoeba", *splits).write(export.held_out)
    return export


def test_the_pairs_are_spread_over_the_test_split_and_say_where_they_are_from(run, export):
    written = json.loads(export.held_out.read_text("utf-8"))
    assert written["corpus"] == "tatoeba"
    assert written["licence"] == "CC BY 2.0, by tatoeba.org and www.manythings.org/anki"
    assert written["address"] == "http://127.0.0.1:9/deu-eng.zip"
    test = [list(pair) for pair in zip(*load_held_out(run.read_config().corpus, "test")[0])]
    assert len(test) > len(written["pairs"]) == 5
    assert (written["pairs"][0], written["pairs"][-1]) == (test[0], test[-1])
    assert [pair for pair in test if pair in written["pairs"]] == written["pairs"]


def test_they_are_used_only_where_the_corpus_is_missing(export, tatoeba):
    said: list[str] = []

    def load(split: str):
        return load_split(export, export.read_config(), split, said.append, "--source").pairs

    whole = load("test")
    assert (len(whole) > 5, said) == (True, [])
    tatoeba.unlink()
    kept = load("test")
    assert set(zip(*kept)) < set(zip(*whole))
    assert said == [
        "pairs: 5 test pairs that come with the model, CC BY 2.0, by tatoeba.org and"
        " www.manythings.org/anki; the corpus is not on this machine"
    ]
    assert len(load("validation")) == 5
    export.held_out.write_text('{"pairs": [["a"]]}')
    with pytest.raises(InputError, match="held-out.json: expected held-out pairs in JSON"):
        load("test")
    export.held_out.unlink()
    with pytest.raises(InputError, match="no connection.*; or name pairs of your own with --"):
        load("validation")


def test_they_are_used_where_the_corpus_has_changed(export):
    export.read_record()._replace(corpus="another").write(export.path)
    said: list[str] = []
    pairs = load_split(export, export.read_config(), "test", said.append, "--source").pairs
    assert pairs is not None
    assert (len(pairs), len(said)) == (5, 1)


def test_pairs_of_ones_own_stay_with_the_run(tmp_path):
    own = {name: {"tsv": str(tmp_path / "own.tsv")} for name in ("train", "validation")}
    (tmp_path / "own.tsv").write_text("".join(f"{i}\t{i}\n" for i in range(9)))
    run = write_run(tmp_path / "own", source_language="en", target_language="de", **own)
    kept = HeldOutPairs.of("files", None, SentencePairs(("a", "c", "a"), ("b", "d", "e")))
    kept.write(run.held_out)
    (tmp_path / "own.tsv").unlink()
    pairs = load_split(run, run.read_config(), "validation", lambda line: None, "--source").pairs
    assert pairs is not None
    assert list(zip(*pairs)) == [("a", "b"), ("c", "d"), ("a", "e")]  # with all translations


def test_an_export_brings_them_if_they_may_be_passed_on(export, tmp_path):
    for folder, is_own in ((tmp_path / "own", True), (tmp_path / "apart", False)):
        folder.mkdir()
        describe_export(export, folder, is_own)
        assert (folder / "held-out.json").exists() is not is_own
    assert (folder / "held-out.json").read_bytes() == export.held_out.read_bytes()
    HeldOutPairs.read(export.held_out)._replace(licence="").write(export.held_out)
    (tmp_path / "without").mkdir()
    describe_export(export, tmp_path / "without")
    assert not (tmp_path / "without" / "held-out.json").exists()


def test_heads_asks_for_pairs_before_a_model_is_loaded(capfd, run, tatoeba):
    tatoeba.unlink()
    said = refused(capfd, "heads", run.path, "--ablate")
    assert "deu-eng.zip: expected to download it, found no connection" in said
    assert said.endswith("; or name pairs of your own with --source and --target")
