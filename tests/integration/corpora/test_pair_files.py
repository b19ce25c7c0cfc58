"""Training, inspecting, scoring, aligning and evaluating by files of other forms than TSV."""

import sys
from pathlib import Path

import pytest

from tests.builders import tiny_pairs, write_config
from tests.commands import refused, run
from tests.pair_files import FORMS, NAMED, separated, tmx
from translator.base.errors import install_command

PAIRS = tiny_pairs()
OTHER_FORMS = ("header.csv", "hugging-face.jsonl", "memory.tmx")


@pytest.mark.parametrize("name", OTHER_FORMS)
def test_a_tiny_training_and_an_inspection_read_it_and_say_what_is_assumed(
    capfd, tmp_path, computes_nothing, name
):
    path = tmp_path / name
    path.write_bytes(FORMS[name](PAIRS))
    split = "split: {validation: 0.1, test: 0.1}"
    config = write_config(tmp_path, f"{{train: {{tsv: {path}}}, {split}}}")
    code, _, err = run(capfd, "train", config, "--run", tmp_path / "run")
    assert code == 0
    assert "corpus files: " in err
    said = "line 1 is a header row, 'en' and 'de', and is left out; columns 3 and 2 of 3 are read"
    assert err.count(said) == (name == "header.csv")
    code, out, err = run(capfd, "inspect", path, "--without-model", "--from", "en", "--to", "de")
    assert code == 0
    assert out.startswith(f"{len(PAIRS)} pairs, en and de\n")
    assert out.count(said) == (name == "header.csv")


def test_a_table_whose_columns_are_not_clear_ends_in_one_line(capfd, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(separated([(str(n), pair[0]) for n, pair in enumerate(PAIRS)], "\t"))
    config = write_config(tmp_path, f"{{train: {{tsv: {path}}}}}")
    said = "found a table with 1: '0', 2: 'The man sees the house.'; "
    assert refused(capfd, "train", config, "--run", tmp_path / "run").endswith(
        f"{said}set corpus.train.columns, such as to [2, 3]"
    )
    assert not (tmp_path / "run").exists()
    advice = "name two columns, such as --columns 2,3"
    assert refused(capfd, "inspect", path, "--without-model").endswith(said + advice)


def test_inspect_chooses_columns(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [(english, str(n), english, german) for n, (english, german) in enumerate(PAIRS)]
    (tmp_path / "a.csv").write_bytes(separated([("first", "id", "en", "de"), *rows]))
    languages = ("--from", "en", "--to", "de")
    for columns in ("3,4", "first,de"):
        chosen = ("--columns", columns, *languages)
        code, out, err = run(capfd, "inspect", "a.csv", "--without-model", *chosen)
        assert code == 0
        assert out.startswith(f"{len(PAIRS)} pairs, en and de\n")
    code, out, err = run(capfd, "inspect", "a.csv", "--without-model", *languages)
    assert code == 0
    assert "line 1 is a header row, 'en' and 'de', and is left out; columns 3 and 4 of 4" in out
    for columns in ("3", "3,3", "0,1", "a,", "1,2,3"):
        said = refused(capfd, "inspect", "a.csv", "--columns", columns)
        assert said == (
            "--columns: expected two different columns, by name or by number from 1, such as 2,4,"
            f" found {columns!r}"
        )
    said = refused(capfd, "inspect", "a.csv", "a.csv", "--columns", "1,2")
    assert said == "--columns: expected one file with both sides, found two files"


def test_a_missing_package_is_named_with_its_extra(capfd, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + bytes(99))
    said = refused(capfd, "inspect", tmp_path / "a.parquet", "--without-model")
    assert said.startswith("pyarrow: expected this package for ")
    assert said.endswith("-m pip install 'keras-translator[pairs]' adds it")
    monkeypatch.setattr("importlib.metadata.distributions", lambda name: [])
    assert install_command("pairs").endswith(f" install '{Path(__file__).parents[3]}[pairs]'")


@pytest.mark.parametrize("name", OTHER_FORMS)
def test_a_run_is_measured_by_it(capfd, tiny_run, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(FORMS[name](PAIRS[:10]))
    tsv = tmp_path / "pairs.tsv"
    tsv.write_bytes(FORMS["plain.tsv"](PAIRS[:10]))
    results = [run(capfd, "score", "--run", tiny_run, "--source", file) for file in (path, tsv)]
    assert results[0][0] == 0, results
    assert results[0][:2] == results[1][:2]
    assert results[0][1].count("\n") == 10
    results = [run(capfd, "evaluate", "--run", tiny_run, "--source", file) for file in (path, tsv)]
    figures = [out.partition("length ratio")[0] for _, out, _ in results]
    assert "BLEU" in figures[0]
    assert figures[0] == figures[1]


def test_all_commands_name_what_has_no_pairs_in_the_same_line(capfd, tiny_run, tmp_path):
    others = {
        "fr.tmx": (tmx(PAIRS).replace(b'"en"', b'"fr"'), "en and de, found TMX with de-DE"),
        "latin.tsv": ("Foo\tFür\n".encode("latin1") * 50, "line 1: expected UTF-8, found the byte"),
        "empty.tsv": (b"\n", "expected sentence pairs, found an empty file"),
    }
    languages = ("--from", "en", "--to", "de")
    named = {name: NAMED[name] for name in ("a.xlsx", "a.json", "b.utf16", "a.sgm", "a.tar")}
    for name, (content, expected) in {**named, **others}.items():
        path = tmp_path / name
        path.write_bytes(content)
        said = refused(capfd, "inspect", path, "--without-model", *languages)
        assert said.startswith(str(path))
        assert expected in said
        config = write_config(tmp_path, f"{{train: {{tsv: {path}}}}}")
        alike = [refused(capfd, "train", config, "--run", tmp_path / "run")]
        for command in ("score", "evaluate"):
            alike.append(refused(capfd, command, "--run", tiny_run, "--source", path))
        start = said.removesuffix("name two columns, such as --columns 2,3")
        assert {line[: len(start)] for line in alike} == {start}
    assert not (tmp_path / "run").exists()
