"""Finds forms of address in a text: "Sie" is formal in German, "du" and "ihr" are informal.

The table ``formality`` of a language has regular expressions for each form, and three others:
beginnings that are formal only if the source addresses somebody, because "Sie" may be "they"
(opening), beginnings that address nobody (none), and sources that address somebody (address).
"""

import functools
import re
from collections.abc import Collection

from translator.base.languages import language_table
from translator.base.late import late_pattern

FORMS = ("formal", "informal")  # the tags of a model that has learnt both


def has_formality(tags: Collection[str]) -> bool:
    """Whether a model with these tags can write a requested form of address."""
    return set(FORMS).issubset(tags)


def forms_of(text: str, language: str, source: str = "", source_language: str = "") -> list[str]:
    """The forms of address of a text, in the order of their first occurrences.

    Args:
        source: the text that was translated. It may show whom a pronoun means.
    """
    patterns, address = _patterns(language), _patterns(source_language).get("address")
    matches = {form: patterns[form].search(text) for form in FORMS if form in patterns}
    if "opening" in patterns and address and address.match(source):
        matches["formal"] = patterns["opening"].search(text) or matches["formal"]
    starts = {form: match.start() for form, match in matches.items() if match}
    return sorted(starts, key=starts.__getitem__)


def addresses_nobody(text: str, language: str) -> bool:
    """Whether a sentence without a form of address would be the same in any form."""
    pattern = _patterns(language).get("none")
    return pattern is not None and pattern.match(text) is not None


@functools.cache
def _patterns(language: str) -> dict[str, re.Pattern[str]]:
    return {key: late_pattern(text) for key, text in language_table(language, "formality").items()}
