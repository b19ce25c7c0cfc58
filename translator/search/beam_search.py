"""Greedy and beam search: a pure loop over a named state, given a step function.

Search does not know the model. It is given a step function and uses only
`keras.ops`, with shapes that never change, so any backend can compile it whole.

Three things make it fast. When a hypothesis moves to another beam, its keys and
values are not copied: ``ancestors`` says which entries of the cache are its own.
The vocabulary is ranked by columns, so that very little is sorted. And a slot
whose sentence is done takes the next sentence while the others continue.

B slots, M sentences, K beams, T the most tokens, V vocabulary.
"""

from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from translator.search.constraints import (
    forbid_early_end,
    forbid_repeated_ngrams,
    given_tokens,
)
from translator.search.ranking import IMPOSSIBLE, top_continuations
from translator.search.slots import after_start, no_hypotheses, refill_slots, write_entry
from translator.search.state import (
    Hypotheses,
    Opening,
    SearchSettings,
    SearchState,
    Step,
    StepFunction,
)


def open_sentences(
    step: StepFunction, memory: Any, cache: Any, max_lengths: Any, settings: SearchSettings
) -> Opening:
    """Finds the first token of sentences, before their K beams differ.

    Args:
        step: see `Step`; both K and T are 1 here.
        memory: what the encoder returned for the sentences, (M, ...) each.
        cache: with room for at least one entry, (M, ..., T, x) each.
        max_lengths: (M,) the most tokens of each sentence.

    Returns:
        The K best first tokens of each sentence.
    """
    state = unopened(memory, cache, max_lengths, settings)
    return opening_of(extend(step, state, max_lengths, settings))


def unopened(memory: Any, cache: Any, max_lengths: Any, settings: SearchSettings) -> SearchState:
    """The state of sentences before their first token, with one beam each; see `open_sentences`."""
    count = max_lengths.shape[0]
    one_beam = (count, 1)
    return SearchState(
        clock=ops.convert_to_tensor(0, "int32"),
        started=ops.convert_to_tensor(count, "int32"),
        sentences=ops.arange(count, dtype="int32"),
        active=max_lengths > 0,
        positions=ops.zeros((count,), "int32"),
        ids=ops.full((*one_beam, settings.length), settings.end_id, "int32"),
        log_probabilities=ops.zeros(one_beam, "float32"),
        ancestors=ops.full((*one_beam, settings.length), -1, "int32"),
        ended=no_hypotheses(count, settings),
        ended_count=ops.zeros((count,), "int32"),
        memory=memory,
        cache=cache,
        found=no_hypotheses(0, settings),
    )


def opening_of(state: SearchState) -> Opening:
    """What slots start from, after the first token."""
    entry = keras.tree.map_structure(lambda array: array[..., :1, :], state.cache)
    return Opening(
        state.memory, entry, state.ids, state.log_probabilities, state.ended, state.ended_count
    )


def empty_opening(memory: Any, cache: Any, count: int, settings: SearchSettings) -> Opening:
    """An empty `Opening` of ``count`` sentences with the given memory and cache."""
    none_yet = no_hypotheses(count, settings)
    return Opening(
        memory,
        cache,
        none_yet.ids,
        none_yet.log_probabilities,
        none_yet,
        ops.zeros((count,), "int32"),
    )


def beam_search(
    step: StepFunction, opening: Opening, cache: Any, max_lengths: Any, settings: SearchSettings
) -> Hypotheses:
    """Keeps the K best open hypotheses at every step, and the K best that have ended.

    A candidate that ends is kept if it is among the K best of its step. A
    sentence is done when K hypotheses have ended, or at its length limit, where
    open hypotheses count as ended. Hypotheses are ranked by log probability /
    length^length_penalty (Wu et al. 2016, section 7, without their offsets,
    https://arxiv.org/abs/1609.08144).

    Args:
        cache: of B slots, empty, (B, ..., T * K, x) each; if there are fewer slots
            than sentences, the sentences wait for a slot in the order given.
        max_lengths: (M,) the most tokens of each sentence, at most T; 0 for rows of
            padding, which come after all sentences.
    """
    slots = keras.tree.flatten(cache)[0].shape[0]
    sentences = max_lengths.shape[0]
    has_queue = slots < sentences

    def is_unfinished(*state: Any) -> Any:
        state = SearchState(*state)
        return ops.any(state.sentences < sentences if has_queue else state.active)

    def advance(*state: Any) -> SearchState:
        state = extend(step, SearchState(*state), max_lengths, settings)
        return refill_slots(state, opening, max_lengths, settings) if has_queue else state

    state = begin(opening, cache, slots, max_lengths, settings)
    final = SearchState(*ops.while_loop(is_unfinished, advance, state))
    return final.found if has_queue else final.ended


def begin(
    opening: Opening, cache: Any, slots: int, max_lengths: Any, settings: SearchSettings
) -> SearchState:
    first = keras.tree.map_structure(lambda array: array[:slots], opening)
    done = ops.logical_or(first.ended_count >= settings.beam_size, max_lengths[:slots] <= 1)
    clock = ops.convert_to_tensor(0, "int32")
    return SearchState(
        clock=clock,
        started=ops.convert_to_tensor(slots, "int32"),
        sentences=ops.arange(slots, dtype="int32"),
        active=~done,
        positions=ops.ones((slots,), "int32"),
        ids=first.ids,
        log_probabilities=first.log_probabilities,
        ancestors=after_start(clock, (slots, settings.beam_size), settings.length),
        ended=first.ended,
        ended_count=first.ended_count,
        memory=first.memory,
        cache=write_entry(cache, first.cache, 0, clock, settings),
        found=no_hypotheses(max_lengths.shape[0], settings),
    )


def extend(
    step: StepFunction, state: SearchState, max_lengths: Any, settings: SearchSettings
) -> SearchState:
    """Adds one token in every slot."""
    beam_size, length = settings.beam_size, settings.length
    beams_before = state.ids.shape[1]
    cache_length = keras.tree.flatten(state.cache)[0].shape[-2] // beams_before
    slot = ops.mod(state.clock, cache_length)
    last = ops.take_along_axis(
        state.ids, ops.maximum(state.positions - 1, 0)[:, None, None], axis=2
    )[:, :, 0]  # (B, K)
    last = ops.where(state.positions[:, None] == 0, settings.start_id, last)
    beams = ops.arange(beams_before, dtype="int32")
    here = ops.arange(length, dtype="int32") == slot  # (T,)
    ancestors = ops.where(here, beams[:, None], state.ancestors)  # (B, K, T)
    visible = ops.equal(ancestors[:, :, :cache_length, None], beams)  # (B, K, T, K)
    visible = ops.reshape(visible, (-1, 1, beams_before, cache_length * beams_before))
    logits, cache = step(Step(last, state.positions, slot, visible, state.memory, state.cache))
    candidates = best_candidates(logits, state, settings)  # (B, 2K)
    numbers = ops.minimum(state.sentences, max_lengths.shape[0] - 1)
    limits = ops.take(max_lengths, numbers, axis=0)  # (B,)
    at_limit = ops.greater_equal(state.positions + 1, limits)
    ids = ops.take_along_axis(state.ids, candidates.parents[:, :, None], axis=1)
    ids = ops.where(
        ops.equal(ops.arange(length, dtype="int32"), state.positions[:, None, None]),
        candidates.ids[:, :, None],
        ids,
    )  # (B, 2K, T)
    ended, ended_count = _keep_ended(state, candidates, ids, at_limit, settings)
    open_ = ops.where(candidates.ends, 2 * IMPOSSIBLE, candidates.log_probabilities)
    log_probabilities, chosen = ops.top_k(open_, beam_size)  # (B, K)
    parents = ops.take_along_axis(candidates.parents, chosen, axis=1)  # (B, K)
    done = ops.logical_or(at_limit, ended_count >= beam_size)
    return state._replace(
        clock=state.clock + 1,
        active=ops.logical_and(state.active, ~done),
        positions=ops.minimum(state.positions + 1, length - 1),  # also in idle slots
        ids=ops.take_along_axis(ids, chosen[:, :, None], axis=1),
        log_probabilities=log_probabilities,
        ancestors=ops.take_along_axis(ancestors, parents[:, :, None], axis=1),
        ended=ended,
        ended_count=ended_count,
        cache=cache,
    )


class Candidates(NamedTuple):
    """The most probable continuations of a step, (B, 2K) each, best first."""

    ids: Any
    parents: Any
    log_probabilities: Any
    ends: Any


def best_candidates(logits: Any, state: SearchState, settings: SearchSettings) -> Candidates:
    vocab_size = logits.shape[-1]
    logits = forbid_early_end(logits, state.positions, settings)
    if settings.no_repeat_ngram:
        logits = forbid_repeated_ngrams(
            logits, state.ids, state.positions, settings.no_repeat_ngram
        )
    log_probabilities, flat = top_continuations(
        logits, state.log_probabilities, 2 * settings.beam_size
    )
    parents, ids = flat // vocab_size, flat % vocab_size
    ends = ops.equal(ids, settings.end_id)
    prefix = given_tokens(state.positions, settings)
    if prefix is not None:
        rank = np.arange(2 * settings.beam_size)[None]
        ids = ops.where(prefix.given, prefix.ids, ids)
        parents = ops.where(prefix.given, 0, parents)
        forced = ops.where(rank == 0, 0.0, 2 * IMPOSSIBLE)
        log_probabilities = ops.where(prefix.given, forced, log_probabilities)
        ends = ops.logical_and(ends, ~prefix.given)
    return Candidates(ids, parents, log_probabilities, ends)


def _keep_ended(
    state: SearchState, candidates: Candidates, ids: Any, at_limit: Any, settings: SearchSettings
) -> tuple[Hypotheses, Any]:
    """Adds candidates that end to the K best that have ended; finished sentences do not change."""
    among_best = np.arange(2 * settings.beam_size) < settings.beam_size  # (2K,)
    counts = ops.logical_or(candidates.ends, at_limit[:, None])
    counts = ops.logical_and(counts, among_best[None])
    counts = ops.logical_and(counts, candidates.log_probabilities > IMPOSSIBLE)
    counts = ops.logical_and(counts, state.active[:, None])  # (B, 2K)
    lengths = ops.broadcast_to((state.positions + 1)[:, None], candidates.ids.shape)
    penalty = ops.cast(lengths, "float32") ** settings.length_penalty
    scores = ops.where(counts, candidates.log_probabilities / penalty, 2 * IMPOSSIBLE)
    new = Hypotheses(ids, candidates.log_probabilities, lengths, scores)
    both = Hypotheses(*(ops.concatenate(pair, axis=1) for pair in zip(state.ended, new)))
    best, chosen = ops.top_k(both.scores, settings.beam_size)  # (B, K)
    kept = Hypotheses(
        ops.take_along_axis(both.ids, chosen[:, :, None], axis=1),
        ops.take_along_axis(both.log_probabilities, chosen, axis=1),
        ops.take_along_axis(both.lengths, chosen, axis=1),
        best,
    )
    return kept, state.ended_count + ops.sum(ops.cast(counts, "int32"), axis=1)
