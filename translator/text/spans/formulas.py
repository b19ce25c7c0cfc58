"""Formulas with subscripts and superscripts in HTML, such as H<sub>2</sub>O and m<sup>2</sup>."""

import re

from translator.text.spans.verbatim import VerbatimKind

SYMBOL = r"(?:[A-Z][a-z]?|[Α-Ωα-ω]|\d+|[a-z]{1,2}(?![a-z]))"
ORDINAL = r"(?:st|nd|rd|th)<"
NUMBER = r"(?<![^\s<>(\"“”„«»~±−–-])(?<!\w[-–])\d[\d.,]{0,9} "  # not the end of a web address
FORMULA = re.compile(
    rf"(?<![^\W_])(?:{NUMBER})?+(?:{SYMBOL}++<(su[bp])>(?!{ORDINAL})[^<>\s]{{1,20}}</\1>)"
    rf"(?:{SYMBOL}*+<(su[bp])>[^<>\s]{{1,20}}</\2>)*+{SYMBOL}*+(?![^\W_])"
)


class FormulaKind(VerbatimKind):
    """Formulas with their tags, and with a number before a unit: 12 m<sup>2</sup>.

    There is none in "21<sup>st</sup> century".
    """

    pattern = FORMULA
