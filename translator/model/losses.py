"""Loss and measures over the real target tokens, independent of the sizes of batches."""

import math
from typing import Any, NamedTuple

import keras
from keras import ops


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

    Unlike with an argmax, ties count as correct. Keras's argmax first looks for negative zeros, and
    that search takes longer than the rest of the metric.
    """
    logits = ops.cast(logits, "float32")
    return _correct_logit(logits, ids) >= ops.max(logits, axis=-1)


def _powers(logits: Any) -> tuple[Any, Any, Any]:
    """The highest logit (B, T), exp(logits - highest) (B, T, V), and its sum (B, T)."""
    highest = ops.max(logits, axis=-1)
    powers = ops.exp(logits - highest[..., None])
    return highest, powers, ops.sum(powers, axis=-1)


def smoothed_cross_entropy(ids: Any, logits: Any, label_smoothing: float) -> Any:
    """Cross-entropy of each target token against a smoothed target.

    The target is 1 - e on the correct token plus e / V on every token (Szegedy et al. 2016,
    https://arxiv.org/abs/1512.00567). This function needs most of a training step's memory.
    Therefore neither the target nor log p is ever a (B, T, V) array, and the gradient (p minus the
    target) is written by hand.

    Args:
        ids: (B, T) target ids.
        logits: (B, T, V) float32.

    Returns:
        (B, T) float32.
    """
    share = label_smoothing / logits.shape[-1]

    @ops.custom_gradient
    def cross_entropy(logits: Any) -> tuple[Any, Any]:
        highest, _, total = _powers(logits)
        correct = _correct_logit(logits, ids)
        losses = ops.log(total) + (1 - label_smoothing) * (highest - correct)
        if label_smoothing:
            losses = losses + label_smoothing * (highest - ops.mean(logits, axis=-1))

        def gradient(upstream: Any) -> Any:
            powers = ops.exp(logits - highest[..., None])  # computed again, to save memory
            p = powers * (upstream / total)[..., None]
            if label_smoothing:
                p = p - share * upstream[..., None]
            p_correct = ops.exp(correct - highest) / total
            slope = (p_correct - share - 1 + label_smoothing) * upstream
            is_correct = ops.arange(p.shape[-1], dtype=ids.dtype) == ids[..., None]
            return ops.where(is_correct, slope[..., None], p)

        return losses, gradient

    return cross_entropy(logits)


def divergence(p_logits: Any, q_logits: Any) -> Any:
    """The symmetric divergence of two predictions of the same tokens.

    (KL(p || q) + KL(q || p)) / 2, of Liang et al. (2021), "R-Drop: Regularized
    Dropout for Neural Networks", https://arxiv.org/abs/2106.14448, equation 2.

    Args:
        p_logits: (B, T, V) float32; ``q_logits`` has the same shape.

    Returns:
        (B, T) float32.
    """
    log_p, log_q = ops.log_softmax(p_logits), ops.log_softmax(q_logits)
    return ops.sum((ops.exp(log_p) - ops.exp(log_q)) * (log_p - log_q), axis=-1) / 2


def _correct_logit(logits: Any, ids: Any) -> Any:
    return ops.take_along_axis(logits, ids[..., None], axis=-1)[..., 0]


def token_weights(ids: Any, padding_id: int) -> Any:
    """1 on real tokens and 0 on padding, (B, T) float32."""
    return ops.cast(ops.not_equal(ids, padding_id), "float32")


class TokenSums(NamedTuple):
    """Sums over the real target tokens of a batch, each of shape ().

    Attributes:
        accuracy: the number of tokens with the highest logit.
        tokens: the number of real target tokens.
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
    """Mean `smoothed_cross_entropy` per real target token, with R-Drop if it is configured.

    Args:
        r_drop_alpha: weight of `divergence`. Above 0, each pair has its copy beside it in the
            batch.
    """

    def __init__(
        self,
        padding_id: int,
        label_smoothing: float = 0.0,
        r_drop_alpha: float = 0.0,
        name: str = "cross_entropy",
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **{**kwargs, "reduction": "sum"})
        self.padding_id = padding_id
        self.label_smoothing = label_smoothing
        self.r_drop_alpha = r_drop_alpha

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
        """The divergence (B, T) of each token from its copy, for logits (B, T, V)."""
        pairs = ops.reshape(logits, (-1, 2, *logits.shape[1:]))
        return ops.repeat(divergence(pairs[:, 0], pairs[:, 1]), 2, axis=0)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "padding_id": self.padding_id,
            "label_smoothing": self.label_smoothing,
            "r_drop_alpha": self.r_drop_alpha,
        }


def perplexity(cross_entropy: float) -> float:
    """The exponential of a mean -log p per token; infinite if it is too large for a float."""
    return math.exp(cross_entropy) if cross_entropy < 700 else math.inf
