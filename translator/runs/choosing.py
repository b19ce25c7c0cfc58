"""Chooses the model of a command: by its name or, if there is no name, by the languages."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from translator.base.cache import home
from translator.base.errors import InputError
from translator.base.files import path_of
from translator.base.languages import ANY, Direction, language_facts
from translator.base.late import late_pattern
from translator.base.texts import find_lone_surrogate
from translator.runs.directory import RunDirectory
from translator.runs.record import RECORD_NAME

SHIPPED = Path(__file__).parents[1] / "shipped"  # exports in folders such as en-de
RUNS = Path("checkpoints")
FETCHED = "models"  # the folder of the cache with fetched public models
DIRECTION = late_pattern(r"[a-z]{2,3}-[a-z]{2,3}")  # the name of a shipped model
FIRST_SHIPPED = "en-de"  # the shipped model that is chosen if no languages are wanted
FIRST_SOURCE = "en"  # the source language of that model


class ChosenRun(NamedTuple):
    """A model that was chosen because none was named.

    Attributes:
        name: its name for the user.
        note: a note for the user about the model; may be empty.
    """

    run: RunDirectory
    name: str
    note: str = ""


class _Run(NamedTuple):
    """Facts about a trained run, for the choice.

    Attributes:
        languages: the codes of source and target; empty if the run's files cannot be read.
        is_demo: whether it was trained on the demo corpus.
        has_finished: whether its training has finished.
    """

    run: RunDirectory
    languages: tuple[str, ...] = ()
    is_demo: bool = False
    has_finished: bool = True

    @property
    def direction(self) -> str:
        """The run's languages, for the user."""
        return " to ".join(self.languages)


def shipped_models() -> dict[str, Path]:
    """The folders of the models that come with the program, by names such as ``en-de``.

    Models from `FIRST_SOURCE` come first.
    """
    folders = list(SHIPPED.iterdir()) if SHIPPED.is_dir() else []
    first = f"{FIRST_SOURCE}-"
    folders.sort(key=lambda folder: (not folder.name.startswith(first), folder.name))
    return {folder.name: folder for folder in folders if DIRECTION.fullmatch(folder.name)}


def is_shipped(folder: Path) -> bool:
    """Whether a folder belongs to a shipped model."""
    return Path(os.path.realpath(folder)).parent == SHIPPED.resolve()


def find_run(run: str | Path) -> RunDirectory:
    """The run that a user names: a path or, if nothing is there, a shipped or fetched model."""
    path = path_of(run, "run")
    if path.exists():
        return RunDirectory(path)
    shipped, is_name = shipped_models().get(str(path)), path.name == str(path)
    if not shipped and is_name and ((fetched := fetched_model(path.name)) / RECORD_NAME).is_file():
        return RunDirectory(fetched)
    return RunDirectory(shipped or path)


def fetched_model(name: str) -> Path:
    """The place of a fetched public model, in the user's folder for the program."""
    return home() / FETCHED / name


def choose_run(wanted: Direction = ANY, folder: Path = RUNS) -> ChosenRun:
    """Chooses a model if the user names none.

    The first choice is the newest finished run that was not trained on the demo corpus. If there is
    none: the shipped model, then the newest finished run, then the newest run still in training.
    """
    demo = training = None
    for trained in _trained_runs(folder):
        if not wanted.allows(trained.languages):
            continue
        if not trained.has_finished:
            training = training or trained
        elif trained.is_demo:
            demo = demo or trained
        else:
            note = trained.direction + _warning(trained)
            return ChosenRun(trained.run, str(trained.run.path), note)
    if shipped := _choose_shipped(wanted):
        return ChosenRun(RunDirectory(shipped), shipped.name, "which comes with the program")
    if demo is not None:
        note = "which knows only the sentences of the demo corpus's grammar"
        return ChosenRun(demo.run, str(demo.run.path), note)
    if training is not None:
        note = f"{training.direction}, whose training is not finished"
        return ChosenRun(training.run, str(training.run.path), note)
    raise _nothing_to_choose(wanted, folder)


def _warning(trained: _Run) -> str:
    """Warns that a shipped model translates better than a run, if this was measured."""
    shipped = _choose_shipped(Direction(*trained.languages))
    try:
        bleus = trained.run.read_record().known
    except InputError:
        return ""
    if shipped is None or bleus is None:
        return ""
    return (
        f"; {shipped.name}, which comes with the program, translates this run's held-out pairs"
        f" better (BLEU {bleus[0]:.1f} instead of {bleus[1]:.1f}): --run {shipped.name}"
    )


def check_direction(run: RunDirectory, wanted: Direction) -> None:
    """Checks that a run translates between the wanted languages."""
    if wanted != ANY and not wanted.allows(languages := _languages(run)):
        raise InputError(
            f"{wanted}: expected a run for these languages, found {run.path}, which translates from"
            f" {' to '.join(languages)}; leave out the run or the languages"
        )


def shipped_between(languages: tuple[str, str]) -> RunDirectory | None:
    """The shipped model from one language to another."""
    folder = shipped_models().get("-".join(map(_code, languages)))
    return RunDirectory(folder) if folder else None


def check_languages(run: RunDirectory, languages: tuple[str, str]) -> None:
    """Checks that a run translates between two languages, in either direction."""
    of_run = _languages(run)
    if sorted(of_run) != sorted(map(_code, languages)):
        raise InputError(
            f"{run.path}: expected a run between {' and '.join(languages)}, found one from"
            f" {' to '.join(of_run)}; name another run, or leave out scores with --without-model"
        )


def _code(language: str) -> str:
    return language_facts(language).code.lower()


def _languages(run: RunDirectory) -> tuple[str, str]:
    """The codes of a run's languages."""
    recorded = run.read_record().settings
    keys = ("corpus.source_language", "corpus.target_language")
    source, target = (recorded.get(key) for key in keys)
    if not (source and target):
        source, target = run.read_config().corpus.languages
    return _code(source), _code(target)


def _trained_runs(folder: Path) -> Iterator[_Run]:
    """Yields runs with weights, the newest first. Damage is reported later, when a run is used."""
    paths = folder.iterdir() if folder.is_dir() else ()
    folders = [path for path in paths if (path / RECORD_NAME).exists()]
    runs = [RunDirectory(path) for path in folders if not find_lone_surrogate(str(path))]
    trained = [run for run in runs if run.weights.is_file()]
    trained.sort(key=lambda run: (-run.weights.stat().st_mtime, run.path))
    for run in trained:
        try:
            is_demo = run.read_config().corpus.name == "demo"
            yield _Run(run, _languages(run), is_demo, run.has_finished)
        except InputError:
            yield _Run(run)


def _choose_shipped(wanted: Direction) -> Path | None:
    """The shipped model of a direction (any: one from `FIRST_SOURCE`); None if there is none."""
    wanted = Direction(FIRST_SOURCE) if wanted == ANY else wanted
    models = shipped_models().items()
    return next((path for name, path in models if wanted.allows(name.split("-"))), None)


def _nothing_to_choose(wanted: Direction, folder: Path) -> InputError:
    names = {name.replace("-", " to "): name for name in shipped_models()}
    for trained in _trained_runs(folder):
        if trained.languages:
            names.setdefault(trained.direction, str(trained.run.path))
    if wanted != ANY and names:
        models = ", ".join(f"{direction} ({name})" for direction, name in sorted(names.items()))
        return InputError(f"expected the languages of a model, found {wanted}; choose {models}")
    return InputError(
        f"{SHIPPED / FIRST_SHIPPED}: expected the model that comes with the program, found no such"
        " folder; install the program again, or name a run with --run DIR"
    )
