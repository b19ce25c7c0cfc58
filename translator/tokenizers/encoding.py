"""Encodes sentences into one flat array of ids."""

import itertools
from collections.abc import Collection
from typing import Any

import numpy as np

from translator.tokenizers.subword import Tokenizer, Tokenizers


def id_type(tokenizer: Tokenizer) -> np.dtype[Any]:
    """The smallest of uint16 and int32 that has room for every id."""
    return np.dtype(np.uint16 if tokenizer.size <= 1 << 16 else np.int32)


def id_types(tokenizers: Tokenizers) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The `id_type` of both sides."""
    return id_type(tokenizers.source), id_type(tokenizers.target)


def encode_flat(tokenizer: Tokenizer, sentences: Collection[str]) -> tuple[np.ndarray, np.ndarray]:
    """Encodes some thousand sentences; the lists of ids of many more would take much memory.

    Returns:
        All ids in one array, start and end of each sentence included; and the int64 number of
        ids of each sentence.
    """
    encoded = tokenizer.encode(sentences)
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    flat = itertools.chain.from_iterable(encoded)
    return np.fromiter(flat, id_type(tokenizer), lengths.sum()), lengths
