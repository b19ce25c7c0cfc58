"""Sentences with relative clauses: who, that, in which, whose."""

from tools.demo_grammar import german
from tools.demo_grammar.chooser import Chooser
from tools.demo_grammar.clauses import Clause, main_clause, subordinate
from tools.demo_grammar.complex_sentences import COMMA
from tools.demo_grammar.deeds import deed
from tools.demo_grammar.descriptions import be, quality
from tools.demo_grammar.lexicon import Noun
from tools.demo_grammar.noun_phrases import NounPhrase, bare, noun_phrase, the
from tools.demo_grammar.phrases import Phrase, pair


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
    """The man who sold the car is rich. I know the woman who bought the house."""
    noun = draw.pick(draw.lexicon.nouns_of("person", "job"))
    plural = draw.chance(0.25) and draw.countable(noun)
    head = draw.described(noun, the, 0.1, plural)._replace(owner="")
    kind = draw.tense("past", "past", "present", "perfect", "perfect")
    inner = deed(draw, head, "daily" if kind == "present" else "", tense=kind)
    who = relative_pronoun("who", "nom", "p" if plural else noun.gender)
    relative = subordinate(inner, who, subject_opens=True)
    if draw.chance(0.5):
        return _described(draw, _with_relative(head, relative), noun)
    return _someone_met(draw, head) + COMMA + relative


def _someone_met(draw: Chooser, whom: NounPhrase) -> Phrase:
    names = ("know", "see", "meet", "look for", "thank", "help", "admire")
    verb = draw.lexicon.verb(draw.pick(names))
    host = Clause(draw.someone(), verb, "past" if verb.english != "know" else "present")
    return main_clause(host.add("definite", whom.render(verb.frame)))


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
    """She knows the man whose car is broken."""
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
    is_so = be(draw, noun_phrase(thing, bare), pair(word.english, word.german), "present")
    relative = subordinate(is_so, opening)
    return _someone_met(draw, head) + COMMA + relative
