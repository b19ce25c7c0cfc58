"""What a search keeps to: the tokens that are given, the least length, no repetitions."""

from typing import Any

import numpy as np
from keras import ops

from translator.search.engine import SearchOptions

IMPOSSIBLE = -1e9  # log probability of what is forbidden; finite, so that sums are not NaN


def constrain(logits: Any, ids: Any, position: Any, options: SearchOptions, end_id: int) -> Any:
    """Makes tokens impossible that the options rule out.

    Args:
        logits: (B, K, V) of the tokens at a position.
        ids: (B, K, T) the hypotheses so far.
        position: how many tokens they have, a scalar.

    Returns:
        The logits, (B, K, V). A token of the prefix is certain, so it adds 0 to the sum.
    """
    tokens = np.arange(logits.shape[2])
    if options.min_length > 1:
        too_soon = position + 1 < options.min_length
        logits = ops.where(ops.logical_and(too_soon, tokens == end_id), IMPOSSIBLE, logits)
    if options.no_repeat_ngram:
        logits = _forbid_repeated_ngrams(logits, ids, position, options.no_repeat_ngram)
    if count := len(options.prefix_ids):
        prefix = np.array(options.prefix_ids, "int32")
        token = ops.take(prefix, ops.minimum(position, count - 1))
        certain = ops.where(ops.equal(tokens, token), 0.0, IMPOSSIBLE)  # (V,)
        logits = ops.where(position < count, certain, logits)
    return logits


def _forbid_repeated_ngrams(logits: Any, ids: Any, position: Any, size: int) -> Any:
    """Makes every token impossible that would complete an n-gram for the second time.

    After Paulus et al. (2017), "A Deep Reinforced Model for Abstractive Summarization",
    https://arxiv.org/abs/1705.04304, section 2.5, as CTranslate2's ``no_repeat_ngram_size``.
    """
    starts = ids.shape[2] - size + 1  # W, the places where an n-gram may begin
    if starts < 1:
        return logits
    repeats = np.arange(size - 1, ids.shape[2]) < position  # (W,) the n-gram there is complete
    for i in range(size - 1):
        latest = ops.take(ids, ops.maximum(position - size + 1 + i, 0), axis=2)  # (B, K)
        is_equal = ops.equal(ids[:, :, i : i + starts], latest[:, :, None])
        repeats = ops.logical_and(repeats, is_equal)  # (B, K, W)
    count, beams, vocab_size = logits.shape
    rows = np.arange(count * beams, dtype="int32").reshape(count, beams, 1)
    nowhere = count * beams * vocab_size
    places = ops.where(repeats, rows * vocab_size + ids[:, :, size - 1 :], nowhere)
    places = ops.reshape(places, (-1, 1))
    flat = ops.pad(ops.reshape(logits, (-1,)), ((0, 1),))
    flat = ops.scatter_update(flat, places, ops.full(places.shape[:1], IMPOSSIBLE, flat.dtype))
    return ops.reshape(flat[:-1], logits.shape)
