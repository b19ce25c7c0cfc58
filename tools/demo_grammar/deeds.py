"""Clauses drawn from the lexicon: a verb with everything that it needs."""

from collections.abc import Sequence
from typing import Any

from tools.demo_grammar.chooser import PEOPLE, Chooser
from tools.demo_grammar.circumstances import (
    destination,
    habitually,
    location,
    when_in_the_future,
    when_in_the_past,
)
from tools.demo_grammar.clauses import Clause, Part, main_clause
from tools.demo_grammar.lexicon import Verb
from tools.demo_grammar.noun_phrases import (
    NounPhrase,
    bare,
    no,
    noun_phrase,
    prepositional,
    pronoun,
    silent_the,
    the,
)
from tools.demo_grammar.phrases import Concept, Phrase, words

# Frames of verbs that name an action; the others have constructions of their own.
DEED_FRAMES = ("acc", "dat", "give", "prep", "goal", "none")
# English verbs with these words would take a pronoun between verb and particle ("pick him up").
_PARTICLES = frozenset({"up", "on", "off", "along", "away", "out", "back"})


def action(draw: Chooser, *frames: str, flag: str = "", people: bool = True) -> Verb:
    """Draws a verb that names an action, not a state.

    Args:
        draw: The source of random choices.
        frames: Frames to draw from; all if none are given.
        flag: A flag that the verb must have: "fine" for intentions, "ask" for requests...
        people: Whether people must be able to do it.
    """
    verbs = draw.lexicon.verbs_of(*(frames or DEED_FRAMES), flag=flag)
    while True:
        verb = draw.pick(verbs)
        if "state" in verb.flags or (people and verb.subjects):
            continue
        if "common" in verb.flags or not draw.chance(0.35):
            return verb


def clause(
    draw: Chooser,
    verb: Verb,
    subject: NounPhrase | None = None,
    kinds: Sequence[str] = (),
    negated: bool = False,
    tense: str = "present",
    modal: str = "",
    known: bool = False,
) -> Clause:
    """Returns a clause with everything that the verb needs.

    Args:
        draw: The source of random choices.
        verb: The verb.
        subject: Its subject; drawn if missing.
        kinds: Kinds of object, if not all that the verb allows.
        negated: Whether it is negated.
        tense: See `Clause`.
        modal: English modal verb, or "will".
        known: Whether the object must be definite.
    """
    subject = subject or draw.subject(verb)
    if subject.person == "1sg" and tense == "present" and not modal and "common" not in verb.flags:
        subject = pronoun("1pl")  # keeps the rarer forms of these verbs frequent enough to learn
    result = Clause(
        subject=subject,
        verb=verb,
        tense=tense,
        modal=draw.lexicon.verb(modal) if modal else None,
        negation=Concept() if negated and subject.weight != "indefinite" else None,
    )
    for part in _complements(draw, result, tuple(kinds) or verb.objects, known):
        result.parts.append(part)
        result.kein = result.kein or "negation-kein" in part.phrase.labels
    return result


def _complements(draw: Chooser, host: Clause, kinds: tuple[str, ...], known: bool) -> list[Part]:
    verb, subject = host.verb, host.subject
    match verb.frame:
        case "acc":
            return [accusative(_direct_object(draw, host, kinds, known))]
        case "dat":
            return [dative(draw.whom(kinds, subject), "dative-verbs")]
        case "own":
            part = dative(draw.whom(kinds, subject), "dative-verbs")
            return [part._replace(phrase=Phrase(words("to")) + part.phrase)]
        case "give":
            receiver = dative(draw.whom(("person", "kin", "kin"), subject))
            return [receiver, accusative(draw.some_noun(kinds, "", host.negation))]
        case "prep":
            source, target, case = verb.preposition
            inner = _prepositional_object(draw, host, kinds)
            source = source.removeprefix("-")
            contract = (target, case) != ("an", "acc")  # "sich an das Buch erinnern"
            phrase = prepositional(source, target, case, inner, contract)
            if not source:  # "remember": the preposition is part of the German verb
                first, *rest = phrase.german
                first = first._replace(concepts=(*first.concepts, host.concept))
                phrase = phrase._replace(german=(first, *rest))
            return [Part("prepositional", phrase)]
        case "goal":
            return [Part("goal", destination(draw, verb))]
        case "spot":
            return [Part("spot", location(draw, verb))]
    return []


def accusative(inner: NounPhrase) -> Part:
    """Returns a noun phrase as direct object, in the place that its weight requires."""
    return Part(inner.weight, inner.render("acc"))


def dative(inner: NounPhrase, *labels: str) -> Part:
    """Returns a noun phrase as indirect object."""
    place = "dative-pronoun" if inner.weight == "pronoun" else "dative"
    return Part(place, inner.render("dat").labelled(*labels))


def _direct_object(draw: Chooser, host: Clause, kinds: tuple[str, ...], known: bool) -> NounPhrase:
    verb, subject = host.verb, host.subject
    owner = "" if "foreign" in verb.flags else subject.owner  # nobody steals their own ring
    people = [kind for kind in kinds if kind in PEOPLE]
    others = [kind for kind in kinds if kind not in PEOPLE]
    if people and (not others or draw.chance(0.65)):
        particle = verb.english.split()[-1] in _PARTICLES
        return draw.whom(people, subject, pronouns=not particle)
    if verb.objects[0] in ("language", "sport"):
        noun = draw.pick(draw.lexicon.nouns_of(*others))
        if "instrument" in noun.kinds:
            return noun_phrase(noun, silent_the)
        return noun_phrase(noun, no(host.negation, "") if host.negation else bare)
    if "worn" in verb.flags:
        return draw.garment(others, owner, host.negation)
    if "plural" in verb.flags:
        noun = draw.pick(draw.lexicon.nouns_of(*others))
        determiner = no(host.negation, "any") if host.negation else bare
        return draw.described(noun, determiner, 0.3, plural=True)
    if known or "the" in verb.flags:
        return draw.known_noun(others, owner)
    return draw.some_noun(others, owner, host.negation)


def _prepositional_object(draw: Chooser, host: Clause, kinds: tuple[str, ...]) -> NounPhrase:
    people = [kind for kind in kinds if kind in PEOPLE]
    if people and draw.chance(0.6):
        return draw.whom(people, host.subject)
    if "some" in host.verb.flags:  # "asked for help", "asked for the bill"
        noun = draw.pick(draw.lexicon.nouns_of(*kinds))
        return noun_phrase(noun, the if noun.countable else bare)
    return draw.known_noun(kinds, host.subject.owner)


def deed(draw: Chooser, subject: NounPhrase | None = None, flag: str = "", **form: Any) -> Clause:
    """Draws a clause in which someone does something; `form` as for `clause`.

    Sometimes the object is drawn before its verb, so that nouns that fit few verbs are not rarer
    than others.
    """
    if draw.chance(0.4):
        noun = draw.pick(draw.lexicon.nouns)
        verbs = draw.lexicon.verbs_with(noun, flag)
        if verbs:
            kinds = (noun.english.replace(" ", "-"),)
            return clause(draw, draw.pick(verbs), subject, kinds, **form)
    return clause(draw, action(draw, flag=flag), subject, **form)


def timed(draw: Chooser, host: Clause, probability: float, front: float = 0.5) -> Phrase:
    """Returns a statement that says, with some probability, when.

    Args:
        draw: The source of random choices.
        host: The statement's clause.
        probability: How often it has a time.
        front: How often the time then comes first.
    """
    if host.negation or host.tense == "perfect" or not draw.chance(probability):
        return main_clause(host)
    if host.tense == "past":
        time = when_in_the_past(draw, host.verb)
    elif host.modal:
        time = when_in_the_future(draw, host.verb)
    else:
        time = habitually(draw, host.verb)
    return main_clause(host, time) if draw.chance(front) else main_clause(host.add("time", time))
