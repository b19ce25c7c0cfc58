"""What depends on its sentence though it is in brackets: clauses, and words that it needs.

In "My brother (who lives in Berlin) is here." the clause depends on the words before it, so that it
is translated with them: the model is shown "My brother, who lives in Berlin, is here." What the
commas stand for is kept with the brackets, which take their places again in the translation.
"""

import functools
import re

from translator.base.languages import language_table
from translator.text.punctuation import MARKS

CLAUSE, BARE = "(,", "( "  # the names of such brackets: shown as commas, or not at all
COMMA, END = "\ufdd0", "\ufdd1"  # no characters of any text: beside a bracket with a comma, without
WORD = rf"\s[^\s,()\[\]{{}}{COMMA}{END}]+"
PAIR = re.compile(  # around a clause, with a comma before it, and words between the two
    rf",(?P<before>(?:{WORD}){{0,2}})(?P<space>\s){COMMA}(?P<opening>[(\[{{])"
    rf"(?P<clause>[^{COMMA}{END}]*)(?P<closing>[)\]}}])"
    rf"(?:{COMMA}(?P<within>(?:{WORD}){{0,2}}),|{END}(?P<last>(?:{WORD}){{0,4}})(?=[,.!?]))"
)
ALONE = re.compile(rf",(\s?(?:<[^<>]*>\s?)?){COMMA}|{COMMA},?|{END}")  # a tag may be between


def name_of_clause(text: str, after: str, language: str) -> str:
    """The name of the brackets around a text that depends on the words before it, or "".

    Args:
        text: in brackets.
        after: what follows them.
        language: whose table tells how such clauses begin, and which have a comma only where the
            sentence goes on behind them.
    """
    always, within = _clauses(language) if language else (None, None)
    if within is not None and within.fullmatch(text):
        return BARE if after.lstrip()[:1] in MARKS else CLAUSE
    return CLAUSE if always is not None and always.fullmatch(text) else ""


@functools.cache
def _clauses(language: str) -> list[re.Pattern[str] | None]:
    """Clauses without other brackets in which no sentence ends."""
    table = language_table(language, "brackets")
    found = (table.get(key) for key in ("clauses", "clauses_within"))
    end = r"\s(?:[^()\[\]{}.!?]|\.(?=\w))+"
    return [re.compile(rf"(?:{'|'.join(each)}){end}") if each else None for each in found]


def is_needed(before: str, language: str) -> bool:
    """Whether a sentence needs the word that is in brackets behind a text, as in "in (Berlin)"."""
    leading = language and _leading(language)
    return bool(leading and leading.search(before))


@functools.cache
def _leading(language: str) -> re.Pattern[str] | None:
    """The end of a text that needs another word."""
    words = language_table(language, "brackets").get("leading", ())
    return re.compile(rf"(?i)(?<!\S)(?:{'|'.join(words)})\s$") if words else None


def open_clause(before: str, bracket: str, name: str) -> tuple[str, str]:
    """What stands before a clause, with a comma if it needs one, and the bracket.

    Args:
        before: the text between the mark before it and the bracket.
        bracket: that opens it.
        name: of the brackets.
    """
    words = before.rstrip()
    if words.endswith(tuple(MARKS)):
        return before, bracket
    return f"{words}, " if words and name == CLAUSE else before, COMMA + bracket


def close_clause(bracket: str, after: str) -> tuple[str, str]:
    """The bracket that closes a clause, and the comma behind it; none before a mark or the end."""
    return (bracket + END, "") if after.lstrip()[:1] in MARKS else (bracket + COMMA, ",")


def with_brackets_alone(text: str, language: str) -> str:
    """A text with its brackets, without the commas that the model was shown or wrote for them.

    Where clauses of the language always have commas, a clause is all that stands between two: the
    brackets go to those that are near them.
    """
    if COMMA not in text and END not in text:
        return text
    if language_table(language, "brackets").get("have_commas"):
        text = PAIR.sub(_between_its_commas, text)
    return ALONE.sub(r"\1", text)


def _between_its_commas(found: re.Match[str]) -> str:
    _, space, opening, _, closing, *_ = found.groups("")
    words = found.expand(r"\g<before>\g<space>\g<clause>\g<within>\g<last>").strip()
    return f"{space}{opening}{words}{closing}"
