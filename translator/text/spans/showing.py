"""Shows a text to the model: spans of any kind are replaced by their stand-ins."""

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from translator.text.spans.kind import ShownSpan, ShownWord, SpanKind, StandIn

SPACES = re.compile(r"(\s+)")


class ShownText(NamedTuple):
    """A text as the model is shown it.

    Attributes:
        text: what the model is shown.
        words: its words, with what was given for each.
    """

    text: str
    words: tuple[ShownWord, ...]


def show_spans(text: str, kinds: Sequence[SpanKind]) -> ShownText:
    """Replaces the spans of a text by their stand-ins; where two overlap, the first kind wins.

    Args:
        text: any text.
        kinds: in the order of the registry.
    """
    for kind in kinds:
        text = kind.prepare(text)
    found = _find_all(text, kinds)
    if not found:
        return ShownText(text, tuple(ShownWord(word, word) for word in text.split()))
    ends = [0, *(stand_in.end for stand_in, _ in found)]
    starts = [*(stand_in.start for stand_in, _ in found), len(text)]
    between = [text[end:start] for end, start in zip(ends, starts)]
    spans = [
        ShownSpan(type(kind), text[stand_in.start : stand_in.end], stand_in.shown)
        for stand_in, kind in found
    ]
    shown = itertools.chain.from_iterable(zip(between, (span.shown for span in spans)))
    return ShownText("".join([*shown, between[-1]]), tuple(_words(between, spans)))


def _find_all(text: str, kinds: Sequence[SpanKind]) -> list[tuple[StandIn, SpanKind]]:
    found: list[tuple[StandIn, SpanKind]] = []
    for kind in kinds:
        taken = [(one.start, one.end) for one, _ in found]
        found += [
            (new, kind)
            for new in kind.find(text)
            if all(new.end <= start or new.start >= end for start, end in taken)
        ]
    return sorted(found, key=lambda pair: pair[0].start)


def _words(between: Sequence[str], spans: Sequence[ShownSpan]) -> Iterable[ShownWord]:
    """The words of a text that consists of ``between`` with ``spans`` between them."""
    word = ShownWord("", "")
    for text, span in itertools.zip_longest(between, spans):
        for part in SPACES.split(text):
            if not part.isspace():
                word = word._replace(text=word.text + part, given=word.given + part)
            else:
                if word.given:
                    yield word
                word = ShownWord("", "")
        if span is not None:
            word = ShownWord(word.text + span.shown, word.given + span.given, (*word.spans, span))
    if word.given:
        yield word
