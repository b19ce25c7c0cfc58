"""Aligned sentences, and the temporary files that keep many of them out of memory."""

import contextlib
import itertools
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from translator.base.cache import temporary_folder

IN_MEMORY = 1 << 20  # bytes of text that need no file
BLOCK = 1 << 18  # bytes that are read at a time
CHUNK = 4096  # pairs that are written at a time
END = b"\xff"  # of a sentence; no text in UTF-8 has this byte


class StoredSentences(Collection[str]):
    """Sentences in a temporary file, which are read again each time they are iterated over.

    A few stay in memory. The file has no name that others could see, and is gone when this object
    is, also if the process is killed. Iterators may take turns, but not in several threads.
    """

    def __init__(self) -> None:
        folder = temporary_folder()
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=folder)  # noqa: SIM115
        self._count = 0

    def extend(self, sentences: Iterable[str]) -> None:
        """Writes more sentences behind the last one.

        Raises:
            OSError: the disk is full.
        """
        encoded = [sentence.encode() for sentence in sentences]
        self._file.seek(0, os.SEEK_END)
        self._file.write(END.join([*encoded, b""]))
        self._count += len(encoded)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        place, rest = 0, b""
        while True:
            self._file.seek(place)
            block = self._file.read(BLOCK)
            if not block:
                return
            place += len(block)
            *whole, rest = (rest + block).split(END)
            yield from map(bytes.decode, whole)

    def __contains__(self, sentence: object) -> bool:
        return any(sentence == each for each in self)

    def __eq__(self, other: object) -> bool:
        """Whether the other ones are the same sentences in the same order."""
        if not isinstance(other, Collection):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    def __del__(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # AttributeError: it could not be made
            self._file.close()


class SentencePairs(NamedTuple):
    """Aligned sentences: each of ``targets`` is the translation of the same one of ``sources``."""

    sources: Collection[str]
    targets: Collection[str]

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]]) -> "SentencePairs":
        """Stores (source, target) tuples, possibly none; see `StoredSentences`."""
        sides = StoredSentences(), StoredSentences()
        remaining = iter(pairs)
        while chunk := list(itertools.islice(remaining, CHUNK)):
            for side, sentences in zip(sides, zip(*chunk)):
                side.extend(sentences)
        return cls(*sides)

    def select(self, chosen: np.ndarray) -> "SentencePairs":
        """The pairs where ``chosen``, a boolean for each, is True."""
        if chosen.all():
            return self
        return self.from_pairs(itertools.compress(zip(*self), chosen.tobytes()))

    def sample(self, most: int) -> "SentencePairs":
        """As many pairs as ``most``, but for chance, in their order; all if there are not more.

        The same of equally many pairs are drawn each time.
        """
        count = len(self)
        if count <= most:
            return self
        random = np.random.default_rng(0)
        shares = (random.random(min(CHUNK, count - i)) for i in range(0, count, CHUNK))
        return self.select(np.concatenate([its * count < most for its in shares]))

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.sources)
