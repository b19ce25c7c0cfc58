"""Statements of one clause: what someone does, did, has done, will do, wants to do."""

from tools.demo_grammar.chooser import Chooser
from tools.demo_grammar.circumstances import (
    at_furniture,
    clock,
    duration,
    region,
    when_in_the_past,
)
from tools.demo_grammar.clauses import Clause, main_clause
from tools.demo_grammar.deeds import accusative, clause, dative, deed, timed
from tools.demo_grammar.lexicon import Verb
from tools.demo_grammar.noun_phrases import every, noun_phrase, possessive, the
from tools.demo_grammar.phrases import Phrase, pair
from tools.demo_grammar.scenes import activity, something_to

# English adverbs that are not set off with a comma.
_WITHOUT_COMMA = frozenset({"then", "perhaps"})
_NEGATABLE_MODALS = ("can", "want to", "have to", "should")


def past(draw: Chooser) -> Phrase:
    """The man bought a car yesterday."""
    return timed(draw, deed(draw, tense="past", negated=draw.chance(0.18)), 0.8)


def present(draw: Chooser) -> Phrase:
    """The girl eats the bread. He does not drink any coffee."""
    return main_clause(deed(draw, flag="daily", negated=draw.chance(0.35)))


def habit(draw: Chooser) -> Phrase:
    """She reads the newspaper every day. He often helps his mother."""
    host = deed(draw, flag="daily")
    if draw.chance(0.5):
        return main_clause(host.add("mid-adverb", draw.adverb("frequency")))
    return timed(draw, host, 1.0)


def state(draw: Chooser) -> Phrase:
    """She needs a new coat. The bag belongs to him."""
    verbs = [verb for verb in draw.lexicon.verbs_of("acc", "dat", "own") if "state" in verb.flags]
    own = draw.lexicon.verbs_of("own")[0]
    verb = own if draw.chance(0.15) else draw.pick(verbs)
    return main_clause(clause(draw, verb, negated=draw.chance(0.25), tense=draw.tense()))


def perfect(draw: Chooser) -> Phrase:
    """He has already sold the car."""
    host = deed(draw, tense="perfect", negated=draw.chance(0.2))
    if not host.negation and draw.chance(0.5):
        kinds = ("phase", "experience") if "fine" in host.verb.flags else ("phase",)
        host.add("mid-adverb", draw.adverb(*kinds))
    return main_clause(host)


def _moving(verb: Verb) -> bool:
    return verb.auxiliary == "sein" and "state" not in verb.flags


def perfect_of_motion(draw: Chooser) -> Phrase:
    """The children have gone to the park. The train has already left."""
    verbs = [verb for verb in draw.lexicon.verbs_of("goal", "none", "spot", "dat") if _moving(verb)]
    host = clause(draw, draw.pick(verbs), tense="perfect")
    if host.verb.frame != "spot" and draw.chance(0.3):
        host.add("mid-adverb", draw.adverb("phase"))
    return main_clause(host)


def future(draw: Chooser) -> Phrase:
    """Tomorrow, we will visit the museum."""
    return timed(draw, deed(draw, flag="fine", modal="will", negated=draw.chance(0.15)), 0.75)


def modal(draw: Chooser) -> Phrase:
    """My brother wants to sell the car."""
    verb = draw.pick((*_NEGATABLE_MODALS, "must", "may"))
    negated = verb in _NEGATABLE_MODALS and draw.chance(0.25)
    past_form = verb in ("want to", "have to") and draw.chance(0.5)
    tense = "past" if past_form else "present"
    return timed(draw, deed(draw, flag="fine", modal=verb, negated=negated, tense=tense), 0.4)


def timetable(draw: Chooser) -> Phrase:
    """The train leaves at half past three."""
    names = ("leave", "arrive", "begin", "end", "land")
    verb = draw.lexicon.verb(draw.pick(names))
    kinds = [kind for kind in verb.subjects if kind != "person"]
    subject = draw.described(draw.pick(draw.lexicon.nouns_of(*kinds)), the, 0.1)
    host = Clause(subject, verb, draw.tense("past", "present"))
    if draw.chance(0.3):
        return main_clause(host, clock(draw))
    return main_clause(host.add("time", clock(draw)))


def abstention(draw: Chooser) -> Phrase:
    """She does not eat any meat."""
    verb = draw.lexicon.verb(draw.pick(_GIVEN_UP))
    tense = draw.tense("past", "present", "perfect") if "state" not in verb.flags else "present"
    host = clause(draw, verb, tense=tense, negated=True)
    return main_clause(host) if host.kein else abstention(draw)


_GIVEN_UP = (
    "eat", "drink", "buy", "read", "write", "order", "have", "need", "find", "learn", "play",
    "speak", "bake", "bring along", "collect", "sell", "look for", "taste",
)  # fmt: skip


def everyone(draw: Chooser) -> Phrase:
    """Every pupil learned a poem."""
    subject = noun_phrase(draw.pick(draw.lexicon.nouns_of("person")), every)
    return main_clause(deed(draw, subject, "daily", tense=draw.tense()))


def happening(draw: Chooser) -> Phrase:
    """The train left at 7:30. The roses bloom."""
    verbs = [verb for verb in draw.lexicon.verbs_of("none") if verb.subjects]
    verb = draw.pick(verbs)
    host = clause(draw, verb, tense="past")
    if not draw.chance(0.8):
        return main_clause(host)
    time = when_in_the_past(draw, verb)
    return main_clause(host, time) if draw.chance(0.5) else main_clause(host.add("time", time))


def opened(draw: Chooser) -> Phrase:
    """Unfortunately, she lost the key. Then he closed the door."""
    entry = draw.pick(draw.lexicon.adverbs_of(draw.pick(("sentence", "sudden"))))
    flag = "" if entry.english in ("suddenly", "then", "later", "perhaps") else "fine"
    host = deed(draw, flag=flag, tense="past")
    if entry.english == "unfortunately":
        host = clause(draw, draw.lexicon.verb(draw.pick(_MISFORTUNES)), tense="past")
    front = pair(entry.english, entry.german)
    return main_clause(host, front, comma=entry.english not in _WITHOUT_COMMA)


_MISFORTUNES = (
    "lose", "forget", "break", "fall asleep", "cry", "disappear", "go away", "cancel", "reject",
    "throw away", "interrupt", "disturb", "contradict",
)  # fmt: skip


def manner(draw: Chooser) -> Phrase:
    """The musicians sang loudly. She works alone."""
    names, kinds = draw.pick(
        (
            (("sing", "laugh", "cry", "bark", "talk"), ("volume",)),
            (("sing", "dance", "sleep", "work", "swim"), ("quality", "company", "company")),
            (("run", "drive", "swim", "work"), ("manner",)),
        )
    )
    verb = draw.lexicon.verb(draw.pick(names))
    host = Clause(draw.subject(verb), verb, draw.tense())
    several = host.subject.german_person.endswith("pl")
    kind = draw.pick(kinds)
    return main_clause(
        host.add("manner", draw.adverb("together" if kind == "company" and several else kind))
    )


def somewhere(draw: Chooser) -> Phrase:
    """The children sat in the garden. He stayed in the hotel for three weeks."""
    verb = draw.pick(draw.lexicon.verbs_of("spot"))
    host = clause(draw, verb, tense=draw.tense(), negated=draw.chance(0.15))
    if verb.english == "stay" and host.tense == "past" and not host.negation and draw.chance(0.6):
        return main_clause(host.add("time", duration(draw)))
    return timed(draw, host, 0 if "state" in verb.flags else 0.4)


def around_the_house(draw: Chooser) -> Phrase:
    """We stayed at home yesterday. My father works outside."""
    verb = draw.lexicon.verb(draw.pick(("stay", "work", "wait", "sleep", "go", "drive")))
    kind = "goal" if verb.frame == "goal" else "spot"
    host = Clause(draw.someone(), verb, draw.tense())
    return timed(draw, host.add(kind, draw.adverb(kind)), 0.6)


def at_rest(draw: Chooser) -> Phrase:
    """The cat lies under the bed. The vase stood on the table. He sat on the sofa."""
    kind = draw.pick(("lying", "standing", "pet", "person"))
    if kind == "person":
        host = Clause(draw.someone(), draw.lexicon.verb("sit"), draw.tense())
        return main_clause(host.add("spot", at_furniture(draw, "seat", "dat")))
    noun = draw.pick(
        draw.lexicon.nouns_of("cat", "dog") if kind == "pet" else draw.lexicon.nouns_of(kind)
    )
    subject = draw.described(
        noun,
        possessive(draw.pick(("1sg", "3sg.f"))) if draw.chance(0.2) else the,
        0.2,
        draw.chance(0.2),
    )
    verb = draw.lexicon.verb("stand" if kind == "standing" else "lie")
    where = "stand-on" if kind == "standing" else draw.pick(("lie-on", "furniture"))
    host = Clause(subject, verb, draw.tense())
    return main_clause(host.add("spot", at_furniture(draw, where, "dat")))


def in_motion(draw: Chooser) -> Phrase:
    """The cat jumped onto the bed. She laid the book on the table."""
    verb = draw.pick(draw.lexicon.verbs_of("leap", "put"))
    host = Clause(draw.subject(verb), verb, draw.tense())
    where = {"place": "stand-on", "climb": "climbed"}.get(verb.english, "lie-on")
    if verb.frame == "put":
        host.parts.append(accusative(draw.known_noun(verb.objects, host.subject.owner)))
    place = at_furniture(draw, where, "acc")
    if verb.frame == "leap":
        onto, *rest = place.english
        place = place._replace(english=(onto._replace(text="onto"), *rest))
    return timed(draw, host.add("goal", place), 0.3 if host.tense == "past" else 0)


def something(draw: Chooser) -> Phrase:
    """She found something to read. He gave the child something to eat."""
    names = ("find", "buy", "need", "look for", "have", "give", "bring", "order")
    verb = draw.lexicon.verb(draw.pick(names))
    host = Clause(draw.someone(), verb, draw.tense())
    if verb.frame == "give":
        host.parts.append(dative(draw.whom(("person", "kin", "kin"), host.subject)))
    host.add("indefinite", something_to(draw, "" if verb.english != "order" else "eat"))
    return timed(draw, host, 0.5 if host.tense == "past" and "state" not in verb.flags else 0)


def origin(draw: Chooser) -> Phrase:
    """Her uncle comes from Switzerland."""
    verb = draw.lexicon.verbs_of("origin")[0]
    home = region(draw.pick(draw.lexicon.names_of("city", "country")), "from")
    host = clause(draw, verb, negated=draw.chance(0.15))
    return main_clause(host.add("goal", home))


# What people do, in the shorthand of `scenes`: because of the weather, despite it, and meanwhile.
_GENITIVE_SCENES = (
    (
        "because of", "wegen", ("elements",),
        ("stay:hotel,living room", "stay@at home", "cancel:trip,concert,party", "come back",
         "take:bus,train,tram,taxi", "wait:bus,train,taxi", "run:station,bus stop,school"),
    ),
    (
        "despite", "trotz", ("elements",),
        ("go out", "go:garden,beach,zoo,park,market", "stay@outside", "work:garden,farm", "smile",
         "drive@home", "sleep@outside", "wait@outside"),
    ),
    (
        "during", "während", ("show", "meeting", "wedding", "season", "journey", "exam", "course"),
        ("fall asleep", "laugh", "smile", "help", "think", "disturb", "talk", "cry"),
    ),
)  # fmt: skip


def with_genitive(draw: Chooser) -> Phrase:
    """Because of the rain, they took the bus. During the concert, he fell asleep."""
    source, target, kinds, activities = draw.pick(_GENITIVE_SCENES)
    noun = draw.pick(draw.lexicon.nouns_of(*kinds))
    front = pair(source, target) + noun_phrase(noun, the).render("gen")
    return main_clause(activity(draw, draw.pick(activities), draw.someone(), "past"), front)
