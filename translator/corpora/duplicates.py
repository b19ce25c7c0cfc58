"""Finds equal sentence pairs by their hashes, which are kept in a file and not in memory."""

import hashlib
import tempfile
from collections.abc import Iterable

import numpy as np

from translator.base.cache import temporary_folder
from translator.corpora.pairs import END

DIGEST_SIZE = 16  # bytes, so that no two different pairs will have the same
BUCKET = 1 << 20  # pairs that are compared at a time


def first_occurrences(pairs: Iterable[tuple[str, str]], count: int) -> np.ndarray:
    """Tells the first of equal pairs from the others.

    Args:
        pairs: (source, target).
        count: the number of pairs.

    Returns:
        (count,) booleans: whether no earlier pair is equal.
    """
    first = np.ones(count, bool)
    if count == 0:
        return first
    with tempfile.TemporaryFile(dir=temporary_folder()) as file:
        file.writelines(map(_digest, pairs))
        file.flush()
        digests = np.memmap(file, np.uint64, "r", shape=(count, 2))
        buckets = -(-count // BUCKET)
        for bucket in range(buckets):
            low, high = ((bucket + i) * (1 << 64) // buckets - i for i in (0, 1))
            in_bucket = (digests[:, 0] >= np.uint64(low)) & (digests[:, 0] <= np.uint64(high))
            places = np.flatnonzero(in_bucket)
            found = digests[places]
            order = np.lexsort(found.T)  # stable: of equal ones the first stays first
            is_repeated = (found[order[1:]] == found[order[:-1]]).all(axis=1)
            first[places[order[1:][is_repeated]]] = False
    return first


def _digest(pair: tuple[str, str]) -> bytes:
    text = END.join(map(str.encode, pair))
    return hashlib.blake2b(text, digest_size=DIGEST_SIZE).digest()
