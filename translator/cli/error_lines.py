"""Errors that the user can correct, as one line."""

import errno

import click

from translator.base.errors import missing_package
from translator.base.gone import gone_line
from translator.base.machine import describe_memory


def one_line(error: Exception) -> str | None:
    """What the user is told; None of an error that is a bug."""
    if isinstance(error, MemoryError) or "failed to map segment" in str(error):
        return (
            f"memory: expected as much as this needs, found {describe_memory()}; end other"
            " programs, raise a limit, or give it less to do"
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
            errno.EACCES: "; choose a folder that you may write to",
            errno.EROFS: "; choose a folder that you may write to",
            errno.EFBIG: "; raise the limit on the size of files (ulimit -f)",
        }.get(error.errno or 0, "")
        is_written = error.errno in (errno.ENOSPC, errno.EFBIG)  # by a library, without its name
        name = error.filename or ("a temporary file" if is_written else "")
        where = f"{name}: " if name else ""
        return f"{where}{(error.strerror or str(error)).lower()}{advice}"
    return str(error)


def _words_of(error: click.ClickException) -> str:
    """The command, the option and its value that an error is about; empty if it is another."""
    command = error.ctx.info_name if isinstance(error, click.UsageError) and error.ctx else None
    if isinstance(error, click.NoSuchOption):
        return f"{command} {error.option_name}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        value = error.message.partition("'")[2].partition("'")[0]  # of "'xliff' is not one of"
        return f"{command} {error.param.opts[0]} {value}"
    return ""
