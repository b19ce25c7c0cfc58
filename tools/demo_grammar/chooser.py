"""Random choices of people and things that fit together."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from tools.demo_grammar import numbers_and_times as times
from tools.demo_grammar.lexicon import Adjective, Entry, Noun, Verb, lexicon
from tools.demo_grammar.noun_phrases import (
    Determiner,
    NounPhrase,
    a,
    bare,
    both,
    many,
    name,
    no,
    noun_phrase,
    numeral,
    possessive,
    pronoun,
    some,
    the,
    this,
)
from tools.demo_grammar.phrases import Concept, Phrase, pair

T = TypeVar("T")

PEOPLE = frozenset({"person", "kin", "job", "young"})
OWNABLE = frozenset(
    [
        "thing",
        "clothes",
        "vehicle",
        "pet",
        "furniture",
        "home",
        "print",
        "image",
        "own",
        "garden",
        "celebrated",
        "instrument",
    ]
)
# Kinds that are counted in words ("three cars"), and kinds of which there may be many ("24 roses").
COUNTED = frozenset(["thing", "clothes", "print", "animal", "small", "image", "plant", "writing"])
NUMEROUS = frozenset(["small", "collection", "plant", "dish", "duck", "bird", "cow", "photo"])
SUBJECT_PRONOUNS = ("1sg", "3sg.m", "3sg.f", "3sg.m", "3sg.f", "1pl", "3pl")
OWNERS = OTHERS = ("1sg", "3sg.m", "3sg.f", "1pl", "3pl")


def may_own(person: str, noun: Noun) -> bool:
    """Whether a possessive ("my", "his") may stand before a noun; "our coat" may not."""
    if not person or noun.kinds.isdisjoint(OWNABLE):
        return False
    if "ladies" in noun.kinds:
        return person == "3sg.f"
    return "clothes" not in noun.kinds or person not in ("1pl", "3pl")


@cache
def owners_of(noun: Noun) -> tuple[str, ...]:
    """Returns the persons that may own a thing, without the second person."""
    return tuple(person for person in OWNERS if may_own(person, noun))


class Chooser:
    """Draws words and noun phrases from the lexicon.

    Args:
        seed: Seed of the random numbers; equal seeds draw equal sentences.
    """

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self.lexicon = lexicon()

    def pick(self, options: Sequence[T]) -> T:
        """Returns one of the options, all equally likely."""
        return options[int(self._random.random() * len(options))]

    def chance(self, probability: float) -> bool:
        """Returns True as often as the probability says."""
        return self._random.random() < probability

    def weighted(self, *options: tuple[float, T]) -> T:
        """Returns one of the options, each given with its weight."""
        left = self._random.random() * sum(weight for weight, _ in options)
        for weight, option in options:
            left -= weight
            if left < 0:
                return option
        return options[-1][1]

    def tense(self, *tenses: str) -> str:
        """Returns one of the tenses, by default "present" or, more often, "past"."""
        return self.pick(tenses or ("past", "past", "present"))

    # People -------------------------------------------------------------------------------------

    def first_name(self) -> Entry:
        """Draws a first name, as often a man's as a woman's."""
        return self.pick(self.lexicon.names_of("male" if self.chance(0.5) else "female"))

    def named(self) -> NounPhrase:
        """Draws "Anna", "Anthony Miller" or "Mrs. Weber"."""
        family = self.pick(self.lexicon.names_of("family"))
        if self.chance(0.15):
            return name(None, family, self.pick(("Mr.", "Mrs.")))
        return name(self.first_name(), family if self.chance(0.6) else None)

    def relative(self, owner: str = "") -> NounPhrase:
        """Draws a member of someone's family: "his sister"."""
        noun = self.pick(self.lexicon.nouns_of("kin"))
        return noun_phrase(noun, possessive(owner or self.pick(OWNERS)))

    def person(self) -> NounPhrase:
        """Draws a person by a common noun: "the young teacher", "many tourists"."""
        kind = "person" if self.chance(0.55) else "job"
        noun = self.pick(self.lexicon.nouns_of(kind))
        determiner: Determiner = the
        plural = kind == "person" and self.chance(0.3)
        if "own" in noun.kinds and self.chance(0.5):
            determiner = possessive(self.pick(OWNERS))
        elif plural and self.chance(0.4):
            determiner = self.pick((many, some, numeral(*self.small_number())))
        return self.described(noun, determiner, 0.2, plural)

    def someone(self) -> NounPhrase:
        """Draws a person as a subject: a pronoun, a name, a relative or a common noun."""
        draw: Callable[[], NounPhrase] = self.weighted(
            (36, lambda: pronoun(self.pick(SUBJECT_PRONOUNS))),
            (17, self.named),
            (3, lambda: both(name(self.first_name()), name(self.first_name()))),
            (15, self.relative),
            (29, self.person),
        )
        return draw()

    def someone_else(self) -> NounPhrase:
        """Draws a person other than the speaker, for questions."""
        person = self.someone()
        return person if person.person != "1sg" else pronoun("1pl")

    def subject(self, verb: Verb) -> NounPhrase:
        """Draws a subject that the verb can have."""
        others = [kind for kind in verb.subjects if kind != "person"]
        if not others or ("person" in verb.subjects and self.chance(0.6)):
            return self.someone()
        noun = self.pick(self.lexicon.nouns_of(*others))
        plural = self.chance(0.2) and self.countable(noun)
        determiner: Determiner = this if self.chance(0.1) else the
        if self.chance(0.2) and owners_of(noun):
            determiner = possessive(self.pick(owners_of(noun)))
        return self.described(noun, determiner, 0.2, plural)

    def whom(self, kinds: Sequence[str], subject: NounPhrase, pronouns: bool = True) -> NounPhrase:
        """Draws a person as an object, other than the subject."""
        if pronouns and self.chance(0.28):
            own = subject.person[0] if subject.person[0] == "1" else subject.person
            return pronoun(self.pick([person for person in OTHERS if not person.startswith(own)]))
        if self.chance(0.25):
            return self.named()
        people = [kind for kind in kinds if kind in PEOPLE]
        return self.known_noun(people or kinds, subject.owner)

    # Things -------------------------------------------------------------------------------------

    def adjective(self, noun: Noun, flag: str = "") -> tuple[Adjective, ...]:
        """Draws an adjective to stand before the noun, as a tuple of one or none."""
        options = self.lexicon.lasting_adjectives_for(noun, flag)
        return (self.pick(options),) if options else ()

    def described(
        self, noun: Noun, determiner: Determiner, adjective: float, plural: bool = False
    ) -> NounPhrase:
        """Returns the noun with a determiner and, with some probability, an adjective."""
        adjectives = self.adjective(noun) if self.chance(adjective) else ()
        return noun_phrase(noun, determiner, adjectives, plural)

    def small_number(self) -> tuple[str, str, str]:
        """Draws a number word from two to twelve, with its label."""
        return (*self.pick(times.NUMBER_WORDS[1:]), "numbers-in-words")

    def countable(self, noun: Noun) -> bool:
        """Whether the plural of a noun is common."""
        return noun.countable and not noun.kinds.isdisjoint(COUNTED | {"person"})

    def how_many(self, noun: Noun) -> Determiner:
        """Draws a quantity of countable things: "three", "24", "many", "some"."""
        if not noun.kinds.isdisjoint(NUMEROUS) and self.chance(0.5):
            digits = str(self.pick(range(13, 41)))
            return numeral(digits, digits, "numbers-in-digits")
        return numeral(*self.small_number()) if self.chance(0.6) else self.pick((many, some))

    def some_noun(
        self, kinds: Sequence[str], owner: str = "", negation: Concept | None = None
    ) -> NounPhrase:
        """Draws a thing, definite or not, in the singular or the plural.

        Args:
            kinds: Kinds of noun to draw from.
            owner: Person whose possessive may stand before it.
            negation: The "not" of the clause; if given, indefinite things get "kein" for it.
        """
        if self.chance(0.25 if negation else 0.5):
            return self.known_noun(kinds, owner)
        noun = self.pick(self.lexicon.nouns_of(*kinds))
        if "transport" in noun.kinds:
            return noun_phrase(noun, the)
        plural = self.chance(0.45) and self.countable(noun)
        if negation:
            determiner = no(negation, "a" if noun.countable and not plural else "any")
        elif not noun.countable:
            determiner = bare
        elif plural:
            determiner = bare if self.chance(0.45) else self.how_many(noun)
        else:
            determiner = a
        return self.described(noun, determiner, 0.35, plural)

    def known_noun(self, kinds: Sequence[str], owner: str = "") -> NounPhrase:
        """Draws a thing or person with "the", "this" or a possessive."""
        noun = self.pick(self.lexicon.nouns_of(*kinds))
        if "kin" in noun.kinds or (owner and "celebrated" in noun.kinds):
            return noun_phrase(noun, possessive(owner or self.pick(OWNERS)))
        determiner: Determiner = this if noun.countable and self.chance(0.08) else the
        if self.chance(0.35) and may_own(owner, noun):
            determiner = possessive(owner)
        return self.described(noun, determiner, 0.25, self.chance(0.2) and self.countable(noun))

    def garment(
        self, kinds: Sequence[str], owner: str, negation: Concept | None = None
    ) -> NounPhrase:
        """Draws a piece of clothing, such as a coat, or shoes in the plural; see `some_noun`."""
        noun = self.pick(self.lexicon.nouns_of(*kinds))
        if "ladies" in noun.kinds and owner != "3sg.f":
            noun = self.pick(self.lexicon.nouns_of("coat", "hat", "shirt", "suit"))
        plural = "pairs" in noun.kinds
        indefinite: Determiner = bare if plural else a
        if negation:
            indefinite = no(negation, "any" if plural else "a")
        determiner: Determiner = self.pick((the, indefinite))
        if owner not in ("", "1pl", "3pl"):  # not "our coat"
            determiner = self.pick((possessive(owner), determiner))
        return self.described(noun, determiner, 0.4, plural)

    def adverb(self, *kinds: str) -> Phrase:
        """Draws an adverb of one of the kinds."""
        entry = self.pick(self.lexicon.adverbs_of(*kinds))
        return pair(entry.english, entry.german)
