"""Sentences that say what someone or something is, has, costs, or is admired as."""

from translator.corpora.demo import english
from translator.corpora.demo import numbers_and_times as times
from translator.corpora.demo.chooser import COUNTED, OWNABLE, OWNERS, Chooser
from translator.corpora.demo.circumstances import at_place, region
from translator.corpora.demo.clauses import Clause, main_clause
from translator.corpora.demo.deeds import accusative
from translator.corpora.demo.lexicon import Adjective, Noun
from translator.corpora.demo.noun_phrases import (
    NounPhrase,
    a,
    bare,
    many,
    no,
    noun_phrase,
    possessive,
    pronoun,
    some,
    the,
)
from translator.corpora.demo.phrases import Concept, Phrase, pair, words


def be(draw: Chooser, subject: NounPhrase, predicate: Phrase, tense: str) -> Clause:
    """Returns "subject is predicate"."""
    return Clause(subject, draw.lexicon.verb("be"), tense).add("predicate", predicate)


def quality(draw: Chooser, noun: Noun, graded: bool = True) -> Phrase:
    """Draws an adjective for the noun, sometimes with "very"."""
    word = draw.pick(draw.lexicon.adjectives_for(noun))
    phrase = pair(word.english, word.german)
    if not graded or word.german_comparative == "-" or not draw.chance(0.35):
        return phrase
    too = "excess" in word.flags and draw.chance(0.5)
    return (pair("too", "zu") if too else draw.adverb("degree")) + phrase


def thing_is(draw: Chooser) -> Phrase:
    """The soup is very hot. My shoes were not expensive."""
    noun = draw.pick([noun for noun in draw.lexicon.nouns if draw.lexicon.adjectives_for(noun)])
    own = not noun.kinds.isdisjoint(OWNABLE) and draw.chance(0.3)
    plural = noun.countable and draw.chance(0.25)
    subject = noun_phrase(noun, possessive(draw.pick(OWNERS)) if own else the, (), plural)
    host = be(draw, subject, quality(draw, noun), draw.tense())
    host.negation = Concept() if draw.chance(0.15) else None
    return main_clause(host)


def person_is(draw: Chooser) -> Phrase:
    """My sister was tired. Anna is often sad."""
    predicate = quality(draw, draw.lexicon.noun("man"))
    host = be(draw, draw.someone(), predicate, draw.tense())
    if draw.chance(0.2):
        return main_clause(host.add("mid-adverb", draw.adverb("frequency")))
    host.negation = Concept() if draw.chance(0.2) else None
    return main_clause(host)


_COMPARED = "animal clothes furniture vehicle transport sight text film machine event".split()


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
        own = draw.chance(0.3) and not noun.kinds.isdisjoint(OWNABLE)
        subject = noun_phrase(noun, possessive(draw.pick(OWNERS)) if own else the)
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
    """Draws someone of whom English says whether it is a man or a woman, or several people."""
    person = draw.weighted(
        (35, lambda: pronoun(draw.pick(("3sg.m", "3sg.f", "3sg.m", "3sg.f", "3pl")))),
        (45, draw.named),
        (20, lambda: draw.relative(owner)),
    )()
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
    job = draw.pick(draw.lexicon.nouns_of("art" if draw.chance(0.5) else "job"))
    adjectives = draw.adjective(job, "as") if draw.chance(0.85) else ()
    subject, seen = draw.someone(), man_or_woman(draw)
    while seen.weight == "pronoun" and seen.person == subject.person:
        seen = man_or_woman(draw)
    verb = draw.pick(_AS_VERBS)
    tense = draw.tense("past", "past", "past", "present", "perfect")
    return main_clause(as_clause(draw, subject, verb, seen, job, adjectives, tense))


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
    """My brother is 12 years old."""
    digits = str(draw.pick(range(13, 90)))
    number = pair(digits, digits, "numbers-in-digits")
    if draw.chance(0.4):
        number = pair(*draw.small_number())
    phrase = number + pair("years", "Jahre") + pair("old", "alt")
    return main_clause(be(draw, draw.someone(), phrase, draw.tense()))


def price(draw: Chooser) -> Phrase:
    """The coat costs 150 euros. This car cost 12,500 euros."""
    noun = draw.pick(draw.lexicon.nouns_of("clothes", "furniture", "machine", "gift", "vehicle"))
    if "vehicle" in noun.kinds and noun.english != "bicycle":
        count = f"{draw.pick(range(5, 30))},{draw.pick(('000', '500'))}"
    elif "gift" in noun.kinds:
        count = f"{draw.pick(range(2, 20))}.{draw.pick(('50', '90'))}"
    else:
        count = str(draw.pick(range(20, 300, 10)))
    number = pair(count, times.german_number(count), "numbers-in-digits")
    host = Clause(draw.described(noun, the, 0.3), draw.lexicon.verb("cost"), draw.tense())
    return main_clause(host.add("predicate", number + pair("euros", "Euro")))


_WHOLES = {
    "colour": ("clothes", "furniture", "vehicle", "opening"),
    "price": ("clothes", "furniture", "vehicle", "machine"),
    "roof": ("building", "home"),
    "wall": ("room", "building"),
    "door": ("building", "room", "car"),
    "window": ("building", "room", "train"),
    "owner": ("building", "vehicle", "pet"),
    "title": ("story", "film", "song"),
    "end": ("story", "film", "event"),
    "beginning": ("story", "film", "event"),
    "history": ("settlement", "sight"),
    "key": ("home", "car", "suitcase", "motorcycle"),
}


def part_of(draw: Chooser, *heads: str) -> NounPhrase:
    """Draws "the colour of the car" or "the friend of the boy"."""
    noun = draw.lexicon.noun(draw.pick(heads or tuple(_WHOLES)))
    whole = draw.pick(draw.lexicon.nouns_of(*_WHOLES.get(noun.english, ("person", "job"))))
    inner = draw.described(whole, the, 0.2)

    def render(case: str) -> Phrase:
        of = Phrase(words("of"))
        return noun_phrase(noun, the).render(case) + of + inner.render("gen")

    return NounPhrase(f"3sg.{noun.gender}", "definite", render)


_RELATIVES = ("brother", "sister", "father", "mother", "son", "daughter", "friend", "dog", "house")
_SEEN = ("describe", "see", "like", "know", "forget", "remember")


def genitive(draw: Chooser) -> Phrase:
    """She likes the colour of the car. The son of the teacher was ill."""
    kind = draw.pick(("person", "thing", "object", "object"))
    if kind == "person":
        subject = part_of(draw, *_RELATIVES[:7])
        return main_clause(be(draw, subject, quality(draw, draw.lexicon.noun("man")), draw.tense()))
    if kind == "thing":
        head = draw.pick(("roof", "door", "window"))
        adjectives = ("old", "new", "beautiful", "red", "white", "green")
        word = draw.lexicon.adjective(draw.pick(adjectives))
        predicate = pair(word.english, word.german)
        return main_clause(be(draw, part_of(draw, head), predicate, draw.tense()))
    verb, heads = draw.pick(
        (
            ("know", (*_RELATIVES, "owner", "end", "history", "title", "price")),
            ("see", (*_RELATIVES, "roof", "end", "beginning", "owner")),
            ("like", ("colour", "end", "beginning", "title", "history")),
            ("forget", ("title", "colour", "price", "end")),
            ("clean", ("window", "door", "wall")),
            ("look for", ("key", "owner", "dog")),
            ("visit", (*_RELATIVES[:7],)),
        )
    )
    host = Clause(draw.someone(), draw.lexicon.verb(verb), draw.tense())
    return main_clause(host.add("definite", part_of(draw, *heads).render("acc")))


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
    negation = Concept() if draw.chance(0.2) else None
    plural = draw.chance(0.6)
    if negation:
        determiner = no(negation, article=not plural)
    elif plural:
        determiner = draw.how_many(noun) if noun.kinds & COUNTED else draw.pick((many, some))
    else:
        determiner = a
    inner = draw.described(noun, determiner, 0.25, plural).render("acc")
    verb, there = pair("are" if plural else "is", "gibt"), pair("there", "es")
    not_word = words("not", negation) if negation else ()
    source = there.english + verb.english + not_word + inner.english + place.english
    target = place.german + verb.german + there.german + inner.german
    return Phrase(source, target, (*inner.labels, *place.labels, "verb-second"))
