"""Finds stand-ins in a translation by alignment, and puts the spans of the source back."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from translator.text.memo import ShownWord, Span
from translator.text.punctuation import MARKS, split_marks
from translator.text.stand_ins.kind import NO_FIT, Place, SpanKind

OPENING_MARKS = "(\"'“„‘"
INNER_MARKS = ",;:"
AFTER_MARKS = ",;:.!?…)"
CLEAR = 0.5  # attention from which a word clearly translates another
SAME_LETTERS = 3  # at the beginning of a stand-in and of a misspelt one
FINAL_MARKS = ".!?…"
LETTERS = range(0x20000, 0x2A6E0)  # CJK Extension B: no capitals, and they belong to words


class Protected:
    """Text that is represented by single letters until everything else is done.

    Args:
        texts: texts whose letters are not used to represent others.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        used = {ord(letter) for text in texts for letter in text}
        self._free = (letter for letter in LETTERS if letter not in used)
        self._texts: dict[int, str] = {}

    def add(self, text: str) -> str:
        """Returns a letter that stands for a text."""
        letter = next(self._free)
        self._texts[letter] = text
        return chr(letter)

    @property
    def space(self) -> str:
        """A character that stands for a space within a word."""
        self._texts[ord("\u2028")] = " "
        return "\u2028"

    def has(self, text: str) -> bool:
        """Whether any letter of a text stands for another text."""
        return any(ord(letter) in self._texts for letter in text)

    def reveal(self, text: str) -> str:
        """Writes what the letters of a text stand for."""
        return text.translate(self._texts)


class RestoredWords(NamedTuple):
    """The words of a translation with its spans.

    Attributes:
        words: of the translation.
        alignment: (words, source) with a row for each word; that of a span has its source word.
    """

    words: list[str]
    alignment: np.ndarray


class Missing(NamedTuple):
    """A span that has no stand-in in a translation.

    Attributes:
        source_word: which word of the source has it.
        text: what is inserted.
        shown: what the model was shown; empty if that was the span itself.
        follows_mark: whether the word before it in the source ends with punctuation.
        follows_name: whether the word before it has a capital, as a title or first name has.
        mark: the punctuation after it in the source.
    """

    source_word: int
    text: str
    shown: str
    follows_mark: bool = False
    follows_name: bool = False
    mark: str = ""


class _Given(NamedTuple):
    """A span of the source that belongs into the translation."""

    word: int
    text: str
    kind: SpanKind
    shown: str | None

    @property
    def is_exact(self) -> bool:
        return self.kind.exactly_once and self.shown is not None

    @property
    def is_own(self) -> bool:
        """Whether it is no span, but a word of the source that spans are shown as."""
        return self.kind.exactly_once and self.shown is None

    @property
    def is_tried_again(self) -> bool:
        """Whether other stand-ins are tried where the translation lacks it."""
        return self.kind.is_tried_again and not self.is_own


class _StandIn(NamedTuple):
    """Text of a translation that may be a stand-in, and the kinds that recognise it."""

    word: int
    span: Span
    kinds: tuple[SpanKind, ...]


def restore_spans(
    kinds: Sequence[SpanKind],
    words: Sequence[str],
    source: Sequence[ShownWord],
    alignment: np.ndarray,
    protected: Protected | None = None,
    prefix: Sequence[str] = (),
) -> RestoredWords:
    """Replaces the stand-ins of a translation by the spans that they stand for.

    Each stand-in gets the span that fits it best, by the attention between their words
    and by what the kind says of the two. Spans of a kind with ``exactly_once`` that have no
    stand-in are inserted, and their surplus stand-ins are removed.

    Args:
        kinds: of the spans.
        words: of the translation.
        source: the words of the source.
        alignment: (words, source) how much each word attended to each source word.
        protected: what later steps must not change; None writes the spans themselves.
        prefix: the words at the beginning that were given; those have no stand-ins of spans with
            ``exactly_once``, but perhaps the spans themselves.
    """
    given = _find_given(source, kinds)
    stand_ins = _find_stand_ins(words, kinds, len(prefix))
    fits = [[_fit(one, span, alignment) for span in given] for one in stand_ins]
    begins = " ".join(prefix)
    open_spans = [not (span.is_exact and span.text in begins) for span in given]
    open_fits = [[fit if o else NO_FIT for fit, o in zip(row, open_spans)] for row in fits]
    chosen = match(open_fits, [not span.is_exact for span in given])
    originals = [word.given for word in source]
    keep = protected.add if protected is not None else str
    alignment = alignment.copy()
    restored = list(words)
    for i, one in reversed(list(enumerate(stand_ins))):
        t, stand_in = one.word, one.span
        new = ""
        if i in chosen:
            span = given[chosen[i]]
            place = Place(stand_in.text, span.text, originals, span.word, words, t)
            new = stand_in.text if span.is_own else span.kind.write(place)
            if span.is_exact:
                new = keep(new)
                alignment[t] = np.arange(len(source)) == span.word
        elif max(fits[i], default=NO_FIT) == NO_FIT:
            continue
        restored[t] = restored[t][: stand_in.start] + new + restored[t][stand_in.end :]
    placed = set(chosen.values())
    missing = [
        span
        for j, span in enumerate(given)
        if open_spans[j]
        and j not in placed
        and (span.is_exact or span.kind.must_stay(span.text, source[span.word]))
    ]
    emptied = [one.word for i, one in enumerate(stand_ins) if i not in chosen]
    _move_lone_marks(restored, emptied)
    if not missing:
        return RestoredWords(restored, alignment)
    kept = [t for t, word in enumerate(restored) if word]
    filled = {kept.index(stand_ins[i].word) for i in chosen}
    lost = []
    for span in missing:
        text = span.kind.write(Place("", span.text, originals, span.word, words, len(words)))
        before = originals[span.word - 1] if span.word else ""
        _, _, mark = split_marks(originals[span.word])
        is_title = re.fullmatch(r"[A-Z][a-z]{0,3}\.", before) is not None
        follows_mark = before.endswith(tuple(AFTER_MARKS)) and not is_title
        follows_name = before[:1].isupper()
        text = keep(text) if span.is_exact else text
        lost.append(Missing(span.word, text, span.shown or "", follows_mark, follows_name, mark))
    remaining = [restored[t] for t in kept]
    return insert_spans(lost, remaining, alignment[kept], filled, len(prefix))


def insert_spans(
    missing: Sequence[Missing],
    words: Sequence[str],
    alignment: np.ndarray,
    filled: Collection[int],
    prefix: int,
) -> RestoredWords:
    """Inserts spans next to the words that translate their neighbours.

    A misspelt stand-in is replaced.

    Args:
        missing: in the order of the source.
        words: of the translation.
        alignment: (words, source) how much each word attended to each source word.
        filled: the words that have a span already.
        prefix: how many words at the beginning were given.
    """
    found = list(words)
    filled = {*filled, *range(prefix)}
    places: list[tuple[int, Missing]] = []
    for span in missing:
        t = _misspelt(span, found, alignment, filled)
        if t is not None:
            core = found[t].rstrip(FINAL_MARKS + ",;:")
            found[t] = span.text + found[t][len(core) :]
            filled.add(t)
        else:
            places.append((max(_place(span, alignment), prefix), span))
    for place, span in sorted(places, key=lambda pair: pair[0])[::-1]:
        row = np.zeros((1, alignment.shape[1]), alignment.dtype)
        row[0, span.source_word] = 1
        alignment = np.insert(alignment, place, row, axis=0)
        moved = FINAL_MARKS if place == len(found) else span.mark
        marks = ""
        if place > prefix and moved:  # the mark stays behind the span
            core = found[place - 1].rstrip(moved)
            marks, found[place - 1] = found[place - 1][len(core) :], core
        found.insert(place, span.text + marks)
    return RestoredWords(found, alignment)


def _misspelt(
    span: Missing, words: Sequence[str], alignment: np.ndarray, filled: Collection[int]
) -> int | None:
    """The word that misspells what was shown for a span; None if there is none."""
    beginning = span.shown[:SAME_LETTERS].lower()
    for t in np.argsort(-alignment[: len(words), span.source_word]):
        if not beginning or alignment[t, span.source_word] < CLEAR:
            return None
        if t not in filled and words[t].lower().startswith(beginning):
            return int(t)
    return None


def _place(span: Missing, alignment: np.ndarray) -> int:
    """The place of a span next to the translation of the word before it or after it."""
    s, count, length = span.source_word, len(alignment), alignment.shape[1]
    if not count or length == 1:
        return count
    before: tuple[float, int] = (-1.0, 0) if s == 0 else _best(alignment[:, s - 1], 1)
    after: tuple[float, int] = (-1.0, count) if s == length - 1 else _best(alignment[:, s + 1], 0)
    if s > 0 and (span.mark or span.follows_name) and not span.follows_mark:
        return before[1]
    if s < length - 1 and span.follows_mark and not span.mark:
        return after[1]
    return after[1] if after[0] > before[0] else before[1]


def _best(column: np.ndarray, step: int) -> tuple[float, int]:
    t = int(column.argmax())
    return float(column[t]), t + step


def lacks_spans(
    kinds: Sequence[SpanKind], words: Sequence[str], source: Sequence[ShownWord]
) -> bool:
    """Whether a translation has too few stand-ins for the spans that it must have.

    Args:
        kinds: of the spans.
        words: of the translation.
        source: the words of the source.
    """
    given = _find_given(source, kinds)
    stand_ins = _find_stand_ins(words, kinds, 0)
    blind = np.zeros((len(words), len(source)))
    chosen = match([[_fit(one, span, blind) for span in given] for one in stand_ins])
    placed = set(chosen.values())
    return any(span.is_tried_again and j not in placed for j, span in enumerate(given))


def _find_given(source: Sequence[ShownWord], kinds: Sequence[SpanKind]) -> list[_Given]:
    """The spans of the source, and the words of it that other spans are shown as."""
    exact = [kind for kind in kinds if kind.exactly_once]
    shown = {span.shown for word in source for span in word.spans}
    given = []
    for s, word in enumerate(source):
        found = []
        for kind in kinds:
            own = iter([span for span in word.spans if span.kind == kind.name])
            for text in kind.find_given(word):
                span = next(own, None)
                found.append(_Given(s, text, kind, span and span.shown))
        if not word.spans and not found and exact:
            found += [
                _Given(s, own_text.text, kind, None)
                for kind in exact
                for own_text in kind.find_stand_ins(word.given)
                if any(kind.is_stand_in(own_text.text, each) for each in shown)
            ]
        given += found
    return given


def _find_stand_ins(words: Sequence[str], kinds: Sequence[SpanKind], prefix: int) -> list[_StandIn]:
    found: dict[tuple[int, Span], list[SpanKind]] = {}
    for t, word in enumerate(words):
        for kind in kinds:
            if t < prefix and kind.exactly_once:
                continue
            for span in kind.find_stand_ins(word):
                found.setdefault((t, span), []).append(kind)
    return [_StandIn(t, span, tuple(found[t, span])) for t, span in sorted(found)]


def _fit(stand_in: _StandIn, span: _Given, alignment: np.ndarray) -> float:
    if span.kind not in stand_in.kinds:
        return NO_FIT
    text = stand_in.span.text
    if span.shown is not None and not span.kind.is_stand_in(text, span.shown):
        return NO_FIT
    wanted = span.shown if span.is_tried_again and span.shown is not None else span.text
    return float(alignment[stand_in.word, span.word]) + span.kind.fit(text, wanted)


def match(fits: Sequence[Sequence[float]], shared: Sequence[bool] | None = None) -> dict[int, int]:
    """Assigns columns to rows greedily, the best fits first.

    Args:
        fits: how well each column fits each row; minus infinity if it cannot be assigned.
        shared: whether each column may be used again; None if all may.

    Returns:
        Column by row. Each column is used once, and again only if there are more rows. A row
        whose best column may not be used again has none then.
    """
    pairs = sorted((-fit, i, j) for i, row in enumerate(fits) for j, fit in enumerate(row))
    pairs = [pair for pair in pairs if pair[0] < -NO_FIT]
    chosen: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in pairs:
        if i not in chosen and j not in used:
            chosen[i] = j
            used.add(j)
    best: dict[int, int] = {}
    for _, i, j in pairs:
        best.setdefault(i, j)
    for i, j in best.items():
        if shared is None or shared[j]:
            chosen.setdefault(i, j)
    return chosen


def _move_lone_marks(words: list[str], emptied: Sequence[int]) -> None:
    """Moves punctuation of words that were removed to the words before them."""
    for t in emptied:
        if words[t] and not words[t].strip(MARKS):
            marks = words[t].lstrip(OPENING_MARKS)
            words[t] = ""
            if t and marks and not words[t - 1].endswith(marks):
                words[t - 1] = words[t - 1].rstrip(INNER_MARKS) + marks


def align_source(
    text: str, shown: Sequence[ShownWord], seen: Sequence[str], kinds: Sequence[SpanKind]
) -> list[ShownWord]:
    """The source words as they were given, one for each word that the tokenizer has.

    Args:
        text: the sentence as it was given.
        shown: its words as the model was shown them.
        seen: its words as the tokenizer has them; unusual spaces may divide them differently.
        kinds: the kinds that are carried over.
    """
    if len(shown) == len(seen):
        return list(shown)
    for kind in kinds:
        words = kind.realign(text, seen)
        if words is not None:
            return [ShownWord(word, word) for word in words]
    return [ShownWord(word, word) for word in seen]
