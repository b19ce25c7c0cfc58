"""Ancestral sampling: each next token is drawn from the model's distribution.

Edunov et al. (2018), "Understanding Back-Translation at Scale",
https://arxiv.org/abs/1808.09381, section 3. `translator.search.samplers` narrow it down.

Whatever is random comes from outside, as one number from 0 to 1 for each token. So a sample
depends on neither the backend's generator, nor the sentences beside it, nor the length that the
search is compiled for.

B sentences, K samples of each, T the most tokens, V vocabulary.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from keras import ops

from translator.search.samplers import Candidates, Sampling


def make_draws(seed: int, numbers: Sequence[int], samples: int, length: int) -> np.ndarray:
    """Random numbers for the tokens of some sentences.

    Args:
        numbers: of B sentences; each has random numbers of its own.
        length: T; a larger one appends to what a smaller one gives.

    Returns:
        (B, T, K) float32, from 0 to below 1.
    """
    draws = np.empty((len(numbers), length, samples), "float32")
    for row, number in zip(draws, numbers):
        row[:] = np.random.default_rng((seed, number)).random((length, samples), "float32")
    return draws


def draw_tokens(logits: Any, draws: Any, sampling: Sampling) -> Any:
    """Draws a token for each sample, by inverting the sum of the probabilities.

    Args:
        logits: (B, K, V), very low for forbidden tokens, which are never drawn.
        draws: (B, K) random numbers from 0 to below 1.

    Returns:
        (B, K) tokens.
    """
    candidates = Candidates(logits)
    for sampler in sampling.samplers:
        candidates = sampler.narrow(candidates, sampling.temperature)
    logits, ids = candidates  # (B, K, n)
    best = ops.max(logits, axis=-1, keepdims=True)
    masses = ops.exp((logits - best) / sampling.temperature)
    sums = ops.cumsum(masses, axis=-1)
    has_mass = masses > 0
    total = ops.max(ops.where(has_mass, sums, 0.0), axis=-1, keepdims=True)
    is_reached = ops.logical_or(sums > draws[:, :, None] * total, sums >= total)
    is_reached = ops.cast(ops.logical_and(is_reached, has_mass), "int32")
    places = ops.cast(ops.argmax(is_reached, axis=-1), "int32")  # (B, K), the first
    return places if ids is None else ops.take_along_axis(ids, places[:, :, None], axis=2)[:, :, 0]
