"""The commands with a model that comes with the program: the int8 export of the tiny run."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

from tests.commands import GERMAN, SENTENCE, refused, run
from translator.export.ctranslate2 import export_run
from translator.runs import choosing
from translator.runs.directory import RunDirectory

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def model(tiny_run, tmp_path_factory) -> Path:
    """A shipped model, which no test changes."""
    folder = tmp_path_factory.mktemp("shipped") / "en-de"
    return export_run(RunDirectory(tiny_run), folder, "int8")


@pytest.fixture(autouse=True)
def shipped(model, tmp_path, monkeypatch) -> Path:
    """A copy of the model as the only one that comes with the program; no runs are near."""
    folder = shutil.copytree(model, tmp_path / "shipped" / "en-de")
    monkeypatch.setattr(choosing, "SHIPPED", folder.parent)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return folder


def test_without_a_run_the_shipped_model_translates_and_is_named(capfd):
    notice = "run: en-de, which comes with the program\n"
    assert run(capfd, SENTENCE) == (0, f"{GERMAN}\n", notice)
    assert run(capfd, "translate", "--from", "en", SENTENCE) == (0, f"{GERMAN}\n", notice)
    for named in (("--run", "en-de"), ("--run", "en-de", "--from", "en")):
        assert run(capfd, "translate", *named, SENTENCE) == (0, f"{GERMAN}\n", "")


def test_a_run_in_the_current_folder_has_the_name_before_the_shipped_model(capfd):
    Path("en-de").mkdir()
    said = refused(capfd, "translate", "--run", "en-de", SENTENCE)
    assert said == (
        "en-de: expected a run directory of translator train, found no run.json in it; name the"
        " folder of a run"
    )


def test_the_shipped_model_alone_has_heads(capfd, tmp_path):
    page, scores = tmp_path / "page.html", tmp_path / "scores.npz"
    files = ("--html", page, "--save", scores)
    code, out, err = run(capfd, "attention", "--run", "en-de", *files, SENTENCE)
    assert (code, out) == (0, f"{GERMAN}\n"), err
    assert "explorer" in err
    assert page.stat().st_size > 10_000
    assert scores.is_file()
    code, out, err = run(capfd, "heads", "en-de")
    assert code == 0, err
    assert out.startswith("cross-attention, ")


def test_a_direction_that_there_is_no_model_for_is_refused(capfd):
    said = refused(capfd, "translate", "--from", "fr", SENTENCE)
    assert said == ("expected the languages of a model, found --from 'fr'; choose en to de (en-de)")
    said = refused(capfd, "attention", "--run", "en-de", "--from", "de", "--html", "a", SENTENCE)
    assert "a: expected a name that ends in .html" in said
    page = ("--html", "a.html")
    said = refused(capfd, "attention", "--run", "en-de", "--from", "de", *page, SENTENCE)
    assert said.startswith("--from 'de': expected a run for these languages, found")
    assert "which translates from en to de; leave out the run or the languages" in said


FILES = (
    *("model.bin", "shared_vocabulary.json", "config.json", "config.yaml", "run.json"),
    *("source.model", "target.model", "source.words", "confidence.json"),
)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(("damage", "word"), [("missing", "no"), ("changed", "another|a damaged")])
def test_a_damaged_file_is_refused(capfd, shipped, name, damage, word):
    path = next(shipped.glob(name.replace("shared", "*")))
    if damage == "missing":
        path.unlink()
    else:
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
    said = refused_after_notice(capfd, "translate", SENTENCE)
    what = "expected the model that comes with the program"
    assert re.search(f"{what}, found ({word}) {path.name}; install the program again$", said), said


def test_no_training_goes_on_from_a_damaged_model(capfd, shipped, tiny_corpus):
    (shipped / "source.model").write_bytes(b"x")
    settings = ("--run", "run", "--set", "training.init=en-de")
    said = refused(capfd, "train", tiny_corpus / "config.yaml", *settings)
    assert "found another source.model; install the program again" in said


def test_where_the_model_from_english_is_missing_no_other_direction_answers(capfd, shipped):
    shutil.move(shipped, shipped.with_name("de-en"))
    assert refused(capfd, SENTENCE) == (
        f"{shipped}: expected the model that comes with the program, found no such folder; install"
        " the program again, or name a run with --run DIR"
    )


def test_options_may_stand_before_the_text(capfd):
    assert run(capfd, "--from", "en", "--quiet", SENTENCE)[:2] == (0, f"{GERMAN}\n")
    assert refused(capfd, "--form", "en", SENTENCE).startswith("No such option '--form'")


def refused_after_notice(capfd, *arguments: object) -> str:
    """The one line that refuses, after the notice of the model where none is named."""
    code, out, err = run(capfd, *arguments)
    lines = [line for line in err.splitlines() if not line.startswith("run: en-de, ")]
    assert (code, out, len(lines)) == (2, "", 1), err
    assert lines[0].startswith("translator: ")
    return lines[0]


def test_the_demo_shows_the_shipped_model_first(capfd, shipped):
    script = runpy.run_path(str(ROOT / "scripts" / "demo.py"))
    script["show_shipped_models"]()
    shown = capfd.readouterr().out
    assert shown.startswith("\nThe model en-de comes with the program and knows everyday English:")
    assert "into German" in shown
    assert shown.count("\n  → ") == 3
    assert "knows only the\nsentences of the bundled corpus's grammar" in shown
    assert 1 < script["estimate_minutes"]() < 600


@pytest.mark.parametrize("command", [("export",), ("average", "--last", 2), ("calibrate",)])
def test_what_needs_the_weights_as_trained_asks_for_the_run(capfd, shipped, command):
    assert refused(capfd, *command, "en-de") == (
        f"{shipped}: expected a run with its weights, found an export; name the run of this export"
    )
    assert list(Path().iterdir()) == []
