"""Translates the untranslated messages in gettext's catalogues (.po, .pot)."""

import gettext
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from translator.addons.documents.document import Document, Text, WrittenText, decode, encode
from translator.addons.documents.messages import (
    fill_message,
    fit_message,
    texts_of,
    without_placeholders,
)
from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.texts import shorten

FUZZY = "fuzzy"
CHARSETS = ("", "charset", "utf-8", "utf8", "ascii", "us-ascii")  # templates have the word CHARSET
ASCII_CHARSET = re.compile(r"(?<=charset=)(?:(?:us-)?ascii|charset)\b", re.IGNORECASE)  # than UTF-8
HEADER = 'msgid ""'  # its first row
QUOTED = re.compile(r'[^"]*"(?:[^"\\]|\\.)*"\s*')  # a row with a text
LONGEST_MESSAGE = 5000  # rows, with comments: polib's time grows with their square
UNKNOWN_ESCAPE = re.compile(r'(?<!\\)(?:\\\\)*\\[^\\ntrvbf"]')  # such as \\a, which polib misreads


class FileText(str):
    """The text of a file. Its lines end only at line feeds; Python would split more often."""

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        """See `str`."""
        return self.split("\n")


class Message(NamedTuple):
    """A message without a translation.

    Attributes:
        start: the number of its first row, from 0.
        place: the number of the row where its translation begins.
        end: the number of the first row after its translation.
        is_parsed: whether polib reads all of it correctly.
    """

    entry: Any
    start: int
    place: int
    end: int
    is_parsed: bool

    @property
    def sources(self) -> list[str]:
        """The message's text, and its plural text if it has one."""
        return [self.entry.msgid, *[self.entry.msgid_plural] * bool(self.entry.msgid_plural)]


def read_catalogue(content: bytes, name: str, languages: Sequence[str] = ("", "")) -> Document:
    """Reads a catalogue of gettext in UTF-8.

    Translated and obsolete messages stay. A doubtful translation is marked as fuzzy. The plural
    form for the number one gets the translation of the singular; all other forms get the
    translation of the plural.

    Args:
        languages: codes, the target language's last. If given, the header must agree with it.
    """
    import polib

    file_text = decode(content, name)
    rows = file_text.split("\n")
    _check_messages(rows, name)
    try:
        # Without a line end polib could take it for the name of a file
        catalogue = polib.pofile(FileText(f"{file_text}\n"), encoding="utf-8")
    except (OSError, ValueError, IndexError) as error:  # polib raises these for damaged files
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
    language = catalogue.metadata.get("Language", "").strip()
    if language and languages[-1] and language_facts(language) != language_facts(languages[-1]):
        raise InputError(
            f"{name}: expected a catalogue for {languages[-1]}, found Language: {language} in its"
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

    def write(written_texts: Sequence[WrittenText]) -> bytes:
        remaining = iter(written_texts)
        new_rows: list[str] = []
        end = 0
        for message in messages:
            translations = [fill_message(source, remaining) for source in message.sources]
            if not all(translation.is_translated for translation in translations):
                continue  # the message stays without a translation
            new_rows += rows[end : message.start]
            new_rows += _rows_of(message, rows, translations, form_of_one)
            end = message.end
        new_rows += rows[end:]
        new_texts = [written.text for written in written_texts if written.is_translated]
        if not all(map(str.isascii, new_texts)):
            new_rows[header] = [ASCII_CHARSET.sub("UTF-8", row) for row in new_rows[header]]
        return encode("\n".join(new_rows), content)

    return Document(texts, write)


def _check_messages(rows: Sequence[str], name: str) -> None:
    """Checks that all texts have their quotation marks, and that no message has too many rows."""
    count = 0
    for number, row in enumerate(rows, start=1):
        text = row.lstrip("#~ \t")
        count = 0 if text.startswith("msgid") else count + (row[:2] != "#:")
        if count > LONGEST_MESSAGE:
            raise InputError(
                f"{name}, line {number}: expected a message of at most {LONGEST_MESSAGE} lines,"
                " found more; divide it"
            )
        if row.lstrip().startswith(('"', "msg")) and not QUOTED.fullmatch(text):
            raise InputError(
                f"{name}, line {number}: expected a text in quotation marks, found"
                f" {shorten(row.strip())}; correct it"
            )


def _header(rows: Sequence[str]) -> slice:
    """The rows of the header; no rows if the first message is not a header."""
    first = next((i for i, row in enumerate(rows) if row.startswith("msgid")), len(rows))
    count = len(list(itertools.takewhile(str.strip, rows[first:])))
    is_there = count and rows[first].rstrip() == HEADER
    return slice(first, first + count) if is_there else slice(0)


def _form_of_one(rule: str) -> int:
    """The index of the plural form for n = 1, by the header's rule; 0 without a rule."""
    try:
        return gettext.c2py(rule.partition("plural=")[2].rstrip("; "))(1)
    except (ArithmeticError, RecursionError, ValueError):  # templates have the word EXPRESSION
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
        is_parsed = not any(map(UNKNOWN_ESCAPE.search, rows[start : places[0]]))
        yield Message(entry, start, places[0], end, is_parsed)


def _fit_of(message: Message) -> Callable[[str, str], str | None]:
    """Returns the `fit` of a message. In a format, % and braces must belong to placeholders."""
    flags = message.entry.flags
    is_format = any(flag.endswith("-format") and flag[:3] != "no-" for flag in flags)

    def fit(source: str, translation: str) -> str | None:
        both = (source, translation)
        if not message.is_parsed:
            return None
        if is_format and any(set(without_placeholders(text)) & set("%{}") for text in both):
            return None
        return fit_message(source, translation)

    return fit


def _rows_of(
    message: Message, rows: Sequence[str], translations: Sequence[WrittenText], form_of_one: int
) -> list[str]:
    """The rows of a message with its translation; rows before the translation stay as they are."""
    entry = message.entry
    if entry.msgid_plural:
        forms = sorted(entry.msgstr_plural or {0: "", 1: ""})
        singular = form_of_one if len(forms) > 1 else None
        entry.msgstr_plural = {form: translations[form != singular].text for form in forms}
    else:
        [entry.msgstr] = [translation.text for translation in translations]
    new_rows = list(rows[message.start : message.place])
    line_end = "\r" if rows[message.place].endswith("\r") else ""
    is_doubtful = any(translation.is_doubtful for translation in translations)
    if is_doubtful and FUZZY not in entry.flags:
        first = next(i for i, row in enumerate(new_rows) if row.lstrip().startswith(("#|", "msg")))
        new_rows.insert(first, f"#, {FUZZY}{line_end}")
    as_text = str(entry)
    translation_rows = as_text[as_text.index("\nmsgstr") + 1 :].rstrip("\n").split("\n")
    return [*new_rows, *(row + line_end for row in translation_rows)]
