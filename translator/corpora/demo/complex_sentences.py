"""Sentences of several clauses: dass, weil, wenn, um ... zu, relative clauses and others."""

from translator.corpora.demo import german
from translator.corpora.demo.chooser import PEOPLE, Chooser
from translator.corpora.demo.circumstances import to_place
from translator.corpora.demo.clauses import Clause, infinitive, main_clause, subordinate
from translator.corpora.demo.deeds import accusative, action, clause, deed
from translator.corpora.demo.descriptions import be, quality
from translator.corpora.demo.lexicon import Noun
from translator.corpora.demo.noun_phrases import NounPhrase, bare, it, noun_phrase, pronoun, the
from translator.corpora.demo.phrases import Concept, Phrase, pair, words
from translator.corpora.demo.scenes import activity, errands, situations

# German sets off every subordinate clause; English does so only here and there.
COMMA = Phrase((), words(","))


def conjunction(source: str, target: str) -> Phrase:
    """Returns a conjunction with the label of its clause."""
    return pair(source, target, f"clauses-{target}")


def taken_up(subject: NounPhrase) -> NounPhrase:
    """Returns the pronoun that takes up a noun phrase: "he" for "my brother"."""
    return pronoun(subject.owner)


def someone_definite(draw: Chooser) -> NounPhrase:
    """Draws a subject that a later pronoun can take up in both languages."""
    subject = draw.someone()
    return subject if subject.owner else someone_definite(draw)


def some_event(draw: Chooser, tense: str) -> Clause:
    """Draws something that may be known or said at a time."""
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
    main = main_clause(Clause(draw.someone(), verb, tense))
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
    reason = situation.clause(draw, taken_up(subject), tense)
    result = activity(draw, draw.pick(situation.activities), subject, tense)
    return main_clause(result) + COMMA + subordinate(reason, conjunction("because", "weil"))


def because_of_a_thing(draw: Chooser) -> Phrase:
    """She bought the coat because it was beautiful."""
    flag = draw.pick(("good", "bad"))
    word = draw.pick([word for word in draw.lexicon.adjectives if flag in word.flags])
    noun = draw.pick([n for n in draw.lexicon.nouns if word in draw.lexicon.adjectives_for(n)])
    verbs = [verb for verb in draw.lexicon.verbs if verb.english in _LIKED and _fits(verb.objects, noun)]
    if not verbs or noun.gender == "p" or noun.kinds & {"person", "job", "kin"}:
        return because_of_a_thing(draw)
    plural = draw.chance(0.25) and draw.countable(noun)
    inner, subject = noun_phrase(noun, the, (), plural), draw.someone()
    verb = draw.lexicon.verb(draw.pick(verbs).english)
    host = Clause(subject, verb, draw.tense(), negation=Concept() if flag == "bad" else None)
    host.parts.append(accusative(inner))
    reason = be(draw, it(inner), pair(word.english, word.german), host.tense)
    opening = conjunction("because", "weil")
    return main_clause(host) + COMMA + subordinate(reason, opening)


_LIKED = ("buy", "like", "take", "read", "love", "visit", "rent", "order", "eat")


def _fits(kinds: tuple[str, ...], noun: Noun) -> bool:
    return not noun.kinds.isdisjoint(kinds)


def but(draw: Chooser) -> Phrase:
    """The coat was expensive, but he bought it."""
    word = draw.pick([word for word in draw.lexicon.adjectives if "bad" in word.flags])
    noun = draw.pick([n for n in draw.lexicon.nouns if word in draw.lexicon.adjectives_for(n)])
    verbs = [v for v in draw.lexicon.verbs if v.english in _LIKED and _fits(v.objects, noun)]
    if not verbs or noun.gender == "p" or noun.kinds & {"person", "job", "kin"}:
        return but(draw)
    verb = draw.pick(verbs)
    plural = draw.chance(0.25) and draw.countable(noun)
    inner = noun_phrase(noun, the, (), plural)
    tense = draw.tense()
    first = main_clause(be(draw, inner, pair(word.english, word.german), tense))
    second = Clause(draw.someone(), verb, tense)
    second.parts.append(accusative(it(inner)))
    return first + pair(",", ",") + pair("but", "aber") + main_clause(second)


def when(draw: Chooser) -> Phrase:
    """If it rains, we will stay at home. When he is tired, he drinks coffee."""
    situation, subject = draw.pick(situations("state", "weather")), someone_definite(draw)
    future = draw.chance(0.4)
    opening = conjunction("if" if future or draw.chance(0.4) else "when", "wenn")
    shorthand, modal = draw.pick(situation.activities), "will" if future else ""
    if draw.chance(0.5):
        front = subordinate(situation.clause(draw, subject, "present"), opening)
        result = activity(draw, shorthand, taken_up(subject), modal=modal)
        return main_clause(result, front + COMMA)
    condition = subordinate(situation.clause(draw, taken_up(subject), "present"), opening)
    return main_clause(activity(draw, shorthand, subject, modal=modal)) + COMMA + condition


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
    """She went to the office although she was ill. He laughed before he fell asleep."""
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
    word = draw.lexicon.adjective(draw.pick(("young", "small", "poor", "rich", "healthy", "famous")))
    inner = be(draw, subject, pair(word.english, word.german), "past")
    front = subordinate(inner, pair("when", "als")) + COMMA
    verbs = draw.lexicon.verbs_of("spot", "acc", "none", flag="daily")
    verb = draw.lexicon.verb("live") if draw.chance(0.5) else draw.pick(verbs)
    if verb.english == "live":
        return main_clause(clause(draw, verb, taken_up(subject), tense="past"), front)
    host = clause(draw, verb, taken_up(subject), tense="past")
    return main_clause(host.add("mid-adverb", draw.adverb("frequency")), front)


def went_to_buy_something(
    draw: Chooser, subject: NounPhrase, place: str, verb: str, purpose: str
) -> Phrase:
    """I went to the shop to buy something to drink."""
    host = Clause(subject, draw.lexicon.verb("go"), "past")
    host.add("goal", to_place(draw, draw.lexicon.noun(place), adjective=0))
    aim = activity(draw, f"{verb}+{purpose}", subject)
    return main_clause(host) + COMMA + infinitive(aim, purpose=True)


def errand(draw: Chooser) -> Phrase:
    """I went to the shop to buy something to drink."""
    scene, subject = draw.pick(errands()), draw.someone()
    verb = draw.lexicon.verb(draw.pick(("go", "go", "run")))
    host = Clause(subject, verb, draw.tense("past", "past", "present", "perfect"))
    host.add("goal", to_place(draw, draw.lexicon.noun(scene.key), adjective=0.05))
    purpose = activity(draw, draw.pick(scene.activities), subject)
    return main_clause(host) + COMMA + infinitive(purpose, purpose=True)


def attempt(draw: Chooser) -> Phrase:
    """He tried to open the window."""
    subject, verb = draw.someone(), draw.pick(draw.lexicon.verbs_of("to"))
    main = main_clause(Clause(subject, verb, draw.tense()))
    aim = action(draw, "acc", "dat", "give", "goal", flag="fine")
    if verb.english == "begin":
        aim = draw.lexicon.verb(draw.pick(_BEGUN))
    aim = clause(draw, aim, subject)
    return main + COMMA + infinitive(aim).labelled("zu-infinitives")


_BEGUN = (
    "read", "write", "cook", "clean", "repair", "learn", "paint", "draw", "eat", "bake", "wash",
    "translate", "tidy up", "correct", "check", "play", "pack", "feed", "photograph",
)  # fmt: skip


# Relative clauses -------------------------------------------------------------------------------


def relative_pronoun(source: str, case: str, gender: str) -> Phrase:
    """Returns "who" or "that" with the German pronoun of this case and gender."""
    return pair(source, german.RELATIVE[case][gender], "relative-clauses")


def _with_relative(head: NounPhrase, relative: Phrase) -> NounPhrase:
    """Returns the noun phrase followed by its relative clause between German commas."""
    return head._replace(render=lambda case: head.render(case) + COMMA + relative + COMMA)


def _described(draw: Chooser, subject: NounPhrase, noun: Noun) -> Phrase:
    if noun.kinds & {"person", "job"}:
        noun = draw.lexicon.noun("man")
    return main_clause(be(draw, subject, quality(draw, noun), draw.tense()))


def who_did(draw: Chooser) -> Phrase:
    """The man who lives here is my uncle. I know the woman who bought the house."""
    noun = draw.pick(draw.lexicon.nouns_of("person", "job"))
    plural = draw.chance(0.25) and draw.countable(noun)
    head = draw.described(noun, the, 0.1, plural)._replace(owner="")
    kind = draw.tense("past", "past", "present", "perfect", "perfect")
    inner = deed(draw, head, "daily" if kind == "present" else "", tense=kind)
    who = relative_pronoun("who", "nom", "p" if plural else noun.gender)
    relative = subordinate(inner, who, subject_opens=True)
    if draw.chance(0.5):
        return _described(draw, _with_relative(head, relative), noun)
    verb = draw.lexicon.verb(draw.pick(("know", "see", "meet", "look for", "thank", "help", "admire")))
    host = Clause(draw.someone(), verb, "past" if verb.english != "know" else "present")
    phrase = head.render("dat" if verb.frame == "dat" else "acc")
    return main_clause(host.add("definite", phrase)) + COMMA + relative


def that_someone_did(draw: Chooser) -> Phrase:
    """The book that she bought is expensive. The man whom he helped was old."""
    verbs = [v for v in draw.lexicon.verbs_of("acc", "dat") if "state" not in v.flags]
    verb = draw.pick(verbs)
    nouns = [n for n in draw.lexicon.nouns_of(*verb.objects) if _relatable(draw, n)]
    if not nouns:
        return that_someone_did(draw)
    noun = draw.pick(nouns)
    plural = "pairs" in noun.kinds or (draw.chance(0.2) and draw.countable(noun))
    head = noun_phrase(noun, the, (), plural)
    person = noun.kinds & {"person", "job"}
    that = relative_pronoun(
        "whom" if person else "that", verb.frame, "p" if plural else noun.gender
    )
    inner = Clause(draw.someone(), verb, draw.tense("past", "perfect"))
    return _described(draw, _with_relative(head, subordinate(inner, that)), noun)


def _relatable(draw: Chooser, noun: Noun) -> bool:
    return bool(draw.lexicon.adjectives_for(noun)) and not noun.kinds & {"kin", "sport", "language"}


def in_which(draw: Chooser) -> Phrase:
    """The house in which she lives is old."""
    noun = draw.pick(draw.lexicon.nouns_of("building", "home", "room", "settlement"))
    if noun.place[:2] != ("in", "in") or not draw.lexicon.adjectives_for(noun):
        return in_which(draw)
    names = ("live", "sleep") if noun.kinds & {"home", "hotel", "settlement"} else ("work", "wait")
    inner = Clause(draw.someone(), draw.lexicon.verb(draw.pick(names)), draw.tense())
    which = pair("in", "in") + relative_pronoun("which", "dat", noun.gender)
    relative = subordinate(inner, which.labelled("dative"))
    return _described(draw, _with_relative(noun_phrase(noun, the), relative), noun)


def whose(draw: Chooser) -> Phrase:
    """The man whose car is broken called his brother."""
    noun = draw.pick(draw.lexicon.nouns_of("person", "job"))
    plural = draw.chance(0.2) and draw.countable(noun)
    gender = "p" if plural else noun.gender
    head = noun_phrase(noun, the, (), plural)
    thing = draw.pick(draw.lexicon.nouns_of("pet", "vehicle", "kin", "house", "garden", "suitcase"))
    if "kin" in thing.kinds:
        word = draw.lexicon.adjective(draw.pick(("old", "ill", "rich", "poor", "tall", "nice")))
    else:
        word = draw.pick(draw.lexicon.adjectives_for(thing))
    opening = pair("whose", german.RELATIVE["gen"][gender], "relative-clauses", "genitive")
    is_so = be(draw, _bare_noun(thing), pair(word.english, word.german), "present")
    relative = subordinate(is_so, opening)
    verb = draw.lexicon.verb(draw.pick(("know", "see", "meet", "look for", "help", "thank")))
    host = Clause(draw.someone(), verb, "past" if verb.english != "know" else "present")
    phrase = head.render("dat" if verb.frame == "dat" else "acc")
    return main_clause(host.add("definite", phrase)) + COMMA + relative


def _bare_noun(noun: Noun) -> NounPhrase:
    return noun_phrase(noun, bare)


