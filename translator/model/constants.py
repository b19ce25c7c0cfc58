"""Constants of the model: the table of sinusoids and the epsilon of layer norm. NumPy only."""

import numpy as np

POSITIONS = ("interleaved", "halves")  # the orders of the sinusoids' columns
LAYER_NORM_EPSILON = 1e-6  # added to the variance; the usual value (Keras's default is 1e-3)


def sinusoidal_positions(length: int, d_model: int, kind: str = "interleaved") -> np.ndarray:
    """The table PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i + 1) = cos(...).

    Sines and cosines are interleaved, as in the paper. Each pair of columns is a point that
    moves on a circle. Pairs further to the right move more slowly.

    Args:
        length: number of positions.
        d_model: D, an even number of columns.
        kind: one of `POSITIONS`; ``halves`` has the same columns in another order, all sines
            before all cosines.

    Returns:
        (length, D) float32.
    """
    positions = np.arange(length)[:, None]
    frequencies = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = positions * frequencies  # (length, D / 2)
    axis = -1 if kind == "interleaved" else 1
    return (
        np.stack([np.sin(angles), np.cos(angles)], axis).reshape(length, d_model).astype("float32")
    )
