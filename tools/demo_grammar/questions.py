"""Questions, and sentences spoken to someone: "Mr. Weber, can you help me?"."""

from tools.demo_grammar.chooser import PEOPLE, Chooser
from tools.demo_grammar.circumstances import when_in_the_future
from tools.demo_grammar.clauses import Clause, imperative, main_clause, question
from tools.demo_grammar.deeds import action, clause, deed, timed
from tools.demo_grammar.lexicon import Verb
from tools.demo_grammar.noun_phrases import (
    NounPhrase,
    name,
    noun_phrase,
    numeral,
    pronoun,
    the,
    which,
)
from tools.demo_grammar.phrases import Phrase, pair

_INTENTIONS = ("will", "have to", "want to")


def yes_no(draw: Chooser) -> Phrase:
    """Did the man buy the car? Does she often sing? Will he come back soon?"""
    kind = draw.pick(("past", "present", "perfect", "perfect", "future", "modal", "modal"))
    if kind == "perfect":
        host = deed(draw, draw.someone_else(), tense=kind)
    elif kind in ("past", "present"):
        verb = draw.lexicon.verb(draw.pick(_ASKED))
        host = clause(draw, verb, draw.someone_else(), tense=kind)
    elif kind == "future":
        host = deed(draw, draw.someone_else(), "fine", modal="will")
        host.add("time", when_in_the_future(draw, host.verb))
    else:
        modal = draw.pick(("can", "may", "want to", "have to", "should"))
        host = deed(draw, draw.someone_else(), "fine", modal=modal)
    return question(host).labelled("yes-no-questions")


# Verbs of yes/no questions in the simple tenses, where the German verb opens the sentence.
_ASKED = ("buy", "see", "know", "live", "have", "help", "need", "like", "call", "visit")


def w_question(draw: Chooser) -> Phrase:
    """Where does she live? What did he buy?"""
    kind = draw.weighted((1, _who), (2, _what_or_whom), (1, _where), (2, _when_or_why), (2, _which))
    return kind(draw).labelled("w-questions")


def _who(draw: Chooser) -> Phrase:
    who = NounPhrase("3sg.m", "definite", lambda case: pair("who", "wer", "nominative"))
    return main_clause(deed(draw, who, tense=draw.tense("past", "perfect")))


def _askable(verb: Verb, people: bool) -> bool:
    kinds = PEOPLE.intersection(verb.objects)
    if people:
        return "person" in kinds and "state" not in verb.flags
    return (
        not kinds
        and not {"language", "sport", "tune"} & set(verb.objects)
        and "state" not in verb.flags
    )


def _what_or_whom(draw: Chooser) -> Phrase:
    people = draw.chance(0.5)
    frames = ("acc", "dat") if people else ("acc",)
    verb = draw.pick([verb for verb in draw.lexicon.verbs_of(*frames) if _askable(verb, people)])
    if not people:
        front = pair("what", "was", "accusative")
    elif verb.frame == "dat":
        front = pair("whom", "wem", "dative", "dative-verbs")
    else:
        front = pair("whom", "wen", "accusative")
    return question(
        Clause(draw.someone_else(), verb, draw.tense("past", "present", "perfect")), front
    )


def _where(draw: Chooser) -> Phrase:
    verb = draw.pick(draw.lexicon.verbs_of("spot", "goal"))
    front = pair("where", "wo" if verb.frame == "spot" else "wohin")
    return question(Clause(draw.someone_else(), verb, draw.tense()), front)


def _when_or_why(draw: Chooser) -> Phrase:
    front = pair(*draw.pick((("when", "wann"), ("why", "warum"))))
    if draw.chance(0.3):
        return question(
            deed(draw, draw.someone_else(), "fine", modal=draw.pick(_INTENTIONS)), front
        )
    return question(deed(draw, draw.someone_else(), tense="past"), front)


def _which(draw: Chooser) -> Phrase:
    """Which book did she read? How many apples does he need?"""
    verb = draw.pick([verb for verb in draw.lexicon.verbs_of("acc") if _askable(verb, False)])
    noun = draw.pick(
        [noun for noun in draw.lexicon.nouns_of(*verb.objects) if noun.countable] or [None]
    )
    if noun is None:
        return _which(draw)
    if draw.chance(0.5) or "opening" in noun.kinds:
        front = noun_phrase(noun, which, (), "pairs" in noun.kinds or draw.chance(0.2)).render(
            "acc"
        )
    else:
        front = noun_phrase(noun, numeral("how many", "wie viele"), (), True).render("acc")
    return question(Clause(draw.someone_else(), verb, draw.tense()), front)


def how_is(draw: Chooser) -> Phrase:
    """How old is your brother? How much does the coat cost?"""
    if draw.chance(0.5):
        word = draw.lexicon.adjective(draw.pick(("old", "tall", "rich")))
        front = pair("how", "wie") + pair(word.english, word.german)
        subject = draw.pick((draw.named, draw.relative, draw.person))()
        return question(Clause(subject, draw.lexicon.verb("be"), draw.tense()), front).labelled(
            "w-questions"
        )
    noun = draw.pick(draw.lexicon.nouns_of("clothes", "furniture", "machine", "gift", "vehicle"))
    host = Clause(
        draw.described(noun, the, 0.3, draw.chance(0.2)), draw.lexicon.verb("cost"), draw.tense()
    )
    return question(host, pair("how much", "wie viel")).labelled("w-questions")


# Speaking to someone ----------------------------------------------------------------------------


def addressee(draw: Chooser) -> tuple[Phrase, NounPhrase]:
    """Draws who is spoken to: "Mr. Weber," asks for "Sie", "Anna," for "du".

    Returns:
        The name with its comma, and the pronoun "you".
    """
    if draw.chance(0.5):
        family = draw.pick(draw.lexicon.names_of("family"))
        called = name(None, family, draw.pick(("Mr.", "Mrs.")))
        person, label = "formal", "formal-address"
    else:
        called, person, label = name(draw.first_name()), "2sg", "familiar-address"
    return called.render("nom").labelled(label) + pair(",", ","), pronoun(person)


def request(draw: Chooser) -> Phrase:
    """Anna, please open the window."""
    call, you = addressee(draw)
    verb = action(draw, flag="ask")
    return call + imperative(clause(draw, verb, you, known="foreign" not in verb.flags))


def question_to_you(draw: Chooser) -> Phrase:
    """Mr. Weber, can you help me? Anna, have you already eaten the apple?"""
    call, you = addressee(draw)
    kind = draw.pick(("can", "can", "want to", "have to", "perfect", "present", "will", "wh"))
    if kind == "perfect":
        host = deed(draw, you, "fine", tense=kind)
        if draw.chance(0.4):
            host.add("mid-adverb", pair("already", "schon"))
    elif kind == "present":
        host = clause(draw, draw.lexicon.verb(draw.pick(_ASKED)), you)
    elif kind == "wh":
        return call + _where_are_you(draw, you).labelled("w-questions")
    else:
        verb = action(draw, flag="ask" if kind == "can" else "fine")
        host = clause(draw, verb, you, modal=kind, known=kind == "can")
    return call + question(host).labelled("yes-no-questions")


def _where_are_you(draw: Chooser, you: NounPhrase) -> Phrase:
    if draw.chance(0.5):
        verb = draw.lexicon.verb(draw.pick(("live", "work", "go", "fly", "travel", "drive")))
        front = pair("where", "wo" if verb.frame == "spot" else "wohin")
        return question(Clause(you, verb), front)
    front = pair(*draw.pick((("when", "wann"), ("why", "warum"))))
    return question(deed(draw, you, "fine", modal=draw.pick(_INTENTIONS)), front)


def statement_to_you(draw: Chooser) -> Phrase:
    """Mrs. Weber, you have to sign the contract."""
    call, you = addressee(draw)
    modal = draw.pick(("have to", "should", "may", "can"))
    host = deed(draw, you, "ask", modal=modal, negated=modal != "may" and draw.chance(0.2))
    return call + timed(draw, host, 0.3, front=0)
