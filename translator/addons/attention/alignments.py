"""Word alignments: parsed, formatted, and derived from cross-attention. NumPy only."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.text.word_alignment import word_alignment
from translator.tokenizers.words import words_of_tokens
from translator.translation.records import AttentionRecord

Link = tuple[int, int]  # the numbers of a source word and a target word, from 0

READINGS = ("written", "read")  # the fields of `WordAttention`
_LINK = re.compile("([0-9]{1,9})([-?p])([0-9]{1,9})")


class Links(NamedTuple):
    """The gold alignment of a sentence pair.

    Attributes:
        sure: links that an alignment must have.
        possible: links that it may have, the sure ones included.
    """

    sure: frozenset[Link]
    possible: frozenset[Link]


def parse_links(line: str, place: str) -> Links:
    """Reads a line in the Pharaoh format, such as ``0-0 1?2 2p1``.

    Args:
        line: links separated by spaces; ``-`` marks a sure link, ``?`` or ``p`` a possible
            one.
        place: names the line in errors.

    Returns:
        The links of the line.

    Raises:
        InputError: the line has something that is not a link.
    """
    sure, possible = set(), set()
    for word in line.split():
        found = _LINK.fullmatch(word)
        if found is None:
            raise InputError(
                f"{place}: expected links such as 0-0 or 1?2, source word first, found"
                f" {word[:40]!r}; correct it"
            )
        link = int(found[1]), int(found[3])
        possible.add(link)
        if found[2] == "-":
            sure.add(link)
    return Links(frozenset(sure), frozenset(possible))


def format_links(links: Iterable[Link]) -> str:
    """Writes sure links as a line in the Pharaoh format, sorted: ``0-0 1-2``."""
    return " ".join(f"{source}-{target}" for source, target in sorted(links))


def check_links(links: Links, source_words: int, target_words: int, place: str) -> None:
    """Refuses links of words that do not exist.

    Args:
        links: of a sentence pair.
        source_words: number of words of its source.
        target_words: number of words of its target.
        place: names the line in errors.

    Raises:
        InputError: a link is out of range.
    """
    for source, target in sorted(links.possible):
        if source >= source_words or target >= target_words:
            raise InputError(
                f"{place}: expected links of {source_words} source and {target_words} target"
                f" words, counted from 0, found {source}-{target}; check that the words are those"
                " between spaces"
            )


class WordAttention(NamedTuple):
    """Cross-attention between words, without start and end, by two readings.

    The decoder step that writes a piece has the piece before it as its input. So a word's
    attention can be that of the steps that write it, or that of the steps that read it, one
    step later. The later ones often align better: Chen et al. (2020), "Accurate Word
    Alignment Induction from Neural Machine Translation",
    https://aclanthology.org/2020.emnlp-main.42, and Kobayashi et al. (2020),
    "Attention is Not Only a Weight", https://aclanthology.org/2020.emnlp-main.574

    Attributes:
        written: (L, N, target words, source words), of the steps that write the word.
        read: the same shape, of the steps that have the word as their input.
    """

    written: np.ndarray
    read: np.ndarray


def word_attention(
    record: AttentionRecord, source_words: Sequence[str], target_words: Sequence[str]
) -> WordAttention | None:
    """Cross-attention between the words that an alignment counts.

    Args:
        record: of the sentence pair.
        source_words: words and punctuation marks of the source, without spaces.
        target_words: words and punctuation marks of the target, without spaces.

    Returns:
        The attention; None if a side has no words, or its pieces spell other words.
    """
    if not source_words or not target_words:
        return None
    source = words_of_tokens(record.source_tokens, source_words)
    target = words_of_tokens(record.target_tokens, target_words)
    if source is None or target is None:
        return None
    # Step i reads target token i and writes token i + 1.
    written = target._replace(numbers=target.numbers[1:])
    read = target._replace(numbers=target.numbers[:-1])
    return WordAttention(
        *(word_alignment(record.cross, words, source) for words in (written, read))
    )


def most_attended(scores: np.ndarray) -> np.ndarray:
    """The source word that each target word attends to most.

    Args:
        scores: (..., target words, source words).

    Returns:
        (..., target words), word numbers; -1 for a target word whose scores are all 0, as
        those of a word without a piece of its own are.
    """
    return np.where(scores.max(axis=-1) > 0, scores.argmax(axis=-1), -1)


def links_of(sources: Iterable[int]) -> list[Link]:
    """The links of target words to these source words; none of a word with -1."""
    return [(source, target) for target, source in enumerate(sources) if source >= 0]


class AlignmentMethod(NamedTuple):
    """The heads and the reading that an alignment is derived from.

    Attributes:
        reading: one of `READINGS`.
        layer: from 0; None for all layers.
        heads: from 0; None for all heads.
    """

    reading: str
    layer: int | None = None
    heads: tuple[int, ...] | None = None

    def links(self, attention: WordAttention) -> list[Link]:
        """Links each target word to the source word that the mean of the heads attends to most."""
        scores = getattr(attention, self.reading)  # (L, N, target words, source words)
        scores = scores if self.layer is None else scores[[self.layer]]
        scores = scores if self.heads is None else scores[:, list(self.heads)]
        return links_of(most_attended(scores.mean(axis=(0, 1))).tolist())

    def __str__(self) -> str:
        heads = [str(head + 1) for head in self.heads or ()]
        what = "average of all heads" if self.heads is None else f"head {heads[0]}"
        if len(heads) > 1:
            what = f"average of heads {', '.join(heads)}"
        where = "" if self.layer is None else f" of layer {self.layer + 1}"
        return f"{what}{where}, {self.reading}"
