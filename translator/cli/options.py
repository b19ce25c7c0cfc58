"""What several commands share: options, opening a run, speaking to the user."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tqdm import tqdm

    from translator.decoding.translate import Translator


def _as_utf8(context: click.Context, option: click.Parameter, text: str) -> str:
    """An option's text, whatever the locale took its bytes for."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError:
        raise click.BadParameter("expected UTF-8, found other bytes", param=option) from None


run_option = click.option(
    "--run",
    "run_dir",
    type=click.Path(path_type=Path),
    help="Run directory; the newest if left out.",
)
engine_option = click.option(
    "--engine",
    help="keras or ctranslate2; CTranslate2 if left out, where the run has an export.",
)
beam_option = click.option(
    "--beam-size", type=int, help="Hypotheses kept at each step; 1 is greedy."
)
penalty_option = click.option(
    "--length-penalty",
    type=float,
    help="Rank by log probability / length^P; 1 is the mean a token.",
)
raw_option = click.option(
    "--raw", is_flag=True, help="Leave numbers and capitals as the tokenizer has them."
)
_text_options = (
    click.option(
        "--min-length", type=int, default=1, help="Fewest tokens of a sentence's translation."
    ),
    click.option("--max-length", type=int, help="Most tokens of a sentence's translation."),
    click.option(
        "--max-length-ratio",
        type=float,
        help="Most tokens for each token of the source.",
    ),
    click.option(
        "--prefix",
        default="",
        callback=_as_utf8,
        help="What every translation begins with; it does not count in scores.",
    ),
    click.option(
        "--replace-unknown",
        is_flag=True,
        help="Take names that training never saw, and what cannot be spelt, from the source.",
    ),
    raw_option,
    click.option(
        "--no-split",
        "split",
        flag_value=False,
        default=True,
        help="Take each line for one sentence.",
    ),
)


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of `Translator.translate` but ``--n-best``."""
    for option in reversed((beam_option, penalty_option, *_text_options)):
        command = option(command)
    return command


def load(run_dir: Path | None, engine: str | None = None) -> "Translator":
    """Opens a run; the newest one, named on standard error, where none is given."""
    from translator.decoding.translate import Translator
    from translator.run import RunDirectory, newest_run

    if run_dir is None:
        run_dir = newest_run()
        report(f"run: {run_dir}")
    return Translator(RunDirectory(run_dir), engine, report)


def report(message: str) -> None:
    """Prints a line on standard error."""
    click.echo(message, err=True)


def progress_bar() -> "tqdm":
    """Counts lines on standard error, where that is a terminal and standard output is not."""
    from tqdm import tqdm

    shown = sys.stderr is not None and sys.stderr.isatty() and not sys.stdout.isatty()
    return tqdm(disable=not shown, unit=" lines", leave=False)
