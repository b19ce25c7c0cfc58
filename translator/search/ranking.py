"""The most probable continuations of a beam, without sorting the vocabulary."""

from typing import Any

import numpy as np
from keras import ops

IMPOSSIBLE = -1e9  # log probability of what is forbidden; finite, so that sums are not NaN


def top_continuations(logits: Any, totals: Any, count: int) -> tuple[Any, Any]:
    """Finds the most probable continuations of each sentence exactly.

    The logits of each beam are arranged as a table. The ``count`` best lie in
    the ``count`` columns with the highest maxima, so only the maxima and the
    logits of a few columns are sorted. The sum of the softmax is taken row by
    row, which a compiler turns into one pass over many columns at a time.

    Args:
        logits: (B, K, V).
        totals: (B, K) log probability of each beam so far.

    Returns:
        Log probabilities (B, count), best first, and (B, count) k * V + token.
    """
    _, beams, vocab_size = logits.shape
    rows, columns = layout(vocab_size)
    if beams * columns < count:  # a large beam or a tiny vocabulary
        rows, columns = 1, max(vocab_size, -(-count // beams))
    if vocab_size < rows * columns:
        more = ((0, 0), (0, 0), (0, rows * columns - vocab_size))
        logits = ops.pad(logits, more, constant_values=2 * IMPOSSIBLE)
    table = ops.reshape(logits, (-1, beams, rows, columns))
    peaks = ops.max(table, axis=2)  # (B, K, columns)
    masses = sum(ops.exp(row - peaks) for row in ops.unstack(table, axis=2))
    totals = totals - ops.logsumexp(peaks + ops.log(masses), axis=-1)  # (B, K)
    peaks = ops.reshape(peaks + totals[:, :, None], (-1, beams * columns))
    _, best = ops.top_k(peaks, count)  # (B, count)
    best = ops.cast(best, "int32")
    parents, best_columns = best // columns, best % columns
    tokens = best_columns[:, :, None] + np.arange(0, rows * columns, columns, dtype="int32")
    tokens = ops.reshape(tokens, (-1, count * rows))  # (B, count * rows)
    parents = ops.repeat(parents, rows, axis=1)
    places = parents * rows * columns + tokens
    found = ops.take_along_axis(ops.reshape(logits, (-1, beams * rows * columns)), places, axis=1)
    found = found + ops.take_along_axis(totals, parents, axis=1)
    log_probabilities, chosen = ops.top_k(found, count)
    flat = parents * vocab_size + ops.minimum(tokens, vocab_size - 1)
    return log_probabilities, ops.take_along_axis(flat, chosen, axis=1)


def layout(vocab_size: int) -> tuple[int, int]:
    """Rows and columns of the table; if they fit the vocabulary exactly, nothing is copied."""
    rows = max(1, int(vocab_size**0.5 / 8))
    return rows, -(-vocab_size // rows)
