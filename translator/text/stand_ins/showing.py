"""Shows a text to the model: spans of any kind are replaced by their stand-ins."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from translator.text.memo import ShownSpan, ShownText, ShownWord
from translator.text.punctuation import plain_word
from translator.text.spans.intervals import Intervals
from translator.text.stand_ins.kind import SpanKind, StandIn

SPACES = re.compile(r"(\s+)")
GLUE = re.compile(r"[\w=+*&#@$%/\\|~^]")
# Most sentences have none of these, and no kind with `exactly_once` finds anything in them
MAY_BE_EXACT = re.compile(r"[\d@/\\{}%\[<>$*#&_`]|--|\w\.\w|(?:^|\W)\.\w|\(\)")
NUMBER_MARKS = ".,:"  # within numbers and versions
BETWEEN = re.compile(r"[^\s\w]{0,2}")  # one span ends, the next one begins


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
        return ShownText.as_given(text)
    ends = [0, *(stand_in.end for stand_in, _ in found)]
    starts = [*(stand_in.start for stand_in, _ in found), len(text)]
    between = [text[end:start] for end, start in zip(ends, starts)]
    used = {*map(plain_word, text.split()), *re.findall(r"\w+", text.lower())}
    used.update(stand_in.shown.lower() for stand_in, _ in found)
    spans = []
    for stand_in, kind in found:
        given = text[stand_in.start : stand_in.end]
        shown = kind.show(given, stand_in, used)
        spans.append(ShownSpan(kind.name, given, shown, kind.title_of(given)))
        used.add(shown.lower())
    pieces = itertools.chain.from_iterable(zip(between, (span.shown for span in spans)))
    return ShownText("".join([*pieces, between[-1]]), tuple(_words(between, spans)))


def find_exact_spans(text: str, kinds: Sequence[SpanKind]) -> list[tuple[int, int]]:
    """Start and end of each span that a translation has exactly once.

    Args:
        text: any text.
        kinds: in the order of the registry.
    """
    return [(stand_in.start, stand_in.end) for stand_in, _ in _find_exact(text, kinds)]


def find_hidden_spans(text: str, kinds: Sequence[SpanKind]) -> list[tuple[int, int]]:
    """Start and end of each span that has points which end no sentence.

    Args:
        text: any text.
        kinds: in the order of the registry.
    """
    found = _find_exact(text, kinds)
    return [(one.start, one.end) for one, kind in found if kind.hides_points(text, one.end)]


def _find_exact(text: str, kinds: Sequence[SpanKind]) -> list[tuple[StandIn, SpanKind]]:
    """The spans that a translation has exactly once."""
    if MAY_BE_EXACT.search(text) is None:
        return []
    return _find_all(text, [kind for kind in kinds if kind.exactly_once])


def _find_all(text: str, kinds: Sequence[SpanKind]) -> list[tuple[StandIn, SpanKind]]:
    """All spans in order; what is copied as it is comes before all else."""
    exact = [kind for kind in kinds if kind.exactly_once]
    found = _find(text, exact, Intervals()) if MAY_BE_EXACT.search(text) is not None else []
    found = _joined(text, _widened(text, _joined(text, found)))
    taken = Intervals((one.start, one.end) for one, _ in found)
    found += _find(text, [kind for kind in kinds if not kind.exactly_once], taken)
    return sorted(found, key=lambda pair: pair[0].start)


def _find(text: str, kinds: Sequence[SpanKind], taken: Intervals) -> list[tuple[StandIn, SpanKind]]:
    """The spans of some kinds outside of what is taken; the first kind wins."""
    found: list[tuple[StandIn, SpanKind]] = []
    for kind in kinds:
        new = [one for one in kind.find(text) if taken.are_free(one.start, one.end)]
        taken.add((one.start, one.end) for one in new)
        found += ((one, kind) for one in new)
    return sorted(found, key=lambda pair: pair[0].start)


def _widened(
    text: str, found: Sequence[tuple[StandIn, SpanKind]]
) -> Iterator[tuple[StandIn, SpanKind]]:
    """Adds letters and symbols around spans that are copied as they are, as in x=%d."""
    before = 0
    limits = [*(stand_in.start for stand_in, _ in found[1:]), len(text)]
    for (stand_in, kind), limit in zip(found, limits):
        start, end = stand_in.start, stand_in.end
        if kind.joins_neighbours:
            while start > before and _is_glued(text, start - 1, -1):
                start -= 1
            while end < limit and _is_glued(text, end, 1):
                end += 1
        yield StandIn(start, end, stand_in.shown), kind
        before = end


def _is_glued(text: str, place: int, step: int) -> bool:
    """Whether the character next to a span belongs to it, such as the : of 127.0.0.1:80."""
    if GLUE.fullmatch(text[place]):
        return True
    following, before = text[place + step : place + step + 1], text[place - step]
    is_within = following.isdigit() or following.isalnum() and before.isalnum()
    return text[place] in NUMBER_MARKS and is_within


def _joined(text: str, found: Iterable[tuple[StandIn, SpanKind]]) -> list[tuple[StandIn, SpanKind]]:
    """Joins spans with no words between them, which are then copied as they are."""
    joined: list[tuple[StandIn, SpanKind]] = []
    for new, kind in found:
        last, last_kind = joined[-1] if joined else (new, kind)
        if joined and BETWEEN.fullmatch(text, last.end, new.start):
            copying = last_kind if last_kind.joins_neighbours else kind
            joined[-1] = StandIn(last.start, new.end, last.shown), copying
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
