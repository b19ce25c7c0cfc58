"""BPE-dropout: each epoch splits the training split into pieces again, with some merges left out.

Provilkov et al. (2020), "BPE-Dropout: Simple and Effective Subword
Regularization", https://aclanthology.org/2020.acl-main.170

SentencePiece can do this too, but its random numbers depend on state of the
process that cannot be seeded, so no run could be resumed exactly.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.tokenizers.special_tokens import WORD_START
from translator.tokenizers.subword import Tokenizer, Tokenizers

BLOCK_SIZE = 1 << 16  # random numbers drawn at a time
MAX_FOREIGN_SHARE = 0.05  # of words that `Merger` splits differently from a BPE model


class Segmentation(NamedTuple):
    """A word split into pieces.

    Attributes:
        number: its place in the table of segmentations.
        merges: how many merges became possible; each could have been left out.
    """

    number: int
    merges: int


class BPEDropout:
    """Splits the same pairs differently in each epoch.

    Args:
        pairs: as the tokenizers split them.
        tokenizers: of both sides.
        rate: the share of merges that are left out.
        seed: the run's.
        max_length: the most tokens a side may have.

    Raises:
        InputError: a tokenizer does not merge pieces, so there is nothing to leave out.
    """

    def __init__(
        self,
        pairs: EncodedPairs,
        tokenizers: Tokenizers,
        rate: float,
        seed: int,
        max_length: int,
    ) -> None:
        self.pairs = pairs
        self.rate = rate
        self.seed = seed
        self.max_length = max_length
        self.sides = [_Side(*side) for side in zip(pairs, tokenizers)]

    def epoch(self, number: int) -> EncodedPairs:
        """The pairs of an epoch, split with dropout; the seed and the number decide how.

        A pair that would become longer than the model takes keeps its usual pieces.

        Args:
            number: of the epoch, from 0.
        """
        random = np.random.default_rng((self.seed, number)).spawn(2)
        drawn = EncodedPairs(
            *(side.draw(self.rate, generator) for side, generator in zip(self.sides, random))
        )
        longest = np.maximum(drawn.source.lengths, drawn.target.lengths)
        return drawn.where(longest <= self.max_length, self.pairs)


class _Side:
    """The words of one side, and all segmentations of them that were drawn so far."""

    def __init__(self, tokens: TokenArray, tokenizer: Tokenizer) -> None:
        self.merger = tokenizer.merger()
        self.dtype = tokens.ids.dtype
        begins = np.array([piece.startswith(WORD_START) for piece in self.merger.pieces])
        is_first = begins[tokens.ids]
        ends = tokens.offsets[1:] - 1
        first_pieces = tokens.offsets[:-1] + tokenizer.has_start
        is_first[tokens.offsets[:-1]] = is_first[first_pieces] = is_first[ends] = True
        starts = np.flatnonzero(is_first)
        known: dict[bytes, int] = {}
        bounds = [*starts.tolist(), len(tokens.ids)]
        self.words = np.fromiter(
            (
                known.setdefault(tokens.ids[start:end].tobytes(), len(known))
                for start, end in zip(bounds, bounds[1:])
            ),
            np.int32,
            len(starts),
        )
        self.first = np.searchsorted(starts, tokens.offsets)  # of each sentence, among its words
        self.table: list[np.ndarray] = [np.frombuffer(word, self.dtype) for word in known]
        self.texts = [self.merger.text(ids) for ids in self.table]
        self.found: dict[tuple[int, tuple[int, ...]], Segmentation] = {}
        found = np.array([self._merges(word) for word in range(len(known))])
        self.merges = np.maximum(found, 0)
        foreign = np.mean([text != "" for text in self.texts] & (found < 0))
        if foreign > MAX_FOREIGN_SHARE or not self.merges.any():
            raise InputError(
                "data.bpe_dropout: expected tokenizers of the BPE kind, which merge pieces, found"
                f" one that does not ({tokenizer.model_file.name}); set data.bpe_dropout: 0"
            )

    def _merges(self, word: int) -> int:
        """How many merges make the whole word; -1 if BPE splits it differently."""
        ids, merges = self.merger.split(self.texts[word], ())
        return merges if ids == self.table[word].tolist() else -1

    def draw(self, rate: float, random: np.random.Generator) -> TokenArray:
        """Splits every word and leaves out each merge with probability ``rate``."""
        gaps = _gaps(rate, random)
        first = np.concatenate([next(gaps) for _ in range(0, len(self.words), BLOCK_SIZE)])
        first = first[: len(self.words)]
        chosen = self.words.copy()
        more = (gap for some in gaps for gap in some.tolist())
        touched = np.flatnonzero(first < self.merges[self.words])
        for i, word, place in zip(
            touched.tolist(), self.words[touched].tolist(), first[touched].tolist()
        ):
            chosen[i] = self._split(word, place, more)
        return self._assemble(chosen)

    def _split(self, word: int, place: int, gaps: Iterator[int]) -> int:
        """The number of a segmentation whose first left-out merge has number ``place``."""
        left_out: tuple[int, ...] = ()
        merges = place + 1
        while place < merges:
            left_out += (place,)
            if (word, left_out) not in self.found:
                ids, count = self.merger.split(self.texts[word], left_out)
                self.found[word, left_out] = Segmentation(len(self.table), count)
                self.table.append(np.array(ids, self.dtype))
            found = self.found[word, left_out]
            merges = found.merges
            place += 1 + next(gaps)
        return found.number

    def _assemble(self, chosen: np.ndarray) -> TokenArray:
        lengths = np.fromiter(map(len, self.table), np.int64, len(self.table))
        starts = np.cumsum(lengths) - lengths
        chosen_lengths = lengths[chosen]
        ends = np.cumsum(chosen_lengths)
        places = np.repeat(starts[chosen] - (ends - chosen_lengths), chosen_lengths) + np.arange(
            ends[-1]
        )
        offsets = np.concatenate([[0], ends])[self.first]
        return TokenArray(np.concatenate(self.table)[places], offsets)


def _gaps(rate: float, random: np.random.Generator) -> Iterator[np.ndarray]:
    """Yields, in blocks, how many merges are kept between two that are left out."""
    while True:
        drawn = np.log1p(-random.random(BLOCK_SIZE)) / math.log1p(-rate)
        yield np.minimum(drawn, 1 << 30).astype(np.int64)
