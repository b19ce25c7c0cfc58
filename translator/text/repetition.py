"""Recognises translations in which the search has run into a loop, and texts that are alike."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from translator.base.texts import quoted
from translator.text.punctuation import plain_word, split_marks

LONGEST_UNIT = 8  # words of a phrase that is repeated
TIMES = 3  # as often in a row, a phrase is a loop; "sehr, sehr" is none
FEWEST_TEXTS = 5
FEWEST_WORDS = 4  # of a copy; names and numbers are copied as they should be
ALIKE = 0.9  # of them
SHORT_WORD = 3  # letters of a word that needs one time more across commas, as in "die, die die"
IN_WORD = re.compile(  # a part of a word three times or more in a row, a letter six times
    r"(?P<part>\w{3,12}?)(?:-?(?P=part)){2,}"
    r"|(?<!\w)(?P<short>\w{1,2})(?:-(?P=short)){3,}(?!\w)"
    r"|(?P<letter>[^\W\d_])(?P=letter){5,}"
)


def is_loop(source: str, translation: str) -> bool:
    """Whether a translation repeats itself as its source does not."""
    words = _plain(translation.split())
    is_doubled = len(words) == 2 and len(source.split()) == 1 and len(set(words)) == 1
    return (is_doubled or _repeats(translation)) and not _repeats(source)


def without_repetitions(text: str) -> str:
    """A looping translation with every phrase that is repeated written once."""
    words = text.split()
    for size in range(1, LONGEST_UNIT + 1):
        kept: list[str] = []
        for word in words:
            kept.append(word)
            last, before = (list(map(plain_word, part)) for part in _last_two(kept, size))
            if last == before:
                marks = split_marks(kept[-1])[2]
                del kept[-size:]
                kept[-1] = kept[-1].removesuffix(split_marks(kept[-1])[2]) + marks
        words = kept
    return IN_WORD.sub(
        lambda found: found["part"] or found["short"] or found["letter"], " ".join(words)
    )


def describe_alike(translations: Mapping[str, str]) -> str:
    """Says so if nearly all translations are empty, the same or copies; empty if they are not.

    What only repeats itself more often is the same, and what only lacks words is a copy.
    """
    texts = {source: text for source, text in translations.items() if source.strip()}
    bare = ["".join(dict.fromkeys(text)) for text in texts.values()]  # the characters, each once
    copies = [
        source
        for source, text in texts.items()
        if len(source.split()) >= FEWEST_WORDS
        and {*_plain(text.split())} <= {*_plain(source.split())}
    ]
    [(most, count)] = Counter(bare).most_common(1) or [("", 0)]
    if len(texts) < FEWEST_TEXTS or max(count, len(copies)) < ALIKE * len(texts):
        return ""
    same = [text for text, its in zip(texts.values(), bare) if its == most]
    example = quoted(same[0]) if most else "empty"
    found = f"are {'alike, such as ' if len({*same}) > 1 else ''}{example}"
    if count < ALIKE * len(texts):
        count, found = len(copies), "have no words but those of their sources"
    share = "all" if count == len(texts) else f"{count:,} of {len(texts):,}"
    return f"{share} translations {found}: the model may have learnt nothing yet"


def _last_two(words: list[str], size: int) -> tuple[list[str], list[str]]:
    """The last ``size`` words, and as many before them; fewer at the beginning."""
    return words[-size:], words[-2 * size : -size]


def _repeats(text: str) -> bool:
    words = _plain(text.split())
    if len(words) >= TIMES and len(set(words)) == 1:
        return True
    if any(IN_WORD.search(word) for word in words):
        return True
    between_commas = (_plain(part.split()) for part in re.split("[,;:]", text))
    return any(_has_run(part, 1, spares_short=False) for part in between_commas) or any(
        _has_run(words, size) for size in range(1, LONGEST_UNIT + 1)
    )


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in map(plain_word, words) if word]


def _has_run(words: Sequence[str], size: int, spares_short: bool = True) -> bool:
    """Whether the same ``size`` words come `TIMES` times in a row, a short one once more."""
    equal = 0  # words in a row that are those of the phrase before
    for word, before in zip(words[size:], words):
        equal = equal + 1 if word == before else 0
        is_spared = spares_short and size == 1 and len(word) <= SHORT_WORD
        if equal == size * (TIMES - 1 + is_spared):
            return True
    return False
