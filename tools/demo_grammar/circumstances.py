"""Random choices of where and when something happens."""

from collections.abc import Callable

from tools.demo_grammar import numbers_and_times as times
from tools.demo_grammar.chooser import Chooser
from tools.demo_grammar.lexicon import Entry, Noun, Verb
from tools.demo_grammar.noun_phrases import prepositional, the
from tools.demo_grammar.phrases import Phrase, pair, words

TWO_WAY = "two-way-prepositions"
_REGION_PREPOSITIONS = {"to": "nach", "in": "in", "from": "aus"}


def at_place(draw: Chooser, noun: Noun) -> Phrase:
    """Returns where something happens: "in the old church"."""
    source, being, _ = noun.place
    return prepositional(source, being, "dat", draw.described(noun, the, 0.15)).labelled(TWO_WAY)


def to_place(draw: Chooser, noun: Noun, adjective: float = 0.15) -> Phrase:
    """Returns where something leads: "to the old church"."""
    going, inner = noun.place[2], draw.described(noun, the, adjective)
    if going == "zu":
        return prepositional("to", going, "dat", inner)
    return prepositional("to", going, "acc", inner).labelled(TWO_WAY)


def region(entry: Entry, way: str) -> Phrase:
    """Returns a city or country after "to", "in" or "from", with its article if it has one.

    Args:
        entry: The name; "in Switzerland" is "in der Schweiz".
        way: The English preposition.
    """
    if not entry.article:
        phrase = pair(way, _REGION_PREPOSITIONS[way], "names")
        for source, target in zip(entry.english.split(), entry.german.split(), strict=True):
            phrase += pair(source, target)
        return phrase
    case, label = ("acc", "accusative") if way == "to" else ("dat", "dative")
    article = the(case, entry.article, "")[0]
    name = entry.german + ("n" if case == "dat" and entry.german.endswith("e") else "")
    bare_name = entry.english.removeprefix("the ")
    if bare_name == entry.english:
        article = Phrase((), article.german)
    return (
        pair(way, "aus" if way == "from" else "in")
        + article
        + pair(bare_name, name, "names", label)
    )


def destination(draw: Chooser, verb: Verb) -> Phrase:
    """Draws where the verb leads: a place, a city or a country."""
    regions = draw.lexicon.names_of(*verb.objects)
    nouns = [noun for noun in draw.lexicon.nouns_of(*verb.objects) if noun.place]
    if regions and (not nouns or draw.chance(0.7)):
        return region(draw.pick(regions), "to")
    return to_place(draw, draw.pick(nouns))


def location(draw: Chooser, verb: Verb) -> Phrase:
    """Draws where the verb happens."""
    if verb.english in ("live", "work") and draw.chance(0.5):
        return region(draw.pick(draw.lexicon.names_of("city", "country")), "in")
    noun = draw.pick([noun for noun in draw.lexicon.nouns_of(*verb.objects) if noun.place])
    if not verb.preposition:
        return at_place(draw, noun)
    source, target, case = verb.preposition
    return prepositional(source, target, case, draw.described(noun, the, 0.2)).labelled(TWO_WAY)


def at_furniture(draw: Chooser, kind: str, case: str) -> Phrase:
    """Draws "on the table" or, for furniture at large, "under the table", "next to the bed"."""
    source, target = "on", "auf"
    if kind == "furniture":
        source, target = draw.pick((("under", "unter"), ("behind", "hinter"), ("next to", "neben")))
    nouns = [noun for noun in draw.lexicon.nouns_of(kind) if source == "on" or _roomy(noun)]
    inner = draw.described(draw.pick(nouns), the, 0.2)
    return prepositional(source, target, case, inner).labelled(TWO_WAY)


def _roomy(noun: Noun) -> bool:
    """Whether things can be under and behind a piece of furniture."""
    return noun.kinds.isdisjoint(("carpet", "lamp", "mirror"))


def clock(draw: Chooser) -> Phrase:
    """Draws a time of day."""
    hour = draw.pick(range(1, 13))
    drawn: Callable[[], Phrase] = draw.weighted(
        (40, lambda: times.digital_clock(hour, draw.pick(times.MINUTES))),
        (20, lambda: times.full_hour(hour)),
        (22, lambda: times.half_hour(hour)),
        (18, lambda: times.quarter_hour(max(hour, 2), draw.chance(0.5))),
    )
    return drawn()


def calendar(draw: Chooser) -> Phrase:
    """Draws a weekday, a part of the day or a date."""
    weekday, daypart, month = draw.pick(range(7)), draw.pick(range(3)), draw.pick(range(12))
    drawn: Callable[[], Phrase] = draw.weighted(
        (35, lambda: times.on_weekday(weekday)),
        (20, lambda: times.on_weekday(weekday, daypart)),
        (12, lambda: times.in_daypart(daypart)),
        (33, lambda: times.on_date(draw.pick(times.DAYS), month)),
    )
    return drawn()


def long_ago(draw: Chooser) -> Phrase:
    """Draws "two years ago", "in 1998", "last summer" or "in May"."""
    drawn: Callable[[], Phrase] = draw.weighted(
        (30, lambda: times.ago(draw.pick(range(2, 13)), draw.pick(times.SPANS))),
        (30, lambda: times.in_year(draw.pick(times.YEARS))),
        (10, lambda: times.in_season(draw.pick(range(4)))),
        (15, lambda: times.in_month(draw.pick(range(12)))),
        (80, lambda: draw.adverb("long-past")),
    )
    return drawn()


def when_in_the_past(draw: Chooser, verb: Verb) -> Phrase:
    """Draws a time for a past event; only important events get a year."""
    if "long" in verb.flags or ("big" in verb.flags and draw.chance(0.6)):
        return long_ago(draw)
    drawn: Callable[[], Phrase] = draw.weighted(
        (40, lambda: draw.adverb("past")), (40, lambda: calendar(draw)), (20, lambda: clock(draw))
    )
    return drawn()


def when_in_the_future(draw: Chooser, verb: Verb) -> Phrase:
    """Draws a time for a future event."""
    if "long" in verb.flags or ("big" in verb.flags and draw.chance(0.5)):
        ahead = times.in_span(draw.pick(range(2, 13)), draw.pick(times.SPANS))
        return ahead if draw.chance(0.25) else draw.adverb("long-future")
    drawn: Callable[[], Phrase] = draw.weighted(
        (45, lambda: draw.adverb("future")), (40, lambda: calendar(draw)), (15, lambda: clock(draw))
    )
    return drawn()


def habitually(draw: Chooser, verb: Verb) -> Phrase:
    """Draws "every day", "in the evening" or, for verbs of travelling, "in winter"."""
    if verb.frame in ("goal", "spot") and draw.chance(0.4):
        return times.in_season(draw.pick(range(4)))
    return draw.adverb("habit") if draw.chance(0.7) else times.in_daypart(draw.pick(range(3)))


def duration(draw: Chooser) -> Phrase:
    """Draws "for three weeks" / "drei Wochen"."""
    span = draw.pick(times.SPANS)
    return Phrase(words("for")) + times.span_count(draw.pick(range(2, 13)), span)
