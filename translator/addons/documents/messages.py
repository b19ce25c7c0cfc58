"""Translates texts of programs, such as labels, line by line.

A sentence over several lines is translated as one text and divided again. A label may mark an
access key: the ``&`` in ``Save &as`` is hidden from the model and begins the translation.
"""

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from translator.addons.documents.document import UNPRINTABLE, Text, WrittenText, has_words
from translator.addons.documents.plain_text import divide, goes_on
from translator.text.copied_spans import PLACEHOLDER
from translator.text.tags import find_tags, pair_tags

LINE_ENDS = ("\n", "\r\n")
# Between texts: line ends, gaps of columns; also bars between plural forms, with the numbers of
# each form, as in "{0} none|[1,*] some"
BETWEEN = re.compile(rf"({UNPRINTABLE.pattern[1:-1]}| {{3,}})")
FORMS = re.compile(
    rf"({UNPRINTABLE.pattern[1:-1]}| {{3,}}| *\|+ *(?:[{{\[]\d+(?:,[\d*]+)?[}}\]] *)?"
    r"|^[{\[]\d+(?:,[\d*]+)?[}\]] *)"
)
# The mark before the letter that chooses a label: &Open, Save &as, E&xit; not in Q&A and &lt;
ACCESS_KEY = re.compile(r"(?<!\S)&(?=[^\W_]+\b(?!;))|(?<=\A\w)&(?=[a-z])")


def fit_message(source: str, translation: str) -> str | None:
    """Returns a translation if it has the tags of its source and they do not cross; otherwise None.

    A source with braces around texts, such as ``{n, plural, one {a dog} other {dogs}}``, is a
    program rather than a text, so the result is None.
    """
    is_program = "{" in source and "{" in without_placeholders(source)
    return None if is_program or _tags_of(source) != _tags_of(translation) else translation


def without_placeholders(text: str) -> str:
    """A text without the placeholders that a program replaces by values."""
    return re.sub(PLACEHOLDER, "", text)


def _tags_of(text: str) -> tuple[Counter[str], Counter[bool]]:
    """Counts the tags of a text, and the tags that have a partner."""
    tags = find_tags(text)
    partners = pair_tags([(tag.key, tag.opens, tag.closes) for tag in tags])
    return (
        Counter(tag.text for tag in tags),
        Counter(partner is not None for partner in partners.values()),
    )


def texts_of(
    message: str, place: str, fit: Callable[[str, str], str | None] = fit_message
) -> list[Text]:
    """The texts of a message, each in one line."""
    parts = _parts_of(message)
    texts = []
    for group in _groups(parts):
        lines = [parts[i].strip() for i in group]
        divided = functools.partial(_fit_lines, fit, list(map(len, lines)))
        texts.append(_hide_access_key(Text(" ".join(lines), place, divided)))
    return texts


def fill_message(message: str, written_texts: Iterator[WrittenText]) -> WrittenText:
    """Fills new texts into a message; everything between and around the texts stays.

    Args:
        written_texts: the texts of this message and of later ones; only this message's are taken.
    """
    parts = _parts_of(message)
    texts: list[WrittenText] = []
    for group in _groups(parts):
        texts.append(next(written_texts))
        if texts[-1].is_translated:
            for i, line in zip(group, texts[-1].text.split("\n"), strict=True):
                part = parts[i]
                end = len(part.rstrip())
                start = len(part) - len(part.lstrip())
                parts[i] = part[:start] + line + part[end:]
    return WrittenText(
        "".join(parts),
        all(text.is_translated for text in texts),
        any(text.is_doubtful for text in texts),
    )


def _parts_of(message: str) -> list[str]:
    """Divides a message into texts and the separators between them."""
    return (FORMS if "|" in message else BETWEEN).split(message)


def _groups(parts: Sequence[str]) -> Iterator[list[int]]:
    """Yields, for each text, the numbers of its parts; a sentence may have several parts."""
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
    """Divides a translation into the same number of lines as its source, by their lengths."""
    fitted = fit(source, translation)
    if fitted is None or len(lengths) == 1:
        return fitted
    lines = divide(fitted, lengths)
    return "\n".join(lines) if all(lines) else None


def _hide_access_key(text: Text) -> Text:
    """Hides the mark of an access key in the source; the translation begins with this mark."""
    source = ACCESS_KEY.sub("", text.source, count=1)
    if source == text.source:
        return text

    def fit(source: str, translation: str) -> str | None:
        label = text.fit(source, translation)
        return label and f"&{label}"

    return text._replace(source=source, fit=fit)
