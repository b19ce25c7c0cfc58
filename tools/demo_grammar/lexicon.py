# ruff: noqa: B019 - the one lexicon lives as long as the process, so its caches leak nothing
"""The demo corpus's dictionary: tab-separated files in `data/`, one line per lemma.

A line gives what cannot be derived. `german.py` and `english.py` derive the rest, so a blank
field means "regular" and a dash means "does not exist".

Nouns carry semantic kinds ("food", "clothes", "person"); verbs and adjectives name the kinds
that they go with, so that a girl may eat bread but bread may not eat a girl. A kind may also be
a single noun, by its English name with a hyphen for a space ("living-room").
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, eq=False)
class Noun:
    """A noun in both languages.

    Attributes:
        english: Singular (the plural of nouns such as "parents").
        plural: English plural; blank if regular, "-" for nouns without one.
        german: Nominative singular (the plural of nouns such as "Eltern").
        gender: "m", "f", "n", or "p" for nouns that exist in the plural only.
        genitive: Ending of the German genitive singular; "n" and "en" mark weak masculines.
        german_plural: German nominative plural, "-" for nouns without one.
        kinds: Semantic kinds, the noun's own name included.
        feminine: Feminine form of a profession ("Lehrerin").
        place: English preposition, German one for being there, German one for going there.
    """

    english: str
    plural: str
    german: str
    gender: str
    genitive: str
    german_plural: str
    kinds: frozenset[str]
    feminine: str
    place: tuple[str, ...]

    @property
    def countable(self) -> bool:
        """Whether the noun has both a singular and a plural."""
        return self.gender != "p" and self.german_plural != "-"


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb in both languages.

    Attributes:
        english: Base form, with its particle: "look for", "get up".
        past, participle: English forms; blank if regular.
        german: Infinitive without prefix and "sich".
        prefix: Separable prefix, or "".
        reflexive: Whether the German verb takes "sich".
        present: German forms for "du" and "er" where the stem changes, else ().
        preterite, german_participle: Forms without prefix; blank if weak.
        auxiliary: "haben" or "sein", which forms the perfect.
        frame: What the verb needs besides its subject: "acc", "dat", "give", "prep", "goal"...
        preposition: English preposition, German one and its case, for the frame "prep".
        objects, subjects: Kinds of noun that may fill the place; no subjects means people.
        flags: "state" (no action), "ask" (may be requested), "fine" (a nice thing to do),
            "manner" (may be done slowly or loudly).
    """

    english: str
    past: str
    participle: str
    german: str
    prefix: str
    reflexive: bool
    present: tuple[str, ...]
    preterite: str
    german_participle: str
    auxiliary: str
    frame: str
    preposition: tuple[str, ...]
    objects: tuple[str, ...]
    subjects: tuple[str, ...]
    flags: frozenset[str]


@dataclass(frozen=True, eq=False)
class Adjective:
    """An adjective in both languages; `stem` is the German form that takes the endings."""

    english: str
    german: str
    stem: str
    kinds: frozenset[str]
    comparative: str
    german_comparative: str
    flags: frozenset[str]


@dataclass(frozen=True, eq=False)
class Entry:
    """A word that needs no inflection: an adverb or a name, with the kind it belongs to."""

    english: str
    german: str
    kind: str
    article: str = ""


def _rows(name: str) -> list[dict[str, Any]]:
    text = (resources.files(__package__) / "data" / f"{name}.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))


def _noun(row: dict[str, Any]) -> Noun:
    own_name = row["english"].replace(" ", "-")
    lists: dict[str, Any] = {"place": tuple(row["place"].split())}
    lists["kinds"] = frozenset(row["kinds"].split()) | {own_name}
    return Noun(**row | lists)


def _verb(row: dict[str, Any]) -> Verb:
    reflexive = row["german"].startswith("sich ")
    prefix, bar, stem = row["german"].removeprefix("sich ").rpartition("|")
    lists: dict[str, Any] = {key: tuple(row[key].split()) for key in ("present", "preposition")}
    lists |= {key: tuple(row[key].split()) for key in ("objects", "subjects")}
    flags = frozenset(row["flags"].split())
    special: dict[str, Any] = {
        "german": stem,
        "prefix": prefix,
        "reflexive": reflexive,
        "flags": flags,
    }
    return Verb(**row | lists | special)


def _adjective(row: dict[str, Any]) -> Adjective:
    row["stem"] = row["stem"] or row["german"]
    sets: dict[str, Any] = {key: frozenset(row[key].split()) for key in ("kinds", "flags")}
    return Adjective(**row | sets)


@dataclass(frozen=True)
class Lexicon:
    """All entries, in the order of the files."""

    nouns: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    adjectives: tuple[Adjective, ...]
    adverbs: tuple[Entry, ...]
    names: tuple[Entry, ...]

    @cache
    def nouns_of(self, *kinds: str) -> tuple[Noun, ...]:
        """Nouns that belong to at least one of the kinds."""
        return tuple(noun for noun in self.nouns if not noun.kinds.isdisjoint(kinds))

    @cache
    def verbs_of(self, *frames: str, flag: str = "") -> tuple[Verb, ...]:
        """Verbs with one of the frames (and the flag, if one is given)."""
        return tuple(
            verb for verb in self.verbs if verb.frame in frames and (not flag or flag in verb.flags)
        )

    @cache
    def verbs_with(self, noun: Noun, flag: str = "") -> tuple[Verb, ...]:
        """Verbs that name what people may do with a thing, given as their object."""
        return tuple(
            verb
            for verb in self.verbs_of("acc", "prep", "give", flag=flag)
            if not noun.kinds.isdisjoint(verb.objects)
            and not noun.kinds & {"person", "kin", "job"}
            and "state" not in verb.flags
        )

    @cache
    def adjectives_for(self, noun: Noun, flag: str = "") -> tuple[Adjective, ...]:
        """Adjectives that may describe the noun."""
        return tuple(
            word
            for word in self.adjectives
            if not word.kinds.isdisjoint(noun.kinds) and (not flag or flag in word.flags)
        )

    @cache
    def lasting_adjectives_for(self, noun: Noun, flag: str = "") -> tuple[Adjective, ...]:
        """Adjectives that may stand before the noun: none that name a mood ("hungry")."""
        return tuple(word for word in self.adjectives_for(noun, flag) if "mood" not in word.flags)

    @cache
    def noun(self, english: str) -> Noun:
        """The first noun with this English name."""
        return next(noun for noun in self.nouns if noun.english == english)

    @cache
    def verb(self, english: str) -> Verb:
        """The first verb with this English base form."""
        return next(verb for verb in self.verbs if verb.english == english)

    @cache
    def adjective(self, english: str) -> Adjective:
        """The first adjective with this English form."""
        return next(word for word in self.adjectives if word.english == english)

    @cache
    def qualities(self) -> frozenset[str]:
        """All adjectives in English."""
        return frozenset(word.english for word in self.adjectives)

    @cache
    def adverbs_of(self, *kinds: str) -> tuple[Entry, ...]:
        """Adverbs of one of the kinds."""
        return tuple(word for word in self.adverbs if word.kind in kinds)

    @cache
    def adverb(self, english: str) -> Entry:
        """The first adverb with this English form."""
        return next(word for word in self.adverbs if word.english == english)

    @cache
    def names_of(self, *kinds: str) -> tuple[Entry, ...]:
        """Names of one of the kinds: "male", "female", "family", "city", "country"."""
        return tuple(name for name in self.names if name.kind in kinds)

    @cache
    def name(self, english: str) -> Entry:
        """The name with this English form."""
        return next(name for name in self.names if name.english == english)

    def __hash__(self) -> int:
        return id(self)


def check_lexicon(lexicon: Lexicon) -> None:
    """Refuses entries that the grammar could not use.

    Raises:
        ValueError: If a verb or an adjective names a kind that no noun has, or a noun has no
            gender that German knows.
    """
    known = set[str]().union(*(noun.kinds for noun in lexicon.nouns))
    known |= {name.kind for name in lexicon.names} | {"it"}
    for noun in lexicon.nouns:
        if noun.gender not in ("m", "f", "n", "p"):
            raise ValueError(
                f"noun {noun.english!r}: expected gender m, f, n or p, found {noun.gender!r}"
            )
    _check_kinds(lexicon.adjectives, "kinds", known)
    _check_kinds(lexicon.verbs, "objects", known)
    _check_kinds(lexicon.verbs, "subjects", known)


def _check_kinds(entries: Iterable[Verb | Adjective], field: str, known: set[str]) -> None:
    for entry in entries:
        for kind in getattr(entry, field):
            if kind not in known:
                raise ValueError(
                    f"{entry.english!r} goes with nouns of kind {kind!r}, but there are none"
                )


@cache
def lexicon() -> Lexicon:
    """Reads the dictionary from the package's data files, once.

    Returns:
        The checked lexicon.

    Raises:
        ValueError: If an entry cannot be used; see `check_lexicon`.
    """
    result = Lexicon(
        nouns=tuple(map(_noun, _rows("nouns"))),
        verbs=tuple(map(_verb, _rows("verbs"))),
        adjectives=tuple(map(_adjective, _rows("adjectives"))),
        adverbs=tuple(Entry(**row) for row in _rows("adverbs")),
        names=tuple(Entry(**row) for row in _rows("names")),
    )
    check_lexicon(result)
    return result
