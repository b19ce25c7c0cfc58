"""Metrics: means over the real target tokens of an epoch, whatever the sizes of its batches."""

import math
from abc import ABC, abstractmethod
from typing import Any

import keras
from keras import ops

from translator.training.losses import is_highest, token_cross_entropy, token_weights


def perplexity(cross_entropy: float) -> float:
    """The exponential of a mean -log p per token; infinite where it is too large for a float."""
    return math.exp(cross_entropy) if cross_entropy < 700 else math.inf


class _TokenMean(keras.metrics.Metric, ABC):
    """The mean of one value per token.

    Args:
        padding_id: the target side's; padding does not count.
        name: in the logs.
        **kwargs: of `keras.metrics.Metric`.
    """

    def __init__(self, padding_id: int, name: str, **kwargs: Any) -> None:
        super().__init__(name=name, **kwargs)
        self.padding_id = padding_id
        self.total = self.add_weight(name="total", initializer="zeros")
        self.tokens = self.add_weight(name="tokens", initializer="zeros")

    @abstractmethod
    def token_values(self, ids: Any, logits: Any) -> Any:
        """The value of each token, (B, T), from target ids (B, T) and logits (B, T, V)."""

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        ids = ops.cast(y_true, "int32")
        weights = token_weights(ids, self.padding_id)
        self.add(ops.sum(self.token_values(ids, y_pred) * weights), ops.sum(weights))

    def add(self, total: Any, tokens: Any) -> None:
        """Adds ``total``, the sum of the values of ``tokens`` tokens."""
        self.total.assign_add(total)
        self.tokens.assign_add(tokens)

    def result(self) -> Any:
        return self.total / ops.maximum(self.tokens, 1.0)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "padding_id": self.padding_id}


@keras.saving.register_keras_serializable(package="translator")
class TokenCrossEntropy(_TokenMean):
    """-log p per token, without label smoothing; its exponential is the perplexity."""

    def __init__(self, padding_id: int, name: str = "cross_entropy", **kwargs: Any) -> None:
        super().__init__(padding_id, name, **kwargs)

    def token_values(self, ids: Any, logits: Any) -> Any:
        return token_cross_entropy(ids, logits)


@keras.saving.register_keras_serializable(package="translator")
class TokenAccuracy(_TokenMean):
    """The share of target tokens with the highest logit, given the correct tokens before them."""

    def __init__(self, padding_id: int, name: str = "accuracy", **kwargs: Any) -> None:
        super().__init__(padding_id, name, **kwargs)

    def token_values(self, ids: Any, logits: Any) -> Any:
        return ops.cast(is_highest(ids, logits), "float32")
