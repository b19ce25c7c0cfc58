"""The slots of a search: each translates one sentence and takes the next one when it is done.

B slots, M sentences, K beams, T the most tokens.
"""

from typing import Any

import keras
from keras import ops

from translator.search.ranking import IMPOSSIBLE
from translator.search.state import Hypotheses, Opening, SearchSettings, SearchState


def no_hypotheses(count: int, settings: SearchSettings) -> Hypotheses:
    """K places for hypotheses of each of ``count`` sentences, without any so far."""
    beams = (count, settings.beam_size)
    return Hypotheses(
        ids=ops.full((*beams, settings.length), settings.end_id, "int32"),
        log_probabilities=ops.full(beams, 2 * IMPOSSIBLE, "float32"),
        lengths=ops.ones(beams, "int32"),
        scores=ops.full(beams, 2 * IMPOSSIBLE, "float32"),
    )


def after_start(clock: Any, beams: tuple[int, int], length: int) -> Any:
    """(B, K, T) ancestors of hypotheses with one entry, that of the start token, just written."""
    before = ops.mod(clock - 1, length)
    ancestors = ops.where(ops.arange(length, dtype="int32") == before, 0, -1)
    return ops.broadcast_to(ops.cast(ancestors, "int32"), (*beams, length))


def write_entry(cache: Any, entry: Any, row: Any, clock: Any, settings: SearchSettings) -> Any:
    """Writes entries of start tokens where the step before ``clock`` would have written them."""
    place = ops.mod(clock - 1, settings.length) * settings.beam_size

    def write(array: Any, new: Any) -> Any:
        between = (0,) * (len(array.shape) - 3)
        return ops.slice_update(array, (row, *between, place, 0), new)

    return keras.tree.map_structure(write, cache, entry)


def refill_slots(
    state: SearchState, opening: Opening, max_lengths: Any, settings: SearchSettings
) -> SearchState:
    """Gives each slot whose sentence is done the next sentence, if there is one."""
    slots, beam_size = state.log_probabilities.shape
    idle = max_lengths.shape[0]  # the sentence number of a slot that has no sentence
    count = ops.sum(ops.cast(max_lengths > 0, "int32"))
    numbers = ops.arange(slots, dtype="int32")
    done = ops.logical_and(~state.active, state.sentences < idle)  # (B,)
    current = Opening(*(getattr(state, name) for name in Opening._fields))

    def any_waits(waiting: Any, *_: Any) -> Any:
        return ops.any(waiting)

    def hand_over(
        waiting: Any, started: Any, sentences: Any, current: Opening, found: Hypotheses
    ) -> tuple[Any, ...]:
        slot = ops.cast(ops.argmax(ops.cast(waiting, "int32")), "int32")
        found = _write_row(found, ops.take(sentences, slot), _row(current.ended, slot))
        new = _row(opening, ops.minimum(started, idle - 1))
        written = _write_row(current._replace(cache=()), slot, new._replace(cache=()))
        cache = write_entry(current.cache, new.cache, slot, state.clock, settings)
        here = ops.equal(numbers, slot)
        sentences = ops.where(here, ops.where(started < count, started, idle), sentences)
        return (
            ops.logical_and(waiting, ~here),
            started + 1,
            sentences,
            written._replace(cache=cache),
            found,
        )

    before = (done, state.started, state.sentences, current, state.found)
    _, started, sentences, current, found = ops.while_loop(any_waits, hand_over, before)
    limits = ops.take(max_lengths, ops.minimum(sentences, idle - 1), axis=0)
    done_at_once = ops.logical_or(current.ended_count >= beam_size, limits <= 1)
    fresh = ops.logical_and(sentences < idle, ~done_at_once)
    ancestors = after_start(state.clock, (slots, beam_size), settings.length)
    return state._replace(
        started=started,
        sentences=sentences,
        active=ops.where(done, fresh, state.active),
        positions=ops.where(done, 1, state.positions),
        ancestors=ops.where(done[:, None, None], ancestors, state.ancestors),
        found=found,
        **current._asdict(),
    )


def _row(arrays: Any, number: Any) -> Any:
    """One row of each array, (1, ...) each."""

    def take(array: Any) -> Any:
        rest = array.shape[1:]
        return ops.slice(array, (number, *(0 for _ in rest)), (1, *rest))

    return keras.tree.map_structure(take, arrays)


def _write_row(arrays: Any, number: Any, row: Any) -> Any:
    """Replaces one row of each array."""

    def write(array: Any, new: Any) -> Any:
        return ops.slice_update(array, (number, *(0 for _ in array.shape[1:])), new)

    return keras.tree.map_structure(write, arrays, row)
