"""Normalises and drops sentence pairs, and splits them so that no sentence is in two splits."""

import functools
import hashlib
import itertools
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from translator.base.counts import Counts
from translator.config.schema import CleaningConfig
from translator.corpora.duplicates import first_occurrences
from translator.corpora.pairs import SentencePairs
from translator.corpora.tags import untagged


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

    Args:
        sentence: in any script.

    Returns:
        Its words, NFKC-normalised and case-folded; the sentence itself if it has no words.
    """
    folded = unicodedata.normalize("NFKC", sentence).casefold()
    return " ".join(folded.translate(_WORD_CHARACTERS).split()) or sentence.strip()


def normalize(
    pairs: Iterable[tuple[str, str]], config: CleaningConfig, counts: Counts
) -> SentencePairs:
    """Composes characters (Unicode NFC) and makes each run of white space one space.

    Args:
        pairs: (source, target) as they are read.
        config: says which of the two to do.
        counts: the number of sentences that each rule changed is added to it.

    Returns:
        Equally many pairs.

    Raises:
        InputError: reading the pairs has failed.
    """
    rules: list[tuple[str, Callable[[str], str]]] = []
    if config.normalize_unicode:
        rules.append(("composed", functools.partial(unicodedata.normalize, "NFC")))
    if config.normalize_whitespace:
        rules.append(("respaced", lambda text: " ".join(text.split())))
    for rule, _ in rules:
        counts.setdefault(rule, 0)

    def change(text: str) -> str:
        for rule, apply in rules:
            changed = apply(text)
            if changed != text:
                counts[rule] += 1
                text = changed
        return text

    return SentencePairs.from_pairs((change(source), change(target)) for source, target in pairs)


def drop_empty_and_duplicates(
    pairs: SentencePairs,
    config: CleaningConfig,
    counts: Counts,
    after: SentencePairs | None = None,
    tags: Collection[str] = (),
) -> SentencePairs:
    """Drops pairs with an empty side, and all but the first of equal pairs.

    Args:
        pairs: the sentences.
        config: says which of the two to do.
        counts: the number of pairs that each rule dropped is put into it.
        after: earlier pairs; what is equal to one of them is dropped as a duplicate.
        tags: their names; a source of nothing else is empty.
    """
    if config.drop_empty:
        texts = zip(*untagged(pairs, tags))
        filled = (bool(source.strip() and target.strip()) for source, target in texts)
        pairs = _counted(pairs, np.fromiter(filled, bool, len(pairs)), "empty", counts)
    if config.drop_duplicates:
        earlier = after or SentencePairs((), ())
        together = itertools.chain(zip(*earlier), zip(*pairs))
        first = first_occurrences(together, len(earlier) + len(pairs))
        pairs = _counted(pairs, first[len(earlier) :], "duplicates", counts)
    return pairs


def _counted(pairs: SentencePairs, chosen: np.ndarray, rule: str, counts: Counts) -> SentencePairs:
    counts[rule] = counts.get(rule, 0) + int(np.sum(~chosen))
    return pairs.select(chosen)


def split_by_hash(
    pairs: SentencePairs, keys: Iterable[str], shares: dict[str, float]
) -> dict[str, SentencePairs]:
    """Splits pairs by the hash of their keys.

    All pairs with the same key stay together, and a key stays in its split when
    other pairs are added or removed, as long as the shares stay the same.

    Args:
        pairs: the sentences.
        keys: one for each pair, such as the `normalized_key` of its English side.
        shares: the share of the keys for each held-out split; the rest is ``train``.

    Returns:
        Every split of ``shares``, and ``train``.
    """
    names = [*shares, "train"]

    def choose(key: str) -> int:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        position = int.from_bytes(digest[:8]) / 2**64  # from 0 to 1
        for number, share in enumerate(shares.values()):
            if position < share:
                return number
            position -= share
        return len(shares)

    chosen = np.fromiter(map(choose, keys), np.uint8, len(pairs))
    return {name: pairs.select(chosen == number) for number, name in enumerate(names)}


def drop_held_out(
    train: SentencePairs,
    held_out: Sequence[SentencePairs],
    counts: Counts,
    tags: Collection[str] = (),
) -> tuple[SentencePairs, SentencePairs]:
    """Drops training pairs of which one side, normalised, is also in a held-out split.

    Args:
        train: the training split.
        held_out: validation and test.
        counts: the number of dropped pairs is added to it.
        tags: their names; they do not count.

    Returns:
        The pairs that are kept, and those that are dropped.
    """
    known = [
        {normalized_key(text) for pairs in held_out for text in untagged(pairs, tags)[side]}
        for side in (0, 1)
    ]
    leaks = (
        any(normalized_key(text) in keys for text, keys in zip(pair, known))
        for pair in zip(*untagged(train, tags))
    )
    dropped = np.fromiter(leaks, bool, len(train))
    counts["held out"] = counts.get("held out", 0) + int(np.sum(dropped))
    return train.select(~dropped), train.select(dropped)
