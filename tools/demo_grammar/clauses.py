"""Clauses: the verb and its places, and the order of everything else around it.

German keeps the finite verb second in a main clause, first in a question and last in a subordinate
clause; the rest of the verb (prefix, infinitive, participle) closes the clause. What stands between
is sorted by rank.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from tools.demo_grammar import english, german
from tools.demo_grammar.lexicon import Verb, lexicon
from tools.demo_grammar.noun_phrases import NounPhrase
from tools.demo_grammar.phrases import (
    EMPTY,
    Concept,
    Phrase,
    Word,
    arrange,
    pair,
    words,
)


class Rank(NamedTuple):
    """Where a part of the clause stands, in English after the verb and in German before its end."""

    english: int
    german: int


BEFORE_VERB = 0
RANKS = {
    "mid-adverb": Rank(BEFORE_VERB, 3),
    "pronoun": Rank(2, 1),
    "dative": Rank(1, 4),
    "dative-pronoun": Rank(1, 2),
    "definite": Rank(2, 5),
    "negation": Rank(BEFORE_VERB, 6),
    "company": Rank(4, 7),
    "indefinite": Rank(2, 9),
    "manner": Rank(4, 10),
    "spot": Rank(5, 8),
    "as": Rank(5, 10),
    "prepositional": Rank(3, 11),
    "goal": Rank(3, 12),
    "predicate": Rank(3, 12),
    "time": Rank(6, 3),
    "as-adverb": Rank(BEFORE_VERB, 6),
}


class Part(NamedTuple):
    """A phrase and the place that it takes, a key of `RANKS`."""

    place: str
    phrase: Phrase


class VerbGroup(NamedTuple):
    """The words of a verb, ready for every order of words.

    Attributes:
        operator: English auxiliary that goes before "not" and before the subject of a question.
        main: The rest of the English verb.
        second: German finite verb of a main clause or question.
        bracket: What closes a German main clause: prefix, infinitive or participle.
        final: The whole German verb at the end of a subordinate clause.
        labels: Phenomena that it shows.
    """

    operator: tuple[Word, ...]
    main: tuple[Word, ...]
    second: tuple[Word, ...]
    bracket: tuple[Word, ...]
    final: tuple[Word, ...]
    labels: tuple[str, ...]


@dataclass
class Clause:
    """A subject, a verb and what goes with them, in no order yet.

    Attributes:
        subject: Who acts; in an infinitive clause, who would act.
        verb: The verb.
        tense: "present", "past" or "perfect"; "infinitive" if the subject is not spoken.
        modal: Modal verb, or "will" for the future.
        parts: Everything else.
        negation: What "not" means here, or None.
        kein: Whether a "kein" among the parts already says it.
        concept: What the verb means.
    """

    subject: NounPhrase
    verb: Verb
    tense: str = "present"
    modal: Verb | None = None
    parts: list[Part] = field(default_factory=list)
    negation: Concept | None = None
    kein: bool = False
    concept: Concept = field(default_factory=Concept)

    def add(self, place: str, phrase: Phrase) -> "Clause":
        """Adds a part and returns the clause."""
        self.parts.append(Part(place, phrase))
        return self


def verb_group(clause: Clause, support: bool) -> VerbGroup:
    """Conjugates the verb of a clause in both languages.

    Args:
        clause: The clause.
        support: Whether English needs an auxiliary ("did not buy", "does he buy?").
    """
    finite = clause.modal or clause.verb
    compound = clause.modal is not None or clause.tense == "perfect"
    own, helper = clause.concept, Concept() if compound else clause.concept
    operator, main = _english_verb(clause, support, helper)
    person = clause.subject.german_person
    if clause.modal:
        form = _finite_form(finite, clause.tense, person)
        rest = german.infinitive(clause.verb)
        label = "future" if clause.modal.english == "will" else "modal-verbs"
    elif compound:
        form = german.present(lexicon().verb(_AUXILIARIES[clause.verb.auxiliary]), person)
        rest = german.participle(clause.verb)
        label = f"perfect-{clause.verb.auxiliary}"
    else:
        form, rest = _finite_form(finite, clause.tense, person), clause.verb.prefix
        label = "simple-past" if clause.tense == "past" else ""
    final = words(rest, own) + words(form, helper) if compound else words(rest + form, own)
    labels = tuple(filter(None, (label, "separable-verbs" if clause.verb.prefix else "")))
    if clause.verb.reflexive:
        labels += ("reflexive-verbs",)
    return VerbGroup(operator, main, words(form, helper), words(rest, own), final, labels)


_AUXILIARIES = {"haben": "have", "sein": "be"}


def _finite_form(verb: Verb, tense: str, person: str) -> str:
    return (german.preterite if tense == "past" else german.present)(verb, person)


def _english_verb(
    clause: Clause, support: bool, helper: Concept
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Returns the English operator, if any, and the rest of the verb."""
    own, person = clause.concept, clause.subject.english_person
    inflect = english.past if clause.tense == "past" else english.present
    if clause.modal and clause.modal.english in english.MODALS:
        return words(inflect(clause.modal, person), helper), words(clause.verb.english, own)
    if clause.tense == "perfect":
        have = english.present(lexicon().verb("have"), person)
        return words(have, helper), words(english.participle(clause.verb), own)
    if clause.verb.english == "be" and not clause.modal:
        return words(inflect(clause.verb, person), own), ()
    finite = clause.modal or clause.verb
    rest = words(clause.verb.english, own) if clause.modal else ()
    if not support:
        return (), words(inflect(finite, person), helper) + rest
    auxiliary = "did" if clause.tense == "past" else "does" if person == "3sg" else "do"
    return words(auxiliary, helper), words(finite.english, helper) + rest


def _middle(
    clause: Clause, subject: Phrase = EMPTY
) -> tuple[list[Phrase], list[Phrase], list[Phrase]]:
    """Sorts the parts: English before and after the main verb, German between the brackets.

    Args:
        clause: The clause.
        subject: The subject, if German has it in the middle. "Sich" goes before a noun there
            ("Heute freut sich Anna"), and after a pronoun ("Heute freut sie sich").
    """
    parts = list(clause.parts)
    if clause.negation and not clause.kein:
        parts.append(Part("negation", Phrase((), words("nicht", clause.negation))))
    by_english = sorted(parts, key=lambda part: RANKS[part.place].english)
    by_german = sorted(parts, key=lambda part: RANKS[part.place].german)
    before = [part.phrase for part in by_english if RANKS[part.place].english == BEFORE_VERB]
    after = [part.phrase for part in by_english if RANKS[part.place].english != BEFORE_VERB]
    middle = [subject, *(part.phrase for part in by_german)]
    if clause.verb.reflexive:
        reflexive = Phrase((), words(german.PRONOUNS[clause.subject.person][3], clause.concept))
        middle.insert(1 if clause.subject.weight == "pronoun" else 0, reflexive)
    return before, after, middle


def _negate(clause: Clause, operator: tuple[Word, ...]) -> Phrase:
    """Returns the operator with "not", written in one word after "can"."""
    if not clause.negation:
        return Phrase(operator)
    labels = () if clause.kein else ("negation-nicht",)
    if operator[-1].text == "can":
        cannot = Word("cannot", (*operator[-1].concepts, clause.negation))
        return Phrase((*operator[:-1], cannot), (), labels)
    return Phrase(operator + words("not", clause.negation), (), labels)


def main_clause(clause: Clause, front: Phrase | None = None, comma: bool = True) -> Phrase:
    """Returns a statement; something before the subject pushes the German subject behind the verb.

    Args:
        clause: The clause.
        front: What comes first instead of the subject.
        comma: Whether English has a comma after it.
    """
    group = verb_group(clause, support=clause.negation is not None)
    subject = clause.subject.render("nom")
    before, after, middle = _middle(clause, EMPTY if front is None else subject)
    operator = _negate(clause, group.operator)
    main = Phrase(group.main)
    second, bracket = Phrase((), group.second, group.labels), Phrase((), group.bracket)
    source = [subject, operator, *before, main, *after]
    if front is None:
        target = [subject, second, *middle, bracket, Phrase((), (), operator.labels)]
        return arrange(source, target)
    target = [front, second, *middle, bracket, Phrase((), (), operator.labels)]
    source = [front, Phrase(words(",")) if comma else EMPTY, *source]
    return arrange(source, target).labelled("verb-second")


def question(clause: Clause, front: Phrase | None = None) -> Phrase:
    """Returns a yes/no question, or with a question word in front a w-question."""
    group = verb_group(clause, support=True)
    front = front or EMPTY
    subject = clause.subject.render("nom")
    before, after, middle = _middle(clause, subject)
    operator = Phrase(group.operator)
    negation = _negate(clause, operator.english)
    not_word = (
        Phrase(words("not", clause.negation), (), negation.labels) if clause.negation else EMPTY
    )
    second, bracket = Phrase((), group.second, group.labels), Phrase((), group.bracket)
    source = [front, operator, subject, not_word, *before, Phrase(group.main), *after]
    target = [front, second, *middle, bracket, Phrase((), (), not_word.labels)]
    return arrange(source, target)


def subordinate(clause: Clause, opening: Phrase, subject_opens: bool = False) -> Phrase:
    """Returns a subordinate clause, whose German verb stands last.

    Args:
        clause: The clause.
        opening: Conjunction, question word or relative pronoun.
        subject_opens: Whether `opening` is itself the subject, as in "who lives here".
    """
    group = verb_group(clause, support=clause.negation is not None)
    subject = EMPTY if subject_opens else clause.subject.render("nom")
    before, after, middle = _middle(clause, subject)
    operator = _negate(clause, group.operator)
    final = Phrase((), group.final, (*group.labels, *operator.labels, "verb-last"))
    source = [opening, subject, operator, *before, Phrase(group.main), *after]
    return arrange(source, [opening, *middle, final])


def infinitive(clause: Clause, purpose: bool = False) -> Phrase:
    """Returns an infinitive clause: "to buy bread" / "Brot zu kaufen".

    Args:
        clause: The clause; its subject is not spoken but decides the reflexive pronoun.
        purpose: Whether German opens it with "um".
    """
    to = Concept()
    before, after, middle = _middle(clause)
    verb = clause.verb
    if verb.prefix:
        final = words(german.zu_infinitive(verb), to, clause.concept)
    else:
        final = words("zu", to) + words(verb.german, clause.concept)
    labels: tuple[str, ...] = ("separable-verbs",) if verb.prefix else ()
    labels += ("reflexive-verbs",) if verb.reflexive else ()
    um = Phrase((), words("um", to), ("um-zu",)) if purpose else EMPTY
    source = [Phrase(words("to", to)), *before, Phrase(words(verb.english, clause.concept)), *after]
    return arrange(source, [um, *middle, Phrase((), final, labels)])


def imperative(clause: Clause) -> Phrase:
    """Returns a request: "please open the window" / "bitte öffnen Sie das Fenster"."""
    verb = clause.verb
    _, after, middle = _middle(clause)
    source = [pair("please", "bitte"), Phrase(words(verb.english, clause.concept)), *after]
    formal = clause.subject.person == "formal"
    form = verb.german if formal else german.imperative(verb)
    target = [source[0], Phrase((), words(form, clause.concept))]
    if formal:
        target.append(Phrase((), words("Sie", clause.concept)))
    labels: tuple[str, ...] = ("separable-verbs",) if verb.prefix else ()
    labels += ("reflexive-verbs",) if verb.reflexive else ()
    bracket = Phrase((), words(verb.prefix, clause.concept), ("imperatives", *labels))
    return arrange(source, [*target, *middle, bracket])
