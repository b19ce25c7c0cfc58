"""Loss and measures over the real target tokens, whatever the sizes of batches."""

import math
from typing import Any, NamedTuple

import keras
from keras import ops

from translator.base.backends import JAX


def token_cross_entropy(ids: Any, logits: Any) -> Any:
    """-log p of each target token: log sum exp(logits) - the correct token's logit.

    Args:
        ids: (B, T) target ids.
        logits: (B, T, V).

    Returns:
        (B, T) float32.
    """
    logits = ops.cast(logits, "float32")
    highest, _, total = _powers(logits)
    return ops.log(total) + (highest - _correct_logit(logits, ids))


def is_highest(ids: Any, logits: Any) -> Any:
    """Whether no token's logit is higher than the target token's, (B, T) booleans.

    An argmax would give the same, except that ties count as correct here. Keras's argmax
    looks for negative zeros first, which takes longer than the rest of the metric.
    """
    logits = ops.cast(logits, "float32")
    return _correct_logit(logits, ids) >= ops.max(logits, axis=-1)


def _powers(logits: Any) -> tuple[Any, Any, Any]:
    """The highest logit (B, T), exp(logits - highest) (B, T, V), and its sum (B, T).

    Loss and metrics need the same arrays, which TensorFlow then computes once.
    """
    highest = ops.max(logits, axis=-1)
    powers = ops.exp(logits - highest[..., None])
    return highest, powers, ops.sum(powers, axis=-1)


def smoothed_cross_entropy(ids: Any, logits: Any, label_smoothing: float) -> Any:
    """Cross-entropy of each target token against a smoothed target.

    The target is 1 - e on the correct token plus e / V on every token (Szegedy et
    al. 2016, https://arxiv.org/abs/1512.00567). Neither it nor log p is
    ever a (B, T, V) array, and the gradient, p minus the target, is written by hand,
    because this function takes most of a training step's memory.

    Args:
        ids: (B, T) target ids.
        logits: (B, T, V) float32.

    Returns:
        (B, T) float32.
    """
    share = label_smoothing / logits.shape[-1]
    is_jax = keras.backend.backend() == JAX  # computing again is faster than memory

    @ops.custom_gradient
    def cross_entropy(logits: Any) -> tuple[Any, Any]:
        highest, powers, total = _powers(logits)
        correct = _correct_logit(logits, ids)
        losses = ops.log(total) + (1 - label_smoothing) * (highest - correct)
        if label_smoothing:
            losses = losses + label_smoothing * (highest - ops.mean(logits, axis=-1))

        def gradient(upstream: Any) -> Any:
            kept = ops.exp(logits - highest[..., None]) if is_jax else powers
            p = kept * (upstream / total)[..., None]
            if label_smoothing:
                p = p - share * upstream[..., None]
            p_correct = ops.exp(correct - highest) / total
            slope = (p_correct - share - 1 + label_smoothing) * upstream
            return _replace(p, ids, slope)

        return losses, gradient

    return cross_entropy(logits)


def divergence(logits: Any, others: Any) -> Any:
    """The symmetric divergence of two predictions of the same tokens.

    (KL(p || q) + KL(q || p)) / 2, of Liang et al. (2021), "R-Drop: Regularized
    Dropout for Neural Networks", https://arxiv.org/abs/2106.14448, equation 2.

    Args:
        logits: (B, T, V) float32.

    Returns:
        (B, T) float32.
    """
    log_p, log_q = ops.log_softmax(logits), ops.log_softmax(others)
    return ops.sum((ops.exp(log_p) - ops.exp(log_q)) * (log_p - log_q), axis=-1) / 2


def _replace(values: Any, ids: Any, chosen: Any) -> Any:
    """(B, T, V) values with those at ``ids`` (B, T) replaced by ``chosen`` (B, T)."""
    if keras.backend.backend() == JAX:  # in one pass with what makes the values
        is_chosen = ops.arange(values.shape[-1], dtype=ids.dtype) == ids[..., None]
        return ops.where(is_chosen, chosen[..., None], values)
    size = values.shape[-1]
    flat = ops.reshape(ids, (-1,))
    places = ops.stack([ops.arange(ops.shape(flat)[0], dtype=flat.dtype), flat], axis=1)
    rows = ops.scatter_update(ops.reshape(values, (-1, size)), places, ops.reshape(chosen, (-1,)))
    return ops.reshape(rows, ops.shape(values))


def _correct_logit(logits: Any, ids: Any) -> Any:
    return ops.take_along_axis(logits, ids[..., None], axis=-1)[..., 0]


def token_weights(ids: Any, padding_id: int) -> Any:
    """1 on real tokens and 0 on padding, (B, T) float32."""
    return ops.cast(ops.not_equal(ids, padding_id), "float32")


class TokenSums(NamedTuple):
    """Sums over the real target tokens of a batch, each of shape ().

    Attributes:
        accuracy: the number of tokens with the highest logit.
        tokens: their number.
    """

    cross_entropy: Any
    accuracy: Any
    tokens: Any


def sum_tokens(ids: Any, logits: Any, padding_id: int) -> TokenSums:
    """Measures target ids (B, T) by logits (B, T, V), without label smoothing."""
    weights = token_weights(ids, padding_id)
    cross_entropy = ops.sum(token_cross_entropy(ids, logits) * weights)
    accuracy = ops.sum(ops.cast(is_highest(ids, logits), "float32") * weights)
    return TokenSums(cross_entropy, accuracy, ops.sum(weights))


@keras.saving.register_keras_serializable(package="translator")
class MaskedCrossEntropy(keras.losses.Loss):
    """Mean `smoothed_cross_entropy` per real target token, with R-Drop where it is configured.

    Args:
        r_drop_alpha: weight of `divergence`; above 0 every pair is twice in its batch.
        copies_adjacent: whether the two are neighbours; otherwise the second half of the batch
            repeats the first.
    """

    def __init__(
        self,
        padding_id: int,
        label_smoothing: float = 0.0,
        r_drop_alpha: float = 0.0,
        copies_adjacent: bool = False,
        name: str = "cross_entropy",
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **{**kwargs, "reduction": "sum"})
        self.padding_id = padding_id
        self.label_smoothing = label_smoothing
        self.r_drop_alpha = r_drop_alpha
        self.copies_adjacent = copies_adjacent

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Computes each token's share of the mean; the shares sum to the loss.

        Args:
            y_true: (B, T) target ids.
            y_pred: (B, T, V) logits.

        Returns:
            (B, T) float32.
        """
        ids = ops.cast(y_true, "int32")  # Loss.__call__ has cast them to float
        logits = ops.cast(y_pred, "float32")
        losses = smoothed_cross_entropy(ids, logits, self.label_smoothing)
        if self.r_drop_alpha:
            losses = losses + self.r_drop_alpha / 2 * self._divergence(logits)
        weights = token_weights(ids, self.padding_id)
        return losses * weights / ops.maximum(ops.sum(weights), 1.0)

    def _divergence(self, logits: Any) -> Any:
        """That of each token of logits (B, T, V) from its copy, (B, T)."""
        if not self.copies_adjacent:
            apart = divergence(*ops.split(logits, 2))
            return ops.concatenate([apart, apart])
        pairs = ops.reshape(logits, (-1, 2, *logits.shape[1:]))
        return ops.repeat(divergence(pairs[:, 0], pairs[:, 1]), 2, axis=0)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "padding_id": self.padding_id,
            "label_smoothing": self.label_smoothing,
            "r_drop_alpha": self.r_drop_alpha,
            "copies_adjacent": self.copies_adjacent,
        }


def perplexity(cross_entropy: float) -> float:
    """The exponential of a mean -log p per token; infinite where it is too large for a float."""
    return math.exp(cross_entropy) if cross_entropy < 700 else math.inf
