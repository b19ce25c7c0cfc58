"""Beam search of one sentence that keeps what each step considered, kept and dropped."""

from typing import Any

import numpy as np
from keras import ops

from translator.search.beam_search import (
    begin,
    best_candidates,
    extend,
    opening_of,
    unopened,
)
from translator.search.ranking import IMPOSSIBLE
from translator.search.state import (
    DROPPED,
    ENDED,
    KEPT,
    Continuation,
    SearchSettings,
    SearchState,
    Step,
    StepFunction,
)


class _Steps:
    """The continuations of a search, step by step."""

    def __init__(self, step: StepFunction, max_lengths: np.ndarray, settings: SearchSettings):
        self.found: list[Continuation] = []
        self._open: list[int | None] = [None]  # of each beam, its last continuation
        self._step = step
        self._max_lengths = max_lengths
        self._settings = settings
        self._logits: Any = None

    def follow(self, state: SearchState) -> SearchState:
        """Takes a step, and keeps what it considered."""
        after = extend(self._recording, state, self._max_lengths, self._settings)
        candidates = best_candidates(self._logits, state, self._settings)
        parents, ids, likely, ends = (
            ops.convert_to_numpy(array)[0].tolist()
            for array in (
                candidates.parents, candidates.ids, candidates.log_probabilities, candidates.ends
            )
        )  # fmt: skip
        position = int(ops.convert_to_numpy(state.positions)[0])
        at_limit = position + 1 >= int(self._max_lengths[0])
        opened: list[int | None] = []
        for rank, (parent, id_, log_probability, is_end) in enumerate(
            zip(parents, ids, likely, ends)
        ):
            if log_probability <= IMPOSSIBLE:
                continue
            fate, score = DROPPED, None
            if rank < self._settings.beam_size and (is_end or at_limit):
                fate = ENDED
                score = log_probability / (position + 1) ** self._settings.length_penalty
            elif not is_end and not at_limit and len(opened) < self._settings.beam_size:
                fate = KEPT
                opened.append(len(self.found))
            self.found.append(
                Continuation(self._open[parent], position, id_, log_probability, fate, score)
            )
        self._open = opened
        return after

    def _recording(self, arguments: Step) -> tuple[Any, Any]:
        self._logits, cache = self._step(arguments)
        return self._logits, cache

    def close(self) -> None:
        """Drops what is still open when the search is done."""
        for i in self._open:
            if i is not None:
                self.found[i] = self.found[i]._replace(fate=DROPPED)


def trace_beam(
    step: StepFunction,
    memory: Any,
    first_cache: Any,
    cache: Any,
    max_length: int,
    settings: SearchSettings,
) -> list[Continuation]:
    """Searches as `beam_search` does, and keeps every step.

    Args:
        memory: what the encoder returned for the sentence, (1, ...) each.
        first_cache: with room for the first token, (1, ..., T, x) each.
        cache: empty, (1, ..., T * K, x) each.

    Returns:
        The 2K best continuations of each step, the best first, step after step. With a prefix, the
        steps of its tokens have one continuation each.
    """
    limits = np.array([max_length], "int32")
    steps = _Steps(step, limits, settings)
    opening = opening_of(steps.follow(unopened(memory, first_cache, limits, settings)))
    state = begin(opening, cache, 1, limits, settings)
    while ops.convert_to_numpy(state.active)[0]:
        state = steps.follow(state)
    steps.close()
    return steps.found
