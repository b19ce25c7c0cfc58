"""Characters that a text has and a reader does not see, or that break its line."""

import html
import itertools
import re
import unicodedata
from collections.abc import Iterable

from translator.base.languages import language_facts
from translator.text.copied_spans import MARKUP, WEB_ADDRESS
from translator.text.spans.intervals import Intervals
from translator.text.spans.tags import find_tags

INVISIBLE = ("Cc", "Cf", "Zl", "Zp", "Zs")  # Unicode categories: control, format, separators
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # these break a line or cannot be encoded
ENTITY = re.compile(rf"(?!{MARKUP})&#?\w+;")
APOSTROPHES = "‘’‛"
TYPED_MARK = re.compile(f'["“”„‟«»{APOSTROPHES}]')
JOINERS = frozenset("\u200c\u200d") | {chr(tag) for tag in range(0xE0020, 0xE0080)}  # of emoji


def with_plain_characters(text: str) -> str:
    """A text with every white space as a space, and without other invisible characters.

    Entities of HTML are read as their characters, but for those that would become markup, and
    those within tags and web addresses.
    """
    if "&" in text:
        text = _with_entities_read(text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or character in JOINERS or not _has_category(character, INVISIBLE)
    )


def with_usual_quotes(text: str, language: str, fixed: Iterable[tuple[int, int]] = ()) -> str:
    """A text with the quotation marks of its language, however they were typed.

    Marks open and close quotations in turns. Those of languages that are not known stay.

    Args:
        text: any text.
        language: its code.
        fixed: start and end of each part that stays as it is, such as a tag or a web address.
    """
    marks = language_facts(language).quotation_marks
    if marks is None:
        return text
    in_turns = itertools.cycle(marks)
    taken = Intervals(fixed)

    def write(found: re.Match[str]) -> str:
        if not taken.are_free(*found.span()):
            return found.group()
        if found.group() in APOSTROPHES:
            return "'" if marks[0].isascii() else found.group()
        return next(in_turns)

    return TYPED_MARK.sub(write, text)


def _with_entities_read(text: str) -> str:
    addresses = Intervals(found.span() for found in re.finditer(WEB_ADDRESS, text))
    tags = Intervals((tag.span.start, tag.span.end) for tag in find_tags(text))

    def read(found: re.Match[str]) -> str:
        character = html.unescape(found.group())
        is_free = addresses.are_free(*found.span()) or character.isspace()
        return character if is_free and tags.are_free(*found.span()) else found.group()

    return ENTITY.sub(read, text)


def is_blank(text: str) -> bool:
    """Whether a text has only invisible characters, such as spaces, tabs, zero-width spaces."""
    return all(_has_category(character, INVISIBLE) for character in text)


def without_unprintable(text: str) -> str:
    """A text without characters that break its line or cannot be encoded."""
    return "".join(c for c in text if c == "\t" or not _has_category(c, UNPRINTABLE))


def _has_category(character: str, categories: tuple[str, ...]) -> bool:
    return unicodedata.category(character) in categories
