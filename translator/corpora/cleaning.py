"""Normalises and drops sentence pairs, and splits them so that no sentence is in two splits."""

import functools
import hashlib
import itertools
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np

from translator.base.parallel import over_parts
from translator.base.texts import Counts
from translator.config.corpus import CleaningConfig
from translator.corpora.pairs import END, PairBlock, SentencePairs, in_chunks, untagged
from translator.corpora.tags import split_tags

DIGEST_SIZE = 8  # bytes; of 400,000 corpora with 10 million pairs, one has a collision


def first_occurrences(digests: Iterable[bytes], count: int) -> np.ndarray:
    """Finds the first of equal pairs.

    Args:
        digests: the digests of all pairs in order, part by part, as `digests_of` returns them.

    Returns:
        (count,) booleans: whether no earlier pair is equal.
    """
    first = np.zeros(count, bool)
    values = np.frombuffer(b"".join(digests), np.uint64)
    first[np.unique(values, return_index=True)[1]] = True
    return first


def digests_of(part: PairBlock) -> bytes:
    """The digests of pairs, one after the other."""
    sides = (side.split(END)[:-1] for side in part)
    return b"".join(
        hashlib.blake2b(END.join(pair), digest_size=DIGEST_SIZE).digest() for pair in zip(*sides)
    )


class _WordCharacters(dict[int, str]):
    """Letters, marks and digits stay; every other character becomes a space."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        result = character if unicodedata.category(character)[0] in "LMN" else " "
        self[code] = result
        return result


_WORD_CHARACTERS = _WordCharacters()


def normalized_key(sentence: str) -> str:
    """A key that is equal for sentences that differ in case, punctuation and spacing only.

    Returns:
        The words of the sentence, NFKC-normalised and case-folded; or, without words, the sentence.
    """
    folded = unicodedata.normalize("NFKC", sentence).casefold()
    return " ".join(folded.translate(_WORD_CHARACTERS).split()) or sentence.strip()


def normalize(pairs: Iterable[tuple[str, str]], counts: Counts) -> SentencePairs:
    """Composes characters (Unicode NFC) and makes each stretch of white space one space.

    Args:
        counts: the number of sentences that each rule changed is added here.
    """

    def parts() -> Iterator[PairBlock]:
        for part, changed in over_parts(_normalize_part, map(PairBlock.of, in_chunks(pairs))):
            counts.update(changed)
            yield part

    return SentencePairs.from_parts(parts())


def _normalize_part(part: PairBlock) -> tuple[PairBlock, Counts]:
    """Returns the normalised part, and how many sentences each rule changed."""
    counts = Counts()

    def change(text: str) -> str:
        composed = unicodedata.normalize("NFC", text)
        respaced = " ".join(composed.split())
        counts["composed"] += composed != text
        counts["respaced"] += respaced != composed
        return respaced

    changed = [(change(source), change(target)) for source, target in part.pairs()]
    return PairBlock.of(changed), counts


def drop_empty_and_duplicates(
    pairs: SentencePairs,
    config: CleaningConfig,
    counts: Counts,
    after: SentencePairs | None = None,
    tags: Collection[str] = (),
) -> SentencePairs:
    """Drops pairs with an empty side, and all but the first of equal pairs.

    Args:
        counts: the number of pairs that each rule dropped is added here.
        after: earlier pairs; a pair that is equal to one of them is dropped as a duplicate.
        tags: names of tags; a source of only tags is empty.
    """
    is_filled = _map_pairs(functools.partial(_is_filled, tags), pairs)
    pairs = _select_counted(pairs, is_filled, "empty", counts)
    if config.drop_duplicates:
        earlier = after or SentencePairs((), ())
        parts = itertools.chain(earlier.parts(), pairs.parts())
        count = len(earlier) + len(pairs)
        is_first = first_occurrences(over_parts(digests_of, parts), count)
        pairs = _select_counted(pairs, is_first[len(earlier) :], "duplicates", counts)
    return pairs


def _is_filled(tags: Collection[str], pair: tuple[str, str]) -> bool:
    source, target = pair
    return bool(split_tags(source, tags)[1].strip() and target.strip())


def _map_pairs(function: Callable[[tuple[str, str]], int], pairs: SentencePairs) -> np.ndarray:
    """Calls a function with each pair; (pairs,) uint8. Pickle must accept the function."""
    results = over_parts(functools.partial(_map_part, function), pairs.parts())
    return np.frombuffer(b"".join(results), np.uint8)


def _map_part(function: Callable[[tuple[str, str]], int], part: PairBlock) -> bytes:
    return bytes(map(function, part.pairs()))


def _select_counted(
    pairs: SentencePairs, stays: np.ndarray, rule: str, counts: Counts
) -> SentencePairs:
    counts[rule] += len(stays) - int(np.count_nonzero(stays))
    return pairs.select(stays)


def split_by_hash(
    pairs: SentencePairs, key: Callable[[tuple[str, str]], str], shares: dict[str, float]
) -> dict[str, SentencePairs]:
    """Splits pairs by the hash of their keys.

    All pairs with the same key are in the same split. If the shares stay the same, a key stays in
    its split when other pairs are added or removed.

    Args:
        key: returns a pair's key, such as the `normalized_key` of its English side; can be pickled.
        shares: the share of the keys for each held-out split; the rest is ``train``.

    Returns:
        Every split of ``shares``, and ``train``.
    """
    numbers = _map_pairs(functools.partial(_split_of, key, [*shares.values()]), pairs)
    return {name: pairs.select(numbers == i) for i, name in enumerate([*shares, "train"])}


def _split_of(
    key: Callable[[tuple[str, str]], str], shares: Sequence[float], pair: tuple[str, str]
) -> int:
    """The number of a pair's split."""
    digest = hashlib.sha256(key(pair).encode("utf-8", "surrogatepass")).digest()
    position = int.from_bytes(digest[:8]) / 2**64  # from 0 to 1
    for number, share in enumerate(shares):
        if position < share:
            return number
        position -= share
    return len(shares)


def drop_held_out(
    train: SentencePairs,
    held_out: Sequence[SentencePairs],
    counts: Counts,
    tags: Collection[str] = (),
) -> tuple[SentencePairs, SentencePairs]:
    """Drops a training pair if one of its sides, normalised, is also in a held-out split.

    Returns:
        The pairs that stay, and the dropped pairs.
    """
    held_out_keys = [
        {normalized_key(text) for pairs in held_out for text in untagged(pairs, tags)[side]}
        for side in (0, 1)
    ]
    is_held_out = _map_pairs(functools.partial(_is_known, held_out_keys, tags), train)
    kept = _select_counted(train, is_held_out == 0, "held out", counts)
    return kept, train.select(is_held_out == 1)


def _is_known(
    held_out_keys: Sequence[Collection[str]], tags: Collection[str], pair: tuple[str, str]
) -> bool:
    source, target = pair
    texts = split_tags(source, tags)[1], target
    return any(normalized_key(text) in keys for text, keys in zip(texts, held_out_keys))
