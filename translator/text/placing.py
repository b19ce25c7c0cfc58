"""Puts marks back into a translation, around the translations of the words inside them.

A place in a text is the number of characters before it. White space of a source is not counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from translator.base.late import np
from translator.text.punctuation import split_marks
from translator.text.shown import Span
from translator.text.tags import pair_tags
from translator.text.word_table import WordTable

HALF = 0.5  # a word belongs to an element that has at least this share of its attention
NEARLY = 0.9  # part of the likeliest word's share, if no word has half
LEAST = 0.1  # the least share of a word that an element takes
FORBIDDEN = -1e6  # the weight of words of other elements
LITTLE = 0.05  # added to all attention
UNRELATED = 0.003  # added to the association of all words
STEEPNESS = 2.0  # how much less likely a word at the other end is
ROUNDS = 2  # rounds of normalising


class _Words(NamedTuple):
    """Starts and ends of words, both with and without the punctuation around them."""

    starts: tuple[int, ...]
    cores: tuple[int, ...]
    core_ends: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, words: Iterable[str], space: int) -> _Words:
        rows, start = [], 0
        for before, core, after in map(split_marks, words):
            before, core = (before, core) if core else ("", before)  # marks alone are a word
            core_end = start + len(before + core)
            rows.append((start, start + len(before), core_end, core_end + len(after)))
            start = core_end + len(after) + space
        return cls(*zip(*rows))


def place_marks(
    words: Sequence[str],
    marks: Sequence[Span],
    source: Sequence[str],
    alignment: np.ndarray,
    lexicon: WordTable,
) -> str:
    """Writes a translation with each mark of its source once. Elements do not overlap.

    Args:
        alignment: (words, source) how much each word attended to each source word.
    """
    if not words or not source:
        return " ".join([*(mark.text.strip() for mark in marks), *words])
    shares = agreed_shares(alignment, lexicon.associations(words, source))
    of_source = _Words.of(("".join(word.split()) for word in source), space=0)
    places = _find_places(_Words.of(words, space=1), marks, of_source, shares)
    return _write(" ".join(words), sorted(zip(places, range(len(marks)), marks)))


def agreed_shares(alignment: np.ndarray, associations: np.ndarray) -> np.ndarray:
    """How much of each word comes from each source word, by attention and lexicon.

    If a word attends to several source words, it belongs to the word that no other attends to.
    Rows (they sum to 1) and columns are normalised in turn, after Sinkhorn and Knopp (1967),
    "Concerning nonnegative matrices and doubly stochastic matrices". Shapes are (words, source).
    """
    target_places, source_places = ((np.arange(count) + HALF) / count for count in alignment.shape)
    nearness = np.exp(-STEEPNESS * np.abs(target_places[:, None] - source_places))
    shares: np.ndarray = (alignment + LITTLE) * (associations + UNRELATED) * nearness
    for _ in range(ROUNDS):
        shares = shares / shares.sum(axis=0, keepdims=True)
        shares = shares / shares.sum(axis=1, keepdims=True)
    return shares


def _find_places(
    target: _Words, marks: Sequence[Span], source: _Words, shares: np.ndarray
) -> list[int]:
    """Finds places for marks: an element encloses the best run of translations of its words.

    The run lies inside the outer element, but in none of its other elements. An element without
    an end reaches to the end of the text; an element without a start begins at its beginning.
    """
    count = len(marks)
    partner = pair_tags([(mark.key, mark.opens, mark.closes) for mark in marks])
    alone = [i for i in range(count) if partner.get(i) is None]
    elements = [(i, j) for i, j in partner.items() if j is not None and i < j]
    elements += [(i, count) for i in alone if marks[i].opens]
    elements += [(-1, i) for i in alone if marks[i].closes]
    places = {i: _place_alone(mark, target, source, shares) for i, mark in enumerate(marks)}
    owners = np.zeros(len(target.ends), int)  # the number of the innermost element of each word
    chain = [(count, 0, 0, target.ends[-1])]  # open elements: last mark, number, start and end
    for number, (i, j) in enumerate(sorted(elements, key=lambda pair: (pair[0], -pair[1])), 1):
        while chain[-1][0] <= i:
            chain.pop()
        last_mark, outer, low, high = chain[-1]
        opens_at = marks[i].start if i >= 0 else 0
        closes_at = marks[j].start if j < count else source.ends[-1]
        first, last = bisect_right(source.core_ends, opens_at), bisect_left(source.cores, closes_at)
        weights = shares[:, first:last].sum(axis=1)
        weights[owners != outer] = FORBIDDEN
        if weights.max() > LEAST:
            run = _best_run(weights - min(HALF, NEARLY * weights.max()))
            owners[run] = number
            has_mark = opens_at == source.starts[first]  # otherwise there is none
            start = (target.starts if has_mark else target.cores)[run.start]
            has_mark = source.core_ends[last - 1] < closes_at or closes_at == source.ends[-1]
            end = (target.ends if has_mark else target.core_ends)[run.stop - 1]
        else:
            start = end = low if i < 0 else high if j == count else places[i]
        start, end = (min(max(place, low), high) for place in (start, end))
        places |= {i: start, j: end}
        chain.append((min(j, last_mark), number, start, end))
    return [places[i] for i in range(count)]


def _place_alone(mark: Span, target: _Words, source: _Words, shares: np.ndarray) -> int:
    """The place of a mark that has no words: after the translation of the word before it."""
    before = bisect_left(source.cores, mark.start) - 1
    if before < 0 or mark.start == source.ends[-1]:
        return 0 if before < 0 else target.ends[-1]
    word = len(target.ends) - 1  # only the final mark follows
    if before < len(source.ends) - 1 or mark.start < source.core_ends[before]:
        likely = shares[:, before] >= min(HALF, shares[:, before].max())
        word = int(np.flatnonzero(likely)[-1])
    behind = source.ends[before] - mark.start  # how much punctuation follows the mark
    if mark.start > source.core_ends[before] or _joins_words(mark) and not behind:
        return max(target.core_ends[word], target.ends[word] - behind)
    return target.core_ends[word]


def _best_run(weights: np.ndarray) -> slice:
    """The consecutive words with the largest sum of weights."""
    sums = np.pad(weights.cumsum(), (1, 0))
    end = int((sums - np.minimum.accumulate(sums)).argmax())
    return slice(end - 1 - int(sums[:end][::-1].argmin()), end)


def _joins_words(mark: Span) -> bool:
    """Whether a mark is a tag such as ``<br>`` between two words, without any space."""
    return mark.key != "" and mark.text[0] + mark.text[-1] == "<>" and not mark.opens | mark.closes


def _write(text: str, placed: Iterable[tuple[int, int, Span]]) -> str:
    """A text with marks at their places, in order. They have the same spaces as in the source."""
    written, end = "", 0
    for place, _, mark in placed:
        written += text[end:place].lstrip() if written.endswith(" ") else text[end:place]
        beside = text[place - 1 : place].strip(), text[place : place + 1].strip()
        mark_text = mark.text.strip() if mark.opens and beside[1] else mark.text
        mark_text = mark_text.rstrip() if all(beside) else mark_text
        written = written.rstrip() if mark.closes else written
        written += mark_text.lstrip() if written[-1:] in ("", " ") else mark_text
        had_space = mark.closes and mark_text == f" {mark_text.strip()}"
        glues = (had_space or _joins_words(mark)) and not beside[1]
        end = max(end, place + glues)
    return (written + (text[end:].lstrip() if written.endswith(" ") else text[end:])).strip()
