"""What a run knows of names: those that training hardly saw, and those that a model copies."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from translator.text.punctuation import MARKS, plain_word, split_marks
from translator.text.stand_ins.name_contexts import (
    COPIED_SHARE,
    NameContexts,
    is_known_noun,
    name_words,
)

USUAL_FROM = 100  # sentence pairs that the usual name must be in
USUAL_SHARE = 0.95  # of these in which its translation has it too
USUAL_NAMES = 4  # that stand alone in sentences, and as many others
PLACE_SHARE = 0.2  # of the sentences with a place's name, those with a preposition before it
RARE_BELOW = 50  # sentence pairs of a name that the model may not have learnt to copy
GENITIVE = re.compile(r"[^esßxz]s$")
CLITIC = re.compile(r"['’](s|ll|d|ve|re)?$")
JOINT = re.compile(r"(?<=\w)(?:[/|,;:!?…–—()\[\]{}\"“”„«»]+|\.{2,}|-{2,})(?=\w)")  # in "He/she"
TITLE = re.compile(r"\W*[A-Z][a-z]{1,3}\.")


class KnownNames(NamedTuple):
    """What a run knows of names.

    Attributes:
        words: the words of the training split's source sentences, as `plain_word` writes them,
            without rare names that are the same in both languages.
        usual: the name that most often stands alone in a sentence and is the same in both
            languages; None if no name is frequent.
        others: more names that are frequent and the same in both languages: first those that
            stand alone in sentences, then others such as family names.
        contexts: tell names from nouns in a language that writes both with a capital; None in
            others.
        places: those of the usual names that are of places.
    """

    words: frozenset[str]
    usual: str | None
    others: tuple[str, ...] = ()
    contexts: NameContexts | None = None
    places: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Values for JSON."""
        return {
            "source_words": sorted(self.words),
            "usual_name": self.usual,
            "other_names": list(self.others),
            "place_names": list(self.places),
            "name_contexts": self.contexts and self.contexts._asdict(),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "KnownNames":
        """Reads what `to_json` returned, in this version or an earlier one; nothing without values.

        Raises:
            ValueError: they are something else; so do KeyError, TypeError and AttributeError.
        """
        if not values:
            return cls(frozenset(), None)
        words, usual = values["source_words"], values.get("usual_name")
        others = tuple(values.get("other_names", ()))
        places = tuple(values.get("place_names", ()))
        contexts = values.get("name_contexts")
        if not all(isinstance(word, str) for word in (*words, usual or "", *others, *places)):
            raise ValueError
        contexts = None if contexts is None else NameContexts.from_json(contexts)
        return cls(frozenset(words), usual, others, contexts, places)

    @property
    def usual_names(self) -> tuple[str, ...]:
        """All names that the model copies reliably, the usual one first."""
        return (self.usual, *self.others) if self.usual else ()

    def in_order(self, usual: Sequence[str]) -> "KnownNames":
        """The same with other usual names, or these in another order."""
        return self._replace(usual=usual[0], others=tuple(usual[1:])) if usual else self

    @classmethod
    def learn(
        cls, sources: Iterable[str], targets: Iterable[str], language: str = ""
    ) -> "KnownNames":
        """Learns from the sentence pairs of the training split, the sources in a language."""
        before_places = name_words(language).before_places
        after_preposition: Counter[str] = Counter()
        words: set[str] = set()
        counts: Counter[str] = Counter()
        copied: Counter[str] = Counter()
        copied_alone: Counter[str] = Counter()
        for source, target in zip(sources, targets):
            given = source.split()
            words.update(given)
            inside = {word.strip(MARKS) for word in given[1:] if word[:1].isupper()}
            if inside:
                counts.update(inside)
                pairs = itertools.pairwise(given)
                after_preposition.update(
                    {word.strip(MARKS) for before, word in pairs if before in before_places}
                )
                kept = inside & {word.strip(MARKS) for word in target.split()}
                copied.update(kept)
                copied_alone.update(kept & _names_alone(given))
        alone, all_names = (
            [
                name
                for name, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))
                if count >= USUAL_FROM and copied[name] >= USUAL_SHARE * counts[name]
            ]
            for found in (copied_alone, copied)
        )
        names = [*dict.fromkeys([*alone[:USUAL_NAMES], *all_names])][: 2 * USUAL_NAMES]
        rare = {
            plain_word(name)
            for name, count in counts.items()
            if count < RARE_BELOW and copied[name] >= COPIED_SHARE * count
        }
        lower = {plain_word(word) for word in words if word == word.lower()}
        known = frozenset(map(plain_word, words)) - (rare - lower) - {""}
        if not names:
            return cls(known, None)
        places = (name for name in names if after_preposition[name] >= PLACE_SHARE * counts[name])
        return cls(known, names[0], tuple(names[1:]), places=tuple(places))

    def is_new(self, word: str) -> bool:
        """Whether a word, without marks around it, is a name that training hardly saw.

        A compound such as "Berlin-based" is not a name, nor are several words such as "He/she".
        """
        if not word[:1].isupper() or any(map(str.isdigit, word)) or re.search(r"-[a-z]", word):
            return False
        if JOINT.search(word):
            return False
        return bool(self.words) and plain_word(word) not in self.words

    def is_any_name(self, words: Sequence[str], place: int) -> bool:
        """Whether a word of a sentence seems to be a name, known or not."""
        if self.is_new(split_marks(words[place])[1]):
            return True
        return self.contexts is not None and self.contexts.is_name(words, place)

    def new_name(self, words: Sequence[str], place: int) -> str:
        """The new name in a word of a sentence, without marks and ending; empty if there is none.

        Where nouns have capitals, a genitive has an "s" without an apostrophe: "Keanus Auto".
        """
        _, core, after = split_marks(words[place])
        name = CLITIC.sub("", core)
        if not self.is_new(name):
            return ""
        if self.contexts is None or is_title(words, place):
            return name
        if is_known_noun(plain_word(name), self.words):
            return ""
        following = split_marks(words[place + 1])[1] if place + 1 < len(words) else ""
        if GENITIVE.search(name) and not after and following[:1].isupper():
            return name[:-1]
        return name if self.contexts.is_name(words, place) else ""


def _names_alone(words: Sequence[str]) -> set[str]:
    """The words of a sentence that have a capital, and stand alone.

    A name next to another one may be a part of it, such as a family name. The first word
    always has a capital, so that nothing is known of the second.
    """
    capital = [word[:1].isupper() for word in words]
    return {
        word.strip(MARKS)
        for i, word in enumerate(words)
        if i > 1 and capital[i] and not capital[i - 1] and not any(capital[i + 1 : i + 2])
    }


def is_title(words: Sequence[str], place: int) -> bool:
    """Whether a word is a short form before a name, such as "Dr." in "Dr. Smith"."""
    following = split_marks(words[place + 1])[1] if place + 1 < len(words) else ""
    return following[:1].isupper() and TITLE.fullmatch(words[place]) is not None
