"""Aligned sentences, and the temporary files that keep many of them out of memory."""

import contextlib
import itertools
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from translator.base.cache import temporary_folder
from translator.corpora.tags import split_tags, write_tag

IN_MEMORY = 1 << 20  # bytes; a text up to this size stays in memory
BLOCK = 1 << 18  # bytes that are read at a time
CHUNK = 4096  # pairs in a part
END = b"\xff"  # the end of a sentence; no text in UTF-8 has this byte

Item = TypeVar("Item")


class StoredSentences(Collection[str]):
    """Sentences in a temporary file; each iteration reads them again.

    Short texts stay in memory. The file has no name. It disappears together with this object, even
    if the process is killed. Iterators may take turns, but not in several threads.
    """

    def __init__(self) -> None:
        folder = temporary_folder()
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=folder)  # noqa: SIM115
        self._count = 0

    def append(self, block: bytes) -> None:
        """Appends a block of `as_block`.

        Raises:
            OSError: the disk is full.
        """
        self._file.seek(0, os.SEEK_END)
        self._file.write(block)
        self._count += block.count(END)

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yields all sentences in blocks of `as_block` of ``size`` sentences."""
        place, rest = 0, b""
        while True:
            self._file.seek(place)
            block = self._file.read(BLOCK)
            place, rest = place + len(block), rest + block
            ends = np.flatnonzero(np.frombuffer(rest, np.uint8) == END[0]) + 1
            cuts = [0, *ends[size - 1 :: size].tolist()]
            if not block:
                cuts += [len(rest)] * (cuts[-1] < len(rest))
            for begin, end in itertools.pairwise(cuts):
                yield rest[begin:end]
            if not block:
                return
            rest = rest[cuts[-1] :]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        for block in self.blocks(CHUNK):
            yield from map(bytes.decode, block.split(END)[:-1])

    def __contains__(self, sentence: object) -> bool:
        return any(sentence == stored for stored in self)

    def __eq__(self, sentences: object) -> bool:
        """Whether a collection has the same sentences in the same order."""
        if not isinstance(sentences, Collection):
            return NotImplemented
        return len(self) == len(sentences) and all(a == b for a, b in zip(self, sentences))

    def __del__(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # AttributeError: there is no file
            self._file.close()


class PairBlock(NamedTuple):
    """Some pairs; each side is a block of `as_block`."""

    sources: bytes
    targets: bytes

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> "PairBlock":
        """Puts pairs together."""
        sources, targets = zip(*pairs) if pairs else ((), ())
        return cls(as_block(sources), as_block(targets))

    def pairs(self) -> list[tuple[str, str]]:
        """The pairs one by one."""
        sides = (map(bytes.decode, side.split(END)[:-1]) for side in self)
        return list(zip(*sides))


def as_block(sentences: Iterable[str]) -> bytes:
    """Joins sentences in UTF-8; `END` follows each of them."""
    return END.join([*map(str.encode, sentences), b""])


class SentencePairs(NamedTuple):
    """Aligned sentences: ``targets`` has the translations of ``sources``, in the same order."""

    sources: Collection[str]
    targets: Collection[str]

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]]) -> "SentencePairs":
        """Stores (source, target) tuples, possibly none; see `StoredSentences`."""
        return cls.from_parts(map(PairBlock.of, in_chunks(pairs)))

    @classmethod
    def from_parts(cls, parts: Iterable[PairBlock]) -> "SentencePairs":
        """Stores parts, possibly none."""
        sides = StoredSentences(), StoredSentences()
        for part in parts:
            for side, block in zip(sides, part):
                side.append(block)
        return cls(*sides)

    def parts(self) -> Iterator[PairBlock]:
        """All pairs, some thousand at a time."""
        if isinstance(self.sources, StoredSentences) and isinstance(self.targets, StoredSentences):
            return map(PairBlock, self.sources.blocks(CHUNK), self.targets.blocks(CHUNK))
        return map(PairBlock.of, in_chunks(zip(*self)))

    def select(self, is_selected: np.ndarray) -> "SentencePairs":
        """Selects pairs: ``is_selected`` has a boolean for each pair."""
        if is_selected.all():
            return self
        parts = (is_selected[i : i + CHUNK] for i in range(0, len(is_selected), CHUNK))
        return self.from_parts(map(_select, self.parts(), parts))

    def sample(self, most: int) -> "SentencePairs":
        """Draws about ``most`` pairs at random, in their order; takes all if there are no more.

        The draw depends only on the number of pairs.
        """
        count = len(self)
        if count <= most:
            return self
        random = np.random.default_rng(0)
        draws = (random.random(min(CHUNK, count - i)) for i in range(0, count, CHUNK))
        return self.select(np.concatenate([draw * count < most for draw in draws]))

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.sources)


def untagged(pairs: SentencePairs, tags: Collection[str]) -> SentencePairs:
    """The pairs without the tags of their sources."""
    if not tags:
        return pairs
    return SentencePairs.from_pairs(
        (split_tags(source, tags)[1], target) for source, target in zip(*pairs)
    )


def with_tag(pairs: SentencePairs, name: str | None) -> SentencePairs:
    """The pairs with a tag before each source; None adds none."""
    if name is None:
        return pairs
    return SentencePairs.from_pairs(
        (f"{write_tag(name)} {source}", target) for source, target in zip(*pairs)
    )


def in_chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items, some thousand at a time."""
    remaining = iter(items)
    while chunk := list(itertools.islice(remaining, CHUNK)):
        yield chunk


def _select(part: PairBlock, is_selected: np.ndarray) -> PairBlock:
    if is_selected.all():
        return part
    sides = (itertools.compress(block.split(END), is_selected.tobytes()) for block in part)
    return PairBlock(*(END.join([*side, b""]) for side in sides))
