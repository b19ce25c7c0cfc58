"""The likeliest continuations, without sorting a vocabulary."""

from typing import Any

import numpy as np
from keras import ops

IMPOSSIBLE = -1e9  # log probability of what may not be; finite, so that sums stay numbers


def top_continuations(logits: Any, totals: Any, count: int) -> tuple[Any, Any]:
    """The likeliest continuations of each sentence, exactly, without ranking the vocabulary.

    Each beam's logits are laid out in rows and columns. The ``count`` best lie
    in the ``count`` columns with the highest peaks, so that only peaks and the
    logits of a few columns are ranked; peaks and sums run down the columns,
    which processors do many columns at a time.

    Args:
        logits: (B, K, V).
        totals: (B, K) log probability of each beam so far.
        count: how many.

    Returns:
        Log probabilities (B, count), best first, and k * V + token of each.
    """
    batch, beams, vocab_size = logits.shape
    rows = max(1, int(vocab_size**0.5 / 1.6))
    columns = -(-vocab_size // rows)
    padding = rows * columns - vocab_size
    table = ops.pad(logits, ((0, 0), (0, 0), (0, padding)), constant_values=2 * IMPOSSIBLE)
    table = ops.reshape(table, (-1, beams, rows, columns))
    peaks = ops.max(table, axis=2)  # (B, K, columns)
    masses = ops.sum(ops.exp(table - peaks[:, :, None]), axis=2)
    totals = totals - ops.logsumexp(peaks + ops.log(masses), axis=-1)  # (B, K)
    peaks = ops.reshape(peaks + totals[:, :, None], (-1, beams * columns))
    _, best = ops.top_k(peaks, count)  # (B, count)
    best = ops.cast(best, "int32")
    parents, best_columns = best // columns, best % columns
    tokens = best_columns[:, :, None] + np.arange(0, rows * columns, columns, "int32")
    tokens = ops.reshape(tokens, (-1, count * rows))  # (B, count * rows)
    parents = ops.repeat(parents, rows, axis=1)
    flat = parents * vocab_size + ops.minimum(tokens, vocab_size - 1)
    found = ops.take_along_axis(ops.reshape(logits, (-1, beams * vocab_size)), flat, axis=1)
    found = found + ops.take_along_axis(totals, parents, axis=1)
    found = ops.where(tokens < vocab_size, found, 4 * IMPOSSIBLE)
    log_probabilities, chosen = ops.top_k(found, count)
    return log_probabilities, ops.take_along_axis(flat, chosen, axis=1)
