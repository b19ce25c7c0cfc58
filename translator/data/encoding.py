"""Sentences as ids in flat arrays, in memory or memory-mapped from disk."""

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from translator.base.counts import Counts, describe_counts
from translator.base.errors import InputError
from translator.corpora import SentencePairs
from translator.text.fitting import START_AND_END, are_filled, are_short_enough
from translator.tokenizers.encoding import encode_sides
from translator.tokenizers.subword import Tokenizers

DIGIT = re.compile(r"\d")


@dataclass(frozen=True, eq=False)
class TokenArray:
    """Many sentences of ids in one flat array.

    Attributes:
        ids: all tokens, uint16 or int32, sentence after sentence.
        offsets: int64; sentence i is ``ids[offsets[i]:offsets[i + 1]]``.
    """

    ids: np.ndarray
    offsets: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each sentence, start and end included."""
        return np.diff(self.offsets)

    def __getitem__(self, index: int) -> np.ndarray:
        """One sentence's tokens."""
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def select(self, chosen: np.ndarray) -> "TokenArray":
        """The sentences where ``chosen``, a boolean for each, is True."""
        lengths = self.lengths
        offsets = np.concatenate([[0], np.cumsum(lengths[chosen])])
        return TokenArray(self.ids[np.repeat(chosen, lengths)], offsets)

    def where(self, chosen: np.ndarray, others: "TokenArray") -> "TokenArray":
        """These sentences where ``chosen`` is True, and those of ``others`` elsewhere."""
        lengths = np.where(chosen, self.lengths, others.lengths)
        ids = np.empty(lengths.sum(), self.ids.dtype)
        of_these = np.repeat(chosen, lengths)
        ids[of_these] = self.select(chosen).ids
        ids[~of_these] = others.select(~chosen).ids
        return TokenArray(ids, np.concatenate([[0], np.cumsum(lengths)]))

    def first(self, count: int) -> "TokenArray":
        """The first sentences."""
        return TokenArray(self.ids[: self.offsets[count]], self.offsets[: count + 1])

    def __add__(self, others: "TokenArray") -> "TokenArray":
        """These sentences and then the others."""
        offsets = [self.offsets, self.offsets[-1] + others.offsets[1:]]
        return TokenArray(np.concatenate([self.ids, others.ids]), np.concatenate(offsets))


class EncodedPairs(NamedTuple):
    """A split, encoded: equally many sentences on both sides.

    The same arrays hold a split's text, its ids being bytes of UTF-8; see `store_text`.
    """

    source: TokenArray
    target: TokenArray

    def __len__(self) -> int:
        return len(self.source.offsets) - 1

    @property
    def target_tokens(self) -> int:
        """The number of target tokens that are predicted: all but the start of each sentence."""
        return len(self.target.ids) - len(self)

    def first(self, count: int) -> "EncodedPairs":
        """The first pairs."""
        return EncodedPairs(*(side.first(count) for side in self))

    def followed_by(self, others: "EncodedPairs") -> "EncodedPairs":
        """These pairs and then the others."""
        return EncodedPairs(self.source + others.source, self.target + others.target)

    def where(self, chosen: np.ndarray, others: "EncodedPairs") -> "EncodedPairs":
        """These pairs where ``chosen``, a boolean for each, is True, and the others elsewhere."""
        return EncodedPairs(*(side.where(chosen, other) for side, other in zip(self, others)))

    def save(self, folder: Path, name: str) -> None:
        """Writes four NumPy files that begin with ``name``."""
        arrays = (array for side in self for array in (side.ids, side.offsets))
        for path, array in zip(_paths(folder, name), arrays):
            with open(path, "wb") as file:  # np.save would not report that the disk is full
                header = np.lib.format.header_data_from_array_1_0(array)
                np.lib.format.write_array_header_1_0(file, header)
                file.write(array.data)

    @classmethod
    def load(cls, folder: Path, name: str) -> "EncodedPairs":
        """Opens what `save` wrote, memory-mapped: nothing is read before it is used."""
        arrays = [np.load(path, mmap_mode="c") for path in _paths(folder, name)]
        return cls(TokenArray(*arrays[:2]), TokenArray(*arrays[2:]))


class EncodingReport(NamedTuple):
    """The number of pairs that `encode_pairs` kept, and that each rule dropped."""

    kept: int
    dropped: Counts


def encode_pairs(
    pairs: SentencePairs,
    tokenizers: Tokenizers,
    max_length: int,
    name: str,
    max_length_ratio: float | None = None,
    drop_empty: bool = True,
    drop_unequal_numbers: bool = False,
    dropped: Mapping[str, int] = MappingProxyType({}),
) -> tuple[EncodedPairs, EncodingReport]:
    """Encodes a split and drops pairs that cannot be trained on.

    Args:
        pairs: the sentences.
        tokenizers: of both sides.
        max_length: the most tokens a side may have, start and end included.
        name: names the split on the progress bar and in errors.
        max_length_ratio: how many times as many tokens as the other side a side
            may have, start and end not counted; None for any number.
        drop_empty: whether pairs with an empty side are dropped.
        drop_unequal_numbers: whether pairs are dropped whose sides have different
            numbers.
        dropped: how many pairs earlier rules have dropped; the report includes them.

    Returns:
        The encoded pairs, and how many were kept and dropped.

    Raises:
        InputError: no pair is left.
    """
    source, target = (
        TokenArray(*arrays) for arrays in encode_sides(tokenizers, pairs, f"encoding {name}")
    )
    shorter = np.minimum(source.lengths, target.lengths)
    longer = np.maximum(source.lengths, target.lengths)
    counts = dict(dropped)
    kept = np.ones(len(pairs.sources), bool)
    rules = {f"longer than {max_length} tokens": are_short_enough(longer, max_length)}
    if drop_empty:
        rules = {"empty": are_filled(shorter), **rules}
    if max_length_ratio is not None:
        most = (shorter - START_AND_END) * max_length_ratio
        within_ratio = (longer - START_AND_END <= most) | ~are_filled(shorter)
        rules[f"longer than {max_length_ratio} times the other side"] = within_ratio
    if drop_unequal_numbers:
        equal = itertools.starmap(has_equal_numbers, zip(*pairs))
        rules["of unequal numbers"] = np.fromiter(equal, bool, len(pairs.sources))
    for rule, fits in rules.items():
        counts[rule] = counts.get(rule, 0) + int(np.sum(kept & ~fits))
        kept &= fits
    if not kept.any():
        raise InputError(
            f"{name}: no pair is left of {len(pairs.sources) + sum(dropped.values()):,}; dropped:"
            f" {describe_counts(counts)}; check data.max_length and corpus.cleaning"
        )
    encoded = EncodedPairs(source.select(kept), target.select(kept))
    return encoded, EncodingReport(len(encoded), counts)


def has_equal_numbers(source: str, target: str) -> bool:
    """Whether two sentences have the same digits, in any order and form, such as 1.5 and 1,5."""
    one, other = (
        sorted(map(unicodedata.decimal, DIGIT.findall(text))) for text in (source, target)
    )
    return one == other


def store_text(pairs: SentencePairs) -> EncodedPairs:
    """The sentences themselves, as flat arrays of their bytes in UTF-8."""
    sides = []
    for sentences in pairs:
        encoded = [sentence.encode() for sentence in sentences]
        offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        sides.append(TokenArray(np.frombuffer(b"".join(encoded), np.uint8), offsets))
    return EncodedPairs(*sides)


def read_text(stored: TokenArray) -> Iterator[str]:
    """Yields the sentences of one side of what `store_text` returned."""
    for start, end in itertools.pairwise(stored.offsets.tolist()):
        yield stored.ids[start:end].tobytes().decode()


def _paths(folder: Path, name: str) -> list[Path]:
    parts = itertools.product(("source", "target"), ("ids", "offsets"))
    return [folder / f"{name}.{side}.{part}.npy" for side, part in parts]
