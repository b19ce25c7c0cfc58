"""What depends on its sentence though it is in brackets: clauses, and words that it needs.

In "My brother (who lives in Berlin) is here." the clause depends on the words before it, so that it
is translated with them: the model is shown "My brother, who lives in Berlin, is here." What the
commas stand for is kept with the brackets, which take their places again in the translation.

The table ``brackets`` of a language has how such clauses begin (clauses), and those that have a
comma only where the sentence goes on behind them (clauses_within); what the last word of one begins
with (last), if not anything; whether all clauses have commas (have_commas); and words behind which
a sentence needs another one (leading).
"""

import functools
import re

from translator.base.languages import language_table
from translator.text.punctuation import MARKS

CLAUSE, BARE = "(,", "( "  # the names of such brackets: shown as commas, or not at all
# No characters of any text, beside a bracket: one with a comma, one before a comma that is given,
# and one at the end of a sentence
ADDED, GIVEN, END = "\ufdd0", "\ufdd1", "\ufdd2"
PAIR = re.compile(
    rf"(?P<space>\s?){ADDED}(?P<opening>[(\[{{])(?P<clause>[^{ADDED}{GIVEN}{END}]*)"
    rf"(?P<closing>[)\]}}])(?P<kind>[{ADDED}{GIVEN}{END}])"
)
ALONE = re.compile(  # a tag may be between
    rf",(\s?(?:<[^<>]*>\s?)?){ADDED}|{ADDED}((?:<[^<>]*>)?),|[{ADDED}{GIVEN}{END}]"
)
NEAR, REST = 2, 6  # words between a bracket and its comma, and up to the end of a sentence
WORD = r"[^\s,.!?()\[\]{}]+"
COMMA_BEFORE = re.compile(rf",((?:\s{WORD}){{0,{NEAR}}})$")
COMMA_WITHIN = re.compile(rf"((?:{WORD}\s){{0,{NEAR - 1}}}{WORD}),\s")
COMMA_AFTER = re.compile(rf"((?:\s{WORD}){{0,{NEAR}}}),")
END_AFTER = re.compile(rf"((?:\s{WORD}){{0,{REST}}})(?=[.!?])")
LAST_COMMA = re.compile(rf",((?:\s{WORD}){{1,{NEAR}}})$")


def name_of_clause(before: str, text: str, after: str, language: str) -> str:
    """The name of the brackets around a clause; "" if it is none, or is beside other brackets."""
    if before.rstrip().endswith((")", "]", "}")) or after.lstrip().startswith(("(", "[", "{")):
        return ""
    always, within = _clauses(language) if language else (None, None)
    if within is not None and within.fullmatch(text):
        return BARE if after.lstrip()[:1] in MARKS else CLAUSE
    return CLAUSE if always is not None and always.fullmatch(text) else ""


@functools.cache
def _clauses(language: str) -> list[re.Pattern[str] | None]:
    """Clauses without other brackets and quotations in which no sentence ends."""
    table = language_table(language, "brackets")
    found = (table.get(key) for key in ("clauses", "clauses_within"))
    last = table.get("last", "")
    end = rf"(?=.*\s{last}[^\s]*$)\s(?:[^()\[\]{{}}.!?\"“”„«»]|\.(?=\w))+"
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
    """
    words = before.rstrip()
    if words.endswith(tuple(MARKS)):
        return before, bracket
    return f"{words}, " if words and name == CLAUSE else before, ADDED + bracket


def close_clause(bracket: str, after: str) -> tuple[str, str]:
    """The bracket that closes a clause, and the comma behind it; none before a mark or the end."""
    following = after.lstrip()[:1]
    if following not in MARKS:
        return bracket + ADDED, ","
    return bracket + (GIVEN if following == "," else END), ""


def without_added_commas(text: str) -> str:
    """A text with its brackets, without the commas that the model was shown or wrote for them."""
    return ALONE.sub(r"\1\2", text)


def with_brackets_at_commas(text: str, language: str) -> str:
    """A translation with its brackets instead of the commas that the model wrote for them.

    Where commas are near both brackets, they are what the clause is between; else the brackets
    stay where they were placed. In a language whose clauses need not have commas, no words come
    into the brackets that were not there.
    """
    grows = bool(language_table(language, "brackets").get("have_commas"))
    pieces: list[str] = []
    end = 0
    for found in PAIR.finditer(text):
        if found.start() < end:
            continue
        opened = _opened(text[end : found.start()], found["clause"], grows)
        closed = opened and _closed(opened[1], text[found.end() :], found["kind"], grows)
        if opened and closed:
            clause, behind, taken = closed
            bracketed = f"{found['space']}{found['opening']}{clause}{found['closing']}"
            pieces += (opened[0], bracketed, behind)
            end = found.end() + taken
    return without_added_commas("".join([*pieces, text[end:]]))


def _opened(before: str, clause: str, grows: bool) -> tuple[str, str] | None:
    """What stands before a clause, and the clause, parted at the comma that is near."""
    outside = COMMA_BEFORE.search(before)
    if outside and (grows or not outside[1]):
        return before[: outside.start()], f"{outside[1].lstrip()} {clause}".lstrip()
    if within := COMMA_WITHIN.match(clause):
        return f"{before} {within[1]}", clause[within.end() :]
    return None


def _closed(clause: str, after: str, kind: str, grows: bool) -> tuple[str, str, int] | None:
    """A clause, what stands behind it first, and how much of what stood there that takes."""
    comma, last = COMMA_AFTER.match(after), END_AFTER.match(after)
    if comma and kind != END and (grows or not comma[1]):
        return clause + comma[1], "", comma.end() - (kind == GIVEN)
    if last and (grows and kind == END or not last[1]):
        return clause + last[1], "", last.end()
    if kind != END and (within := LAST_COMMA.search(clause)):
        return clause[: within.start()], "," * (kind == GIVEN) + within[1], 0
    return None
