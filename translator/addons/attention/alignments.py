"""Word alignments that are derived from cross-attention. NumPy only."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from translator.text.word_alignment import word_alignment
from translator.tokenizers.words import words_of_tokens
from translator.translation.records import AttentionRecord

Link = tuple[int, int]  # the numbers of a source word and a target word, from 0

READINGS = ("written", "read")  # the fields of `WordAttention`


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

    Returns:
        (..., target words), word numbers; -1 for a target word whose scores are all 0, as
        those of a word without a piece of its own are.
    """
    return np.where(scores.max(axis=-1) > 0, scores.argmax(axis=-1), -1)


class AlignmentMethod(NamedTuple):
    """The heads and the reading that an alignment is derived from.

    Attributes:
        layer: from 0; None for all layers.
        head: from 0; None for the mean of all heads.
    """

    reading: str
    layer: int | None = None
    head: int | None = None

    def __str__(self) -> str:
        heads = "average of all heads" if self.head is None else f"head {self.head + 1}"
        where = "" if self.layer is None else f" of layer {self.layer + 1}"
        return f"{heads}{where}, {self.reading}"
