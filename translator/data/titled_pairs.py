"""Persons with a title in place of a pronoun.

A pronoun tells the case: who is "him" in English is "ihn" or "ihm" in German, and "Herrn Smith".
Few corpora have many titles: "I saw him." teaches "Ich habe Herrn Smith gesehen.".
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.base.languages import language_table


class Role(NamedTuple):
    """A person in a sentence.

    Attributes:
        pronouns: that stand for the person, as regular expressions.
        titles: that may stand before the name there, the usual one first.
    """

    pronouns: tuple[str, ...]
    titles: tuple[str, ...]


ROLES = ("he", "him", "she", "her")  # a man and a woman, as the subject and as an object


def with_title(
    pair: tuple[str, str], languages: Sequence[str], name: str, generator: np.random.Generator
) -> tuple[str, str] | None:
    """A pair with a title and a name in place of a pronoun.

    Args:
        generator: draws one of several pronouns, and a title of the source. The translation has the
            usual one.

    Returns:
        The pair; None if no pronoun stands once on both sides.
    """
    found = []
    for roles in zip(*map(_roles_of, languages)):
        places = [
            list(re.finditer(rf"\b(?:{'|'.join(role.pronouns)})\b(?!['’-])", text, re.IGNORECASE))
            for role, text in zip(roles, pair)
        ]
        if [len(each) for each in places] == [1, 1]:
            found.append((roles, [place for [place] in places]))
    if not found:
        return None
    roles, (first, second) = found[generator.integers(len(found))]
    title = roles[0].titles[generator.integers(len(roles[0].titles))]
    return (
        f"{pair[0][: first.start()]}{title} {name}{pair[0][first.end() :]}",
        f"{pair[1][: second.start()]}{roles[1].titles[0]} {name}{pair[1][second.end() :]}",
    )


def _roles_of(language: str) -> tuple[Role, ...]:
    """The roles of persons in a language; none where they are not known."""
    table = language_table(language, "persons")
    return tuple(Role(**table[role]) for role in ROLES) if table else ()
