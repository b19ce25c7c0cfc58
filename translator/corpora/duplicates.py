"""Finds equal sentence pairs by their hashes, which are kept in a file and not in memory."""

import hashlib
import tempfile
from collections.abc import Iterable

import numpy as np

from translator.base.cache import temporary_folder
from translator.corpora.pairs import END, Part

DIGEST_SIZE = 16  # bytes, so that no two different pairs will have the same
BUCKET = 1 << 20  # pairs that are compared, or written, at a time
RECORD = 3  # numbers of 64 bits of a pair: its digest and its place


def first_occurrences(digests: Iterable[bytes], count: int) -> np.ndarray:
    """Tells the first of equal pairs from the others.

    The digests are written once and read once: a part at a time, sorted by buckets of about equal
    sizes, and then all parts of a bucket together.

    Args:
        digests: of all pairs in order, as `digests_of` writes those of a part.

    Returns:
        (count,) booleans: whether no earlier pair is equal.
    """
    first = np.ones(count, bool)
    bits = max(-(-count // BUCKET) - 1, 0).bit_length()  # of a digest, that tell its bucket
    ends = []  # in the file, of each bucket of each part
    unread, remaining = b"", iter(digests)
    with tempfile.TemporaryFile(dir=temporary_folder()) as file:
        for begin in range(0, count, BUCKET):
            size = DIGEST_SIZE * min(BUCKET, count - begin)
            blocks = [unread]
            while (missing := size - sum(map(len, blocks))) > 0:
                blocks.append(next(remaining))
            unread = blocks[-1][len(blocks[-1]) + missing :]
            part = np.frombuffer(b"".join(blocks)[:size], np.uint64).reshape(-1, RECORD - 1)
            places = np.arange(begin, begin + len(part), dtype=np.uint64)[:, None]
            buckets = _bucket(part[:, 0], bits)
            order = np.argsort(buckets, kind="stable")
            file.write(np.hstack([part, places])[order].data)
            ends.append(begin + np.cumsum(np.bincount(buckets, minlength=1 << bits)))
        next(remaining, None)  # lets what gives them end its work
        file.flush()
        if count == 0:
            return first
        records = np.memmap(file, np.uint64, "r", shape=(count, RECORD))
        begins = np.append(0, np.ravel(ends)[:-1]).reshape(len(ends), -1)
        for its in zip(begins.T.tolist(), np.transpose(ends).tolist()):
            found = np.concatenate([records[begin:end] for begin, end in zip(*its)])
            order = np.lexsort((found[:, 1], found[:, 0]))  # stable: the first stays first
            ordered = found[order]
            is_repeated = (ordered[1:, :2] == ordered[:-1, :2]).all(axis=1)
            first[ordered[1:, 2][is_repeated].astype(np.int64)] = False
    return first


def _bucket(values: np.ndarray, bits: int) -> np.ndarray:
    """The first bits of numbers of 64 bits."""
    return (values >> np.uint64(64 - bits)).astype(np.int64) if bits else np.zeros(len(values), int)


def digests_of(part: Part) -> bytes:
    """The digests of pairs, one behind the other."""
    sides = (side.split(END)[:-1] for side in part)
    return b"".join(
        hashlib.blake2b(END.join(pair), digest_size=DIGEST_SIZE).digest() for pair in zip(*sides)
    )
