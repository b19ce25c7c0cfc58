"""gettext's catalogues (.po, .pot): messages without a translation get one."""

import gettext
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Document, Text, Written, decoded, encoded
from translator.addons.documents.messages import (
    filled,
    fit_message,
    texts_of,
    without_placeholders,
)
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.texts import shorten

FUZZY = "fuzzy"
CHARSETS = ("", "charset", "utf-8", "utf8", "ascii", "us-ascii")  # that of templates is CHARSET
SMALLER = re.compile(r"(?<=charset=)(?:(?:us-)?ascii|charset)\b", re.IGNORECASE)  # than UTF-8
HEADER = 'msgid ""'  # begins the header
QUOTED = re.compile(r'[^"]*"(?:[^"\\]|\\.)*"\s*')  # a row with a text
LONGEST_MESSAGE = 5000  # rows with its comments: polib's time grows with their square
UNKNOWN_ESCAPE = re.compile(r'(?<!\\)(?:\\\\)*\\[^\\ntrvbf"]')  # to polib, such as \\a


class FileText(str):
    """The text of a file, whose lines end where those of files do, and not where Python's do."""

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        """See `str`."""
        return self.split("\n")


class Message(NamedTuple):
    """A message without a translation.

    Attributes:
        start: the number of its first row, from 0.
        place: that of the row where its translation begins.
        end: that of the first row behind its translation.
        is_read: whether polib reads all of it as it is meant.
    """

    entry: Any
    start: int
    place: int
    end: int
    is_read: bool

    @property
    def sources(self) -> list[str]:
        """Its text, and that of the plural if it has one."""
        return [self.entry.msgid, *[self.entry.msgid_plural] * bool(self.entry.msgid_plural)]


def read_catalogue(content: bytes, name: str, languages: Sequence[str] = ("", "")) -> Document:
    """Reads a catalogue of gettext in UTF-8.

    Messages that have a translation, and those that are obsolete, stay. A doubtful translation is
    marked as fuzzy. Of plural forms that of one thing has the singular's translation, and all
    others that of the plural.

    Args:
        languages: the code of the target language is the last, if the file has to be for it.
    """
    import polib

    page = decoded(content, name)
    rows = page.split("\n")
    _check_messages(rows, name)
    try:
        # with a line end it is never taken for the name of a file
        catalogue = polib.pofile(FileText(f"{page}\n"), encoding="utf-8")
    except (OSError, ValueError, IndexError) as error:  # polib raises these of any damage
        problem = " ".join(str(error).split())
        raise InputError(
            f"{name}: expected a catalogue of gettext: {problem}; correct it"
        ) from None
    charset = catalogue.metadata.get("Content-Type", "").partition("charset=")[2].strip()
    if charset.lower() not in CHARSETS:
        raise InputError(
            f"{name}: expected charset=UTF-8 in its header, found {charset!r}; convert it with"
            " msgconv -t UTF-8"
        )
    said = catalogue.metadata.get("Language", "").strip()
    if said and languages[-1] and language_facts(said) != language_facts(languages[-1]):
        raise InputError(
            f"{name}: expected a catalogue for {languages[-1]}, found Language: {said} in its"
            " header; correct it, or translate into that language"
        )
    form_of_one = _form_of_one(catalogue.metadata.get("Plural-Forms", ""))
    messages = list(_untranslated(catalogue, rows, name))
    header = _header(rows)
    texts: list[Text] = [
        text
        for message in messages
        for source in message.sources
        for text in texts_of(source, f"line {message.start + 1}", _fit_of(message))
    ]

    def write(written: Sequence[Written]) -> bytes:
        waiting = iter(written)
        made: list[str] = []
        end = 0
        for message in messages:
            found = [filled(source, waiting) for source in message.sources]
            if not all(each.is_translated for each in found):
                continue  # it stays without a translation
            is_doubtful = any(each.is_doubtful for each in found)
            made += rows[end : message.start]
            made += _rows_of(message, rows, [each.text for each in found], form_of_one, is_doubtful)
            end = message.end
        made += rows[end:]
        if not all(each.text.isascii() for each in written if each.is_translated):
            made[header] = [SMALLER.sub("UTF-8", row) for row in made[header]]
        return encoded("\n".join(made), content)

    return Document(texts, write)


def _check_messages(rows: Sequence[str], name: str) -> None:
    """Checks that all texts have their quotation marks, and that no message has too many rows."""
    count = 0
    for number, row in enumerate(rows, start=1):
        text = row.lstrip("#~ \t")
        count = 0 if text.startswith("msgid") else count + (row[:2] != "#:")
        if count > LONGEST_MESSAGE:
            raise InputError(
                f"{name}, line {number}: expected at most {LONGEST_MESSAGE} lines of a message,"
                " found more; divide it"
            )
        if row.lstrip().startswith(('"', "msg")) and not QUOTED.fullmatch(text):
            raise InputError(
                f"{name}, line {number}: expected a text in quotation marks, found"
                f" {shorten(row.strip())}; correct it"
            )


def _header(rows: Sequence[str]) -> slice:
    """The rows of the header; none if the first message is another one."""
    first = next((i for i, row in enumerate(rows) if row.startswith("msgid")), len(rows))
    count = len(list(itertools.takewhile(str.strip, rows[first:])))
    is_there = count and rows[first].rstrip() == HEADER
    return slice(first, first + count) if is_there else slice(0)


def _form_of_one(rule: str) -> int:
    """The number of the form that one thing has, by the header; 0 if it says nothing."""
    try:
        return gettext.c2py(rule.partition("plural=")[2].rstrip("; "))(1)
    except (ArithmeticError, RecursionError, ValueError):  # as it says EXPRESSION in a template
        return 0


def _untranslated(catalogue: Any, rows: Sequence[str], name: str) -> Iterator[Message]:
    """The messages without a translation, in order."""
    entries = sorted(catalogue, key=lambda entry: entry.linenum)
    starts = [max(entry.linenum - 1, 0) for entry in entries]
    for entry, start, following in zip(entries, starts, [*starts[1:], len(rows)]):
        if entry.obsolete or entry.msgstr or any(entry.msgstr_plural.values()):
            continue
        places = [i for i in range(start, following) if rows[i].lstrip().startswith("msgstr")]
        if not places:
            raise InputError(
                f"{name}, line {start + 1}: expected msgstr after msgid, found none; add it"
            )
        end = places[-1] + 1
        while end < following and rows[end].lstrip().startswith('"'):
            end += 1
        is_read = not any(map(UNKNOWN_ESCAPE.search, rows[start : places[0]]))
        yield Message(entry, start, places[0], end, is_read)


def _fit_of(message: Message) -> Callable[[str, str], str | None]:
    """What makes a translation fit: where a program puts values in, % means nothing else."""
    flags = message.entry.flags
    is_format = any(flag.endswith("-format") and flag[:3] != "no-" for flag in flags)

    def fit(source: str, translation: str) -> str | None:
        both = (source, translation)
        if not message.is_read:
            return None
        if is_format and any(set(without_placeholders(each)) & set("%{}") for each in both):
            return None
        return fit_message(source, translation)

    return fit


def _rows_of(
    message: Message,
    rows: Sequence[str],
    translations: Sequence[str],
    form_of_one: int,
    is_doubtful: bool,
) -> list[str]:
    """The rows of a message with a translation; those before it stay as they are."""
    entry = message.entry
    if entry.msgid_plural:
        forms = sorted(entry.msgstr_plural or {0: "", 1: ""})
        is_one = [form == form_of_one and len(forms) > 1 for form in forms]
        entry.msgstr_plural = {
            form: translations[0 if one else 1] for form, one in zip(forms, is_one)
        }
    else:
        [entry.msgstr] = translations
    made = list(rows[message.start : message.place])
    line_end = "\r" if rows[message.place].endswith("\r") else ""
    if is_doubtful and FUZZY not in entry.flags:
        first = next(i for i, row in enumerate(made) if row.lstrip().startswith(("#|", "msg")))
        made.insert(first, f"#, {FUZZY}{line_end}")
    as_text = str(entry)
    new = as_text[as_text.index("\nmsgstr") + 1 :].rstrip("\n").split("\n")
    return [*made, *(row + line_end for row in new)]
