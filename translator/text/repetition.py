"""Recognises translations that repeat themselves in a loop, and translations that are alike."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from translator.base.texts import quoted
from translator.text.punctuation import plain_word

LONGEST_UNIT = 8  # words of a phrase that is repeated
TIMES = 3  # repetitions that make a loop; "sehr, sehr" is none
FEWEST_TEXTS = 5
ALIKE = 0.9  # share of equal translations
IN_WORD = (  # a part of a word three times or more in a row, a letter six times
    r"(\w{3,12}?)(?:-?\1){2,}|(?<!\w)(\w{1,2})(?:-\2){3,}(?!\w)|([^\W\d_])\3{5,}"
)


def is_loop(source: str, translation: str) -> bool:
    """Whether a translation repeats itself, but its source does not."""
    words = _plain(translation.split())
    is_doubled = len(words) == 2 and len(source.split()) == 1 and len(set(words)) == 1
    return (is_doubled or _repeats(translation)) and not _repeats(source)


def describe_alike(translations: Mapping[str, str]) -> str:
    """A message if nearly all translations are empty or the same; otherwise empty.

    Texts count as the same if their different characters first occur in the same order.
    """
    texts = [text for source, text in translations.items() if source.strip()]
    distinct = ["".join(dict.fromkeys(text)) for text in texts]  # the characters, each once
    [(commonest, count)] = Counter(distinct).most_common(1) or [("", 0)]
    if len(texts) < FEWEST_TEXTS or count < ALIKE * len(texts):
        return ""
    example = quoted(texts[distinct.index(commonest)]) if commonest else "empty"
    alike = {text for text, characters in zip(texts, distinct) if characters == commonest}
    such_as = "alike, such as " if len(alike) > 1 else ""
    share = "all" if count == len(texts) else f"{count:,} of {len(texts):,}"
    return f"{share} translations are {such_as}{example}: the model may have learnt nothing yet"


def _repeats(text: str) -> bool:
    """Whether a text, or a part between commas, repeats a word or a phrase many times in a row."""
    words = _plain(text.split())
    if len(words) >= TIMES and len(set(words)) == 1 or re.search(IN_WORD, text.lower()):
        return True
    parts = text.replace(";", ",").replace(":", ",").split(",")
    return any(_has_run(_plain(part.split()), 1) for part in parts) or any(
        _has_run(words, size) for size in range(2, LONGEST_UNIT + 1)
    )


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in map(plain_word, words) if word]


def _has_run(words: Sequence[str], size: int) -> bool:
    """Whether the same ``size`` words come `TIMES` times in a row."""
    equal = 0  # words in a row that equal the phrase before
    for word, before in zip(words[size:], words):
        equal = equal + 1 if word == before else 0
        if equal == size * (TIMES - 1):
            return True
    return False
