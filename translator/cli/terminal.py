"""Input and output for users: texts as arguments, messages, and errors as one line."""

import errno
import os
import stat
import sys
from typing import Any

import click

from translator.base.errors import missing_package
from translator.base.gone import gone_line
from translator.base.machine import describe_memory
from translator.base.progress import bars_aside
from translator.base.signals import silence


def report(message: str) -> None:
    """Prints a line on standard error, above a bar, if anything can be written there."""
    try:
        with bars_aside():
            click.echo(message, err=True)
    except OSError:  # the disk is full or the stream closed; the rest would fail, too
        silence(2)


def has_piped_input() -> bool:
    """Whether standard input is a pipe or a file; not a terminal, not /dev/null, not closed."""
    try:
        return not stat.S_ISCHR(os.fstat(sys.stdin.fileno()).st_mode)
    except (AttributeError, OSError):
        return False


def is_at_terminal() -> bool:
    """Whether a person types the input and reads the output."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def one_line(error: Exception) -> str | None:
    """The line for the user; None if the error is a bug."""
    if isinstance(error, MemoryError) or "failed to map segment" in str(error):
        return (
            f"memory: expected enough for this command, found {describe_memory()}; end other"
            " programs, raise the limit, or use smaller inputs"
        )
    if isinstance(error, ImportError):
        missing = missing_package(error) if isinstance(error, ModuleNotFoundError) else None
        return None if missing is None else str(missing)
    if isinstance(error, UnicodeEncodeError):
        return (
            f"standard output: expected an encoding that can write {error.object[error.start]!a},"
            f" found {error.encoding}; set PYTHONIOENCODING=utf-8"
        )
    if isinstance(error, click.ClickException):
        return gone_line(_words_of(error)) or error.format_message().replace("\n", " ")
    if isinstance(error, OSError):
        advice = {
            errno.ENOSPC: "; free some space and try again",
            errno.EACCES: "; change its permissions, or choose another file or folder",
            errno.EROFS: "; choose a folder that you may write to",
            errno.EFBIG: "; raise the limit on the size of files (ulimit -f)",
        }.get(error.errno or 0, "")
        is_too_large = error.errno == errno.EFBIG  # a library may not name its file
        name = error.filename or ("the output or a temporary file" if is_too_large else "")
        where = f"{name}: " if name else ""
        return f"{where}{(error.strerror or str(error)).lower()}{advice}"
    return str(error)


def _words_of(error: click.ClickException) -> str:
    """Finds the command, the option and the value of an error; empty for other errors."""
    command = error.ctx.info_name if isinstance(error, click.UsageError) and error.ctx else None
    if isinstance(error, click.NoSuchOption):
        return f"{command} {error.option_name}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        value = error.message.partition("'")[2].partition("'")[0]  # in "'xliff' is not one of"
        return f"{command} {error.param.opts[0]} {value}"
    return ""


class TextCommand(click.Command):
    """A command with sentences as arguments. They may begin with a dash: "- Where are you?"."""

    def make_parser(self, ctx: click.Context) -> Any:
        """See `click.Command.make_parser`."""
        return with_texts(super().make_parser(ctx))


def with_texts(parser: Any) -> Any:
    """Makes a parser take arguments with a space as text. Click has no option for this."""
    process = parser._process_opts

    def process_unless_text(argument: str, state: Any) -> None:
        name = argument.partition("=")[0] if argument.startswith("--") else argument
        if any(map(str.isspace, name)):
            state.largs.append(argument)
        else:
            process(argument, state)

    parser._process_opts = process_unless_text
    return parser
