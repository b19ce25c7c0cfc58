"""Forbids tokens that would repeat an n-gram of their own hypothesis.

After Paulus et al. (2017), "A Deep Reinforced Model for Abstractive Summarization",
https://arxiv.org/abs/1705.04304, section 2.5, as CTranslate2's ``no_repeat_ngram_size``.
"""

from typing import Any

import numpy as np
from keras import ops

from translator.search.ranking import IMPOSSIBLE


def forbid_repeated_ngrams(logits: Any, ids: Any, positions: Any, size: int) -> Any:
    """Makes every token impossible that would complete an n-gram for the second time.

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
