"""Sentences that say what someone or something is, has, costs, or is admired as."""

from collections.abc import Callable

from tools.demo_grammar import english
from tools.demo_grammar import numbers_and_times as times
from tools.demo_grammar.chooser import Chooser, owners_of
from tools.demo_grammar.circumstances import at_place, region
from tools.demo_grammar.clauses import Clause, main_clause
from tools.demo_grammar.deeds import accusative
from tools.demo_grammar.lexicon import Adjective, Noun
from tools.demo_grammar.noun_phrases import (
    NounPhrase,
    a,
    bare,
    none_at_all,
    noun_phrase,
    possessive,
    pronoun,
    the,
)
from tools.demo_grammar.phrases import Concept, Phrase, pair, words


def be(draw: Chooser, subject: NounPhrase, predicate: Phrase, tense: str) -> Clause:
    """Returns "subject is predicate"."""
    return Clause(subject, draw.lexicon.verb("be"), tense).add("predicate", predicate)


def quality(draw: Chooser, noun: Noun) -> Phrase:
    """Draws an adjective for the noun, sometimes with "very"."""
    return graded(draw, draw.pick(draw.lexicon.adjectives_for(noun)))


def graded(draw: Chooser, word: Adjective) -> Phrase:
    """Returns an adjective as a predicate, sometimes with "very" or "too"."""
    phrase = pair(word.english, word.german)
    if "absolute" in word.flags or not draw.chance(0.35):
        return phrase
    too = "excess" in word.flags and draw.chance(0.5)
    return (pair("too", "zu") if too else draw.adverb("degree")) + phrase


def thing_is(draw: Chooser) -> Phrase:
    """The soup is very hot. My shoes were not expensive."""
    word = draw.pick(draw.lexicon.adjectives)
    noun = draw.pick([noun for noun in draw.lexicon.nouns if word.kinds & noun.kinds] or [None])
    if noun is None or noun.kinds & {"person", "job"}:
        return thing_is(draw)
    own = owners_of(noun) and draw.chance(0.3)
    plural = draw.chance(0.25) and draw.countable(noun)
    subject = noun_phrase(noun, possessive(draw.pick(owners_of(noun))) if own else the, (), plural)
    return _is_or_is_not(draw, subject, graded(draw, word))


def _is_or_is_not(draw: Chooser, subject: NounPhrase, predicate: Phrase) -> Phrase:
    """Returns a statement, sometimes negated."""
    host = be(draw, subject, predicate, draw.tense())
    plain = len(predicate.english) == 1
    host.negation = Concept() if plain and draw.chance(0.25) else None
    return main_clause(host)


def person_is(draw: Chooser) -> Phrase:
    """My sister was tired. Anna is often sad."""
    predicate = quality(draw, draw.lexicon.noun("man"))
    if draw.chance(0.8):
        return _is_or_is_not(draw, draw.someone(), predicate)
    host = be(draw, draw.someone(), predicate, draw.tense())
    return main_clause(host.add("mid-adverb", draw.adverb("frequency")))


_COMPARED = (
    "clothes", "furniture", "vehicle", "transport", "sight", "reading", "showing", "machine",
    "event",
)  # fmt: skip


def comparison(draw: Chooser) -> Phrase:
    """The train is faster than the bus. My brother is as old as his friend."""
    if draw.chance(0.4):
        noun = draw.lexicon.noun("man")
        subject, other = draw.someone(), draw.pick((draw.named, draw.relative))()
        word = _gradable(draw, noun)
    else:
        kind = draw.pick(_COMPARED)
        noun, second = (draw.pick(draw.lexicon.nouns_of(kind)) for _ in range(2))
        word = _gradable(draw, noun)
        if noun is second or word not in draw.lexicon.adjectives_for(second):
            return comparison(draw)
        own = owners_of(noun) and draw.chance(0.3)
        subject = noun_phrase(noun, possessive(draw.pick(owners_of(noun))) if own else the)
        other = noun_phrase(second, the)
    if word is None:
        return comparison(draw)
    predicate = _compared(draw, word) + other.render("nom")
    return main_clause(be(draw, subject, predicate, draw.tense()))


def _gradable(draw: Chooser, noun: Noun) -> Adjective | None:
    options = draw.lexicon.adjectives_for(noun)
    graded = [word for word in options if word.german_comparative != "-"]
    return draw.pick(graded) if graded else None


def _compared(draw: Chooser, word: Adjective) -> Phrase:
    if draw.chance(0.7):
        more = pair(english.comparative(word), word.german_comparative, "comparatives")
        return more + pair("than", "als")
    return pair("as", "so") + pair(word.english, word.german, "comparatives") + pair("as", "wie")


# Professions ------------------------------------------------------------------------------------


def role(job: Noun, adjectives: tuple[Adjective, ...], case: str, whose: NounPhrase) -> Phrase:
    """Returns "a great director" / "großartige Regisseurin": German has no article here.

    Args:
        job: The profession.
        adjectives: Adjectives before it.
        case: German case.
        whose: The person; gender and number follow it.
    """
    plural = whose.english_person == "3pl"
    phrase = noun_phrase(job, bare, adjectives, plural, whose.owner == "3sg.f").render(case)
    if not plural:
        phrase = Phrase(words(english.indefinite_article(phrase.english[0].text))) + phrase
    return phrase.labelled("professions")


def man_or_woman(draw: Chooser, owner: str = "") -> NounPhrase:
    """Draws people whose gender or number the English words show."""
    drawn: Callable[[], NounPhrase] = draw.weighted(
        (35, lambda: pronoun(draw.pick(("3sg.m", "3sg.f", "3sg.m", "3sg.f", "3pl")))),
        (45, draw.named),
        (20, lambda: draw.relative(owner)),
    )
    person = drawn()
    return person if person.owner else man_or_woman(draw, owner)


def profession(draw: Chooser) -> Phrase:
    """His sister is a good doctor. Peter became a teacher. She works as a cook."""
    subject, job = man_or_woman(draw), draw.pick(draw.lexicon.nouns_of("job"))
    name = draw.pick(("be", "be", "become", "work"))
    adjectives = draw.adjective(job, "as" if draw.chance(0.5) else "")
    modal = "want to" if name == "become" and draw.chance(0.4) else ""
    tense = "past" if name == "become" and not modal else draw.tense()
    host = Clause(
        subject, draw.lexicon.verb(name), tense, draw.lexicon.verb(modal) if modal else None
    )
    if name == "work":
        return main_clause(host.add("as", pair("as", "als") + role(job, (), "nom", subject)))
    if draw.chance(0.5) or subject.english_person == "3pl":
        return main_clause(host.add("predicate", role(job, (), "nom", subject)))
    predicate = noun_phrase(job, a, adjectives, False, subject.owner == "3sg.f").render("nom")
    if not adjectives:
        predicate = role(job, (), "nom", subject)
    return main_clause(host.add("predicate", predicate.labelled("professions")))


_AS_VERBS = ("admire", "admire", "praise", "respect", "introduce", "hire", "describe")


def admired_as(draw: Chooser) -> Phrase:
    """He admired her as a great director. Anna introduced them as experienced pilots."""
    verb = draw.pick(_AS_VERBS)
    job = draw.pick(draw.lexicon.nouns_of(draw.pick(("stage", "art", "job"))))
    adjectives = draw.adjective(job, "as") if draw.chance(0.9) else ()
    if draw.chance(0.15):
        adjectives = (draw.lexicon.adjective("great"),)
    if verb == "hire":  # nobody is hired as a great cook
        job = draw.pick([noun for noun in draw.lexicon.nouns_of("job") if "art" not in noun.kinds])
        adjectives = ()
    subject, seen = man_or_woman(draw) if verb == "hire" else draw.someone(), man_or_woman(draw)
    while seen.weight == "pronoun" and seen.person == subject.person:
        seen = man_or_woman(draw)
    tense = draw.tense("past", "past", "past", "present", "perfect")
    host = as_clause(draw, subject, verb, seen, job, adjectives, tense)
    if tense == "perfect" and verb in ("admire", "respect", "praise"):
        host.add("as-adverb", pair("always", "immer"))
    return main_clause(host)


def as_clause(
    draw: Chooser,
    subject: NounPhrase,
    verb: str,
    seen: NounPhrase,
    job: Noun,
    adjectives: tuple[Adjective, ...],
    tense: str = "past",
) -> Clause:
    """Returns "X admired Y as a great director"; the job agrees with Y."""
    host = Clause(subject, draw.lexicon.verb(verb), tense)
    host.parts.append(accusative(seen))
    phrase = pair("as", "als") + role(job, adjectives, "acc", seen)
    return host.add("as", phrase.labelled("as-phrases"))


# Numbers, genitives, existence ------------------------------------------------------------------


def age(draw: Chooser) -> Phrase:
    """My brother is 18 years old. The girl was seven years old."""
    digits = str(draw.pick((*range(13, 23), 25, 30, 35, 40, 45, 50, 60, 70, 80)))
    subject, number = draw.someone(), pair(digits, digits, "numbers-in-digits")
    if draw.chance(0.4):
        subject, number = draw.known_noun(_OF_FEW_YEARS), pair(*draw.small_number())
    phrase = number + pair("years", "Jahre") + pair("old", "alt")
    return main_clause(be(draw, subject, phrase, draw.tense()))


_OF_FEW_YEARS = ("young", "pet", "son", "daughter", "nephew", "niece")


def price(draw: Chooser) -> Phrase:
    """The coat costs 150 euros. This car cost 12,500 euros."""
    noun = draw.pick(draw.lexicon.nouns_of("clothes", "furniture", "machine", "gift", "vehicle"))
    if "vehicle" in noun.kinds and noun.english != "bicycle":
        count = draw.pick(("4,500", "8,000", "9,500", "12,000", "15,500", "20,000"))
    elif "gift" in noun.kinds:
        count = draw.pick(("2.50", "4.50", "7.90", "9.50", "12.50", "14.90", "19.90"))
    else:
        count = str(draw.pick((30, 40, 50, 60, 80, 100, 120, 150, 200, 250)))
    number = pair(count, times.german_number(count), "numbers-in-digits")
    host = Clause(draw.described(noun, the, 0.3), draw.lexicon.verb("cost"), draw.tense())
    return main_clause(host.add("predicate", number + pair("euros", "Euro")))


# Parts and properties, what they belong to, and verbs that fit them.
_PARTS = {
    "colour": ("car door coat dress house carpet flower lamp", "like describe forget"),
    "price": ("car house bicycle computer coat ring guitar", "know forget"),
    "roof": ("house church school museum castle station hotel", "see repair be"),
    "wall": ("kitchen bathroom bedroom cellar office", "clean be"),
    "door": ("house car church school hotel office", "open close be"),
    "window": ("house train bus kitchen school office", "open close clean"),
    "owner": ("dog cat horse house car hotel shop restaurant", "know look-for call"),
    "title": ("book film novel song poem story", "know forget like"),
    "end": ("book film novel story concert game journey", "like forget see"),
    "beginning": ("book film novel story concert lecture journey", "like forget see"),
    "history": ("city village castle church island museum", "know like learn"),
    "key": ("house car flat suitcase hotel", "lose find look-for"),
}
_KIN = ("brother", "sister", "father", "mother", "son", "daughter", "friend")
_ADULTS = "man woman gentleman lady student teacher doctor neighbour friend colleague"
_COLOURS = ("old", "new", "white", "green", "red")


def genitive(draw: Chooser) -> Phrase:
    """She likes the colour of the car. The son of the teacher was ill."""
    head = draw.pick((*_PARTS, *_KIN))
    wholes, verbs = _PARTS.get(head, (_ADULTS, "know call visit be"))
    if head in _KIN[:4]:
        wholes += " child boy girl pupil"
    whole = draw.described(draw.pick(draw.lexicon.nouns_of(*wholes.split())), the, 0.2)
    noun = draw.lexicon.noun(head)

    def render(case: str) -> Phrase:
        of = Phrase(words("of"))
        return noun_phrase(noun, the).render(case) + of + whole.render("gen")

    part = NounPhrase(f"3sg.{noun.gender}", "definite", render)
    verb = draw.pick(verbs.split()).replace("-", " ")
    if verb == "be":
        predicate = quality(draw, draw.lexicon.noun("man"))
        if head in _PARTS:
            predicate = graded(draw, draw.lexicon.adjective(draw.pick(_COLOURS)))
        return main_clause(be(draw, part, predicate, draw.tense()))
    host = Clause(draw.someone(), draw.lexicon.verb(verb), draw.tense())
    return main_clause(host.add("definite", part.render("acc")))


def existence(draw: Chooser) -> Phrase:
    """There are many museums in Berlin. There is no milk in the fridge."""
    lexicon = draw.lexicon
    if draw.chance(0.5):
        place = region(draw.pick(lexicon.names_of("city")), "in")
        noun = draw.pick(lexicon.nouns_of("town", "sight"))
    else:
        place = at_place(draw, draw.pick(lexicon.nouns_of("village", "city", "room", "office")))
        indoors = not {word.text for word in place.english}.isdisjoint(("village", "city"))
        noun = draw.pick(lexicon.nouns_of("town") if indoors else lexicon.nouns_of("furniture"))
    plural = draw.chance(0.6)
    determiner = draw.weighted((5, draw.how_many(noun)), (2, none_at_all)) if plural else a
    if not plural and draw.chance(0.3):
        determiner = none_at_all
    inner = draw.described(noun, determiner, 0.25, plural).render("acc")
    verb, there = pair("are" if plural else "is", "gibt"), pair("there", "es")
    source = there.english + verb.english + inner.english + place.english
    target = place.german + verb.german + there.german + inner.german
    return Phrase(source, target, (*inner.labels, *place.labels, "verb-second"))
