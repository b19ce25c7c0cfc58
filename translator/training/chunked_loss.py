"""Projection and loss as one, a few tokens at a time, so that their logits stay in the cache."""

from typing import Any, NamedTuple

CHUNK_BYTES = 8 * 2**20  # of float32 logits


class LossSums(NamedTuple):
    """Sums over target tokens, each of shape ().

    Attributes:
        loss: against smoothed targets; it alone has a gradient.
        cross_entropy: -log p.
        accuracy: how many tokens' logit is the highest.
    """

    loss: Any
    cross_entropy: Any
    accuracy: Any


def chunked_loss(
    hidden: Any, ids: Any, kernel: Any, bias: Any, label_smoothing: float = 0.0
) -> LossSums:
    """`smoothed_cross_entropy` of logits that never exist all at once.

    The gradients of a chunk are made where its logits are, before the next one's,
    as by Hsu et al. (2024), "Liger Kernel", https://arxiv.org/abs/2410.10989,
    section 3.2. For TensorFlow alone.

    Args:
        hidden: (M, D), the projection's input for each token.
        ids: (M,) target ids.
        kernel: (D, V), of the type of ``hidden``.
        bias: (V,), likewise.
        label_smoothing: e.
    """
    import tensorflow as tf

    @tf.custom_gradient
    def computed(hidden: Any, kernel: Any, bias: Any) -> tuple[Any, Any]:
        sums, *gradients = _in_chunks(hidden, ids, kernel, bias, label_smoothing)
        return tuple(sums), lambda of_loss, *_: [of_loss * gradient for gradient in gradients]

    return LossSums(*computed(hidden, kernel, bias))


def _in_chunks(hidden: Any, ids: Any, kernel: Any, bias: Any, e: float) -> tuple[Any, ...]:
    """The sums, and the gradients of their ``loss`` by ``hidden``, ``kernel`` and ``bias``."""
    import tensorflow as tf

    (width, vocab_size), count = kernel.shape, tf.shape(hidden)[0]
    rows = max(CHUNK_BYTES // (4 * vocab_size), 1)

    def chunk(number: Any, by_hidden: Any, by_kernel: Any, by_bias: Any, sums: Any) -> tuple:
        x, wanted = (whole[number * rows : (number + 1) * rows] for whole in (hidden, ids))
        places = tf.stack([tf.range(tf.shape(wanted)[0]), wanted], axis=1)
        logits = tf.cast(tf.matmul(x, kernel) + bias, "float32")
        highest, right = tf.reduce_max(logits, axis=1), tf.gather_nd(logits, places)
        powers = tf.exp(logits - highest[:, None])
        total = tf.reduce_sum(powers, axis=1)
        own = tf.math.log(total) + (highest - right), tf.cast(right >= highest, "float32"), right
        # The gradient by the logits, but for what smoothing adds everywhere, is slope / total;
        # products are divided, which are narrower.
        slope = tf.cast(tf.tensor_scatter_nd_sub(powers, places, (1 - e) * total), x.dtype)
        share = tf.cast(1 / total, x.dtype)[:, None]
        by_hidden = by_hidden.write(number, tf.matmul(slope, kernel, transpose_b=True) * share)
        by_kernel += tf.cast(tf.matmul(x * share, slope, transpose_a=True), "float32")
        by_bias += tf.cast(tf.matmul(share, slope, transpose_a=True)[0], "float32")
        return number + 1, by_hidden, by_kernel, by_bias, sums + tf.reduce_sum(own, axis=1)

    chunks = -(-count // rows)
    parts = tf.TensorArray(hidden.dtype, chunks, element_shape=(None, width), infer_shape=False)
    start = (0, parts, tf.zeros(kernel.shape), tf.zeros(bias.shape), tf.zeros(3))
    _, parts, by_kernel, by_bias, sums = tf.while_loop(
        lambda number, *_: number < chunks, chunk, start, parallel_iterations=1
    )
    by_hidden, (cross_entropy, right, right_logits) = parts.concat(), tf.unstack(sums)
    if not e:
        return (cross_entropy, cross_entropy, right), by_hidden, by_kernel, by_bias
    # -e / V of all logits: a sum of products is a product of sums
    whole, columns = tf.reduce_sum(hidden, axis=0), tf.reduce_sum(kernel, axis=1)
    of_biases = tf.cast(count, bias.dtype) * tf.reduce_sum(bias)
    mean_logits = tf.cast((tf.tensordot(whole, columns, 1) + of_biases) / vocab_size, "float32")
    loss = cross_entropy + e * (right_logits - mean_logits)
    by_hidden -= e / vocab_size * columns
    by_kernel -= e / vocab_size * tf.cast(whole, "float32")[:, None]
    by_bias -= e / vocab_size * tf.cast(count, "float32")
    return (loss, cross_entropy, right), by_hidden, by_kernel, by_bias
