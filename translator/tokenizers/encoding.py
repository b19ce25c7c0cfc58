"""Encodes many sentences into flat arrays of ids."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from tqdm import tqdm

from translator.tokenizers.subword import Tokenizer, Tokenizers

CHUNK_SIZE = 8192  # sentences encoded at a time, because ids in lists take much memory


def encode_sides(
    tokenizers: Tokenizers, pairs: tuple[Sequence[str], Sequence[str]], title: str
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Encodes the sentences of both sides, with a progress bar.

    Args:
        tokenizers: of both sides.
        pairs: the sentences of the source and of the target side.
        title: of the bar.

    Returns:
        For each side all ids in one array, uint16 or int32, start and end of each
        sentence included; and int64 offsets, such that sentence i is
        ``ids[offsets[i]:offsets[i + 1]]``.
    """
    total = sum(map(len, pairs))
    with tqdm(desc=title, total=total, unit=" sentences", leave=False, disable=None) as bar:
        return [_encode(tokenizer, side, bar) for tokenizer, side in zip(tokenizers, pairs)]


def _encode(
    tokenizer: Tokenizer, sentences: Sequence[str], bar: "tqdm[Any]"
) -> tuple[np.ndarray, np.ndarray]:
    dtype = np.uint16 if tokenizer.size <= 1 << 16 else np.int32
    ids, lengths = [np.empty(0, dtype)], [np.zeros(1, np.int64)]
    for start in range(0, len(sentences), CHUNK_SIZE):
        chunk = tokenizer.encode(sentences[start : start + CHUNK_SIZE])
        lengths.append(np.fromiter(map(len, chunk), np.int64, len(chunk)))
        ids.append(np.fromiter(itertools.chain.from_iterable(chunk), dtype, lengths[-1].sum()))
        bar.update(len(chunk))
    return np.concatenate(ids), np.cumsum(np.concatenate(lengths))
