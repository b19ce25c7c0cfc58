"""Rows, tables, and reading options that the readers of all file formats share."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

Row = tuple[int, Any]  # the number of its first line; its cells by place or by name
BREAKS = re.compile(r"[ \t]*[\r\n]+[ \t]*")


class Table(NamedTuple):
    """An open file of pairs.

    Attributes:
        form: such as ``TSV``.
        is_named: whether its columns have names; rows are then mappings.
        has_languages: whether these names are languages; a row may then lack a language.
    """

    name: str
    form: str
    rows: Iterator[Row]
    is_named: bool = False
    has_languages: bool = False


class ReadOptions(NamedTuple):
    """How files of pairs are read.

    Attributes:
        languages: the codes of source and target; None if they are not known.
        columns: two columns of a table, by numbers from 1 or by names; None finds them.
        may_be_plain: whether ``columns`` apply only to tables of more than two columns.
        errors: ``replace`` puts U+FFFD for bytes that are not UTF-8.
        report: is called with each line about an assumption.
        advice: how a user chooses the columns, for messages.
    """

    languages: tuple[str, str] | None = None
    columns: Sequence[Any] | None = None
    may_be_plain: bool = False
    errors: str = "strict"
    report: Callable[[str], None] = lambda line: None
    advice: str = "name two files, one for each side"


AS_THEY_ARE = ReadOptions()


def as_line(text: str) -> str:
    """Puts a text on one line: spaces replace the line ends inside."""
    return BREAKS.sub(" ", text.strip()) if "\n" in text or "\r" in text else text
