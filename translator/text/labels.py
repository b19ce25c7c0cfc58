"""Labels within sentences: quoted ones, as in Click "Save", and those before a colon, as "Note:".

A model has seen words with the capitals that they have within sentences. So it is shown "save" for
a quoted label, in its quotation marks, and the translation gets the capital of the label back.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from translator.base.languages import language_facts
from translator.text.spans.intervals import Intervals
from translator.text.truecasing import Truecaser

WORD = r"[^\W\d_]\w*(?:-\w+)*"
WORDS = rf"(?P<first>{WORD})(?: [\w/-]+){{0,2}}"
LABEL = re.compile(
    rf"(?<=[^\s:,;.!?] )(?:(?P<mark>[\"'])|[„‚]){WORDS}(?(mark)(?P=mark)|[“‘])(?!\w)"
)
MARK = re.compile('["“”„]')
BEHIND_COLON = re.compile(r"[^:.!?]+:[^\w\s]* ([^\W\d_]\w*)")


def find_labels(
    text: str,
    truecaser: Truecaser | None,
    language: str,
    fixed: Iterable[tuple[int, int]] = (),
) -> Iterator[tuple[int, int]]:
    """Start and end of each quoted label of one to three words, with its quotation marks.

    A label begins with a capital. Its first word usually has none; where nouns have capitals, a
    noun is a label too, if it is the only quotation of the text. Direct speech after a colon or a
    comma is no label.

    Args:
        text: a sentence; its quotation marks are those of its language, or ``"`` and ``'``.
        truecaser: of its language; None finds no labels.
        fixed: start and end of each span that stays as it is, in order. A label may have one in
            it, but stands in none.
    """
    if truecaser is None:
        return
    taken = Intervals(fixed)
    is_only_one = len(MARK.findall(text)) <= 2  # marks
    may_be_noun = language_facts(language).capitalizes_nouns and is_only_one
    for found in LABEL.finditer(text):
        start, end = found.span()
        small = found["first"][0].lower() + found["first"][1:]
        is_usual = may_be_noun or truecaser.usual_spelling(small, "") == small
        is_free = taken.are_free(start, start + 1) and taken.are_free(end - 1, end)
        if small != found["first"] and is_usual and is_free:
            yield start, end


def with_plain_labels(
    text: str, truecaser: Truecaser, language: str, fixed: Sequence[tuple[int, int]] = ()
) -> str:
    """A text with its labels as they are shown to the model.

    They stand in the double quotation marks of the language, and begin with a small letter, unless
    the language writes nouns with a capital: there they are read as nouns.
    """
    facts = language_facts(language)
    opening, closing = facts.quotation_marks or ('"', '"')
    taken = Intervals(fixed)
    for start, end in find_labels(text, truecaser, language, fixed):
        first, others = text[start + 1], text[start + 2 : end - 1]
        if not facts.capitalizes_nouns and taken.are_free(start + 1, start + 2):
            first = first.lower()
        text = "".join((text[:start], opening, first, others, closing, text[end:]))
    return text


def with_capitals_of_labels(
    words: Sequence[str], source: str, shown: str, marks: tuple[str, str]
) -> list[str]:
    """A translation whose labels begin with a capital where those of its source do.

    Nothing is done where it has another number of quotations.

    Args:
        marks: what opens and closes a quotation in the language of the translation.
    """
    quoted = re.findall('"([^"]+)"', shown)
    are_labels = [
        text[0].islower()
        and any(f"{mark}{text[0].upper()}{text[1:]}{mark}" in source for mark in "\"'")
        for text in quoted
    ]
    text = " ".join(words)
    found = list(re.finditer(f"{marks[0]}([^{marks[1]}]+){marks[1]}", text))
    if not any(are_labels) or len(found) != len(quoted):
        return list(words)
    for each, is_label in zip(found, are_labels):
        if is_label:
            place = each.start(1)
            text = text[:place] + text[place].upper() + text[place + 1 :]
    return text.split(" ")


def with_capital_behind_colon(
    words: Sequence[str], source: str, beginnings: frozenset[str]
) -> list[str]:
    """A translation with a capital after its first colon, if its source has one that begins there.

    Args:
        source: the sentence as it was given, such as "Note: The door is open."
        beginnings: words of the source language that surely begin a sentence, where nouns have
            capitals too; if empty, any capital begins one.
    """
    found = BEHIND_COLON.match(source)
    place = next((i for i, word in enumerate(words, 1) if word.endswith(":")), len(words))
    begins = found and found[1][0].isupper() and (not beginnings or found[1] in beginnings)
    if not begins or place == len(words):
        return list(words)
    following = words[place][:1].upper() + words[place][1:]
    return [*words[:place], following, *words[place + 1 :]]
