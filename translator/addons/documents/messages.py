"""Texts of programs, such as labels: each of their lines is translated on its own."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from translator.addons.documents.document import UNPRINTABLE, Text, Written
from translator.text.copied_spans import PLACEHOLDER
from translator.text.spans.tags import find_tags, pair_tags

AMOUNT = re.compile(  # that languages write in other ways, such as 6,200 and £5
    r"\d,\d|(?<![\d.])\d{1,3}\.\d{3}(?![\d.])|\d ?[%‰€$£¥]|[€$£¥] ?\d"
)
BRACES = frozenset("{}")


def fit_message(source: str, translation: str) -> str | None:
    """A translation that has the tags of its source, none of which cross; None if it has not.

    What has braces around texts, such as ``{n, plural, one {a dog} other {dogs}}``, has none, as
    that is a program rather than a text.
    """
    is_program = "{" in source and "{" in without_placeholders(source)
    return None if is_program or _tags_of(source) != _tags_of(translation) else translation


def without_placeholders(text: str) -> str:
    """A text without what a program puts values in for."""
    return re.sub(PLACEHOLDER, "", text)


def _tags_of(text: str) -> tuple[Counter[str], Counter[bool]]:
    """The tags of a text, and how many of them are half of a whole pair."""
    tags = list(find_tags(text))
    partners = pair_tags([(tag.name, tag.opens, tag.closes) for tag in tags])
    return (
        Counter(tag.span.text for tag in tags),
        Counter(partner is not None for partner in partners.values()),
    )


def texts_of(
    message: str, place: str, fit: Callable[[str, str], str | None] = fit_message
) -> list[Text]:
    """The texts of a message, each of which is in one line.

    Args:
        message: of one or more lines.
        place: where it stands, for the user.
        fit: of the texts.
    """
    return [
        Text(part.strip(), place, fit) for part in UNPRINTABLE.split(message) if has_words(part)
    ]


def filled(message: str, waiting: Iterator[Written]) -> Written:
    """A message with something else for its texts; all between and around them stays.

    Args:
        message: as `texts_of` was given it.
        waiting: what is written for its texts, and for those after it.
    """
    parts = UNPRINTABLE.split(message)
    found: list[Written] = []
    for i, part in enumerate(parts):
        if has_words(part):
            found.append(next(waiting))
            if found[-1].is_translated:
                end = len(part.rstrip())
                start = len(part) - len(part.lstrip())
                parts[i] = part[:start] + found[-1].text + part[end:]
    return Written(
        "".join(parts),
        all(each.is_translated for each in found),
        any(each.is_doubtful for each in found),
    )


def has_words(text: str) -> bool:
    """Whether there is anything to translate."""
    return any(map(str.isalpha, text))


def has_words_or_amounts(text: str) -> bool:
    """Whether readers need a text in their language; 2.0 may be a version, and 1.2 a chapter."""
    return has_words(text) or not BRACES & set(text) and AMOUNT.search(text) is not None
