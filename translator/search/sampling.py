"""Ancestral sampling: each next token is drawn from the model's distribution.

Edunov et al. (2018), "Understanding Back-Translation at Scale",
https://arxiv.org/abs/1808.09381, section 3. `translator.search.samplers` narrow it down.

Whatever is random comes from outside, as one number from 0 to 1 for each token. So a sample
depends on neither the backend's generator, nor the sentences beside it, nor the length that the
search is compiled for.

B sentences, K samples of each, T the most tokens, V vocabulary.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from keras import ops

from translator.search.constraints import forbid_early_end, given_tokens
from translator.search.ranking import layout
from translator.search.samplers import Candidates
from translator.search.state import Hypotheses, Sampling, SearchSettings, Step, StepFunction

BELOW_ONE = 1.0 - 2.0**-24  # the largest float32 below 1


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


class _State(NamedTuple):
    """The samples so far."""

    position: Any  # scalar, of the token that is drawn
    ids: Any  # (B, K, T)
    log_probabilities: Any  # (B, K)
    lengths: Any  # (B, K)
    is_open: Any  # (B, K)
    cache: Any


def sample(
    step: StepFunction,
    memory: Any,
    cache: Any,
    max_lengths: Any,
    draws: Any,
    settings: SearchSettings,
) -> Hypotheses:
    """Draws K translations of each sentence, independently of each other.

    Args:
        memory: what the encoder returned for the sentences, (B, ...) each.
        cache: empty, (B, ..., T * K, x) each.
        max_lengths: (B,) the most tokens of each sentence, at most T; 0 for rows of padding.
        draws: (B, T, K) from `make_draws`.
        settings: with ``sampling``.

    Returns:
        K samples for each sentence, in the order in which they were drawn. Log probabilities are
        those of the model at temperature 1, whatever they were drawn with.
    """
    sampling = settings.sampling or Sampling()
    count, samples, length = max_lengths.shape[0], settings.beam_size, settings.length
    entries = np.arange(length * samples) // samples  # the step that wrote each
    is_own = np.arange(length * samples) % samples == np.arange(samples)[:, None]  # (K, T * K)
    tokens = np.arange(length)

    def is_unfinished(*state: Any) -> Any:
        return ops.any(_State(*state).is_open)

    def advance(*arrays: Any) -> _State:
        state = _State(*arrays)
        position = state.position
        positions = ops.broadcast_to(position, (count,))
        last = ops.take(state.ids, ops.maximum(position - 1, 0), axis=2)  # (B, K)
        last = ops.where(position == 0, settings.start_id, last)
        visible = ops.logical_and(is_own, entries <= position)  # (K, T * K)
        visible = ops.broadcast_to(visible[None, None], (count, 1, *is_own.shape))
        logits, cache = step(Step(last, positions, position, visible, memory, state.cache))
        logits = forbid_early_end(logits, positions, settings)
        ids = draw_tokens(logits, ops.take(draws, position, axis=1), sampling)  # (B, K)
        gained = ops.take_along_axis(ops.log_softmax(logits), ids[:, :, None], axis=2)[:, :, 0]
        prefix = given_tokens(positions, settings)
        if prefix is not None:
            ids = ops.where(prefix.given, prefix.ids, ids)
            gained = ops.where(prefix.given, 0.0, gained)
        ids = ops.where(state.is_open, ids, settings.end_id)
        ended = ids == settings.end_id
        if prefix is not None:
            ended = ops.logical_and(ended, ~prefix.given)
        at_limit = position + 1 >= max_lengths[:, None]
        return _State(
            position + 1,
            ops.where(tokens == position, ids[:, :, None], state.ids),
            state.log_probabilities + ops.where(state.is_open, gained, 0.0),
            state.lengths + ops.cast(state.is_open, "int32"),
            ops.logical_and(state.is_open, ~ops.logical_or(ended, at_limit)),
            cache,
        )

    state = _State(
        position=ops.convert_to_tensor(0, "int32"),
        ids=ops.full((count, samples, length), settings.end_id, "int32"),
        log_probabilities=ops.zeros((count, samples), "float32"),
        lengths=ops.zeros((count, samples), "int32"),
        is_open=ops.broadcast_to(max_lengths[:, None] > 0, (count, samples)),
        cache=cache,
    )
    drawn = _State(*ops.while_loop(is_unfinished, advance, state))
    penalty = ops.cast(ops.maximum(drawn.lengths, 1), "float32") ** settings.length_penalty
    scores = drawn.log_probabilities / penalty
    return Hypotheses(drawn.ids, drawn.log_probabilities, drawn.lengths, scores)


def draw_tokens(logits: Any, draws: Any, sampling: Sampling) -> Any:
    """Draws a token for each hypothesis, by inverting the sum of the probabilities.

    The vocabulary is arranged as a table: first a column is drawn, then a token in it. That needs
    two short sums in the place of a long one, which float32 would round.

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
    vocab_size = logits.shape[-1]
    rows, columns = layout(vocab_size)
    logits = (logits - ops.max(logits, axis=-1, keepdims=True)) / sampling.temperature
    more = ((0, 0), (0, 0), (0, rows * columns - vocab_size))
    masses = ops.pad(ops.exp(logits), more)
    table = ops.reshape(masses, (*masses.shape[:-1], rows, columns))
    column, rest = _draw_place(ops.sum(table, axis=2), draws)
    in_column = ops.take_along_axis(table, column[:, :, None, None], axis=3)[:, :, :, 0]
    row, _ = _draw_place(in_column, rest)
    chosen = row * columns + column  # (B, K)
    return chosen if ids is None else ops.take_along_axis(ids, chosen[:, :, None], axis=2)[:, :, 0]


def _draw_place(masses: Any, draws: Any) -> tuple[Any, Any]:
    """Draws a place with a probability in proportion to its mass; one without mass never.

    Args:
        masses: (B, K, n), not negative.
        draws: (B, K) from 0 to below 1.

    Returns:
        (B, K) places, and (B, K) where each draw falls within its place, from 0 to below 1.
    """
    sums = ops.cumsum(masses, axis=-1)
    has_mass = masses > 0
    total = ops.max(ops.where(has_mass, sums, 0.0), axis=-1)
    goal = draws * total
    reached = ops.logical_and(has_mass, sums > goal[:, :, None])
    place = ops.cast(ops.argmax(ops.cast(reached, "int32"), axis=-1), "int32")
    mass = ops.take_along_axis(masses, place[:, :, None], axis=-1)[:, :, 0]
    before = ops.take_along_axis(sums, place[:, :, None], axis=-1)[:, :, 0] - mass
    return place, ops.clip((goal - before) / mass, 0.0, BELOW_ONE)
