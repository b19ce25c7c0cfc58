"""Shared by several commands: options, opening a run, a progress bar."""

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from translator.base.errors import InputError
from translator.base.files import path_of
from translator.base.languages import ANY, Direction, check_language
from translator.base.progress import progress
from translator.cli.terminal import report

if TYPE_CHECKING:
    from translator.config.schema import Config
    from translator.runs.directory import RunDirectory
    from translator.translation.translator import Translator


def _read_glossary(
    context: click.Context, option: click.Parameter, path: Path | None
) -> tuple[tuple[str, str], ...]:
    """Reads the terms of a file; no terms if there is no file."""
    if path is None:
        return ()
    from translator.text.glossary import read_glossary

    return tuple(read_glossary(path))


class PathType(click.Path):
    """A path that is not empty; Python would read an empty one as the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """Reads a path from the command line."""
        if not os.fspath(value):
            self.fail("expected a path, found an empty text", param, ctx)
        super().convert(value, param, ctx)
        return path_of(value, "path")


PATH = PathType()
PICTURE_HELP = "Picture to write: .png, .svg or .pdf."

run_option = click.option(
    "--run",
    "run_dir",
    type=PATH,
    help="Run directory, or the name of a model: one that comes with the program, such as en-de, or"
    " one that translator models fetched. If left out: the newest finished run in checkpoints/ that"
    " was not trained on the demo corpus, or else the model that comes with the program.",
)
_direction_options = (
    click.option(
        "--from",
        "source_language",
        metavar="LANGUAGE",
        help="Language to translate from, such as de. It chooses the model if --run is left out.",
    ),
    click.option("--to", "target_language", metavar="LANGUAGE", help="Language to translate into."),
)
engine_option = click.option(
    "--engine",
    help="keras or ctranslate2; by default, ctranslate2 if the run has an export.",
)
beam_option = click.option(
    "--beam-size", type=int, help="Hypotheses kept at each step; 1 is greedy."
)
penalty_option = click.option(
    "--length-penalty",
    type=float,
    help="Rank by log probability / length^P; 1 ranks by log probability per token.",
)
file_option = click.option(
    "--file",
    "files",
    type=PATH,
    multiple=True,
    help="File of lines to translate, plain or .gz; - is standard input; repeatable.",
)
errors_option = click.option(
    "--errors",
    type=click.Choice(["replace", "strict"]),
    default="replace",
    help="What to do with bytes that are not UTF-8 and lines that cannot be translated. replace:"
    " read such bytes as U+FFFD, print such lines unchanged and end with exit code 1. strict: stop"
    " at the first one, with exit code 2.",
)
raw_option = click.option(
    "--raw",
    is_flag=True,
    help="Give the model each line as it is: do not treat numbers, capitals, addresses, tags and"
    " placeholders specially.",
)
_text_options = (
    click.option("--max-length", type=int, help="Maximum number of tokens of a translation."),
    click.option(
        "--prefix",
        default="",
        help="Text that every translation begins with; scores do not count its tokens.",
    ),
    raw_option,
    click.option(
        "--glossary",
        type=PATH,
        callback=_read_glossary,
        help="File of terms and the translations that they must have: source, tab, target. If |"
        " separates several forms, the model chooses. A term without a target stays as it is.",
    ),
    click.option(
        "--tag",
        "tags",
        metavar="NAME",
        multiple=True,
        help="Tag of the run, such as bt, for lines that begin with no tag; repeatable.",
    ),
    click.option(
        "--no-split",
        "split",
        flag_value=False,
        default=True,
        help="Treat each line as one sentence, unless it is too long for the model.",
    ),
)


def direction_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``--from`` and ``--to``; the command receives them as ``direction``."""

    @functools.wraps(command)
    def with_direction(
        *arguments: Any, source_language: str | None, target_language: str | None, **options: Any
    ) -> Any:
        direction = Direction(source_language, target_language)
        for option, language in zip(("--from", "--to"), direction):
            if language is not None:
                check_language(language, option)
        return command(*arguments, direction=direction, **options)

    for option in reversed(_direction_options):
        with_direction = option(with_direction)
    return with_direction


def _join(*options: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that adds several options to a command, in this order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        return functools.reduce(lambda result, option: option(result), reversed(options), command)

    return add


model_options = _join(run_option, direction_options, engine_option)
# All options of `TranslationOptions` except ``--n-best`` and ``--errors``
search_options = _join(beam_option, penalty_option, *_text_options)
sampling_options = _join(  # more options of `TranslationOptions`
    click.option(
        "--sample",
        is_flag=True,
        help="Draw each next token from the model's distribution instead of searching.",
    ),
    click.option(
        "--temperature",
        type=float,
        default=1.0,
        show_default=True,
        help="With --sample: divide logits by this; below 1 probable tokens become more probable.",
    ),
    click.option(
        "--top-k",
        type=int,
        help="With --sample: draw from this many most probable tokens; if left out, from all.",
    ),
    click.option(
        "--top-p",
        type=float,
        help="With --sample: draw from the fewest most probable tokens whose probabilities sum to"
        " this, such as 0.9; if left out, from all.",
    ),
    click.option(
        "--seed",
        type=int,
        default=1,
        show_default=True,
        help="With --sample: seed of the random numbers; equal seeds draw equal translations.",
    ),
)


def open_run(run_dir: Path | None, direction: Direction = ANY) -> "RunDirectory":
    """Opens a run or a model by its name. Without a name, it chooses one and reports which."""
    from translator.runs.choosing import check_direction, choose_run, find_run

    if run_dir is None:
        choice = choose_run(direction)
        report(f"run: {choice.name}" + f", {choice.note}" * bool(choice.note))
        return choice.run
    run = find_run(run_dir)
    check_direction(run, direction)
    return run


def load(
    run_dir: Path | None, engine: str | None = None, direction: Direction = ANY
) -> "Translator":
    """Loads a run or a shipped model; see `open_run`."""
    from translator.translation.translator import Translator

    return Translator(open_run(run_dir, direction), engine, report)


def require_both_files(source: Path | None, target: Path | None) -> None:
    """Refuses --source without --target, and the reverse."""
    if (source is None) != (target is None):
        raise InputError("expected both --source and --target, or neither")


def source_files(source: Path | None, target: Path | None) -> tuple[Path, ...]:
    """The files of --source and --target. A --source without --target is a file of pairs."""
    if source is None:
        require_both_files(source, target)
    return tuple(path for path in (source, target) if path is not None)


def files_of(translator: "Translator") -> list[Path]:
    """The files of a loaded run and of its configuration. No output may overwrite them."""
    return [*files_of_run(translator.run), *files_of_config(translator.config)]


def files_of_run(run: "RunDirectory") -> list[Path]:
    """The files of a run directory. No output may overwrite them."""
    weights = (run.weights, run.last, run.before_last)
    others = (run.config, run.record, run.metrics, run.times, *run.path.glob("*.model"))
    return [*run.learnt, run.held_out, *weights, *others]


def files_of_config(config: "Config") -> list[Path]:
    """The files of pairs and the tokenizers that a configuration names."""
    mixed = [corpus.train.paths for corpus in config.corpora if corpus.train]
    pairs = [*config.corpus.split_paths.values(), *mixed]
    tokenizer = config.tokenizer
    others = (tokenizer.model_paths or (), tokenizer.vocabulary_paths or ())
    return [path for paths in (*pairs, *others) for path in paths]


def is_typed(option: str) -> bool:
    """Whether the user typed an option, even with its default value."""
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.COMMANDLINE


def command_name() -> str:
    """The name of the command that runs."""
    return str(click.get_current_context().info_name)


@contextlib.contextmanager
def progress_bar(files: tuple[Path, ...]) -> Iterator[Callable[[int], object]]:
    """A bar that counts lines. It has the total if the lines come from files.

    It is shown if standard error is a terminal and standard output is not.
    """
    if sys.stderr is None or not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda count: None
        return
    from translator.corpora.files import count_lines

    with progress("translating", count_lines(files) if files else None, " lines") as advance:
        yield advance
