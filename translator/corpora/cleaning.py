"""Normalises and drops sentence pairs, and splits them so that no sentence is in two splits."""

import hashlib
import unicodedata
from collections.abc import Callable, Sequence

from translator.base.counts import Counts
from translator.config.schema import CleaningConfig
from translator.corpora.pairs import SentencePairs


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


def normalize(pairs: SentencePairs, config: CleaningConfig, counts: Counts) -> SentencePairs:
    """Composes characters (Unicode NFC) and makes each run of white space one space.

    Args:
        pairs: the sentences.
        config: says which of the two to do.
        counts: the number of sentences that each rule changed is added to it.

    Returns:
        Equally many pairs.
    """
    rules: list[tuple[str, Callable[[str], str]]] = []
    if config.normalize_unicode:
        rules.append(("composed", lambda text: unicodedata.normalize("NFC", text)))
    if config.normalize_whitespace:
        rules.append(("respaced", lambda text: " ".join(text.split())))
    sides = tuple(pairs)
    for rule, change in rules:
        changed = tuple(tuple(map(change, side)) for side in sides)
        counts[rule] = counts.get(rule, 0) + sum(
            a != b for before, after in zip(sides, changed) for a, b in zip(before, after)
        )
        sides = changed
    return SentencePairs(*sides)


def drop_empty_and_duplicates(
    pairs: SentencePairs, config: CleaningConfig, counts: Counts
) -> SentencePairs:
    """Drops pairs with an empty side, and all but the first of equal pairs.

    Args:
        pairs: the sentences.
        config: says which of the two to do.
        counts: the number of pairs that each rule dropped is put into it.
    """
    kept = list(zip(*pairs))
    if config.drop_empty:
        filled = [pair for pair in kept if pair[0].strip() and pair[1].strip()]
        counts["empty"] = len(kept) - len(filled)
        kept = filled
    if config.drop_duplicates:
        different = list(dict.fromkeys(kept))
        counts["duplicates"] = len(kept) - len(different)
        kept = different
    return SentencePairs.from_pairs(kept)


def split_by_hash(
    pairs: SentencePairs, keys: Sequence[str], shares: dict[str, float]
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
    chosen: dict[str, list[tuple[str, str]]] = {name: [] for name in (*shares, "train")}
    for pair, key in zip(zip(*pairs), keys):
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        position = int.from_bytes(digest[:8]) / 2**64  # from 0 to 1
        for name, share in shares.items():
            if position < share:
                chosen[name].append(pair)
                break
            position -= share
        else:
            chosen["train"].append(pair)
    return {name: SentencePairs.from_pairs(kept) for name, kept in chosen.items()}


def drop_held_out(
    train: SentencePairs, held_out: Sequence[SentencePairs], counts: Counts
) -> tuple[SentencePairs, SentencePairs]:
    """Drops training pairs of which one side, normalised, is also in a held-out split.

    Args:
        train: the training split.
        held_out: validation and test.
        counts: the number of dropped pairs is added to it.

    Returns:
        The pairs that are kept, and those that are dropped.
    """
    known = [
        {normalized_key(sentence) for pairs in held_out for sentence in pairs[side]}
        for side in (0, 1)
    ]
    kept: list[tuple[str, str]] = []
    dropped: list[tuple[str, str]] = []
    for pair in zip(*train):
        leaks = any(normalized_key(text) in keys for text, keys in zip(pair, known))
        (dropped if leaks else kept).append(pair)
    counts["held out"] = counts.get("held out", 0) + len(dropped)
    return SentencePairs.from_pairs(kept), SentencePairs.from_pairs(dropped)
