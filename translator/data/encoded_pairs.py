"""Sentence pairs as ids in flat arrays, in memory or on disk, memory-mapped."""

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np


@dataclass(frozen=True, eq=False)
class TokenArray:
    """Many sentences of ids in one flat array.

    Attributes:
        ids: all tokens, uint16 or int32, sentence after sentence.
        offsets: int64; sentence i is ``ids[offsets[i]:offsets[i + 1]]``.
    """

    ids: np.ndarray
    offsets: np.ndarray

    @classmethod
    def of(cls, ids: np.ndarray, lengths: np.ndarray) -> "TokenArray":
        """Makes sentences from all ids and the number of tokens of each sentence."""
        return cls(ids, np.concatenate([[0], np.cumsum(lengths)]))

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each sentence, start and end included."""
        return np.diff(self.offsets)

    def __getitem__(self, index: int) -> np.ndarray:
        """One sentence's tokens."""
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def select(self, is_selected: np.ndarray) -> "TokenArray":
        """Selects sentences: ``is_selected`` has a boolean for each sentence."""
        lengths = self.lengths
        return TokenArray.of(self.ids[np.repeat(is_selected, lengths)], lengths[is_selected])

    def part(self, begin: int, end: int) -> "TokenArray":
        """The sentences from ``begin`` up to, but without, ``end``."""
        offsets = self.offsets[begin : end + 1]
        return TokenArray(self.ids[offsets[0] : offsets[-1]], offsets - offsets[0])


class EncodedPairs(NamedTuple):
    """An encoded split, with the same number of sentences on both sides.

    The same arrays can store a split's text. Its ids are then bytes of UTF-8; see `read_text`.
    """

    source: TokenArray
    target: TokenArray

    def __len__(self) -> int:
        return len(self.source.offsets) - 1

    def part(self, begin: int, end: int) -> "EncodedPairs":
        """The pairs from ``begin`` up to, but without, ``end``."""
        return EncodedPairs(*(side.part(begin, end) for side in self))

    @classmethod
    def load(cls, folder: Path, name: str) -> "EncodedPairs":
        """Opens files of a `PairWriter`, memory-mapped: nothing is read before it is used."""
        arrays = [np.load(path, mmap_mode="c") for path in _paths(folder, name)]
        return cls(TokenArray(*arrays[:2]), TokenArray(*arrays[2:]))


class PairWriter:
    """Writes pairs to disk, block by block; a context manager that completes the files.

    Args:
        name: the beginning of the files' names, such as ``train``.
        types: the types of the source ids and of the target ids.
    """

    def __init__(self, folder: Path, name: str, types: tuple[np.dtype[Any], np.dtype[Any]]) -> None:
        dtypes = [dtype for id_type in types for dtype in (id_type, np.dtype(np.int64))]
        self._files = contextlib.ExitStack()
        self._arrays = [
            _ArrayFile(self._files.enter_context(path.open("wb")), dtype)
            for path, dtype in zip(_paths(folder, name), dtypes)
        ]
        self._tokens = [0, 0]
        for offsets in self._arrays[1::2]:
            offsets.append(np.zeros(1, np.int64))

    def __enter__(self) -> "PairWriter":
        return self

    def __exit__(self, *error: object) -> None:
        with self._files:
            for array in self._arrays:
                array.finish()

    def __len__(self) -> int:
        """How many pairs there are so far."""
        return self._arrays[1].count - 1

    def append(self, pairs: EncodedPairs) -> None:
        """Appends pairs.

        Raises:
            OSError: the disk is full.
        """
        for number, side in enumerate(pairs):
            ids, offsets = self._arrays[2 * number : 2 * number + 2]
            ids.append(side.ids)
            offsets.append(self._tokens[number] + side.offsets[1:])
            self._tokens[number] += len(side.ids)


class _ArrayFile:
    """A one-dimensional NumPy file whose length is known only at the end."""

    def __init__(self, file: BinaryIO, dtype: np.dtype[Any]) -> None:
        self.count = 0
        self._file = file
        self._dtype = dtype
        self.finish()

    def append(self, values: np.ndarray) -> None:
        # unlike ndarray.tofile, this reports that the disk is full
        self._file.write(np.ascontiguousarray(values, self._dtype).data)
        self.count += len(values)

    def finish(self) -> None:
        """Writes the header. Its size does not depend on the length."""
        descr = np.lib.format.dtype_to_descr(self._dtype)
        header = {"descr": descr, "fortran_order": False, "shape": (self.count,)}
        self._file.seek(0)
        np.lib.format.write_array_header_1_0(self._file, header)


def read_text(stored: TokenArray) -> Iterator[str]:
    """Yields the sentences of one side of a split's text, whose ids are bytes of UTF-8."""
    for start, end in itertools.pairwise(stored.offsets.tolist()):
        yield stored.ids[start:end].tobytes().decode()


def _paths(folder: Path, name: str) -> list[Path]:
    parts = itertools.product(("source", "target"), ("ids", "offsets"))
    return [folder / f"{name}.{side}.{part}.npy" for side, part in parts]
