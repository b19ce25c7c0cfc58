"""What opens a line and is no part of its sentences: bullets, numbers of a list, quoting."""

import functools
import re

from translator.base.languages import language_facts, language_table
from translator.text.quantities.reading import QuantityReader
from translator.text.sentences import words_that_begin

SPACES = r"[^\S\n\x0b-\r\x1c-\x1f\x85\u2028\u2029]"  # white space that does not end a line
BULLET = r"[-+*–—―•‣⁃·∙◦▪▫●○■□▶►▸☐☑✓✔]|--"
NUMBERED = r"\d{1,3}\.?\)|\(\d{1,3}\)|[A-Za-z]\)|\((?!I\))[A-Za-z]\)"  # "(I) think" has the pronoun
NOTE = r"\[(?:\^[\w-]+|\d{1,3})\]:"
HEADING = rf"#{{1,6}}(?:{SPACES}+\d{{1,2}}(?:\.\d{{1,2}})+\.?(?!\S))?"  # ## 1.2 Title
OPENING = re.compile(rf"(?:{BULLET}|>+|{HEADING}|\[[ xX]\]|{NOTE}|{NUMBERED}){SPACES}+(?=\S)")
# With the word after it
LIST_NUMBER = re.compile(rf"\d{{1,3}}\.{SPACES}+(?=[*_\"„“»«'(\[]*(\w+)|\S)")
AFTER_END = " *_\"“”»'’)]"  # what may stand behind the final mark
SECTION = rf"(?P<first>[1-9]\d?)\.(?!00)\d{{1,2}}(?P<point>\.?){SPACES}+(?=[A-ZÄÖÜ])"
FINAL = (".", "!", "?", ",", ";", "…")
HEADING_WORDS = 8  # at most, with the number
MOST_FIRST = 9  # the first number of a section with two points where 24.12. is a date
INDENTATION = re.compile(f"{SPACES}*")

_reader_of = functools.cache(QuantityReader)


def opening_mark(line: str, language: str) -> str:
    """The marks that open a line, such as ``- ``, ``> > `` or ``2) ``, with the spaces around them.

    The number of a section, as in "2.1 Budget", opens a line too.

    A number with a point, such as ``1.``, is one only in languages whose ordinal numbers are
    written otherwise, before a word that follows no ordinal number, or before a whole sentence that
    does not begin with a month: "3. Mai" is a date.

    Returns:
        The beginning of the line; empty if no mark opens it, or no word or number follows.
    """
    indentation = INDENTATION.match(line)
    start = end = indentation.end() if indentation else 0
    while found := OPENING.match(line, end) or _list_number(line, end, language):
        end = found.end()
    end = _end_of_section(line, end, language)
    return line[:end] if end > start and any(map(str.isalnum, line[end:])) else ""


def _end_of_section(line: str, start: int, language: str) -> int:
    """Where the number of a section ends that a short text without a final mark begins with."""
    if not line[start : start + 1].isdigit():
        return start
    text = line[start:]
    found, body = re.match(SECTION, text), text.rstrip(AFTER_END + ":")
    if found is None or body.endswith(FINAL) or len(body.split()) > HEADING_WORDS:
        return start
    is_date = bool(found["point"]) and int(found["first"]) > MOST_FIRST
    quantities = _reader_of(language).find(text)
    goes_on = bool(quantities) and quantities[0].end > found.end()  # 2.5 Million, 2.4 GHz
    return start if is_date or goes_on else start + found.end()


def _list_number(line: str, start: int, language: str) -> re.Match[str] | None:
    facts = language_facts(language)
    found = LIST_NUMBER.match(line, start)
    if found is None or facts.ordinal_form == "21st" or found[1] in words_that_begin(language):
        return found
    calendar = language_table(facts.code, "calendar")
    if not calendar or not line.rstrip(AFTER_END).endswith((".", "!", "?")):
        return None
    months = (*calendar["months"], *calendar["short"])
    return None if any(re.fullmatch(month, found[1] or "") for month in months) else found
