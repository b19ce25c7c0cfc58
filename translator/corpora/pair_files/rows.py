"""What the readers of all forms share: rows, tables of them, and what is wanted of these."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

Row = tuple[int, Any]  # the number of the line where it begins; cells by their places or names
BREAKS = re.compile(r"[ \t]*[\r\n]+[ \t]*")


class Table(NamedTuple):
    """An open file of pairs.

    Attributes:
        form: such as ``TSV``.
        is_named: whether its columns have names, and rows are mappings.
        has_languages: whether these names are languages, and rows may lack one.
    """

    name: str
    form: str
    rows: Iterator[Row]
    is_named: bool = False
    has_languages: bool = False


class Wanted(NamedTuple):
    """What is wanted of files of pairs.

    Attributes:
        languages: the codes of source and target; None where they are not known.
        columns: two of a table, by numbers from 1 or by names; None has them found.
        may_be_plain: whether ``columns`` only apply to tables of more than two.
        errors: ``replace`` puts U+FFFD for bytes that are not UTF-8.
        tell: is given each line about what is assumed.
        choosing: names the columns, by an example, for messages.
    """

    languages: tuple[str, str] | None = None
    columns: Sequence[Any] | None = None
    may_be_plain: bool = False
    errors: str = "strict"
    tell: Callable[[str], None] = lambda line: None
    choosing: str = "naming two files, one of each side"


AS_THEY_ARE = Wanted()


def as_line(text: str) -> str:
    """A text as a sentence is: a line, without line ends inside."""
    return BREAKS.sub(" ", text.strip()) if "\n" in text or "\r" in text else text
