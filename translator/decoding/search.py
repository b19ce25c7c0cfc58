"""Greedy and beam search: pure loops over a named state, fed a step function.

Search knows no model. It is handed ``step(ids, position, cache)``, which returns
the logits of the next token and the cache with ``ids`` written in, and it works
on `keras.ops` alone, so any backend can compile it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

IMPOSSIBLE = -1e9  # log probability of what may not be; finite, so that sums stay numbers

StepFunction = Callable[[Any, Any, Any], tuple[Any, Any]]


class SearchLimits(NamedTuple):
    """What a search may produce.

    Attributes:
        start_id: the token that every hypothesis follows; never produced.
        end_id: the token that ends a hypothesis.
        forbidden_ids: further tokens that are never produced, such as padding.
        max_lengths: (B,) the most tokens of each sentence, end included; a
            hypothesis that is still open there is ended.
    """

    start_id: int
    end_id: int
    forbidden_ids: tuple[int, ...]
    max_lengths: Any


class Hypotheses(NamedTuple):
    """What a search found, best first.

    Attributes:
        ids: (B, K, length) tokens, the end included, then ``end_id`` as filling.
        log_probabilities: (B, K) sums over the tokens, the end included.
        lengths: (B, K) tokens, the end included.
        scores: (B, K) log probability / length^length_penalty; `IMPOSSIBLE` or
            less where there are fewer than K hypotheses.
    """

    ids: Any
    log_probabilities: Any
    lengths: Any
    scores: Any


class GreedyState(NamedTuple):
    """Where greedy search stands; (B, ...) each."""

    position: Any
    last_ids: Any
    ids: Any
    log_probabilities: Any
    lengths: Any
    finished: Any
    cache: Any


class BeamState(NamedTuple):
    """Where beam search stands.

    Attributes:
        position: of the token that is looked for.
        ids: (B, K, length) of the open hypotheses.
        log_probabilities: (B, K) of the open hypotheses.
        ended: the K best hypotheses that have ended.
        ended_count: (B,) how many have ended; a sentence with K of them is done.
        cache: of the open hypotheses, (B * K, ...) each.
    """

    position: Any
    ids: Any
    log_probabilities: Any
    ended: Hypotheses
    ended_count: Any
    cache: Any


def next_log_probabilities(logits: Any, position: Any, limits: SearchLimits) -> Any:
    """Log probabilities of the next token, `IMPOSSIBLE` for what may not follow.

    Args:
        logits: (B, K, V).
        position: of the next token, from 0.
        limits: what may follow.

    Returns:
        (B, K, V) float32. The probabilities are the model's own: what is ruled
        out does not make the rest more likely.
    """
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    vocabulary = np.arange(log_probabilities.shape[-1])  # (V,)
    allowed = ~np.isin(vocabulary, [limits.start_id, *limits.forbidden_ids])
    is_end = vocabulary == limits.end_id
    at_limit = ops.greater_equal(position + 1, limits.max_lengths)[:, None]  # (B, 1)
    allowed = ops.logical_and(allowed[None], ops.logical_or(is_end[None], ~at_limit))  # (B, V)
    return ops.where(allowed[:, None, :], log_probabilities, IMPOSSIBLE)


def greedy_search(
    step: StepFunction, cache: Any, limits: SearchLimits, length: int, length_penalty: float = 1.0
) -> Hypotheses:
    """Takes the likeliest token at every step; the same as a beam of one.

    Args:
        step: see the module; ids are (B,).
        cache: the step function's, before the first token.
        limits: what may be produced.
        length: the most steps, at least the highest of ``limits.max_lengths``.
        length_penalty: as in `beam_search`; changes the score alone.

    Returns:
        One hypothesis a sentence: (B, 1, length).
    """
    batch = ops.shape(limits.max_lengths)[0]

    def go_on(*state: Any) -> Any:
        state = GreedyState(*state)
        return ops.logical_and(state.position < length, ~ops.all(state.finished))

    def advance(*state: Any) -> GreedyState:
        state = GreedyState(*state)
        logits, cache = step(state.last_ids, state.position, state.cache)
        likely = next_log_probabilities(logits[:, None], state.position, limits)[:, 0]  # (B, V)
        best = ops.cast(ops.argmax(likely, axis=-1), "int32")  # (B,)
        open_ = ops.cast(~state.finished, "int32")
        best = ops.where(state.finished, limits.end_id, best)
        return GreedyState(
            state.position + 1,
            best,
            _write(state.ids, best, state.position),
            state.log_probabilities + ops.max(likely, axis=-1) * ops.cast(open_, "float32"),
            state.lengths + open_,
            ops.logical_or(state.finished, ops.equal(best, limits.end_id)),
            cache,
        )

    final = GreedyState(
        *ops.while_loop(
            go_on,
            advance,
            GreedyState(
                position=ops.convert_to_tensor(0, "int32"),
                last_ids=ops.full((batch,), limits.start_id, "int32"),
                ids=ops.full((batch, length), limits.end_id, "int32"),
                log_probabilities=ops.zeros((batch,), "float32"),
                lengths=ops.zeros((batch,), "int32"),
                finished=ops.zeros((batch,), "bool"),
                cache=cache,
            ),
        )
    )
    penalty = ops.cast(final.lengths, "float32") ** length_penalty
    found = (
        final.ids,
        final.log_probabilities,
        final.lengths,
        final.log_probabilities / penalty,
    )
    return Hypotheses(*(array[:, None] for array in found))


def beam_search(
    step: StepFunction,
    cache: Any,
    limits: SearchLimits,
    length: int,
    beam_size: int,
    length_penalty: float = 1.0,
) -> Hypotheses:
    """Keeps the K best open hypotheses at every step, and the K best that have ended.

    A candidate that ends counts where it is among the K best of its step. A
    sentence is done when K have ended; they are ranked by log probability /
    length^length_penalty (Wu et al. 2016, section 7, without their offsets,
    https://arxiv.org/abs/1609.08144).

    Args:
        step: see the module; ids are (B * K,), the beams of a sentence together.
        cache: the step function's, (B * K, ...) each, before the first token.
        limits: what may be produced.
        length: the most steps, at least the highest of ``limits.max_lengths``.
        beam_size: K.
        length_penalty: 0 ranks by log probability, 1 by its mean a token.

    Returns:
        K hypotheses a sentence: (B, K, length).
    """
    batch = ops.shape(limits.max_lengths)[0]
    beams = (batch, beam_size)

    def go_on(*state: Any) -> Any:
        state = BeamState(*state)
        wanted = ops.logical_and(state.ended_count < beam_size, state.position < limits.max_lengths)
        return ops.logical_and(state.position < length, ops.any(wanted))

    def advance(*state: Any) -> BeamState:
        state = BeamState(*state)
        last = ops.take(state.ids, ops.maximum(state.position - 1, 0), axis=2)  # (B, K)
        last = ops.where(state.position == 0, limits.start_id, last)
        logits, cache = step(ops.reshape(last, (-1,)), state.position, state.cache)
        likely = ops.reshape(logits, (*beams, logits.shape[-1]))
        likely = next_log_probabilities(likely, state.position, limits)  # (B, K, V)
        candidates = _best_candidates(state, likely, 2 * beam_size, limits.end_id)
        ended, ended_count = _keep_ended(state, candidates, beam_size, length_penalty)
        open_ = ops.where(candidates.ends, 2 * IMPOSSIBLE, candidates.log_probabilities)
        log_probabilities, chosen = ops.top_k(open_, beam_size)  # (B, K)
        parents = ops.take_along_axis(candidates.parents, chosen, axis=1)  # (B, K)
        return BeamState(
            state.position + 1,
            ops.take_along_axis(candidates.ids, chosen[:, :, None], axis=1),
            log_probabilities,
            ended,
            ended_count,
            _follow_beams(cache, parents, beam_size),
        )

    none_yet = Hypotheses(
        ids=ops.full((*beams, length), limits.end_id, "int32"),
        log_probabilities=ops.full(beams, 2 * IMPOSSIBLE, "float32"),
        lengths=ops.ones(beams, "int32"),
        scores=ops.full(beams, 2 * IMPOSSIBLE, "float32"),
    )
    only_first = ops.where(ops.arange(beam_size) == 0, 0.0, 2 * IMPOSSIBLE)  # all begin alike
    final = BeamState(
        *ops.while_loop(
            go_on,
            advance,
            BeamState(
                position=ops.convert_to_tensor(0, "int32"),
                ids=ops.full((*beams, length), limits.end_id, "int32"),
                log_probabilities=ops.broadcast_to(ops.cast(only_first, "float32")[None], beams),
                ended=none_yet,
                ended_count=ops.zeros((batch,), "int32"),
                cache=cache,
            ),
        )
    )
    return final.ended


class _Candidates(NamedTuple):
    """The likeliest continuations of a step, (B, 2K, ...) each, best first."""

    ids: Any
    parents: Any
    log_probabilities: Any
    ends: Any


def _best_candidates(state: BeamState, likely: Any, count: int, end_id: int) -> _Candidates:
    batch, beam_size, vocab_size = ops.shape(likely)
    totals = state.log_probabilities[:, :, None] + likely  # (B, K, V)
    flat = ops.reshape(totals, (batch, beam_size * vocab_size))
    log_probabilities, indices = ops.top_k(flat, count)  # (B, 2K)
    indices = ops.cast(indices, "int32")
    parents = indices // vocab_size
    tokens = indices % vocab_size
    ids = ops.take_along_axis(state.ids, parents[:, :, None], axis=1)  # (B, 2K, length)
    ids = _write(ids, tokens, state.position)
    return _Candidates(ids, parents, log_probabilities, ops.equal(tokens, end_id))


def _keep_ended(
    state: BeamState, candidates: _Candidates, beam_size: int, length_penalty: float
) -> tuple[Hypotheses, Any]:
    """Adds the candidates that end to the K best that have; done sentences stay."""
    among_best = ops.arange(2 * beam_size) < beam_size  # (2K,)
    counts = ops.logical_and(candidates.ends, among_best[None])
    counts = ops.logical_and(counts, candidates.log_probabilities > IMPOSSIBLE)
    counts = ops.logical_and(counts, (state.ended_count < beam_size)[:, None])  # (B, 2K)
    length = state.position + 1
    penalty = ops.cast(length, "float32") ** length_penalty
    scores = ops.where(counts, candidates.log_probabilities / penalty, 2 * IMPOSSIBLE)
    both = Hypotheses(
        ops.concatenate([state.ended.ids, candidates.ids], axis=1),
        ops.concatenate([state.ended.log_probabilities, candidates.log_probabilities], axis=1),
        ops.concatenate(
            [state.ended.lengths, ops.broadcast_to(length, ops.shape(candidates.parents))], axis=1
        ),
        ops.concatenate([state.ended.scores, scores], axis=1),
    )
    best, chosen = ops.top_k(both.scores, beam_size)  # (B, K)
    kept = Hypotheses(
        ops.take_along_axis(both.ids, chosen[:, :, None], axis=1),
        ops.take_along_axis(both.log_probabilities, chosen, axis=1),
        ops.take_along_axis(both.lengths, chosen, axis=1),
        best,
    )
    return kept, state.ended_count + ops.sum(ops.cast(counts, "int32"), axis=1)


def _follow_beams(cache: Any, parents: Any, beam_size: int) -> Any:
    """Each new hypothesis goes on from its parent's cache."""
    first = ops.arange(ops.shape(parents)[0], dtype="int32")[:, None] * beam_size
    rows = ops.reshape(first + parents, (-1,))  # (B * K,)
    return keras.tree.map_structure(lambda array: ops.take(array, rows, axis=0), cache)


def _write(ids: Any, tokens: Any, position: Any) -> Any:
    """``ids`` (..., length) with ``tokens`` (...) written at ``position``."""
    here = ops.equal(ops.arange(ids.shape[-1]), position)
    return ops.where(here, ops.cast(tokens, "int32")[..., None], ids)
