"""Averaging: the mean of the weights of several validations of one run.

Vaswani et al. (2017), https://arxiv.org/abs/1706.03762, section 6.1.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from translator.errors import InputError
from translator.weights import load_arrays


def average_weights(paths: Sequence[Path]) -> dict[str, np.ndarray]:
    """The mean of each array of some files of weights, summed up in float64.

    Raises:
        InputError: a file is missing or damaged, or holds other arrays than the first.
    """
    sums: dict[str, np.ndarray] = {}
    for path in paths:
        arrays = load_arrays(path)
        shapes = {name: array.shape for name, array in arrays.items()}
        if sums and shapes != {name: array.shape for name, array in sums.items()}:
            raise InputError(f"{path}: expected the same arrays as in {paths[0]}, found others")
        for name, array in arrays.items():
            sums[name] = sums.get(name, 0.0) + array.astype(np.float64)
    return {name: (array / len(paths)).astype(np.float32) for name, array in sums.items()}
