"""The lines that a command is given: as arguments, in files, or in standard input."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from translator.base.errors import InputError
from translator.base.late import shlex
from translator.cli.options import command_name

if TYPE_CHECKING:
    from translator.corpora.files import LineEnds


class GivenLines(NamedTuple):
    """Lines to translate.

    Attributes:
        name: of where they come from, for errors; empty of arguments.
        ends: takes how each line ends, before it is there; None for arguments.
        may_end_open: whether the last line stays without an end that it does not have, as that of
            a file does.
    """

    name: str
    lines: Iterable[str]
    ends: "LineEnds | None" = None
    may_end_open: bool = False

    def end_of(self, place: int) -> str:
        """How the translation of the line at a place, from 0, ends; asked for in order."""
        end = "\n" if self.ends is None else self.ends.take(place)
        return end or "\n" * (not self.may_end_open)


def lines_of(sentences: tuple[str, ...], files: tuple[Path, ...], errors: str) -> list[GivenLines]:
    """The lines to translate: arguments, or files, or else standard input.

    Standard input is read only if it is asked for by ``-``, as sentence or file, or nothing else
    is given, so a command in a shell loop does not consume the loop's input.
    """
    from translator.corpora.files import LineEnds, decode_lines, iterate_lines, iterate_stream

    if sentences and files:
        raise InputError("expected sentences or --file, found both")
    if named := [sentence for sentence in sentences if os.path.isfile(sentence)]:
        meant = shlex.join(["translator", command_name(), *(f"--file={name}" for name in named)])
        raise InputError(
            f"{named[0]}: expected a sentence, found the name of a file; if its lines are meant:"
            f" {meant}; if its name is meant: --file -, and the name in standard input"
        )
    if sentences not in ((), ("-",)):
        if not any(map(str.isspace, "".join(sentences))):
            sentences = (" ".join(sentences),)  # words without quotation marks
        given = [sentence.encode("utf-8", "surrogateescape") for sentence in sentences]
        return [GivenLines("", decode_lines(given, "sentences", errors))]
    found: list[GivenLines] = []
    for file in files or (Path("-"),):
        ends = LineEnds()
        is_last = len(found) == len(files) - 1 and not sys.stdout.isatty()
        if file == Path("-"):
            name = "standard input"
            lines = iterate_stream(standard_input(), name, errors, ends)
        else:
            name, lines = str(file), iterate_lines(file, errors, ends)
        found.append(GivenLines(name, lines, ends, is_last))
    return found


def standard_input() -> IO[bytes]:
    """Standard input, opened again.

    A thread reads it and may still wait for a line when everything else has ended.
    Python closes its own standard input at the end, and would then abort.
    """
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    except OSError:  # not a file: `main` was called with another stream
        return sys.stdin.buffer
    except AttributeError:
        raise InputError("standard input: expected sentences, found it closed") from None
