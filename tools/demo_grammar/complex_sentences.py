"""Sentences of several clauses: dass, weil, wenn, um ... zu, relative clauses and others."""

from tools.demo_grammar.chooser import Chooser
from tools.demo_grammar.circumstances import to_place
from tools.demo_grammar.clauses import Clause, infinitive, main_clause, subordinate
from tools.demo_grammar.deeds import accusative, action, clause, deed
from tools.demo_grammar.descriptions import be
from tools.demo_grammar.lexicon import Noun, Verb
from tools.demo_grammar.noun_phrases import NounPhrase, it, noun_phrase, pronoun, the
from tools.demo_grammar.phrases import Concept, Phrase, pair, words
from tools.demo_grammar.scenes import activity, errands, situations

# German has a comma at every subordinate clause, English only at some.
COMMA = Phrase((), words(","))


def conjunction(source: str, target: str) -> Phrase:
    """Returns a conjunction with the label of its clause."""
    return pair(source, target, f"clauses-{target}")


def taken_up(subject: NounPhrase) -> NounPhrase:
    """Returns the pronoun that refers back to a noun phrase: "he" for "my brother"."""
    return pronoun(subject.owner)


def someone_definite(draw: Chooser) -> NounPhrase:
    """Draws a subject that a later pronoun can refer back to in both languages."""
    subject = draw.someone()
    return subject if subject.owner else someone_definite(draw)


def some_event(draw: Chooser, tense: str) -> Clause:
    """Draws an event that somebody may know or say something about."""
    negated = draw.chance(0.15)
    if tense == "past" or draw.chance(0.2):
        return deed(draw, tense="past", negated=negated)
    if draw.chance(0.4):
        return deed(draw, tense="perfect", negated=negated)
    if draw.chance(0.5):
        modal = draw.pick(("will", "want to", "have to", "can"))
        return deed(draw, flag="fine", modal=modal, negated=negated)
    if draw.chance(0.5):
        return clause(draw, draw.pick(draw.lexicon.verbs_of("spot")), negated=negated)
    return deed(draw, flag="daily", negated=negated)


def that_clause(draw: Chooser) -> Phrase:
    """I know that she lives in Berlin."""
    verb, tense = draw.pick(draw.lexicon.verbs_of("that")), draw.tense("past", "present")
    subject = draw.someone() if "common" in verb.flags else draw.someone_else()
    main = main_clause(Clause(subject, verb, tense))
    return main + COMMA + subordinate(some_event(draw, tense), conjunction("that", "dass"))


_INDIRECT = (("whether", "ob"), ("why", "warum"), ("when", "wann"), ("where", "wo"))


def indirect_question(draw: Chooser) -> Phrase:
    """I do not know where she lives. She does not know whether he has sold the car."""
    opening = pair(*draw.pick(_INDIRECT))
    if opening.english[0].text == "where":
        verb = draw.lexicon.verb(draw.pick(("live", "work", "sleep", "wait", "swim")))
        inner = Clause(draw.someone(), verb, draw.tense())
    else:
        inner = deed(draw, tense=draw.tense("past", "perfect"))
    know = draw.lexicon.verbs_of("that")[0]
    main = Clause(draw.someone(), know, negation=Concept())
    return main_clause(main) + COMMA + subordinate(inner, opening)


def because_of_a_state(draw: Chooser) -> Phrase:
    """He stayed at home because he was ill."""
    situation = draw.pick(situations("state", "trait", "weather"))
    subject, tense = someone_definite(draw), draw.tense()
    result = activity(draw, draw.pick(situation.activities), subject, tense)
    reason = situation.clause(draw, taken_up(result.subject), tense)  # "I" may now be "we"
    return main_clause(result) + COMMA + subordinate(reason, conjunction("because", "weil"))


def _wanted(draw: Chooser, flag: str) -> tuple[NounPhrase, Phrase, Verb]:
    """Draws a thing, a "good" or "bad" quality of it, and what one does with a thing one likes."""
    word = draw.pick([word for word in draw.lexicon.adjectives if flag in word.flags])
    noun = draw.pick([n for n in draw.lexicon.nouns if word in draw.lexicon.adjectives_for(n)])
    verbs = [verb for verb in draw.lexicon.verbs_of("acc") if _suits(verb, noun)]
    if not verbs:
        return _wanted(draw, flag)
    plural = draw.chance(0.25) and draw.countable(noun)
    thing = noun_phrase(noun, the, (), plural)
    return thing, pair(word.english, word.german), draw.pick(verbs)


_LIKED = ("buy", "like", "take", "read", "love", "visit", "rent", "order", "eat")


def _suits(verb: Verb, noun: Noun) -> bool:
    person = noun.kinds & {"person", "job", "kin"}
    return verb.english in _LIKED and not person and not noun.kinds.isdisjoint(verb.objects)


def because_of_a_thing(draw: Chooser) -> Phrase:
    """She bought the coat because it was beautiful. He did not read it because it was long."""
    flag = draw.pick(("good", "bad"))
    thing, quality, verb = _wanted(draw, flag)
    host = Clause(draw.someone(), verb, draw.tense())
    host.negation = Concept() if flag == "bad" else None
    host.parts.append(accusative(thing))
    reason = be(draw, it(thing), quality, host.tense)
    return main_clause(host) + COMMA + subordinate(reason, conjunction("because", "weil"))


def but(draw: Chooser) -> Phrase:
    """The coat was expensive, but he bought it."""
    thing, quality, verb = _wanted(draw, "bad")
    first = be(draw, thing, quality, draw.tense())
    second = Clause(draw.someone(), verb, first.tense)
    second.parts.append(accusative(it(thing)))
    return main_clause(first) + pair(",", ",") + pair("but", "aber") + main_clause(second)


def when(draw: Chooser) -> Phrase:
    """If it rains, we will stay at home. When he is tired, he drinks coffee."""
    situation, subject = draw.pick(situations("state", "weather")), someone_definite(draw)
    future = draw.chance(0.4)
    opening = conjunction("if" if future or draw.chance(0.4) else "when", "wenn")
    shorthand, modal = draw.pick(situation.activities), "will" if future else ""
    if draw.chance(0.5):
        result = activity(draw, shorthand, taken_up(subject), modal=modal)
        if subject.weight == "pronoun":
            subject = result.subject  # "I" may now be "we"
        front = subordinate(situation.clause(draw, subject, "present"), opening)
        return main_clause(result, front + COMMA)
    result = activity(draw, shorthand, subject, modal=modal)
    condition = situation.clause(draw, taken_up(result.subject), "present")
    return main_clause(result) + COMMA + subordinate(condition, opening)


def glad_when(draw: Chooser) -> Phrase:
    """My mother is happy when I call her."""
    feelings, causes = draw.pick(_CAUSES)
    feeling = draw.lexicon.adjective(draw.pick(feelings))
    cause = draw.lexicon.verb(draw.pick(causes))
    future = draw.chance(0.3)
    main = be(draw, draw.someone(), pair(feeling.english, feeling.german), "present")
    main.modal = draw.lexicon.verb("will") if future else None
    opening = conjunction("if" if future else "when", "wenn")
    return main_clause(main) + COMMA + subordinate(clause(draw, cause), opening)


_CAUSES = (
    (("happy",), ("call", "visit", "help", "invite", "sing", "dance", "come back", "hug", "thank")),
    (("happy",), ("bake", "cook", "play", "listen to", "praise", "surprise", "comfort", "win")),
    (("sad", "angry"), ("go away", "contradict", "interrupt", "cancel", "reject", "cry", "smoke")),
    (("sad", "angry"), ("break", "lose", "forget", "steal", "throw away", "disturb")),
)


def although(draw: Chooser) -> Phrase:
    """She went to the office although she was ill. He called his aunt before he went home."""
    subject = someone_definite(draw)
    if draw.chance(0.6):
        obstacles, deeds = draw.pick(_OBSTACLES)
        word = draw.lexicon.adjective(draw.pick(obstacles))
        main = clause(draw, draw.lexicon.verb(draw.pick(deeds)), subject, tense="past")
        inner = be(draw, taken_up(subject), pair(word.english, word.german), "past")
        return main_clause(main) + COMMA + subordinate(inner, pair("although", "obwohl"))
    main = deed(draw, subject, "fine", tense="past")
    inner = deed(draw, taken_up(subject), "fine", tense="past")
    return main_clause(main) + COMMA + subordinate(inner, pair("before", "bevor"))


_OBSTACLES = (
    (("tired", "ill"), ("go", "work", "help", "write", "clean", "dance", "read", "cook", "drive")),
    (("sad", "nervous"), ("smile", "dance", "sing", "laugh", "sleep", "go out", "help", "fly")),
    (("shy", "nervous"), ("ask", "answer", "contradict", "invite", "greet", "call", "dance")),
    (("poor",), ("buy", "travel", "rent", "give", "lend", "fly")),
    (("hungry", "thirsty"), ("work", "read", "wait", "sleep", "help", "draw", "play")),
)


def as_a_child(draw: Chooser) -> Phrase:
    """When she was young, she lived in Berlin."""
    subject = someone_definite(draw)
    word = draw.lexicon.adjective(
        draw.pick(("young", "small", "poor", "rich", "healthy", "famous"))
    )
    inner = be(draw, subject, pair(word.english, word.german), "past")
    front = subordinate(inner, pair("when", "als")) + COMMA
    verbs = draw.lexicon.verbs_of("spot", "acc", "none", flag="daily")
    verb = draw.lexicon.verb("live") if draw.chance(0.5) else draw.pick(verbs)
    if verb.english == "live":
        return main_clause(clause(draw, verb, taken_up(subject), tense="past"), front)
    host = clause(draw, verb, taken_up(subject), tense="past")
    return main_clause(host.add("mid-adverb", draw.adverb("frequency")), front)


def errand(draw: Chooser) -> Phrase:
    """She went to the park to play football."""
    scene = draw.pick(errands())
    verb = draw.pick(("go", "go", "run"))
    tense = draw.tense("past", "past", "present", "perfect")
    return going(draw, draw.someone(), verb, scene.key, draw.pick(scene.activities), tense)


def going(
    draw: Chooser,
    subject: NounPhrase,
    verb: str,
    place: str,
    shorthand: str,
    tense: str = "past",
) -> Phrase:
    """Returns "I went to the shop to buy something to drink".

    Args:
        draw: The source of random choices.
        subject: Who goes.
        verb: English verb of motion.
        place: English name of the place.
        shorthand: What for; see `scenes`.
        tense: See `Clause`.
    """
    host = Clause(subject, draw.lexicon.verb(verb), tense)
    host.add("goal", to_place(draw, draw.lexicon.noun(place), adjective=0))
    purpose = activity(draw, shorthand, subject, "infinitive")
    return main_clause(host) + COMMA + infinitive(purpose, purpose=True)


def attempt(draw: Chooser) -> Phrase:
    """He tried to open the window."""
    subject, verb = draw.someone(), draw.pick(draw.lexicon.verbs_of("to"))
    main = main_clause(Clause(subject, verb, draw.tense()))
    aim_verb = action(draw, "acc", "dat", "give", "goal", flag="fine")
    if verb.english == "begin":
        aim_verb = draw.lexicon.verb(draw.pick(_BEGUN))
    aim = clause(draw, aim_verb, subject, tense="infinitive")
    return main + COMMA + infinitive(aim).labelled("zu-infinitives")


_BEGUN = (
    "read", "write", "cook", "clean", "repair", "learn", "paint", "draw", "eat", "bake", "wash",
    "translate", "tidy up", "correct", "check", "play", "pack", "feed", "photograph",
)  # fmt: skip
