"""Quoted labels, such as those of buttons, which have a capital within a sentence: Click "Save".

A model has seen the words of sentences with the capitals that they have there, so that it is shown
"save" instead. The quotation marks stay before it, as they tell that this is a name of something.
"""

import re
from collections.abc import Iterator, Sequence

from translator.text.truecasing import Truecaser

WORD = r"[^\W\d_]\w*(?:-\w+)*"
LABEL = re.compile(
    rf"(?<=[^\s:,;.!?] )(?P<mark>[\"'])(?P<first>{WORD})(?: [\w/-]+){{0,2}}(?P=mark)(?!\w)"
)


def find_labels(text: str, truecaser: Truecaser | None) -> Iterator[tuple[int, int]]:
    """Start and end of each label of one to three words, with its quotation marks.

    Direct speech after a colon or comma is none, nor is what has no capital within sentences.

    Args:
        text: with plain quotation marks.
        truecaser: of its language; None knows no labels.
    """
    if truecaser is not None:
        for found in LABEL.finditer(text):
            small = found["first"][0].lower() + found["first"][1:]
            if small != found["first"] and truecaser.usual_spelling(small, "") == small:
                yield found.span()


def with_small_labels(text: str, truecaser: Truecaser) -> str:
    """A text whose labels begin with a small letter, in double quotation marks."""
    for start, end in find_labels(text, truecaser):
        first, *others = text[start + 1 : end - 1]
        text = "".join((text[:start], '"', first.lower(), *others, '"', text[end:]))
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
    are_labels = [f'"{text}"' not in source and text[:1].islower() for text in quoted]
    text = " ".join(words)
    found = list(re.finditer(f"{marks[0]}([^{marks[1]}]+){marks[1]}", text))
    if not any(are_labels) or len(found) != len(quoted):
        return list(words)
    for each, is_label in zip(found, are_labels):
        if is_label:
            place = each.start(1)
            text = text[:place] + text[place].upper() + text[place + 1 :]
    return text.split(" ")
