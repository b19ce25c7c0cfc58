"""Emoji and other pictures in Unicode, with skin tones, joined sequences, flags and keycaps."""

import re
from collections.abc import Iterator

from translator.text.spans.kind import Span

TONE = "[\U0001f3fb-\U0001f3ff]"
PICTURE = (
    "[\U0001f000-\U0001f1e5\U0001f200-\U0001faff\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff"
    "\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299]"
)
ONE = (
    "(?:[\U0001f1e6-\U0001f1ff]{2}"  # a flag
    "|\U0001f3f4[\U000e0020-\U000e007f]+"  # a flag of a part of a country
    "|[0-9#*]\ufe0f?\u20e3"  # a keycap
    f"|(?:{PICTURE}|[©®™‼⁉ℹ](?=\ufe0f))[\ufe0e\ufe0f]?{TONE}?)"
)
EMOJI = re.compile(f"{ONE}(?:\u200d?{ONE})*")


def find_emoji(text: str) -> Iterator[Span]:
    """Finds emoji; those without a space between them are one."""
    if not text.isascii():
        for found in EMOJI.finditer(text):
            yield Span(found.start(), found.end(), found.group())
