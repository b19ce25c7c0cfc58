"""Finds equal sentence pairs by their hashes."""

import hashlib
from collections.abc import Iterable

import numpy as np

from translator.corpora.pairs import END, Part

DIGEST_SIZE = 8  # bytes: of 10 million different pairs two are equal once in 400,000 corpora


def first_occurrences(digests: Iterable[bytes], count: int) -> np.ndarray:
    """Tells the first of equal pairs from the others.

    Args:
        digests: of all pairs in order, as `digests_of` writes those of a part.

    Returns:
        (count,) booleans: whether no earlier pair is equal.
    """
    first = np.zeros(count, bool)
    values = np.frombuffer(b"".join(digests), np.uint64)
    first[np.unique(values, return_index=True)[1]] = True
    return first


def digests_of(part: Part) -> bytes:
    """The digests of pairs, one behind the other."""
    sides = (side.split(END)[:-1] for side in part)
    return b"".join(
        hashlib.blake2b(END.join(pair), digest_size=DIGEST_SIZE).digest() for pair in zip(*sides)
    )
