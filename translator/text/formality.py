"""Which forms of address a text shows: "Sie" is formal in German, "du" and "ihr" are informal.

The table ``formality`` of a language has regular expressions for each form, for beginnings that are
formal where the source addresses somebody (opening), as "Sie" may be "they", for beginnings that
address nobody (none), and for sources that surely address somebody (address).
"""

import functools
import re
from collections.abc import Collection

from translator.base.languages import language_table

FORMS = ("formal", "informal")  # the tags of a model that has learnt both


def has_formality(tags: Collection[str]) -> bool:
    """Whether a model with these tags can write the form of address that is asked for."""
    return set(FORMS).issubset(tags)


def forms_of(text: str, language: str, source: str = "", source_language: str = "") -> list[str]:
    """The forms of address of a text, in the order in which it shows them first.

    Args:
        source: what the text translates, which may make clear whom a pronoun means.
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
    table = language_table(language, "formality")
    return {name: re.compile(pattern) for name, pattern in table.items()}
