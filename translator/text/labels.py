"""Labels: those in quotation marks, with a capital in a sentence (Click "Save"), and before colons.

A model has seen words with the capitals that they have within sentences, so that it is shown "save"
instead. The quotation marks stay before it, as they tell that this is a name of something.
"""

import re
from collections.abc import Iterator, Sequence

from translator.base.languages import language_facts
from translator.text.truecasing import Truecaser

WORD = r"[^\W\d_]\w*(?:-\w+)*"
QUOTED = rf"(?P<first>{WORD})(?: [\w/-]+){{0,2}}"
LABEL = re.compile(
    rf"(?<=[^\s:,;.!?] )(?:(?P<mark>[\"'])|[„‚]){QUOTED}(?(mark)(?P=mark)|[“‘])(?!\w)"
)
MARKS, PAIR = re.compile('["“”„]'), 2
BEHIND_COLON = re.compile(r"[^:.!?]+:[^\w\s]* ([^\W\d_]\w*)")


def find_labels(text: str, truecaser: Truecaser | None, language: str) -> Iterator[tuple[int, int]]:
    """Start and end of each label of one to three words, with its quotation marks.

    It begins with a capital, and with a word that usually has none, or else with a noun if it is
    the only quotation: the marks of several are put back better than a model places them. Direct
    speech after a colon or comma is no label.

    Args:
        text: of which quotation marks are those of the language or plain ones.
        truecaser: of its language; None knows no labels.
        language: its code.
    """
    if truecaser is None:
        return
    may_be_noun = language_facts(language).capitalizes_nouns and len(MARKS.findall(text)) == PAIR
    for found in LABEL.finditer(text):
        small = found["first"][0].lower() + found["first"][1:]
        is_usual = may_be_noun or truecaser.usual_spelling(small, "") == small
        if small != found["first"] and is_usual:
            yield found.span()


def with_plain_labels(text: str, truecaser: Truecaser, language: str) -> str:
    """A text whose labels stand in the double quotation marks of its language.

    They begin with a small letter, but where nouns have a capital: there labels are nouns.
    """
    facts = language_facts(language)
    opening, closing = facts.quotation_marks or ('"', '"')
    for start, end in find_labels(text, truecaser, language):
        first, others = text[start + 1], text[start + 2 : end - 1]
        first = first if facts.capitalizes_nouns else first.lower()
        text = "".join((text[:start], opening, first, others, closing, text[end:]))
    return text


def with_capitals_of_labels(
    words: Sequence[str], source: str, shown: str, marks: tuple[str, str]
) -> list[str]:
    """A translation whose labels begin with a capital where those of its source do.

    Nothing is done where it has another number of quotations.

    Args:
        words: of the translation.
        source: the sentence as it was given.
        shown: as the model was shown it.
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
    """A translation with a capital behind its first colon, if its source begins anew there.

    Args:
        words: of the translation.
        source: as it was given, such as "Note: The door is open."
        beginnings: words of its language that surely begin a sentence; none if any capital does.
    """
    found = BEHIND_COLON.match(source)
    place = next((i for i, word in enumerate(words, 1) if word.endswith(":")), len(words))
    begins = found and found[1][0].isupper() and (not beginnings or found[1] in beginnings)
    if not begins or place == len(words):
        return list(words)
    following = words[place][:1].upper() + words[place][1:]
    return [*words[:place], following, *words[place + 1 :]]
