"""Phrases in both languages, which record the words that translate each other.

Every word carries the concepts that it expresses. A concept is an anonymous object: an English and
a German word that share one are translations of each other, wherever word order puts them.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Concept:
    """The meaning of a word; each instance is equal only to itself."""

    __slots__ = ()


class Word(NamedTuple):
    """A word or punctuation mark and the concepts that it expresses."""

    text: str
    concepts: tuple[Concept, ...] = ()


class Phrase(NamedTuple):
    """English words, German words and the phenomena that they show; `+` puts phrases in a row."""

    english: tuple[Word, ...] = ()
    german: tuple[Word, ...] = ()
    labels: tuple[str, ...] = ()

    # a phrase that follows another is a phrase, not a longer tuple
    def __add__(self, other: "Phrase") -> "Phrase":  # type: ignore[override]
        return Phrase(
            self.english + other.english, self.german + other.german, self.labels + other.labels
        )

    def labelled(self, *labels: str) -> "Phrase":
        """Returns the phrase with further labels."""
        return self._replace(labels=self.labels + labels)


EMPTY = Phrase()


def words(text: str, *concepts: Concept) -> tuple[Word, ...]:
    """Splits a text at spaces into words that all express the same concepts."""
    return tuple(Word(word, concepts) for word in text.split())


def pair(source: str, target: str, *labels: str) -> Phrase:
    """Returns a phrase whose words, on either side, together express one concept."""
    concept = Concept()
    return Phrase(words(source, concept), words(target, concept), labels)


def arrange(source: Iterable[Phrase], target: Iterable[Phrase]) -> Phrase:
    """Puts phrases into one order in English and into another in German.

    Args:
        source: Phrases that give the English words.
        target: The same phrases, in German order; labels are taken from here.
    """
    source_words: tuple[Word, ...] = ()
    target_words: tuple[Word, ...] = ()
    labels: tuple[str, ...] = ()
    for phrase in source:
        source_words += phrase.english
    for phrase in target:
        target_words += phrase.german
        labels += phrase.labels
    return Phrase(source_words, target_words, labels)
