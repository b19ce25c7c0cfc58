"""The frames of a training: the attention of the same sentences at some updates. NumPy only."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.addons.attention.alignment_errors import AlignmentCounter
from translator.addons.attention.alignments import word_attention
from translator.addons.attention.gold_alignments import SegmentedPair
from translator.addons.attention.record_files import load_records
from translator.base.errors import InputError
from translator.translation.records import KINDS, AttentionRecord


class FilmedSentence(NamedTuple):
    """A sentence through a training.

    Attributes:
        record: of the last frame.
        losses: (frames,) cross-entropy of a target token, in nats.
        scores: by kind, (frames, L, N, queries, keys).
        entropies: by kind, (frames, L, N), the mean over the rows, in bits.
        errors: (frames, L, N), alignment error rates of cross-attention by the steps that write a
            word; None without a gold alignment.
    """

    record: AttentionRecord
    losses: np.ndarray
    scores: dict[str, np.ndarray]
    entropies: dict[str, np.ndarray]
    errors: np.ndarray | None


class Film(NamedTuple):
    """All frames.

    Attributes:
        updates: (frames,) after which each was taken.
        sentences: in the order of the configuration.
    """

    updates: np.ndarray
    sentences: list[FilmedSentence]


def load_film(folder: Path, gold: Mapping[tuple[str, str], SegmentedPair] | None = None) -> Film:
    """Reads the frames of a run.

    Args:
        folder: with a file of records for each frame, named by the update.
        gold: pairs with gold alignments, by sentence and translation.

    Raises:
        InputError: there are none, or they are damaged or not all of the same sentences.
    """
    paths = sorted(folder.glob("*.npz"))
    if not paths:
        raise InputError(
            f"{folder}: expected frames, found none; name sentences under film: in the"
            " configuration, and train"
        )
    frames = [list(load_records(path)) for path in paths]
    for path, frame in zip(paths, frames):
        if [_pieces(record) for record in frame] != [_pieces(record) for record in frames[0]]:
            raise InputError(
                f"{path}: expected the sentences of the other frames, found others; remove it"
            )
    updates = np.array([int(path.stem) for path in paths])
    return Film(
        updates,
        [
            _sentence(records, (gold or {}).get((records[0].source, records[0].hypothesis)))
            for records in zip(*frames)
        ],
    )


def _pieces(record: AttentionRecord) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return record.source_tokens, record.target_tokens


def _sentence(records: tuple[AttentionRecord, ...], gold: SegmentedPair | None) -> FilmedSentence:
    scores = {
        kind: np.stack([record.maps(kind).scores for record in records]).astype("float32")
        for kind in KINDS
    }
    entropies = {}
    for kind, array in scores.items():
        logs = np.log2(array, out=np.zeros_like(array), where=array > 0)
        entropies[kind] = -(array * logs).sum(axis=-1).mean(axis=-1)
    errors = None if gold is None else _errors(records, gold)
    return FilmedSentence(
        records[-1],
        np.array([-record.score for record in records]),
        scores,
        entropies,
        errors,
    )


def _errors(records: tuple[AttentionRecord, ...], pair: SegmentedPair) -> np.ndarray | None:
    """(frames, L, N) alignment error rates; None where the words are not those of the pieces."""
    rates = []
    for record in records:
        attention = word_attention(record, pair.source_words, pair.target_words)
        if attention is None or pair.gold is None:
            return None
        counter = AlignmentCounter()
        counter.add(attention, pair.gold)
        if (found := counter.result()) is not None:
            rates.append(found.heads["written"])
    return np.stack(rates)
