"""Identifiers: A4, BA123, COVID-19, #123, foo_bar, `code`, --verbose, 5'10"."""

import re

from translator.text.spans.quantities import UNITS
from translator.text.spans.verbatim import OUTSIDE_WORD, VerbatimKind

WORD = r"[^\W_]+"
LETTER = r"[^\W\d_]"
CODE = r"(?<![\w`])`[^`\s](?:[^`\n]*[^`\s])?`(?![\w`])"
OPTION = r"(?<!\S)--[a-z][\w-]*(?<!-)(?:=[^\s,;]+(?<![.!?]))?"
FUNCTION = rf"{OUTSIDE_WORD}(?<![\w.])[^\W_]\w*(?:\.\w+)*\(\)"
SNAKE_CASE = rf"{OUTSIDE_WORD}(?<!\w){WORD}(?:_+{WORD})+(?!\w)"
NUMBERED = r"(?<![\w&#])#\d+(?!\w)(?![.,]\d)|§§? ?\d+\w?"
FEET_AND_INCHES = r"(?<![\w.,'])\d['’′] ?\d\d?(?:[\"”″]|''|’’)?(?!\w)"
DOT_NET = r"(?<![\w.])\.[A-Z]{3,}(?!\w)"
WITH_DIGIT = (
    rf"(?<![\w.,:/%$€£¥§#'’-])(?=(?:{LETTER}|-)*\d){WORD}(?:-{WORD})*(?![\w/])(?!-\w)(?![.,:]\d)"
)
ENDINGS = (
    r"(?i:st|nd|rd|th|s|er|s?te[mnrs]?|mal|fach|min|sec|hrs?|lbs?|ft|[^\W\d_]{2,}ig(?:e[mnrs]?)?)"
)
AMOUNT = re.compile(
    rf"[\d-]+|\d+(?:{UNITS}|{ENDINGS})|\d+(?i:st|nd|rd|th|er)?-{LETTER}{{2,}}.*|(?i:mid|pre|post)-.*"
)


class IdentifierKind(VerbatimKind):
    """Words of letters and digits, and names in programs.

    An amount such as 21st, 1990s, 20-minute or 18jährig is none: those are translated.
    """

    pattern = re.compile(
        "|".join(
            (CODE, OPTION, FUNCTION, SNAKE_CASE, NUMBERED, FEET_AND_INCHES, DOT_NET, WITH_DIGIT)
        )
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`; an amount is no identifier."""
        return start if AMOUNT.fullmatch(text, start, end) else end
