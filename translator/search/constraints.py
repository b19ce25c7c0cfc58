"""What a search keeps to: the least length, the tokens that are given, no repetitions."""

from typing import Any, NamedTuple

import numpy as np
from keras import ops

from translator.search.ranking import IMPOSSIBLE
from translator.search.state import SearchSettings


def forbid_early_end(logits: Any, positions: Any, settings: SearchSettings) -> Any:
    """Makes the end impossible where a hypothesis would have too few tokens.

    Args:
        logits: (B, K, V).
        positions: (B,) of the token that is searched for.

    Returns:
        The logits, (B, K, V).
    """
    if settings.min_length <= 1:
        return logits
    too_soon = ops.less(positions + 1, settings.min_length)[:, None, None]
    is_end = np.arange(logits.shape[-1]) == settings.end_id
    return ops.where(ops.logical_and(too_soon, is_end), IMPOSSIBLE, logits)


class GivenTokens(NamedTuple):
    """The tokens of the prefix at some positions, (B, 1) each.

    Attributes:
        given: whether the prefix has a token there.
    """

    given: Any
    ids: Any


def given_tokens(positions: Any, settings: SearchSettings) -> GivenTokens | None:
    """The tokens that every hypothesis has at ``positions``, (B,); None without a prefix."""
    if not settings.prefix_ids:
        return None
    count, position = len(settings.prefix_ids), positions[:, None]
    ids = np.array([*settings.prefix_ids, settings.end_id], "int32")
    return GivenTokens(position < count, ops.take(ids, ops.minimum(position, count)))


def forbid_repeated_ngrams(logits: Any, ids: Any, positions: Any, size: int) -> Any:
    """Makes every token impossible that would complete an n-gram for the second time.

    After Paulus et al. (2017), "A Deep Reinforced Model for Abstractive Summarization",
    https://arxiv.org/abs/1705.04304, section 2.5, as CTranslate2's ``no_repeat_ngram_size``.

    Args:
        logits: (B, K, V).
        ids: (B, K, T) the hypotheses so far.
        positions: (B,) how many tokens they have.
        size: n; 1 forbids every token that a hypothesis has already.

    Returns:
        The logits, (B, K, V).
    """
    beams, length = ids.shape[1:]
    vocab_size = logits.shape[-1]
    starts = length - size + 1  # W, places where an n-gram may begin
    if starts < 1:
        return logits
    ends_before = np.arange(size - 1, length) < positions[:, None, None]  # (B, 1, W)
    repeats = ops.broadcast_to(ends_before, (*ids.shape[:2], starts))
    for i in range(size - 1):
        place = ops.maximum(positions - size + 1 + i, 0)[:, None, None]
        latest = ops.take_along_axis(ids, place, axis=2)  # (B, K, 1)
        repeats = ops.logical_and(repeats, ops.equal(ids[:, :, i : i + starts], latest))
    rows = ops.reshape(ops.arange(logits.shape[0] * beams, dtype="int32"), (-1, beams, 1))
    nowhere = logits.shape[0] * beams * vocab_size
    places = ops.where(repeats, rows * vocab_size + ids[:, :, size - 1 :], nowhere)
    places = ops.reshape(places, (-1, 1))
    flat = ops.pad(ops.reshape(logits, (-1,)), ((0, 1),))
    flat = ops.scatter_update(flat, places, ops.full((places.shape[0],), IMPOSSIBLE, flat.dtype))
    return ops.reshape(flat[:-1], logits.shape)
