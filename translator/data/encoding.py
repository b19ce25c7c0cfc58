"""Encodes sentence pairs to disk and drops pairs that cannot be trained on."""

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from translator.base.errors import InputError
from translator.base.parallel import over_parts
from translator.base.texts import Counts, describe_counts
from translator.corpora.pairs import END, PairBlock, SentencePairs, in_chunks, untagged
from translator.data.encoded_pairs import EncodedPairs, PairWriter, TokenArray
from translator.text.fitting import added_tokens
from translator.tokenizers.subword import Tokenizer, Tokenizers

DIGIT = re.compile(r"\d")

Rewrite = Callable[[Iterable[tuple[str, str]]], Iterator[tuple[str, str]]]


class PairRules(NamedTuple):
    """The rules by which pairs are dropped when they are encoded.

    Attributes:
        max_length: a side may have at most this many tokens, start and end included.
        max_length_ratio: the longer side may have at most this many times the tokens of the shorter
            side, without start and end; None for no limit.
        drop_unequal_numbers: whether a pair is dropped if its sides have different numbers.
        tags: names of tags that may begin a source; numbers in them do not count.
    """

    max_length: int
    max_length_ratio: float | None = None
    drop_unequal_numbers: bool = False
    tags: tuple[str, ...] = ()

    def apply(
        self, pairs: SentencePairs, encoded: EncodedPairs, added: Sequence[int]
    ) -> dict[str, np.ndarray]:
        """Applies each rule in order. A rule gives for every pair whether it may stay.

        Args:
            added: how many tokens each side's tokenizer adds to a text.
        """
        longest = np.maximum(*(side.lengths for side in encoded))
        lengths = [side.lengths - count for side, count in zip(encoded, added)]
        shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
        rules = {
            "empty": shorter > 0,
            f"longer than {self.max_length} tokens": longest <= self.max_length,
        }
        if self.max_length_ratio is not None:
            within_ratio = longer <= shorter * self.max_length_ratio
            rules[f"longer than {self.max_length_ratio} times the other side"] = within_ratio
        if self.drop_unequal_numbers:
            equal = itertools.starmap(has_equal_numbers, zip(*untagged(pairs, self.tags)))
            rules["with different numbers"] = np.fromiter(equal, bool, len(pairs))
        return rules


class EncodingReport(NamedTuple):
    """The number of pairs that `encode_pairs` kept, and that each rule dropped."""

    kept: int
    dropped: Counts


def encode_pairs(
    pairs: SentencePairs,
    tokenizers: Tokenizers,
    rules: PairRules,
    writer: PairWriter,
    name: str,
    dropped: Mapping[str, int] = MappingProxyType({}),
    rewrite: Rewrite | None = None,
) -> EncodingReport:
    """Encodes pairs and drops pairs that cannot be trained on.

    Args:
        name: the name of the pairs on the progress bar and in errors.
        dropped: how many pairs earlier rules have dropped; the report includes these numbers.
        rewrite: rewrites pairs for the model, for example with masks.

    Returns:
        How many pairs were kept and dropped.
    """
    counts = Counts(dropped)
    before = len(writer)
    with tqdm(
        desc=f"encoding {name}", total=len(pairs), unit=" pairs", leave=False, disable=None
    ) as bar:
        parts = (
            pairs.parts() if rewrite is None else map(PairBlock.of, in_chunks(rewrite(zip(*pairs))))
        )
        for encoded, drops in over_parts(functools.partial(_encode_part, tokenizers, rules), parts):
            counts.update(drops)
            writer.append(encoded)
            bar.update(len(encoded) + sum(drops.values()))
    if len(writer) == before:
        raise InputError(
            f"{name}: all {len(pairs) + sum(dropped.values()):,} pairs were dropped:"
            f" {describe_counts(counts)}; check data.max_length and corpus.cleaning"
        )
    return EncodingReport(len(writer) - before, counts)


def _encode_part(
    tokenizers: Tokenizers, rules: PairRules, part: PairBlock
) -> tuple[EncodedPairs, Counts]:
    """Encodes a part of the pairs; returns the pairs that stay, and how many each rule drops."""
    pairs = part.pairs()
    sides = SentencePairs(*zip(*pairs))
    encoded = EncodedPairs(*map(_encode, tokenizers, sides))
    stays, counts = np.ones(len(pairs), bool), Counts()
    for rule, fits in rules.apply(sides, encoded, list(map(added_tokens, tokenizers))).items():
        counts[rule] = int(np.sum(stays & ~fits))
        stays &= fits
    return EncodedPairs(*(side.select(stays) for side in encoded)), counts


def has_equal_numbers(source: str, target: str) -> bool:
    """Whether two sentences have the same digits, in any order and form, such as 1.5 and 1,5."""
    source_digits, target_digits = (
        sorted(map(unicodedata.decimal, DIGIT.findall(text))) for text in (source, target)
    )
    return source_digits == target_digits


def store_text(pairs: SentencePairs, folder: Path, name: str) -> None:
    """Writes the sentences themselves, as pairs whose ids are bytes of UTF-8."""
    byte = np.dtype(np.uint8)
    with PairWriter(folder, name, (byte, byte)) as writer:
        for part in pairs.parts():
            writer.append(EncodedPairs(*(_to_bytes(side.split(END)[:-1]) for side in part)))


def _encode(tokenizer: Tokenizer, sentences: Collection[str]) -> TokenArray:
    encoded = tokenizer.encode(sentences)
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    flat = itertools.chain.from_iterable(encoded)
    return TokenArray.of(np.fromiter(flat, id_type(tokenizer), lengths.sum()), lengths)


def _to_bytes(encoded: Sequence[bytes]) -> TokenArray:
    ids = np.frombuffer(b"".join(encoded), np.uint8)
    return TokenArray.of(ids, np.fromiter(map(len, encoded), np.int64, len(encoded)))


def id_type(tokenizer: Tokenizer) -> np.dtype[Any]:
    """The smallest of uint16 and int32 that has room for every id."""
    return np.dtype(np.uint16 if tokenizer.size <= 1 << 16 else np.int32)


def id_types(tokenizers: Tokenizers) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The `id_type` of both sides."""
    return id_type(tokenizers.source), id_type(tokenizers.target)
