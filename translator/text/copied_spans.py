"""Spans that every language writes alike: addresses, placeholders, code, names of programs.

Such a span has a character inside that ordinary words lack: foo_bar, main.py, GPT-4, user@host.
Spans with spaces, brackets or marks of their own are found by patterns.
"""

import re

from translator.text.punctuation import is_plain
from translator.text.quantities.amounts import UNITS

CODE = (  # between backticks, or a fence; in reStructuredText with a role before it
    r"(?<![\w`])(?::[a-z][\w+-]*:)?(?:`[^`\s](?:[^`\n]*[^`\s])?`|`{2,3}[^`\n]+`{2,3})(?![\w`])"
    r"|^\s*```[\w+-]*$"
)
FORMULA = (  # H<sub>2</sub>O, mc<sup>2</sup>; not 21<sup>st</sup>
    r"(?<![^\W_])\w{1,2}(?:<su[bp](?: id=\"\d+\")?>(?!(?:st|nd|rd|th)<)[^<>\s]{1,20}</su[bp]>"
    r"\w{0,3})+(?![^\W_])"
)
INSIDE = r"[^\s<>\"“”„«»()\[\]]*"
WEB_ADDRESS = (
    rf"(?i:(?<![^\W_])(?:[a-z][a-z\d+]{{1,9}}://|www\.)(?=\w){INSIDE}(?:\([^\s()]*\){INSIDE})*"
    r"(?<![.,;:!?…'’]))"
)
# Entities of markup's own characters, which stay entities
MARKUP = r"&(?i:amp|lt|gt|#0*(?:38|60|62)|#x0*(?:26|3c|3e));"
PRINTF = (  # %s, %1$d, %(name)s; before a unit, too: %dkm
    r"%(?:\d+\$|\(\w+\))?[-+0#]?\d*(?:\.\d+)?(?:hh?|ll?|[zjtL])?"
    r"(?:[sdifuxXeEgGcopn@](?![^\W_])|[df](?=[A-Za-z]{1,2}(?![^\W_])))"
)
UNIT = rf"(?: (?:{UNITS})(?![\w'’]))?"  # of the number in a placeholder
PLACEHOLDER = (
    r"(?:\{\{[^{}\n]*\}\}|[$%#]?\{[^{}\n]*\}|\[\[[^\[\]\n]*\]\]|[<\[]%[^%\n]*%[>\]]"
    r"|<[A-Za-z][^\s<>]*>|(?<![\w\])])\[[A-ZÄÖÜ][A-ZÄÖÜ\d_-]+\](?![\w\[(:])"
    r"|(?<![\w&/@#.$])[@#$][^\W\d][\w-]*(?<!-)|(?<![\w:]):[a-z][\w+-]+:?(?!\w)|%[A-Z_]{2,}%"
    rf"|(?<!\w)__[A-Z][A-Z\d_]*__(?!\w)|{MARKUP}|(?<![\d%]){PRINTF}(?:{PRINTF})*|%%){UNIT}"
)
COUNT = (  # a placeholder for a number
    r"%.*[diufxXeEgG][A-Za-z]{0,2}|\{:.*[dfgx]\}"
    rf"|[{{$%]*\(?(?i:n|num|number|count|total|\w+_count)\}}*{UNIT}"
)
CALL = r"(?<![\w.])[^\W\d][\w.]*+\((?:['\"„][^()'\"“]*['\"“])?\)"
COMMAND = (  # a line for a shell or for Python
    r"^(?:\$ (?=[a-z])|>>> )[^\n]*$|^(?:apt|brew|cargo|conda|curl|docker|git|npm|npx|pip3?|python3?"
    r"|sudo|uv|yarn) (?=[^\n]*(?: -|[/=.:]\w))[^,;!?\n]*(?<![.:])$"
)
VERSION = (  # Python 3.10+, iOS 17.1
    r"(?<![\w.-])(?:Android|Java|Python|Windows|[a-z]{1,5}[A-Z]\w*) \d+(?:\.\d+)+\+?"
    r"(?!\w|[.,:]\d| ?[%°$€£])"
)
REPLY = r"(?<!\w)(?:R[Ee]|A[Ww]|WG|F[Ww]|F[Ww][Dd]):(?=\s)"  # before the subject of a mail
HEADER = (  # of a mail: a program reads it, or it has an address
    r"^(?:(?:MIME-Version|Content-[\w-]+|Message-ID|In-Reply-To|References|Received): [^\n]*"
    r"|(?:Date: [^\n]*:\d\d [+-]\d{4}|Return-Path:)[^\n]*"
    r"|(?:From|To|B?[Cc]c|Reply-To|Von|An|Kopie): [^\n]*@[^\n]*)$"
)
LENGTH = r"(?<![\w.,'])\d{1,3}(?:[.,]\d+)?(?:'\d{1,2}\"|['\"])(?=[\s.,;]|$)"  # 5'10", 27"
BLANK = r"\.{6,}|_{4,}(?:/_{2,})*"  # blanks in forms
PATTERN = "|".join(
    (COMMAND, HEADER, CODE, FORMULA, WEB_ADDRESS, PLACEHOLDER, CALL, VERSION, REPLY, BLANK)
)
QUOTED = r"(?<!\w)['\"]\w"
MARKS = r".,;:!?…\"“”„‟«»'’‘‚()\[\]*~–—|"  # marks around words
WORD = (
    rf"(?:(?<!\S)(?:\*\.|~|\.\.?)(?=[/a-z]))?[^\s{MARKS}](?:[^\s|]*(?:[^\s{MARKS}]|\([^\s()]*\)))?"
)
MOST_BETWEEN = 3  # most characters, but no words, between two spans that become one
FILLING = "\0"  # replaces each character of a pattern
UNUSUAL = (
    rf"[^\W_][@\\=<>^$#+_]+(?:[^\W_]|[%$&{FILLING}])|[\w=/\\@#~]{FILLING}|{FILLING}[\w=/\\@#~]"
    r"|\w::\w|\w\w/$|^[~.]*/\w|^[#\\]\w|^\.[a-z]{3,}$|[^\W_]\.[a-z][a-z\d]"
    r"|^--[a-z]|^-[b-zB-HJ-Z]$|[A-Z]&[A-Z]|[A-Za-z]\+\+(?:-|$)|^[A-Z][+#]$|^[a-z]{2,}[A-Z][a-z]"
    r"|^(?!(?i:mid|pre|post)-)[^\W\d_]+-?\d"
    r"|^\d+(?:[A-Z]+|[a-rt-z]|[.,]\d+[a-z]+|(?:\.\d+)*[a-z]+\d\w*)$"
)


def find_copied(text: str) -> list[tuple[int, int]]:
    """Start and end of the spans that are copied as they are, in order and without overlaps.

    Spans that are close together, without words between them, become one span.
    """
    if is_plain(text):
        return []
    spans: list[tuple[int, int]] = []

    def fill(match: re.Match[str]) -> str:
        spans.append(match.span())
        is_blank = not match[0].strip("._")  # a blank is no part of a word
        return (" " if is_blank else FILLING) * len(match[0])

    is_length = text.count('"') % 2 or not re.search(QUOTED, text)
    pattern = f"{PATTERN}|{LENGTH}" if is_length else PATTERN
    words = re.finditer(WORD, re.sub(pattern, fill, text))
    spans += [word.span() for word in words if re.search(UNUSUAL, word[0])]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        last = joined[-1][1] if joined else -MOST_BETWEEN
        if start - last < MOST_BETWEEN and not re.search(r"[\s\w]", text[last:start]):
            joined[-1] = joined[-1][0], max(end, last)
        else:
            joined.append((start, end))
    return joined
