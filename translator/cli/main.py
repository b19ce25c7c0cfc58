"""The program: its commands by name, and errors as one line."""

import contextlib
import errno
import sys
from collections.abc import Iterator

import click

from translator.base.errors import InputError
from translator.base.version import __version__
from translator.cli.attention import attention, draw
from translator.cli.data import corpora, demo_pairs, tokenize
from translator.cli.evaluating import compare, evaluate, score
from translator.cli.exporting import export
from translator.cli.heads import align, heads
from translator.cli.model_pictures import masks, positions
from translator.cli.options import report
from translator.cli.training import average, curves, schedule, train
from translator.cli.translating import translate


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="translator")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Train an English-German Transformer, translate with it, look into it."""


for command in (
    train, average, curves, schedule, translate, attention, draw, heads, align, masks, positions,
    evaluate, compare, score, export, corpora, tokenize, demo_pairs,
):  # fmt: skip
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    with errors_as_one_line(debug):
        if sys.stdout is None:
            raise InputError("standard output: expected it open, found it closed")
        cli.main(arguments, prog_name="translator", standalone_mode=False)


@contextlib.contextmanager
def errors_as_one_line(debug: bool = False) -> Iterator[None]:
    """Ends the program with one line and exit code 2 at what the user can mend."""
    try:
        yield
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except (click.Abort, KeyboardInterrupt):
        report("translator: interrupted")
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(2)
    except (click.ClickException, InputError, OSError, UnicodeEncodeError) as error:
        if debug:
            raise
        if sys.stdout is not None:
            sys.stdout.flush()
        report(f"translator: {_one_line(error)}")
        sys.exit(2)


def _one_line(error: Exception) -> str:
    if isinstance(error, UnicodeEncodeError):
        return (
            f"standard output: expected an encoding that can write {error.object[error.start]!a},"
            f" found {error.encoding}; set PYTHONIOENCODING=utf-8"
        )
    if isinstance(error, click.ClickException):
        return error.format_message().replace("\n", " ")
    if isinstance(error, OSError):
        advice = {
            errno.ENOSPC: "; free some space and try again",
            errno.EACCES: "; choose a folder that you may write to",
            errno.EROFS: "; choose a folder that you may write to",
        }.get(error.errno, "")
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{(error.strerror or str(error)).lower()}{advice}"
    return str(error)
