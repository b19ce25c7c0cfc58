"""Emoji, with skin tones, joined sequences, flags and keycaps, and emoticons such as :-)."""

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
# After a space or a final mark: not in "10:00)", "(see page 3:)" and web addresses. A heart ends a
# text or a sentence: "<3 hours" is a comparison.
EMOTICON = re.compile(
    r"(?<![^\s.!?…])(?:[:;]['’]?-?(?:[)(]+|[DPp])|<3(?=[\s.!?…]*$|[.!?…]+\s))(?=[\s.,!?…)]|$)"
)


def find_emoji(text: str) -> Iterator[Span]:
    """Finds emoji and emoticons; emoji without a space between them are one."""
    patterns = (EMOTICON,) if text.isascii() else (EMOTICON, EMOJI)
    found = [span for pattern in patterns for span in pattern.finditer(text)]
    for one in sorted(found, key=re.Match.start):
        yield Span(one.start(), one.end(), one.group())
