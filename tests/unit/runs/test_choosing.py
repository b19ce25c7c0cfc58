"""Which model is taken where none is named, and what a name means."""

import os
import shutil
from pathlib import Path

import pytest

from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.config.yaml_file import config_to_yaml, validate_config
from translator.runs import choosing
from translator.runs.choosing import check_direction, choose_run, find_run, shipped_models
from translator.runs.directory import RunDirectory
from translator.runs.record import RunRecord, settings_of


@pytest.fixture(autouse=True)
def shipped(tmp_path, monkeypatch) -> Path:
    """An empty folder in place of the models that come with the program."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    monkeypatch.setattr(choosing, "SHIPPED", folder)
    return folder


@pytest.fixture
def runs(tmp_path) -> Path:
    """An empty folder for runs."""
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


def write_run(
    folder: Path,
    languages: str = "en-de",
    age: int = 0,
    demo: bool = False,
    finished: bool | None = True,
) -> Path:
    """Writes as much of a trained run as the choice depends on."""
    source, target = languages.split("-")
    corpus = {"source_language": source, "target_language": target}
    files = {name: {"tsv": f"{name}.tsv"} for name in ("train", "validation")}
    values = {"corpus": corpus | ({"name": "demo"} if demo else files), "data": {"batch_size": 8}}
    config = validate_config(values, "test")
    folder.mkdir()
    (folder / "config.yaml").write_text(config_to_yaml(config), "utf-8")
    record = RunRecord(config.model.model_dump(), ["a", "b"], "c", settings_of(config))
    record._replace(finished=finished).write(folder)
    (folder / "weights.npz").touch()
    os.utime(folder / "weights.npz", (1e9 - age, 1e9 - age))
    return folder


def test_the_newest_finished_run_that_knows_more_than_the_demo_is_taken(runs, shipped):
    write_run(runs / "training", age=0, finished=False)
    write_run(runs / "demo", age=1, demo=True)
    newest = write_run(runs / "newest", age=2)
    write_run(runs / "older", age=3)
    write_run(shipped / "en-de")
    chosen = choose_run(folder=runs)
    assert (chosen.run.path, chosen.name, chosen.note) == (newest, str(newest), "en to de")


def test_a_run_that_translates_worse_than_the_shipped_model_is_taken_with_a_warning(runs, shipped):
    run = RunDirectory(write_run(runs / "own"))
    (shipped / "en-de").mkdir()
    assert choose_run(folder=runs).note == "en to de"
    run.read_record()._replace(known=[26.4, 21.6]).write(run.path)
    assert choose_run(folder=runs).note == (
        "en to de; en-de, which comes with the program, translates this run's held-out pairs"
        " better (BLEU 26.4 instead of 21.6): --run en-de"
    )
    (shipped / "en-de").rmdir()
    assert choose_run(folder=runs).note == "en to de"


def test_of_runs_of_the_same_age_the_first_by_name_is_taken(runs):
    for name in "bac":
        write_run(runs / name)
    assert choose_run(folder=runs).run.path == runs / "a"


def test_folders_that_are_not_named_after_two_languages_are_no_models(shipped):
    for name in ("__x-y", "en-de.old", "en-de-old", "ende", "en-de"):
        (shipped / name).mkdir()
    assert list(shipped_models()) == ["en-de"]


def test_without_such_a_run_a_shipped_model_is_taken_before_the_demo(runs, shipped):
    write_run(runs / "training", age=0, finished=False)
    demo = write_run(runs / "demo", age=1, demo=True)
    for name in ("de-en", "en-de"):
        write_run(shipped / name, name)
    chosen = choose_run(folder=runs)
    assert chosen == (chosen.run, "en-de", "which comes with the program")
    assert chosen.run.path == shipped / "en-de"
    shutil.rmtree(shipped)
    chosen = choose_run(folder=runs)
    assert chosen.run.path == demo
    assert chosen.note == "which knows only the sentences of the demo corpus's grammar"
    shutil.rmtree(demo)
    chosen = choose_run(folder=runs)
    assert (chosen.name, chosen.note) == (
        str(runs / "training"),
        "en to de, whose training is not finished",
    )


def test_a_language_chooses_the_direction(runs, shipped):
    write_run(runs / "english", "en-de", age=0)
    german = write_run(runs / "german", "de-en", age=1)
    for language in ("de", "DE", "de-AT", "de_AT", "German", "deutsch"):
        assert choose_run(Direction(language), runs).run.path == german
    for name in ("de-en", "en-de"):
        write_run(shipped / name, name)
    shutil.rmtree(german)
    assert choose_run(Direction("de"), runs).run.path == shipped / "de-en"
    assert choose_run(Direction("English"), runs).name == str(runs / "english")
    assert choose_run(Direction("de"), runs / "nowhere").run.path == shipped / "de-en"
    assert choose_run(Direction(None, "english"), runs).run.path == shipped / "de-en"
    assert choose_run(Direction("en", "de"), runs).name == str(runs / "english")
    with pytest.raises(InputError, match="found --from 'en' --to 'fr'; choose de to en"):
        choose_run(Direction("en", "fr"), runs)


def test_another_language_is_refused_with_those_that_there_are(runs, shipped):
    write_run(runs / "italian", "it-de")
    write_run(shipped / "en-de")
    found = rf"found --from 'fr'; choose en to de \(en-de\), it to de \({runs / 'italian'}\)$"
    with pytest.raises(InputError, match=f"^expected the languages .*, {found}"):
        choose_run(Direction("fr"), runs)


def test_nothing_to_choose_is_said_with_what_to_do(runs):
    with pytest.raises(
        InputError, match="expected the model that comes with the program, found no"
    ):
        choose_run(Direction("fr"), runs)


def test_without_a_language_no_shipped_model_but_the_first_is_taken(runs, shipped):
    write_run(shipped / "de-en", "de-en")
    missing = "^.*en-de: expected the model that comes with the program, found no such folder; inst"
    with pytest.raises(InputError, match=f"{missing}all the program again, or name a run"):
        choose_run(folder=runs)
    assert choose_run(Direction("de"), runs).name == "de-en"
    demo = write_run(runs / "demo", demo=True)
    assert choose_run(folder=runs).run.path == demo


def test_a_run_that_cannot_be_read_is_taken_so_that_its_damage_is_told(runs, shipped):
    write_run(shipped / "en-de")
    damaged = write_run(runs / "damaged")
    (damaged / "run.json").write_text("{")
    assert choose_run(folder=runs).run.path == damaged
    assert choose_run(Direction("en"), runs).name == "en-de", "nobody knows its language"


def test_a_neighbour_whose_name_is_not_utf_8_does_no_harm(runs):
    run = write_run(runs / "run", age=1)
    write_run(Path(os.fsdecode(os.fsencode(runs) + b"/r\xfcn")))
    assert choose_run(folder=runs).run.path == run


def test_a_name_is_a_path_or_else_a_shipped_model(shipped, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = write_run(shipped / "en-de")
    assert find_run("en-de").path == find_run(Path("en-de")).path == model
    assert find_run("./other").path == Path("other")
    write_run(tmp_path / "en-de")
    assert find_run("en-de").path == Path("en-de")
    with pytest.raises(InputError, match="^run: expected a path"):
        find_run(None)


def test_what_is_not_a_model_does_not_count_as_shipped(shipped):
    model = write_run(shipped / "en-de")
    (shipped / "__pycache__").mkdir()
    (shipped / "README-first").touch()
    assert shipped_models() == {"en-de": model}


def test_the_shipped_model_from_english_is_the_first(shipped):
    for name in ("zh-en", "de-en", "en-de"):
        write_run(shipped / name, name)
    assert list(shipped_models()) == ["en-de", "de-en", "zh-en"]


def test_a_named_run_must_translate_from_the_language(runs):
    run = RunDirectory(write_run(runs / "run", "de-en"))
    check_direction(run, Direction("de"))
    with pytest.raises(InputError, match="^--from 'en': .*run, which translates from de to en; "):
        check_direction(run, Direction("en"))


def test_the_language_of_an_earlier_version_s_run_is_in_its_configuration(runs):
    run = RunDirectory(write_run(runs / "run", "de-en"))
    run.read_record()._replace(settings={}).write(run.path)
    check_direction(run, Direction("de"))
    with pytest.raises(InputError, match="which translates from de to en; "):
        check_direction(run, Direction("en"))
