"""Which forms of address a text shows: "Sie" is formal in German, "du" and "ihr" are informal.

The table ``formality`` of a language has a regular expression for each form, and one for the
beginnings of sentences that address nobody (none).
"""

import functools
import re
from collections.abc import Collection

from translator.base.languages import language_table

FORMS = ("formal", "informal")  # the tags of a model that can be told which one to write


def can_be_told(tags: Collection[str]) -> bool:
    """Whether a model with these tags can be told which form to write."""
    return set(FORMS).issubset(tags)


def forms_of(text: str, language: str) -> list[str]:
    """The forms of address of a text, the one that it shows first before the other."""
    patterns = _patterns(language)
    found = {form: patterns[form].search(text) for form in FORMS if form in patterns}
    shown = {form: match.start() for form, match in found.items() if match}
    return sorted(shown, key=shown.__getitem__)


def addresses_nobody(text: str, language: str) -> bool:
    """Whether a sentence without a form of address would be the same in any form."""
    patterns = _patterns(language)
    return "none" in patterns and patterns["none"].match(text) is not None


@functools.cache
def _patterns(language: str) -> dict[str, re.Pattern[str]]:
    table = language_table(language, "formality")
    return {name: re.compile(pattern) for name, pattern in table.items()}
