"""Shows a text to the model: spans of any kind are replaced by their stand-ins."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.text.punctuation import plain_word
from translator.text.spans.intervals import Intervals
from translator.text.spans.kind import ShownSpan, ShownWord, SpanKind, StandIn

SPACES = re.compile(r"(\s+)")
GLUE = re.compile(r"[\w=+*&#@$%/\\|~^]")
# Most sentences have none of these, and no kind with `exactly_once` finds anything in them
MAY_BE_EXACT = re.compile(r"[\d@/\\{}%\[<>$*#]|\w\.\w|(?:^|\W)\.\w")
BETWEEN = re.compile(r"[^\s\w]{0,2}")  # one span ends, the next one begins


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
    used = {*map(plain_word, text.split()), *re.findall(r"\w+", text.lower())}
    spans = []
    for stand_in, kind in found:
        given = text[stand_in.start : stand_in.end]
        spans.append(ShownSpan(type(kind), given, kind.show(given, stand_in, used)))
        used.add(spans[-1].shown.lower())
    shown = itertools.chain.from_iterable(zip(between, (span.shown for span in spans)))
    return ShownText("".join([*shown, between[-1]]), tuple(_words(between, spans)))


def find_exact_spans(text: str, kinds: Sequence[SpanKind]) -> list[tuple[int, int]]:
    """Start and end of each span that a translation has exactly once.

    Args:
        text: any text.
        kinds: in the order of the registry.
    """
    if MAY_BE_EXACT.search(text) is None:
        return []
    found = _find_all(text, [kind for kind in kinds if kind.exactly_once])
    return [(stand_in.start, stand_in.end) for stand_in, _ in found]


def _find_all(text: str, kinds: Sequence[SpanKind]) -> list[tuple[StandIn, SpanKind]]:
    found: list[tuple[StandIn, SpanKind]] = []
    taken = Intervals()
    may_be_exact = MAY_BE_EXACT.search(text) is not None
    for kind in kinds:
        if kind.exactly_once and not may_be_exact:
            continue
        new = [one for one in kind.find(text) if taken.are_free(one.start, one.end)]
        taken.add((one.start, one.end) for one in new)
        found += ((one, kind) for one in new)
    found.sort(key=lambda pair: pair[0].start)
    return _joined(text, _widened(text, found))


def _widened(
    text: str, found: Sequence[tuple[StandIn, SpanKind]]
) -> Iterator[tuple[StandIn, SpanKind]]:
    """Adds letters and symbols around spans that are copied as they are, as in x=%d."""
    before = 0
    limits = [*(stand_in.start for stand_in, _ in found[1:]), len(text)]
    for (stand_in, kind), limit in zip(found, limits):
        start, end = stand_in.start, stand_in.end
        if kind.joins_neighbours:
            while start > before and GLUE.fullmatch(text[start - 1]):
                start -= 1
            while end < limit and GLUE.fullmatch(text[end]):
                end += 1
        yield StandIn(start, end, stand_in.shown), kind
        before = end


def _joined(text: str, found: Iterable[tuple[StandIn, SpanKind]]) -> list[tuple[StandIn, SpanKind]]:
    """Joins spans of the kinds that are copied as they are with no words between them."""
    joined: list[tuple[StandIn, SpanKind]] = []
    for new, kind in found:
        last, last_kind = joined[-1] if joined else (new, kind)
        if (
            joined
            and kind.joins_neighbours
            and last_kind.joins_neighbours
            and BETWEEN.fullmatch(text, last.end, new.start)
        ):
            joined[-1] = StandIn(last.start, new.end, last.shown), last_kind
        else:
            joined.append((new, kind))
    return joined


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
