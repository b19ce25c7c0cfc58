"""What people do at a place or in a situation, for sentences about reasons and errands.

`data/scenes.tsv` lists activities in a shorthand: "buy:food,drink" is a verb with kinds of object,
"stay@at home" a verb with an adverb, "buy+something" means "buy something to drink" or the like.
"""

import csv
import re
from functools import cache
from importlib import resources
from typing import NamedTuple

from tools.demo_grammar.chooser import Chooser
from tools.demo_grammar.clauses import Clause, infinitive
from tools.demo_grammar.deeds import clause
from tools.demo_grammar.noun_phrases import NounPhrase, pronoun
from tools.demo_grammar.phrases import Phrase, pair


class Scene(NamedTuple):
    """A place or a situation and what people do there.

    Attributes:
        kind: "errand" (a place), "state" or "trait" (of a person) or "weather".
        key: The noun, adjective or verb that names it.
        activities: Activities in shorthand.
    """

    kind: str
    key: str
    activities: tuple[str, ...]

    def clause(self, draw: Chooser, subject: NounPhrase, tense: str) -> Clause:
        """Returns the situation as a clause: "he was tired", "it rained"."""
        lexicon = draw.lexicon
        if self.key in ("rain", "snow"):
            return Clause(weather_it(), lexicon.verb(self.key), tense)
        who = weather_it() if self.kind == "weather" else subject
        word = lexicon.adjective(self.key)
        clause = Clause(who, lexicon.verb("be"), tense)
        return clause.add("predicate", pair(word.english, word.german))


def weather_it() -> NounPhrase:
    """Returns the "it" of "it rains"."""
    return NounPhrase("3sg.n", "pronoun", lambda case: pair("it", "es"))


@cache
def _scenes() -> tuple[Scene, ...]:
    path = resources.files(__package__) / "data" / "scenes.tsv"
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines(), delimiter="\t")
    return tuple(
        Scene(row["kind"], row["key"], tuple(row["activities"].split("; "))) for row in rows
    )


@cache
def errands() -> tuple[Scene, ...]:
    """Places that people go to for something."""
    return tuple(scene for scene in _scenes() if scene.kind == "errand")


@cache
def situations(*kinds: str) -> tuple[Scene, ...]:
    """Reasons for doing something: "state", "trait" or "weather"."""
    return tuple(scene for scene in _scenes() if scene.kind in kinds)


def activity(
    draw: Chooser, shorthand: str, subject: NounPhrase, tense: str = "present", modal: str = ""
) -> Clause:
    """Returns the clause that a shorthand stands for.

    Args:
        draw: The source of random choices.
        shorthand: Such as "buy:food,drink"; see above.
        subject: Who does it.
        tense: See `Clause`.
        modal: English modal verb, or "will".
    """
    verb_name, mark, rest = re.findall(r"^([^:@+]+)([:@+]?)(.*)$", shorthand)[0]
    verb = draw.lexicon.verb(verb_name)
    if mark == ":":
        kinds = tuple(kind.replace(" ", "-") for kind in rest.split(","))
        return clause(draw, verb, subject, kinds, tense=tense, modal=modal)
    if not mark and verb.frame not in ("spot", "goal", "prep"):
        return clause(draw, verb, subject, tense=tense, modal=modal)
    host = Clause(subject, verb, tense, draw.lexicon.verb(modal) if modal else None)
    if mark == "@":
        adverb = draw.lexicon.adverb(rest)
        host.add(adverb.kind, pair(adverb.english, adverb.german))
    elif mark == "+":
        host.add("indefinite", something_to(draw, rest.removeprefix("something")))
    return host


def something_to(draw: Chooser, verb_name: str = "") -> Phrase:
    """Returns "something to drink" / "etwas zu trinken", by default with any fitting verb."""
    verb = draw.lexicon.verb(verb_name or draw.pick(("eat", "drink", "read")))
    return pair("something", "etwas") + infinitive(Clause(pronoun("3sg.m"), verb)).labelled(
        "something-to"
    )
