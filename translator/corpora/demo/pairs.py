"""From a bilingual phrase to a written sentence pair with tokens, alignment and labels."""

import re
from dataclasses import dataclass

from translator.corpora.demo.phrases import Concept, Phrase, Word

_TOKEN = re.compile(
    r"(?:Mr|Mrs)\."  # abbreviations keep their point
    r"|\d+(?:[.,:]\d+)+"  # 7:30, 1.5, 12,500
    r"|\d+\.(?= )"  # the German ordinal in "am 3. Mai"
    r"|[^\W_]+(?:['’-][^\W_]+)*"  # o'clock, hard-working
    r"|[^\w\s]"
)
_SPACE_BEFORE_MARK = re.compile(r" (?=[,.?!](?: |$))")


@dataclass(frozen=True, slots=True)
class DemoPair:
    """A sentence and its translation.

    Attributes:
        source: English sentence.
        target: German sentence.
        source_tokens: Words and punctuation marks of the English sentence.
        target_tokens: Words and punctuation marks of the German sentence.
        alignment: Links (source token, target token) between words that translate each other,
            counted from 0 and sorted as in the Pharaoh format.
        phenomena: Keys of `PHENOMENA` that the pair shows.
    """

    source: str
    target: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]
    phenomena: frozenset[str]


def split_tokens(text: str) -> tuple[str, ...]:
    """Splits a sentence of the demo corpus into words and punctuation marks.

    Args:
        text: A sentence in English or German.

    Returns:
        The tokens; "7:30", "1.5", "Mr.", "o'clock" and the "3." of a date are one token each.
    """
    return tuple(_TOKEN.findall(text))


def write_pair(phrase: Phrase) -> DemoPair:
    """Writes out a phrase as a sentence pair.

    Args:
        phrase: A whole sentence with its final mark.

    Returns:
        The pair, capitalised, with a link for every two words that share a concept.
    """
    source, target = _sentence(phrase.english), _sentence(phrase.german)
    source_tokens = tuple(word.text for word in source)
    target_tokens = tuple(word.text for word in target)
    return DemoPair(
        source=_SPACE_BEFORE_MARK.sub("", " ".join(source_tokens)),
        target=_SPACE_BEFORE_MARK.sub("", " ".join(target_tokens)),
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        alignment=_align(source, target),
        phenomena=frozenset(phrase.labels),
    )


def _sentence(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Drops commas that another mark follows and capitalises the first word."""
    following = (*(word.text for word in words[1:]), "")
    kept = [
        word
        for word, after in zip(words, following, strict=True)
        if word.text != "," or after not in (",", ".", "?", "!")
    ]
    first = kept[0].text
    kept[0] = kept[0]._replace(text=first[0].upper() + first[1:])
    return tuple(kept)


def _align(source: tuple[Word, ...], target: tuple[Word, ...]) -> tuple[tuple[int, int], ...]:
    places: dict[Concept, list[int]] = {}
    for index, word in enumerate(target):
        for concept in word.concepts:
            places.setdefault(concept, []).append(index)
    links = {
        (index, place)
        for index, word in enumerate(source)
        for concept in word.concepts
        for place in places.get(concept, ())
    }
    return tuple(sorted(links))
