"""Encodes positions of tokens: one small interface, and the kinds that implement it.

A kind may add to the embeddings, rotate queries and keys, or both.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import keras
import numpy as np
from keras import ops

from translator.model.basic_layers import Shape
from translator.model.constants import sinusoidal_positions


@keras.saving.register_keras_serializable(package="translator")
class Positions(keras.layers.Layer):
    """The interface of all kinds of positions. By itself it changes nothing.

    The embedding builds its layer of positions and calls `add`. Each self-attention has an unbuilt
    layer and calls `rotate`. So ``build`` only makes the table or the weights that `add` needs.

    Args:
        max_length: the number of positions that `add` must know.
    """

    def __init__(self, max_length: int = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_length = max_length
        self.built = True  # also in attention, where nothing is built

    def add(self, embeddings: Any, positions: Any) -> Any:
        """Adds the encoding of positions to embeddings.

        Args:
            embeddings: (B, T, D).
            positions: integers that broadcast to (B, T).

        Returns:
            (B, T, D).
        """
        return embeddings

    def rotate(self, heads: Any, positions: Any = None) -> Any:
        """Rotates the queries or the keys of self-attention by their positions.

        Args:
            heads: (B, N, T, H).
            positions: integers that broadcast to (B, T); 0 to T - 1 if None.

        Returns:
            (B, N, T, H).
        """
        return heads

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "max_length": self.max_length}


@keras.saving.register_keras_serializable(package="translator")
class Sinusoids(Positions):
    """Adds sines and cosines of the position, section 3.5 of the paper.

    Args:
        max_length: how many positions the table has.
        order: the order of its columns; see `sinusoidal_positions`.
    """

    def __init__(self, max_length: int = 0, order: str = "interleaved", **kwargs: Any) -> None:
        super().__init__(max_length, **kwargs)
        self.order = order

    def build(self, embeddings_shape: Shape) -> None:
        width = int(embeddings_shape[-1] or 0)
        self.table = sinusoidal_positions(self.max_length, width, self.order)

    def add(self, embeddings: Any, positions: Any) -> Any:
        """Adds the rows of the table; see `Positions.add`."""
        sinusoids = ops.take(ops.convert_to_tensor(self.table), positions, axis=0)
        return embeddings + ops.cast(sinusoids, embeddings.dtype)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "order": self.order}


@keras.saving.register_keras_serializable(package="translator")
class Rotary(Positions):
    """Rotates each pair of numbers of queries and keys by an angle that grows with the position.

    The product of a query and a key then depends only on the distance of their positions. Su et
    al. (2021), "RoFormer: Enhanced Transformer with Rotary Position Embedding",
    https://arxiv.org/abs/2104.09864, section 3.2.
    """

    def rotate(self, heads: Any, positions: Any = None) -> Any:
        """Rotates pairs in the plane and computes in float32. See `Positions.rotate`."""
        shape, width = ops.shape(heads), heads.shape[-1]
        if positions is None:
            positions = ops.arange(shape[2])
        frequencies = 10000.0 ** (-np.arange(0, width, 2) / width)  # as in the sinusoids
        positions = ops.cast(ops.expand_dims(positions, -2), "float32")  # (B or 1, 1, T)
        angles = positions[..., None] * frequencies.astype("float32")  # (B or 1, 1, T, H / 2)
        cosines, sines = ops.cos(angles), ops.sin(angles)
        pairs = ops.reshape(ops.cast(heads, "float32"), (*shape[:-1], width // 2, 2))
        x, y = pairs[..., 0], pairs[..., 1]
        rotated = ops.stack([x * cosines - y * sines, x * sines + y * cosines], axis=-1)
        return ops.cast(ops.reshape(rotated, shape), heads.dtype)


KINDS: dict[str, Callable[..., Positions]] = {
    "interleaved": Sinusoids,
    "halves": partial(Sinusoids, order="halves"),
    "rotary": Rotary,
}


def make_positions(kind: str | None, max_length: int = 0) -> Positions:
    """Makes a layer of positions.

    Args:
        kind: one of `KINDS`; None for positions that change nothing.
        max_length: how many positions the model knows.

    Raises:
        ValueError: the kind is unknown.
    """
    if kind is None:
        return Positions(name="positions")
    if kind not in KINDS:
        raise ValueError(f"positions: expected one of {', '.join(KINDS)}, found {kind!r}")
    return KINDS[kind](max_length, name="positions")
