"""The parts of encoder and decoder layers: a feed-forward network, a residual, settings."""

from typing import Any, NamedTuple

import keras

from translator.model.basic_layers import Dense, Dropout, LayerNorm, Shape
from translator.model.constants import LAYER_NORM_EPSILON
from translator.model.multi_head_attention import MultiHeadAttention


class FeedForwardOutput(NamedTuple):
    """The output of a feed-forward network.

    Attributes:
        output: (B, T, D).
        inner: (B, T, dff), after the activation.
    """

    output: Any
    inner: Any


@keras.saving.register_keras_serializable(package="translator")
class FeedForward(keras.layers.Layer):
    """Two dense layers, the same for every position: D to ``dff`` and back.

    Args:
        dff: the inner width.
        d_model: D.
        activation: the function between the two layers, by its Keras name.
        dropout_rate: share of the activation's output that is dropped in training.
    """

    def __init__(
        self,
        dff: int,
        d_model: int,
        activation: str = "relu",
        dropout_rate: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.dff = dff
        self.d_model = d_model
        self.activation = activation
        self.dropout_rate = dropout_rate
        self.inner = Dense(dff, activation=activation, name="inner")
        self.outer = Dense(d_model, name="outer")
        self.dropout = Dropout(dropout_rate, name="dropout")

    def build(self, input_shape: Shape) -> None:
        self.inner.build(input_shape)
        self.outer.build((*input_shape[:-1], self.dff))

    def call(self, x: Any, training: bool | None = None) -> FeedForwardOutput:
        """Maps (B, T, D) to (B, T, D)."""
        inner = self.inner(x)
        return FeedForwardOutput(self.outer(self.dropout(inner, training=training)), inner)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "dff": self.dff,
            "d_model": self.d_model,
            "activation": self.activation,
            "dropout_rate": self.dropout_rate,
        }


@keras.saving.register_keras_serializable(package="translator")
class Residual(keras.layers.Layer):
    """The residual connection around a sub-layer f, in two halves: `before` and `after`.

    As in the paper (section 5.4) it computes LayerNorm(x + Dropout(f(x))). With
    ``normalize_first`` it computes x + Dropout(f(LayerNorm(x))). This is more stable in
    training: Xiong et al. (2020), "On Layer Normalization in the Transformer
    Architecture", https://arxiv.org/abs/2002.04745

    Args:
        dropout_rate: share of the sub-layer's output that is dropped in training.
        normalize_first: normalise before the sub-layer instead of after the sum.
        epsilon: added to the variance in normalisation.
    """

    def __init__(
        self,
        dropout_rate: float = 0.0,
        normalize_first: bool = False,
        epsilon: float = LAYER_NORM_EPSILON,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.dropout_rate = dropout_rate
        self.normalize_first = normalize_first
        self.epsilon = epsilon
        self.norm = LayerNorm(epsilon, name="norm")
        self.dropout = Dropout(dropout_rate, name="dropout")

    def build(self, input_shape: Shape) -> None:
        self.norm.build(input_shape)

    def before(self, x: Any) -> Any:
        """The input of the sub-layer: x (B, T, D), normalised with ``normalize_first``."""
        return self.norm(x) if self.normalize_first else x

    def after(self, x: Any, output: Any, training: bool | None = None) -> Any:
        """Adds the sub-layer's output (B, T, D) to x (B, T, D)."""
        x = x + self.dropout(output, training=training)
        return x if self.normalize_first else self.norm(x)

    def call(self, x: Any, output: Any, training: bool | None = None) -> Any:
        """Does the same as `after`."""
        return self.after(x, output, training)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "dropout_rate": self.dropout_rate,
            "normalize_first": self.normalize_first,
            "epsilon": self.epsilon,
        }


class LayerSettings(NamedTuple):
    """The settings of an `EncoderLayer`, a `DecoderLayer` and stacks of them, as keywords.

    Attributes:
        d_model: D.
        num_heads: N.
        dff: inner width of the feed-forward network.
        head_dim: H; D / N if None.
        dropout_rate: dropout of each sub-layer's output, in training.
        attention_dropout_rate: dropout of the attention scores.
        activation_dropout_rate: dropout after the feed-forward network's activation.
        activation: the function in the feed-forward network, by its Keras name.
        normalize_first: whether to normalise before each sub-layer; see `Residual`.
        layer_norm_epsilon: added to the variance in normalisation.
        positions: kind of positions; see `make_positions`.
    """

    d_model: int
    num_heads: int
    dff: int
    head_dim: int | None = None
    dropout_rate: float = 0.0
    attention_dropout_rate: float = 0.0
    activation_dropout_rate: float = 0.0
    activation: str = "relu"
    normalize_first: bool = False
    layer_norm_epsilon: float = LAYER_NORM_EPSILON
    positions: str | None = None

    def attention(self, name: str, positions: str | None = None) -> MultiHeadAttention:
        """An attention sub-layer with these settings. ``positions`` are for self-attention."""
        sizes = self.num_heads, self.d_model, self.head_dim, self.attention_dropout_rate
        return MultiHeadAttention(*sizes, positions, name=name)

    def feed_forward(self, name: str) -> FeedForward:
        """A feed-forward sub-layer of these settings."""
        return FeedForward(
            self.dff, self.d_model, self.activation, self.activation_dropout_rate, name=name
        )

    def residual(self, name: str) -> Residual:
        """The residual connection around one sub-layer."""
        return Residual(self.dropout_rate, self.normalize_first, self.layer_norm_epsilon, name=name)

    def final_norm(self, name: str) -> LayerNorm | None:
        """The normalisation after a stack. None if every layer normalises its own output."""
        return LayerNorm(self.layer_norm_epsilon, name=name) if self.normalize_first else None


class LayerWithSettings(keras.layers.Layer):
    """A layer that takes `LayerSettings` as keywords and that Keras can serialise."""

    def __init__(self, d_model: int, num_heads: int, dff: int, **kwargs: Any) -> None:
        options = {name: kwargs.pop(name) for name in LayerSettings._fields if name in kwargs}
        super().__init__(**kwargs)
        self.settings = LayerSettings(d_model, num_heads, dff, **options)
        self.output_shape = (None, None, d_model)  # shown in Keras's summary

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self.settings._asdict()}


class LayerStack(LayerWithSettings):
    """``num_layers`` equal layers, and a final normalisation if they normalise first.

    Args:
        num_layers: L.
        d_model: D.
        num_heads: N.
        dff: inner width of each feed-forward network.
        **kwargs: keywords of `LayerSettings`, and of a Keras layer.
    """

    kind: type[LayerWithSettings]

    def __init__(
        self, num_layers: int, d_model: int, num_heads: int, dff: int, **kwargs: Any
    ) -> None:
        super().__init__(d_model, num_heads, dff, **kwargs)
        self.num_layers = num_layers
        settings = self.settings._asdict()
        self.layers = [self.kind(**settings, name=f"layer_{i + 1}") for i in range(num_layers)]
        self.norm = self.settings.final_norm("norm")

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_layers": self.num_layers}
