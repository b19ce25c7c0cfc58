"""Titles before the names of persons, with the pronouns that stand in the same place.

A pronoun tells the case: who is "him" in English is "ihn" or "ihm" in German, and "Herrn Smith".
"""

from typing import NamedTuple

from translator.base.languages import language_facts


class Role(NamedTuple):
    """A person in a sentence.

    Attributes:
        pronouns: that stand for the person.
        titles: that may stand before the name there, the usual one first.
    """

    pronouns: tuple[str, ...]
    titles: tuple[str, ...]


MR, MS = ("Mr.", "Mr"), ("Ms.", "Mrs.", "Miss", "Ms", "Mrs")
ROLES = {  # a man as the subject, a man as an object, and a woman as the subject
    "en": (Role(("he",), MR), Role(("him",), MR), Role(("she",), MS)),
    "de": (Role(("er",), ("Herr",)), Role(("ihn", "ihm"), ("Herrn",)), Role(("sie",), ("Frau",))),
}

# All titles, without points
TITLES = frozenset(
    title.rstrip(".") for roles in ROLES.values() for role in roles for title in role.titles
)


def roles_of(language: str) -> tuple[Role, ...]:
    """The roles of persons in a language; none where they are not known."""
    return ROLES.get(language_facts(language).code, ())
