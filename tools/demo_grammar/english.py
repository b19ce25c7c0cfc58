"""English inflection: plurals, verb forms, comparatives, "a" and "an", pronouns."""

import re
from functools import cache

from tools.demo_grammar.lexicon import Adjective, Noun, Verb

_VOWELS = "aeiou"
# "umbrella" takes "an"; "university" and "euro" start with a consonant sound, "hour" does not.
_AN = re.compile(r"(?!uni|euro)[aeiou]|hon|hour")
_DOUBLED = re.compile(r"^[^aeiou]*[aeiou][bdgmnpt]$")

PRONOUNS = {
    # person: (subject, object, possessive)
    "1sg": ("I", "me", "my"),
    "2sg": ("you", "you", "your"),
    "3sg.m": ("he", "him", "his"),
    "3sg.f": ("she", "her", "her"),
    "3sg.n": ("it", "it", "its"),
    "1pl": ("we", "us", "our"),
    "3pl": ("they", "them", "their"),
}
_BE = {"1sg": ("am", "was"), "3sg": ("is", "was")}
_IRREGULAR_PRESENT = {"have": "has", "do": "does", "go": "goes"}
MODALS = frozenset({"can", "must", "may", "should", "will"})


def indefinite_article(next_word: str) -> str:
    """Returns "a" or "an", whichever the next word asks for."""
    return "an" if _AN.match(next_word.lower()) else "a"


def _with_s(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


@cache
def plural(noun: Noun) -> str:
    """Returns the plural of a noun: "knives", "classrooms", "parents"."""
    return noun.english if noun.gender == "p" else noun.plural or _with_s(noun.english)


@cache
def present(verb: Verb, person: str) -> str:
    """Returns the simple present, particle included.

    Args:
        verb: The verb.
        person: "1sg", "2sg", "3sg", "1pl" or "3pl".
    """
    head, _, rest = verb.english.partition(" ")
    if head == "be":
        head = _BE.get(person, ("are", "were"))[0]
    elif person == "3sg" and head not in MODALS:
        head = _IRREGULAR_PRESENT.get(head) or _with_s(head)
    return f"{head} {rest}".strip()


@cache
def past(verb: Verb, person: str) -> str:
    """Returns the simple past, particle included ("looked for")."""
    if verb.english == "be":
        return _BE.get(person, ("are", "were"))[1]
    return verb.past or _with_ed(verb.english)


@cache
def participle(verb: Verb) -> str:
    """Returns the past participle, particle included ("taken off")."""
    return verb.participle or _with_ed(verb.english)


def _with_ed(verb: str) -> str:
    head, _, rest = verb.partition(" ")
    if head.endswith("e"):
        head += "d"
    elif re.search(r"[^aeiou]y$", head):
        head = head[:-1] + "ied"
    else:
        head += head[-1] + "ed" if _DOUBLED.match(head) else "ed"
    return f"{head} {rest}".strip()


@cache
def comparative(adjective: Adjective) -> str:
    """Returns the comparative: "bigger", "funnier", "more important"."""
    word = adjective.english
    if adjective.comparative:
        return adjective.comparative
    if word.endswith("y"):
        return word[:-1] + "ier"
    if len(re.findall(f"[{_VOWELS}]+", word.removesuffix("e"))) > 1:
        return f"more {word}"
    if word.endswith("e"):
        return word + "r"
    return word + (word[-1] if _DOUBLED.match(word) else "") + "er"
