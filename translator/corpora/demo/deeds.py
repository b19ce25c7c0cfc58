"""Clauses drawn from the lexicon: a verb with everything that it needs."""

from collections.abc import Sequence

from translator.corpora.demo.chooser import PEOPLE, Chooser
from translator.corpora.demo.circumstances import (
    destination,
    location,
    when_in_the_future,
    when_in_the_past,
)
from translator.corpora.demo.clauses import Clause, Part, main_clause
from translator.corpora.demo.lexicon import Verb
from translator.corpora.demo.noun_phrases import (
    NounPhrase,
    bare,
    no,
    noun_phrase,
    prepositional,
    silent_the,
)
from translator.corpora.demo.phrases import Concept, Phrase, pair

# Frames of verbs that name an action, the frequent ones several times.
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
        if "state" not in verb.flags and not (people and verb.subjects):
            return verb


def clause(
    draw: Chooser,
    verb: Verb,
    subject: NounPhrase | None = None,
    kinds: Sequence[str] = (),
    negated: bool = False,
    tense: str = "present",
    modal: str = "",
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
    """
    result = Clause(
        subject=subject or draw.subject(verb),
        verb=verb,
        tense=tense,
        modal=draw.lexicon.verb(modal) if modal else None,
        negation=Concept() if negated else None,
    )
    for part in _complements(draw, result, tuple(kinds) or verb.objects):
        result.parts.append(part)
        result.kein = result.kein or "negation-kein" in part.phrase.labels
    return result


def _complements(draw: Chooser, host: Clause, kinds: tuple[str, ...]) -> list[Part]:
    verb, subject = host.verb, host.subject
    match verb.frame:
        case "acc":
            return [accusative(_direct_object(draw, host, kinds))]
        case "dat":
            return [dative(draw.whom(kinds, subject), "dative-verbs")]
        case "own":
            part = dative(draw.whom(kinds, subject), "dative-verbs")
            to = Phrase(pair("to", "").english)
            return [part._replace(phrase=to + part.phrase)]
        case "give":
            receiver = dative(draw.whom(("person", "kin", "kin"), subject))
            return [receiver, accusative(draw.some_noun(kinds, "", host.negation))]
        case "prep":
            source, target, case = verb.preposition
            inner = _prepositional_object(draw, host, kinds)
            source = source.removeprefix("-")
            return [Part("prepositional", prepositional(source, target, case, inner))]
        case "goal":
            return [Part("goal", destination(draw, verb))]
        case "spot":
            return [Part("spot", location(draw, verb))]
    return []


def accusative(inner: NounPhrase) -> Part:
    """Returns a noun phrase as direct object, in the place that its weight asks for."""
    return Part(inner.weight, inner.render("acc"))


def dative(inner: NounPhrase, *labels: str) -> Part:
    """Returns a noun phrase as indirect object."""
    place = "dative-pronoun" if inner.weight == "pronoun" else "dative"
    return Part(place, inner.render("dat").labelled(*labels))


def _direct_object(draw: Chooser, host: Clause, kinds: tuple[str, ...]) -> NounPhrase:
    verb, subject = host.verb, host.subject
    people = [kind for kind in kinds if kind in PEOPLE]
    others = [kind for kind in kinds if kind not in PEOPLE]
    if people and (not others or draw.chance(0.65)):
        particle = verb.english.split()[-1] in _PARTICLES
        return draw.whom(people, subject, pronouns=not particle)
    if others[0] in ("language", "sport"):
        noun = draw.pick(draw.lexicon.nouns_of(*others))
        if "instrument" in noun.kinds and not host.negation:
            return noun_phrase(noun, silent_the)
        noun = draw.pick(draw.lexicon.nouns_of(others[0]))
        return noun_phrase(noun, no(host.negation, article=False) if host.negation else bare)
    if "worn" in verb.flags:
        return draw.garment(others, subject.owner)
    if "plural" in verb.flags:
        noun = draw.pick(draw.lexicon.nouns_of(*others))
        determiner = no(host.negation, article=False) if host.negation else bare
        return draw.described(noun, determiner, 0.3, plural=True)
    if "the" in verb.flags:
        return draw.known_noun(others, subject.owner)
    return draw.some_noun(others, subject.owner, host.negation)


def _prepositional_object(draw: Chooser, host: Clause, kinds: tuple[str, ...]) -> NounPhrase:
    people = [kind for kind in kinds if kind in PEOPLE]
    if people and draw.chance(0.6):
        return draw.whom(people, host.subject)
    if "some" in host.verb.flags and not host.negation:
        return draw.some_noun(kinds, host.subject.owner)
    return draw.known_noun(kinds, host.subject.owner)


def deed(draw: Chooser, subject: NounPhrase | None = None, flag: str = "", **form: object) -> Clause:
    """Draws a clause in which someone does something; `form` as for `clause`."""
    return clause(draw, action(draw, flag=flag), subject, **form)


def timed(draw: Chooser, host: Clause, probability: float) -> Phrase:
    """Returns a statement that says, with some probability, when; often in front."""
    if host.negation or host.tense == "perfect" or not draw.chance(probability):
        return main_clause(host)
    if host.tense == "past":
        time = when_in_the_past(draw, host.verb)
    elif host.modal:
        time = when_in_the_future(draw, host.verb)
    else:
        time = draw.adverb("habit")
    return main_clause(host, time) if draw.chance(0.5) else main_clause(host.add("time", time))
