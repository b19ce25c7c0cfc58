"""Noun phrases: a noun, pronoun or name that can be written in every case."""

from collections.abc import Callable
from typing import NamedTuple

from tools.demo_grammar import english, german
from tools.demo_grammar.lexicon import Adjective, Entry, Noun
from tools.demo_grammar.phrases import EMPTY, Concept, Phrase, Word, pair, words


class NounPhrase(NamedTuple):
    """Something that can be a subject or an object.

    Attributes:
        person: Key of `german.PRONOUNS`: "3sg.m" for "the man" and for "der Tisch", "formal".
        weight: "pronoun", "definite" or "indefinite", which decides its place in German.
        render: Gives the phrase in a case; English distinguishes "I" (nominative) and "me".
        owner: Person whose possessive refers back to it ("his"), or "" if English and German
            would disagree, as for "das Mädchen".
    """

    person: str
    weight: str
    render: Callable[[str], Phrase]
    owner: str = ""

    @property
    def english_person(self) -> str:
        """Person of the English verb."""
        return "2sg" if self.person == "formal" else self.person[:3]

    @property
    def german_person(self) -> str:
        """Person of the German verb."""
        return "3pl" if self.person == "formal" else self.person[:3]


CASE_LABELS = {"nom": "nominative", "acc": "accusative", "dat": "dative", "gen": "genitive"}
GENDER_LABELS = {"m": "masculine", "f": "feminine", "n": "neuter", "p": "plural"}

# A determiner takes a case, a gender and the English word that follows it. It returns its words
# and the paradigm of the adjective endings after it.
Determiner = Callable[[str, str, str], tuple[Phrase, str]]


def the(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """Definite article."""
    return pair("the", german.DEFINITE[case][gender]), "weak"


def a(case: str, gender: str, next_word: str) -> tuple[Phrase, str]:
    """Indefinite article."""
    article = english.indefinite_article(next_word)
    return pair(article, german.ein_word("ein", case, gender)), "mixed"


def bare(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """No article: "cold water", "red flowers"."""
    return EMPTY, "strong"


def this(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """Demonstrative "this" or "these"."""
    source = "these" if gender == "p" else "this"
    return pair(source, german.der_word("dies", case, gender)), "weak"


def every(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """Singular "every"."""
    return pair("every", german.der_word("jed", case, gender)), "weak"


def which(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """Interrogative "which"."""
    return pair("which", german.der_word("welch", case, gender)), "weak"


def many(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """Plural "many"."""
    return pair("many", german.der_word("viel", case, "p")), "strong"


def some(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """Plural "some"."""
    return pair("some", german.der_word("einig", case, "p")), "strong"


def silent_the(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """An English article that German lacks: "plays the piano"."""
    return Phrase(words("the")), "strong"


def possessive(person: str) -> Determiner:
    """Returns "my", "his", ... for an owner."""
    source = english.PRONOUNS["2sg" if person == "formal" else person][2]
    stem = german.PRONOUNS[person][4]

    def determiner(case: str, gender: str, _: str) -> tuple[Phrase, str]:
        return pair(source, german.ein_word(stem, case, gender), "possessives"), "mixed"

    return determiner


def none_at_all(case: str, gender: str, _: str) -> tuple[Phrase, str]:
    """English "no", as in "there is no milk"."""
    return pair("no", german.ein_word("kein", case, gender), "negation-kein"), "mixed"


def numeral(source: str, target: str, *labels: str) -> Determiner:
    """Returns a number from two upwards as a determiner."""
    return lambda case, gender, _: (pair(source, target, *labels), "strong")


def no(negation: Concept, source: str) -> Determiner:
    """Returns "kein", which takes up the "not" of the English clause.

    Args:
        negation: What "not" means in this sentence.
        source: What English has here: "a", "any" or nothing.
    """

    def determiner(case: str, gender: str, next_word: str) -> tuple[Phrase, str]:
        article = english.indefinite_article(next_word) if source == "a" else source
        concept = Concept()
        kein = words(german.ein_word("kein", case, gender), concept, negation)
        return Phrase(words(article, concept), kein, ("negation-kein",)), "mixed"

    return determiner


def noun_phrase(
    noun: Noun,
    determiner: Determiner,
    adjectives: tuple[Adjective, ...] = (),
    plural: bool = False,
    feminine: bool = False,
) -> NounPhrase:
    """Returns a noun with its determiner and adjectives.

    Args:
        noun: The noun.
        determiner: Article, possessive or number.
        adjectives: Adjectives before the noun.
        plural: Whether it stands in the plural.
        feminine: Whether a profession takes its feminine form in German.
    """
    plural = plural or noun.gender == "p"
    gender = "p" if plural else "f" if feminine else noun.gender
    source = english.plural(noun) if plural else noun.english
    decline = german.decline_feminine if feminine else german.decline

    def render(case: str) -> Phrase:
        labels: tuple[str, ...] = (CASE_LABELS[case], GENDER_LABELS[gender])
        if german.is_weak(noun) and not feminine and (plural or case != "nom"):
            labels += ("weak-nouns",)
        following = adjectives[0].english if adjectives else source
        phrase, paradigm = determiner(case, gender, following)
        ending = german.ENDINGS[paradigm][case][gender]
        for adjective in adjectives:
            phrase += pair(adjective.english, adjective.stem.removesuffix("e") + ending)
            labels += (f"{paradigm}-endings",)
        return phrase + pair(source, decline(noun, case, plural), *labels)

    _, paradigm = determiner("nom", gender, source)
    definite = determiner is not a and paradigm != "strong"
    person = "3pl" if plural else f"3sg.{gender}"
    owner = "3pl" if plural else _owner(noun, feminine)
    return NounPhrase(person, "definite" if definite else "indefinite", render, owner)


def _owner(noun: Noun, feminine: bool) -> str:
    if feminine or "female" in noun.kinds:
        return "3sg.f"
    return "3sg.m" if "male" in noun.kinds else ""


def pronoun(person: str) -> NounPhrase:
    """Returns a personal pronoun; see `german.PRONOUNS` for the persons."""
    subject, other, _ = english.PRONOUNS["2sg" if person == "formal" else person]

    def render(case: str) -> Phrase:
        source = subject if case == "nom" else other
        return pair(source, german.pronoun(person, case), "pronouns", CASE_LABELS[case])

    return NounPhrase(person, "pronoun", render, person)


def it(antecedent: NounPhrase) -> NounPhrase:
    """Returns the pronoun for a thing or things: English "it", German by the noun's gender."""
    person = antecedent.person

    def render(case: str) -> Phrase:
        source = "they" if case == "nom" else "them"
        target = german.pronoun(person, case)
        labels = ("pronouns", "it-by-gender", CASE_LABELS[case])
        return pair(source if person == "3pl" else "it", target, *labels)

    return NounPhrase(person, "pronoun", render, person)


def name(first: Entry | None, family: Entry | None = None, title: str = "") -> NounPhrase:
    """Returns a person's name.

    Args:
        first: First name, which tells "male" from "female".
        family: Family name.
        title: "Mr." or "Mrs." before a family name alone.
    """
    gender = "m" if title == "Mr." or (first is not None and first.kind == "male") else "f"

    def render(case: str) -> Phrase:
        phrase = EMPTY
        if title:
            form = "Frau" if title == "Mrs." else "Herr" if case == "nom" else "Herrn"
            phrase += pair(title, form)
        for entry in (first, family):
            if entry is not None:
                phrase += pair(entry.english, entry.german)
        return phrase.labelled("names", CASE_LABELS[case])

    return NounPhrase(f"3sg.{gender}", "definite", render, f"3sg.{gender}")


def both(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    """Returns two noun phrases joined by "and"."""

    def render(case: str) -> Phrase:
        return first.render(case) + pair("and", "und") + second.render(case)

    return NounPhrase("3pl", "definite", render, "3pl")


def prepositional(
    source: str, target: str, case: str, inner: NounPhrase, contract: bool = True
) -> Phrase:
    """Puts prepositions before a noun phrase and contracts them with the article ("im").

    Args:
        source: English preposition, or "" if English has none.
        target: German preposition.
        case: Case that the German preposition governs here.
        inner: What stands after it.
        contract: Whether to contract at all ("an das Buch").
    """
    phrase = pair(source, target) + inner.render(case)
    first, second, *rest = phrase.german
    contraction = german.CONTRACTIONS.get((first.text, second.text))
    if not contraction or not contract:
        return phrase
    merged = Word(contraction, first.concepts + second.concepts)
    return phrase._replace(german=(merged, *rest)).labelled("contractions")
