"""Output projection and loss in chunks of tokens. A chunk's logits fit into the CPU's cache."""

from typing import Any, NamedTuple

CHUNK_BYTES = 12 * 2**20  # bytes of float32 logits in a chunk
SMALLEST_NORMAL = 2.0**-126  # below it float32 loses precision


class LossSums(NamedTuple):
    """Sums over target tokens, each of shape ().

    Attributes:
        loss: the loss against smoothed targets, R-Drop included; only it has a gradient.
        accuracy: the number of tokens with the highest logit.
    """

    loss: Any
    cross_entropy: Any
    accuracy: Any


def chunked_loss(
    hidden: Any,
    ids: Any,
    kernel: Any,
    bias: Any = None,
    label_smoothing: float = 0.0,
    r_drop_alpha: float = 0.0,
) -> LossSums:
    """Computes `smoothed_cross_entropy` and `divergence` without all logits in memory at once.

    The gradients of a chunk are computed together with its logits, before the next chunk,
    as in Hsu et al. (2024), "Liger Kernel", https://arxiv.org/abs/2410.10989,
    section 3.2. For TensorFlow only.

    Args:
        hidden: (M, D), the projection's input for each token.
        ids: (M,) target ids.
        kernel: (D, V) float32; products have the type of ``hidden``.
        bias: (V,) float32, or None.
        r_drop_alpha: weight of `divergence`. Above 0, the second half of the tokens repeats the
            first half, and both tokens of a pair have half of its divergence.
    """
    import tensorflow as tf

    @tf.custom_gradient
    def compute(hidden: Any, *weights: Any) -> tuple[Any, Any]:
        sums, gradients = _in_chunks(
            hidden, ids, *weights, label_smoothing=label_smoothing, r_drop_alpha=r_drop_alpha
        )
        return sums, lambda of_loss, *_: [tf.cast(of_loss, by.dtype) * by for by in gradients]

    weights = (kernel,) if bias is None else (kernel, bias)
    return LossSums(*compute(hidden, *weights))


def _in_chunks(
    hidden: Any,
    ids: Any,
    kernel: Any,
    bias: Any = None,
    *,
    label_smoothing: float,
    r_drop_alpha: float,
) -> tuple[tuple[Any, ...], list[Any]]:
    """The sums, and the gradients of ``loss`` with respect to hidden, kernel and bias."""
    import tensorflow as tf

    (width, vocab_size), count = kernel.shape, tf.shape(hidden)[0]
    copies = 2 if r_drop_alpha else 1
    single = count // copies
    weights = [kernel] if bias is None else [kernel, bias]
    kernel = tf.cast(kernel, hidden.dtype)
    chunks = -(-single // max(CHUNK_BYTES // (4 * copies * vocab_size), 1))
    rows = -(-single // tf.maximum(chunks, 1))  # chunks of about equal length

    def chunk(number: Any, by_hidden: Any, by_weights: list[Any], sums: Any) -> tuple[Any, ...]:
        first, end = number * rows, tf.minimum((number + 1) * rows, single)
        own_rows = [slice(copy * single + first, copy * single + end) for copy in range(copies)]
        x, correct_ids = (tf.concat([a[rows] for rows in own_rows], 0) for a in (hidden, ids))
        places = tf.stack([tf.range(tf.shape(correct_ids)[0]), correct_ids], axis=1)
        logits = tf.cast(tf.matmul(x, kernel), "float32")
        logits = logits if bias is None else logits + bias
        p = tf.nn.softmax(logits)
        correct, p_correct = tf.gather_nd(logits, places), tf.gather_nd(p, places)
        losses = tf.cond(
            tf.reduce_all(p_correct >= SMALLEST_NORMAL),
            lambda: -tf.math.log(p_correct),
            lambda: tf.reduce_logsumexp(logits, axis=1) - correct,
        )
        measures = [losses, tf.cast(p_correct >= tf.reduce_max(p, axis=1), "float32"), correct]
        # The gradient of the logits, without the part that smoothing adds to all logits.
        apart, pull = _divergence(logits, p) if r_drop_alpha else (tf.constant(0.0),) * 2
        with tf.control_dependencies([*measures, pull]):  # updates p in place after its last use
            share = tf.fill(tf.shape(correct_ids), 1 - label_smoothing)
            slope = tf.tensor_scatter_nd_sub(p, places, share)
        if r_drop_alpha:
            slope += r_drop_alpha * pull
        of_bias = tf.matmul(tf.ones((1, tf.shape(slope)[0])), slope)[0]  # faster than reduce_sum
        slope = tf.cast(slope, x.dtype)
        of_kernel = tf.cast(tf.matmul(x, slope, transpose_a=True), "float32")
        by_weights = [sum_ + part for sum_, part in zip(by_weights, (of_kernel, of_bias))]
        by_x = tf.matmul(slope, kernel, transpose_b=True)
        for copy, part in enumerate(tf.split(by_x, copies)):
            by_hidden = by_hidden.write(copy * chunks + number, part)
        sums += tf.stack([*map(tf.reduce_sum, measures), apart])
        return number + 1, by_hidden, by_weights, sums

    parts = tf.TensorArray(
        hidden.dtype, copies * chunks, element_shape=(None, width), infer_shape=False
    )
    start = (0, parts, [tf.zeros(weight.shape) for weight in weights], tf.zeros(4))
    _, parts, by_weights, sums = tf.while_loop(
        lambda number, *_: number < chunks, chunk, start, parallel_iterations=1
    )
    cross_entropy, accuracy, of_correct, apart = tf.unstack(sums)
    loss, gradients = cross_entropy + r_drop_alpha * apart, [parts.concat(), *by_weights]
    if label_smoothing:
        loss += label_smoothing * of_correct
        loss, gradients = _smooth(loss, gradients, hidden, kernel, bias, label_smoothing)
    return (loss, cross_entropy, accuracy), gradients


def _smooth(
    loss: Any, gradients: list[Any], hidden: Any, kernel: Any, bias: Any, label_smoothing: float
) -> tuple[Any, list[Any]]:
    """Subtracts the share e / V of all logits from the loss, and from its gradients.

    The sum of the logits over tokens and vocabulary is a product of two sums, so the logits
    themselves are not needed.
    """
    import tensorflow as tf

    states, columns = (
        tf.reduce_sum(tf.cast(array, "float32"), axis) for array, axis in ((hidden, 0), (kernel, 1))
    )
    tokens, share = tf.cast(tf.shape(hidden)[0], "float32"), label_smoothing / kernel.shape[1]
    of_all = tf.tensordot(states, columns, 1)
    if bias is not None:
        of_all += tokens * tf.reduce_sum(bias)
    slopes = tf.cast(columns, hidden.dtype), states[:, None], tokens
    smoothed = [gradient - share * slope for gradient, slope in zip(gradients, slopes)]
    return loss - share * of_all, smoothed


def _divergence(logits: Any, p: Any) -> tuple[Any, Any]:
    """Sums `divergence` over both halves of the rows; also returns the gradient of the logits.

    Args:
        logits: (2 M, V).
    """
    import tensorflow as tf

    (p_logits, q_logits), (p, q) = tf.split(logits, 2), tf.split(p, 2)
    apart = p_logits - q_logits
    of_p, of_q = (tf.reduce_sum(share * apart, axis=1, keepdims=True) for share in (p, q))
    pulls = p * (apart - of_p + 1) - q, q * (of_q - apart + 1) - p
    return tf.reduce_sum(of_p - of_q) / 2, tf.concat(pulls, axis=0) / 2
