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


def digests_of(part: PairBlock) -> bytes:
    """The digests of pairs, one behind the other."""
    sides = (side.split(END)[:-1] for side in part)
    return b"".join(
        hashlib.blake2b(END.join(pair), digest_size=DIGEST_SIZE).digest() for pair in zip(*sides)
    )


class _WordCharacters(dict[int, str]):
    """Letters, marks and digits stay; every other character becomes a space."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kept = character if unicodedata.category(character)[0] in "LMN" else " "
        self[code] = kept
        return kept


_WORD_CHARACTERS = _WordCharacters()


def normalized_key(sentence: str) -> str:
    """A key that is equal for sentences that differ in case, punctuation and spacing only.

    Returns:
        Its words, NFKC-normalised and case-folded; the sentence itself if it has no words.
    """
    folded = unicodedata.normalize("NFKC", sentence).casefold()
    return " ".join(folded.translate(_WORD_CHARACTERS).split()) or sentence.strip()


def normalize(pairs: Iterable[tuple[str, str]], counts: Counts) -> SentencePairs:
    """Composes characters (Unicode NFC) and makes each run of white space one space.

    Args:
        counts: the number of sentences that each rule changed is added to it.
    """

    def parts() -> Iterator[PairBlock]:
        for part, changed in over_parts(_normalized, map(PairBlock.of, in_chunks(pairs))):
            counts.update(changed)
            yield part

    return SentencePairs.from_parts(parts())


def _normalized(part: PairBlock) -> tuple[PairBlock, Counts]:
    """A part by the rules, and how many sentences each of them changed."""
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
        counts: the number of pairs that each rule dropped is added to it.
        after: earlier pairs; what is equal to one of them is dropped as a duplicate.
        tags: their names; a source of nothing else is empty.
    """
    filled = _of_each(functools.partial(_is_filled, tags), pairs)
    pairs = _counted(pairs, filled, "empty", counts)
    if config.drop_duplicates:
        earlier = after or SentencePairs((), ())
        together = itertools.chain(earlier.parts(), pairs.parts())
        count = len(earlier) + len(pairs)
        first = first_occurrences(over_parts(digests_of, together), count)
        pairs = _counted(pairs, first[len(earlier) :], "duplicates", counts)
    return pairs


def _is_filled(tags: Collection[str], pair: tuple[str, str]) -> bool:
    source, target = pair
    return bool(split_tags(source, tags)[1].strip() and target.strip())


def _of_each(function: Callable[[tuple[str, str]], int], pairs: SentencePairs) -> np.ndarray:
    """What a function that can be pickled returns for each pair, below 256; (pairs,) uint8."""
    found = over_parts(functools.partial(_of_part, function), pairs.parts())
    return np.frombuffer(b"".join(found), np.uint8)


def _of_part(function: Callable[[tuple[str, str]], int], part: PairBlock) -> bytes:
    return bytes(map(function, part.pairs()))


def _counted(pairs: SentencePairs, chosen: np.ndarray, rule: str, counts: Counts) -> SentencePairs:
    counts[rule] += len(chosen) - int(np.count_nonzero(chosen))
    return pairs.select(chosen)


def split_by_hash(
    pairs: SentencePairs, key: Callable[[tuple[str, str]], str], shares: dict[str, float]
) -> dict[str, SentencePairs]:
    """Splits pairs by the hash of their keys.

    All pairs with the same key stay together, and a key stays in its split when
    other pairs are added or removed, as long as the shares stay the same.

    Args:
        key: of a pair, such as the `normalized_key` of its English side; it can be pickled.
        shares: the share of the keys for each held-out split; the rest is ``train``.

    Returns:
        Every split of ``shares``, and ``train``.
    """
    chosen = _of_each(functools.partial(_split_of, key, [*shares.values()]), pairs)
    return {name: pairs.select(chosen == i) for i, name in enumerate([*shares, "train"])}


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
    """Drops training pairs of which one side, normalised, is also in a held-out split.

    Returns:
        The pairs that are kept, and those that are dropped.
    """
    known = [
        {normalized_key(text) for pairs in held_out for text in untagged(pairs, tags)[side]}
        for side in (0, 1)
    ]
    dropped = _of_each(functools.partial(_is_known, known, tags), train)
    return _counted(train, dropped == 0, "held out", counts), train.select(dropped == 1)


def _is_known(
    known: Sequence[Collection[str]], tags: Collection[str], pair: tuple[str, str]
) -> bool:
    source, target = pair
    texts = split_tags(source, tags)[1], target
    return any(normalized_key(text) in keys for text, keys in zip(texts, known))
