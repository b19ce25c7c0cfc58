"""Texts of programs, such as labels: each of their lines is translated on its own.

A sentence that goes on in the next line is translated as one and divided again. The sign before
the letter that a label is chosen by, as in ``Save &as``, is not shown to the model, and begins the
translation.
"""

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from translator.addons.documents.document import UNPRINTABLE, Text, Written, has_words
from translator.addons.documents.plain_text import divide, goes_on
from translator.text.copied_spans import PLACEHOLDER
from translator.text.tags import find_tags, pair_tags

LINE_ENDS = ("\n", "\r\n")
# What is between texts: line ends, gaps of columns, and bars between the forms of a plural, with
# the numbers that they are for: "{0} none|[1,*] some"
BETWEEN = re.compile(rf"({UNPRINTABLE.pattern[1:-1]}| {{3,}})")
FORMS = re.compile(
    rf"({UNPRINTABLE.pattern[1:-1]}| {{3,}}| *\|+ *(?:[{{\[]\d+(?:,[\d*]+)?[}}\]] *)?"
    r"|^[{\[]\d+(?:,[\d*]+)?[}\]] *)"
)
# Before the letter of a label that it is chosen by: &Open, Save &as, E&xit; not in Q&A and &lt;
CHOSEN_BY = re.compile(r"(?<!\S)&(?=[^\W_]+\b(?!;))|(?<=\A\w)&(?=[a-z])")


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
    tags = find_tags(text)
    partners = pair_tags([(tag.key, tag.opens, tag.closes) for tag in tags])
    return (
        Counter(tag.text for tag in tags),
        Counter(partner is not None for partner in partners.values()),
    )


def texts_of(
    message: str, place: str, fit: Callable[[str, str], str | None] = fit_message
) -> list[Text]:
    """The texts of a message, each of which is in one line."""
    parts = _parts_of(message)
    texts = []
    for group in _groups(parts):
        lines = [parts[i].strip() for i in group]
        divided = functools.partial(_fit_lines, fit, list(map(len, lines)))
        texts.append(_without_sign(Text(" ".join(lines), place, divided)))
    return texts


def filled(message: str, waiting: Iterator[Written]) -> Written:
    """A message with something else for its texts; all between and around them stays.

    Args:
        waiting: what is written for its texts, and for those after it.
    """
    parts = _parts_of(message)
    found: list[Written] = []
    for group in _groups(parts):
        found.append(next(waiting))
        if found[-1].is_translated:
            for i, line in zip(group, found[-1].text.split("\n"), strict=True):
                part = parts[i]
                end = len(part.rstrip())
                start = len(part) - len(part.lstrip())
                parts[i] = part[:start] + line + part[end:]
    return Written(
        "".join(parts),
        all(each.is_translated for each in found),
        any(each.is_doubtful for each in found),
    )


def _parts_of(message: str) -> list[str]:
    """The parts of a message, each with what is behind it."""
    return (FORMS if "|" in message else BETWEEN).split(message)


def _groups(parts: Sequence[str]) -> Iterator[list[int]]:
    """The numbers of the parts of each text: of several ones if a sentence goes on in them."""
    lines = [part.strip() for part in parts[::2]]
    group: list[int] = []
    for i, line in enumerate(lines):
        if has_words(line):
            group.append(2 * i)
        following = itertools.islice(lines, i + 1, None)
        is_last = i == len(lines) - 1 or parts[2 * i + 1] not in LINE_ENDS
        if group and (is_last or not has_words(lines[i + 1]) or not goes_on(line, following)):
            yield group
            group = []


def _fit_lines(
    fit: Callable[[str, str], str | None], lengths: Sequence[int], source: str, translation: str
) -> str | None:
    """A translation in as many lines as its source has, whose lengths are given."""
    found = fit(source, translation)
    if found is None or len(lengths) == 1:
        return found
    lines = divide(found, lengths)
    return "\n".join(lines) if all(lines) else None


def _without_sign(text: Text) -> Text:
    """A text without the sign before the letter that a label is chosen by."""
    source = CHOSEN_BY.sub("", text.source, count=1)
    if source == text.source:
        return text

    def fit(source: str, translation: str) -> str | None:
        label = text.fit(source, translation)
        return label and f"&{label}"

    return text._replace(source=source, fit=fit)
