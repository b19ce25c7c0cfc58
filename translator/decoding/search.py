"""Greedy and beam search: a pure loop over a named state, fed a step function.

Search knows no model. It is handed a step function and works on `keras.ops`
alone, with shapes that never change, so any backend can compile it whole.

Three things make it fast. A beam that changes place takes no keys and values
with it: what each hypothesis may look at is written in ``ancestors``. The
vocabulary is ranked by columns, so that next to nothing is sorted. And a slot
whose sentence has ended takes the next one while the others go on.

B slots, M sentences, K beams, T the most tokens, V vocabulary.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from translator.decoding.ranking import IMPOSSIBLE, top_continuations


class Step(NamedTuple):
    """What a step function is asked: to score what may follow these tokens.

    Attributes:
        ids: (B, K) the last token of each hypothesis.
        positions: (B,) where in its sentence that token stands, from 0.
        slot: where in the cache its keys and values go, a scalar below T.
        visible: (B, 1, K, T * K) which entries of the cache each hypothesis may
            look at; the entry of beam k at slot t is t * K + k.
        memory: of the sentences that are being translated, (B, ...) each.
        cache: as the step before returned it.
    """

    ids: Any
    positions: Any
    slot: Any
    visible: Any
    memory: Any
    cache: Any


# To logits (B, K, V) float32, about `IMPOSSIBLE` for what is never to be produced, and the cache.
StepFunction = Callable[[Step], tuple[Any, Any]]


class SearchSettings(NamedTuple):
    """What is searched for.

    Attributes:
        start_id: the token that every hypothesis follows.
        end_id: the token that ends a hypothesis.
        beam_size: K; 1 is greedy search.
        length: T.
        length_penalty: 0 ranks by log probability, 1 by its mean a token.
        min_length: the fewest tokens of a hypothesis, end included.
        prefix_ids: what every hypothesis begins with; not counted in its
            log probability.
    """

    start_id: int
    end_id: int
    beam_size: int
    length: int
    length_penalty: float = 1.0
    min_length: int = 1
    prefix_ids: tuple[int, ...] = ()


class Hypotheses(NamedTuple):
    """What a search found, best first.

    Attributes:
        ids: (M, K, T) tokens, the end included, then ``end_id`` as filling.
        log_probabilities: (M, K) sums over the tokens, the end included.
        lengths: (M, K) tokens, the end included.
        scores: (M, K) log probability / length^length_penalty; `IMPOSSIBLE` or
            less where there are fewer than K hypotheses.
    """

    ids: Any
    log_probabilities: Any
    lengths: Any
    scores: Any


class SearchState(NamedTuple):
    """Where a search stands.

    Attributes:
        clock: steps since the beginning.
        started: how many sentences have been.
        sentences: (B,) which one each slot translates.
        active: (B,) whether it still does.
        positions: (B,) of the token that is looked for.
        ids: (B, K, T) of the open hypotheses.
        log_probabilities: (B, K) of the open hypotheses.
        ancestors: (B, K, T) which beam wrote the entry of each slot of the cache
            that the hypothesis goes back to; -1 where that is not its own past.
        ended: the K best hypotheses of each slot's sentence that have ended.
        ended_count: (B,) how many have; a sentence with K of them is done.
        memory: of each slot's sentence.
        cache: of the open hypotheses.
        found: what is returned, filled as sentences are done.
    """

    clock: Any
    started: Any
    sentences: Any
    active: Any
    positions: Any
    ids: Any
    log_probabilities: Any
    ancestors: Any
    ended: Hypotheses
    ended_count: Any
    memory: Any
    cache: Any
    found: Hypotheses


def beam_search(
    step: StepFunction, memory: Any, cache: Any, max_lengths: Any, settings: SearchSettings
) -> Hypotheses:
    """Keeps the K best open hypotheses at every step, and the K best that have ended.

    A candidate that ends counts where it is among the K best of its step. A
    sentence is done when K have ended, or at its most tokens, where what is
    open counts as it is. Hypotheses are ranked by log probability /
    length^length_penalty (Wu et al. 2016, section 7, without their offsets,
    https://arxiv.org/abs/1609.08144).

    Args:
        step: see `Step`.
        memory: of all M sentences, (M, ...) each.
        cache: of B slots, before the first token; with fewer slots than sentences
            those wait for their turn in the order given.
        max_lengths: (M,) the most tokens of each sentence, at most T; 0 for what
            is only there to fill up, after all sentences.
        settings: see `SearchSettings`.

    Returns:
        K hypotheses a sentence.
    """
    slots = keras.tree.flatten(cache)[0].shape[0]
    in_turns = slots < max_lengths.shape[0]

    def go_on(*state: Any) -> Any:
        return ops.any(SearchState(*state).active)

    def advance(*state: Any) -> SearchState:
        state = _extend(step, SearchState(*state), max_lengths, settings)
        return _take_turns(state, memory, max_lengths, settings) if in_turns else state

    state = _begin(memory, cache, slots, max_lengths, settings)
    final = SearchState(*ops.while_loop(go_on, advance, state))
    return final.found if in_turns else final.ended


def _begin(
    memory: Any, cache: Any, slots: int, max_lengths: Any, settings: SearchSettings
) -> SearchState:
    beams = (slots, settings.beam_size)
    sentences = ops.arange(slots, dtype="int32")
    return SearchState(
        clock=ops.convert_to_tensor(0, "int32"),
        started=ops.convert_to_tensor(slots, "int32"),
        sentences=sentences,
        active=max_lengths[:slots] > 0,
        positions=ops.zeros((slots,), "int32"),
        ids=ops.full((*beams, settings.length), settings.end_id, "int32"),
        log_probabilities=_only_first(beams),
        ancestors=ops.full((*beams, settings.length), -1, "int32"),
        ended=_none_yet(slots, settings),
        ended_count=ops.zeros((slots,), "int32"),
        memory=keras.tree.map_structure(lambda array: array[:slots], memory),
        cache=cache,
        found=_none_yet(max_lengths.shape[0], settings),
    )


def _only_first(beams: tuple[int, int]) -> Any:
    """All hypotheses begin alike, so all but one of them are ruled out."""
    first = np.where(np.arange(beams[1]) == 0, 0.0, 2 * IMPOSSIBLE)
    return ops.convert_to_tensor(np.broadcast_to(first, beams), "float32")


def _none_yet(count: int, settings: SearchSettings) -> Hypotheses:
    beams = (count, settings.beam_size)
    return Hypotheses(
        ids=ops.full((*beams, settings.length), settings.end_id, "int32"),
        log_probabilities=ops.full(beams, 2 * IMPOSSIBLE, "float32"),
        lengths=ops.ones(beams, "int32"),
        scores=ops.full(beams, 2 * IMPOSSIBLE, "float32"),
    )


def _extend(
    step: StepFunction, state: SearchState, max_lengths: Any, settings: SearchSettings
) -> SearchState:
    """Goes on by one token in every slot."""
    beam_size, length = settings.beam_size, settings.length
    slot = ops.mod(state.clock, length)
    last = ops.take_along_axis(
        state.ids, ops.maximum(state.positions - 1, 0)[:, None, None], axis=2
    )[:, :, 0]  # (B, K)
    last = ops.where(state.positions[:, None] == 0, settings.start_id, last)
    beams = ops.arange(beam_size, dtype="int32")
    here = ops.arange(length, dtype="int32") == slot  # (T,)
    ancestors = ops.where(here, beams[:, None], state.ancestors)  # (B, K, T)
    visible = ops.equal(ancestors[..., None], beams)  # (B, K, T, K)
    visible = ops.reshape(visible, (-1, 1, beam_size, length * beam_size))
    logits, cache = step(Step(last, state.positions, slot, visible, state.memory, state.cache))
    candidates = _best_candidates(logits, state, settings)  # (B, 2K)
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
        positions=ops.minimum(state.positions + 1, length - 1),  # also where nothing is translated
        ids=ops.take_along_axis(ids, chosen[:, :, None], axis=1),
        log_probabilities=log_probabilities,
        ancestors=ops.take_along_axis(ancestors, parents[:, :, None], axis=1),
        ended=ended,
        ended_count=ended_count,
        cache=cache,
    )


class _Candidates(NamedTuple):
    """The likeliest continuations of a step, (B, 2K) each, best first."""

    ids: Any
    parents: Any
    log_probabilities: Any
    ends: Any


def _best_candidates(logits: Any, state: SearchState, settings: SearchSettings) -> _Candidates:
    vocab_size = logits.shape[-1]
    if settings.min_length > 1:
        too_soon = ops.less(state.positions + 1, settings.min_length)[:, None, None]
        is_end = np.arange(vocab_size) == settings.end_id
        logits = ops.where(ops.logical_and(too_soon, is_end), IMPOSSIBLE, logits)
    log_probabilities, flat = top_continuations(
        logits, state.log_probabilities, 2 * settings.beam_size
    )
    parents, ids = flat // vocab_size, flat % vocab_size
    ends = ops.equal(ids, settings.end_id)
    if settings.prefix_ids:
        rank = np.arange(2 * settings.beam_size)[None]
        position = state.positions[:, None]
        given = position < len(settings.prefix_ids)
        prefix = ops.take(
            np.array([*settings.prefix_ids, settings.end_id], "int32"),
            ops.minimum(position, len(settings.prefix_ids)),
        )
        ids = ops.where(given, prefix, ids)
        parents = ops.where(given, 0, parents)
        forced = ops.where(rank == 0, 0.0, 2 * IMPOSSIBLE)
        log_probabilities = ops.where(given, forced, log_probabilities)
        ends = ops.logical_and(ends, ~given)
    return _Candidates(ids, parents, log_probabilities, ends)


def _keep_ended(
    state: SearchState, candidates: _Candidates, ids: Any, at_limit: Any, settings: SearchSettings
) -> tuple[Hypotheses, Any]:
    """Adds the candidates that end to the K best that have; done sentences stay."""
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


def _take_turns(
    state: SearchState, memory: Any, max_lengths: Any, settings: SearchSettings
) -> SearchState:
    """Hands each slot whose sentence is done the next sentence, if there is one."""
    slots, beam_size = state.log_probabilities.shape
    nothing = max_lengths.shape[0]  # the number of a slot without a sentence
    count = ops.sum(ops.cast(max_lengths > 0, "int32"))
    numbers = ops.arange(slots, dtype="int32")
    done = ops.logical_and(~state.active, state.sentences < nothing)  # (B,)

    def any_waits(waiting: Any, *_: Any) -> Any:
        return ops.any(waiting)

    def hand_over(
        waiting: Any, started: Any, sentences: Any, slot_memory: Any, found: Any
    ) -> tuple[Any, ...]:
        slot = ops.cast(ops.argmax(ops.cast(waiting, "int32")), "int32")
        found = _copy_row(state.ended, slot, found, ops.take(sentences, slot))
        slot_memory = _copy_row(memory, ops.minimum(started, count - 1), slot_memory, slot)
        following = ops.where(started < count, started, nothing)
        here = ops.equal(numbers, slot)
        sentences = ops.where(here, following, sentences)
        return ops.logical_and(waiting, ~here), started + 1, sentences, slot_memory, found

    turn = (done, state.started, state.sentences, state.memory, state.found)
    _, started, sentences, slot_memory, found = ops.while_loop(any_waits, hand_over, turn)
    kept = ~done

    def begin_anew(fresh: Any, old: Any) -> Any:
        return ops.where(ops.reshape(kept, (-1,) + (1,) * (len(old.shape) - 1)), old, fresh)

    return state._replace(
        started=started,
        sentences=sentences,
        active=ops.logical_or(state.active, ops.logical_and(done, sentences < nothing)),
        positions=begin_anew(0, state.positions),
        ids=begin_anew(settings.end_id, state.ids),
        log_probabilities=begin_anew(_only_first((slots, beam_size)), state.log_probabilities),
        ancestors=begin_anew(-1, state.ancestors),
        ended=Hypotheses(*map(begin_anew, _none_yet(slots, settings), state.ended)),
        ended_count=begin_anew(0, state.ended_count),
        memory=slot_memory,
        found=found,
    )


def _copy_row(source: Any, from_row: Any, target: Any, to_row: Any) -> Any:
    """``target`` with one row of each array replaced by a row of ``source``'s."""

    def copy(source: Any, target: Any) -> Any:
        rest = (0,) * (len(source.shape) - 1)
        row = ops.slice(source, (from_row, *rest), (1, *source.shape[1:]))
        return ops.slice_update(target, (to_row, *rest), row)

    return keras.tree.map_structure(copy, source, target)
