"""The input lines of a command: arguments, files, or standard input."""

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


class InputLines(NamedTuple):
    """Lines to translate.

    Attributes:
        name: the origin of the lines, for errors; empty for arguments.
        ends: receives the end of each line before the line is yielded; None for arguments.
        may_end_open: whether a last line may stay without a line end, as in a file.
    """

    name: str
    lines: Iterable[str]
    ends: "LineEnds | None" = None
    may_end_open: bool = False

    def end_of(self, place: int) -> str:
        """Returns the line end of line ``place``, from 0; call it for the lines in order."""
        end = "\n" if self.ends is None else self.ends.take(place)
        return end or "\n" * (not self.may_end_open)


def open_lines(
    sentences: tuple[str, ...], files: tuple[Path, ...], errors: str
) -> list[InputLines]:
    """Opens the lines to translate: arguments, files, or standard input.

    Standard input is read only if ``-`` is a sentence or file, or if there are no sentences and
    files. So a command in a shell loop does not consume the loop's input.
    """
    from translator.corpora.files import LineEnds, decode_lines, iterate_lines, iterate_stream

    if sentences and files:
        raise InputError("expected sentences or --file, found both")
    if named := [sentence for sentence in sentences if os.path.isfile(sentence)]:
        command = shlex.join(["translator", command_name(), *(f"--file={name}" for name in named)])
        raise InputError(
            f"{named[0]}: expected a sentence, found the name of a file; to translate its lines:"
            f" {command}; to translate the name itself, use --file=- and type the name"
        )
    if sentences not in ((), ("-",)):
        if not any(map(str.isspace, "".join(sentences))):
            sentences = (" ".join(sentences),)  # words without quotation marks
        encoded = [sentence.encode("utf-8", "surrogateescape") for sentence in sentences]
        return [InputLines("", decode_lines(encoded, "sentences", errors))]
    inputs: list[InputLines] = []
    for file in files or (Path("-"),):
        ends = LineEnds()
        is_last = len(inputs) == len(files) - 1 and not sys.stdout.isatty()
        if file == Path("-"):
            name = "standard input"
            lines = iterate_stream(standard_input(), name, errors, ends)
        else:
            name, lines = str(file), iterate_lines(file, errors, ends)
        inputs.append(InputLines(name, lines, ends, is_last))
    return inputs


def standard_input() -> IO[bytes]:
    """Opens standard input again.

    A thread may still wait for a line when the program ends. If it waits for Python's own standard
    input, Python aborts, because it closes this input at the end.
    """
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    except OSError:  # not a file: `main` was called with another stream
        return sys.stdin.buffer
    except AttributeError:
        raise InputError("standard input: expected sentences, found a closed input") from None
