"""Beam search, greedy search and sampling: one loop over a named state, given a step function.

Search does not know the model, only a step function. It uses only `keras.ops`, with shapes that
never change, so any backend can compile it as a whole. Greedy search is a beam of one.

When a hypothesis moves to another beam, its keys and values stay in place. ``ancestors`` lists the
entries of the cache that belong to the hypothesis.

B sentences, K beams or samples, C candidates, T tokens at most, V vocabulary.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from keras import ops

from translator.search.engine import (
    DROPPED,
    ENDED,
    KEPT,
    Continuation,
    SearchOptions,
    ended_hypotheses,
)
from translator.search.sampling import Sampling, draw_tokens

IMPOSSIBLE = -1e9  # log probability of forbidden tokens; finite, so that sums are not NaN
NOTHING = 2 * IMPOSSIBLE  # log probability of a place without a hypothesis

# Takes the last token of each hypothesis (B, K), its position (), a mask of the cache entries that
# each may attend to (B, 1, K, T * K), and the cache. Returns logits (B, K, V) float32 and the
# cache, whose entry t * K + k belongs to beam k at position t.
StepFunction = Callable[[Any, Any, Any, Any], tuple[Any, Any]]


class Hypotheses(NamedTuple):
    """Ended hypotheses: the best first, or samples in the order of their numbers."""

    ids: Any  # (B, K, T) tokens, the end included, then the end as padding
    log_probabilities: Any  # (B, K) sums over the tokens, the end included
    lengths: Any  # (B, K) tokens, the end included
    scores: Any  # (B, K) log probability / length^length_penalty; `NOTHING` in an empty place


class SearchState(NamedTuple):
    """A search between two steps."""

    position: Any  # () of the next token
    ids: Any  # (B, K, T) of the living hypotheses
    log_probabilities: Any  # (B, K) of the living hypotheses; `NOTHING` in an empty place
    ancestors: Any  # (B, K, T) the beam that wrote the entry of each token; -1 after the last
    ended: Hypotheses  # (B, K) the best so far
    ended_count: Any  # (B,) how many have ended so far
    cache: Any  # (B, ..., T * K, x) each


class Candidates(NamedTuple):
    """Living hypotheses with one more token: the 2K best (best first), or K samples."""

    parents: Any  # (B, C) the beams that they continue
    tokens: Any  # (B, C)
    log_probabilities: Any  # (B, C) of all their tokens


@dataclasses.dataclass(frozen=True)
class BeamSearch:
    """A search for B sentences at a time.

    A beam keeps the K best living hypotheses at every step. A candidate that ends is kept if it is
    among the K best of its step. A sentence is done when `ended_hypotheses` have ended, or at its
    length limit, where living hypotheses count as ended. Ended hypotheses are ranked by log
    probability / length^length_penalty (Wu et al. 2016, section 7, without their offsets,
    https://arxiv.org/abs/1609.08144).

    Args:
        step: scores the possible next tokens, see `StepFunction`.
        limits: (B,) the most tokens of each sentence, at most T; 0 for rows of padding.
        length: T.
        options: how to search; with ``sampling`` hypotheses are drawn.
        start_id: the token before every hypothesis.
        end_id: the token that ends a hypothesis.
        draws: (B, T, K) random numbers for samples, from `make_draws` of the Keras engine.
    """

    step: StepFunction
    limits: Any
    length: int
    options: SearchOptions
    start_id: int
    end_id: int
    draws: Any = None

    @property
    def beams(self) -> int:
        """K."""
        return self.options.open_hypotheses

    def run(self, cache: Any) -> Hypotheses:
        """Searches from an empty cache, whose arrays are (B, ..., T * K, x)."""

        def is_unfinished(*state: Any) -> Any:
            return ops.any(self.is_searching(SearchState(*state)))

        def advance(*state: Any) -> SearchState:
            return self.choose(*self.consider(SearchState(*state)))

        return SearchState(*ops.while_loop(is_unfinished, advance, self.begin(cache))).ended

    def begin(self, cache: Any) -> SearchState:
        """The state before the first token: a beam has one living hypothesis, without tokens."""
        places = (self.limits.shape[0], self.beams)
        is_living = np.arange(self.beams) < (1 if self.options.sampling is None else self.beams)
        ids = ops.full((*places, self.length), self.end_id, "int32")
        nothing = ops.full(places, NOTHING, "float32")
        return SearchState(
            position=ops.convert_to_tensor(0, "int32"),
            ids=ids,
            log_probabilities=ops.where(is_living, 0.0, nothing),
            ancestors=ops.full((*places, self.length), -1, "int32"),
            ended=Hypotheses(ids, nothing, ops.ones(places, "int32"), nothing),
            ended_count=ops.zeros(places[:1], "int32"),
            cache=cache,
        )

    def is_searching(self, state: SearchState) -> Any:
        """(B,) whether a sentence still needs another step."""
        enough = ended_hypotheses(self.options)
        return ops.logical_and(state.position < self.limits, state.ended_count < enough)

    def consider(self, state: SearchState) -> tuple[SearchState, Candidates]:
        """Finds the next candidates; the returned state has the new entries of the cache."""
        beams = np.arange(self.beams, dtype="int32")
        before = ops.take(state.ids, ops.maximum(state.position - 1, 0), axis=2)  # (B, K)
        last = ops.where(state.position == 0, self.start_id, before)
        here = np.arange(self.length) == state.position  # (T,)
        ancestors = ops.where(here, beams[:, None], state.ancestors)  # (B, K, T)
        visible = ops.equal(ancestors[..., None], beams)  # (B, K, T, K)
        visible = ops.reshape(visible, (-1, 1, self.beams, self.length * self.beams))
        logits, cache = self.step(last, state.position, visible, state.cache)  # (B, K, V)
        logits = constrain(logits, state.ids, state.position, self.options)
        likely = ops.log_softmax(logits) + state.log_probabilities[:, :, None]
        find = self._rank if self.options.sampling is None else self._draw
        candidates = find(likely, logits, state.position)
        return state._replace(ancestors=ancestors, cache=cache), candidates

    def _rank(self, likely: Any, logits: Any, position: Any) -> Candidates:
        count, beams, vocab_size = likely.shape
        flat = ops.reshape(likely, (count, beams * vocab_size))
        log_probabilities, places = ops.top_k(flat, 2 * beams)  # (B, 2K)
        places = ops.cast(places, "int32")
        return Candidates(places // vocab_size, places % vocab_size, log_probabilities)

    def _draw(self, likely: Any, logits: Any, position: Any) -> Candidates:
        draws = ops.take(self.draws, position, axis=1)  # (B, K)
        tokens = draw_tokens(logits, draws, self.options.sampling or Sampling())
        log_probabilities = ops.take_along_axis(likely, tokens[:, :, None], axis=2)[:, :, 0]
        parents = ops.broadcast_to(np.arange(self.beams, dtype="int32"), tokens.shape)
        return Candidates(parents, tokens, log_probabilities)

    def choose(self, state: SearchState, candidates: Candidates) -> SearchState:
        """Keeps the candidates that have ended, and continues with the others."""
        parents, tokens, log_probabilities = candidates
        here = np.arange(self.length) == state.position  # (T,)
        [ids] = _rows((state.ids,), parents)
        ids = ops.where(here, tokens[:, :, None], ids)  # (B, C, T)
        at_limit = state.position + 1 >= self.limits[:, None]
        ends = ops.logical_or(tokens == self.end_id, at_limit)  # (B, C)
        is_kept = ops.logical_and(ends, log_probabilities > IMPOSSIBLE)
        is_kept = ops.logical_and(is_kept, self.is_searching(state)[:, None])
        is_kept = ops.logical_and(is_kept, np.arange(tokens.shape[1]) < self.beams)
        lengths = ops.broadcast_to(state.position + 1, tokens.shape)
        scores = log_probabilities / ops.cast(lengths, "float32") ** self.options.length_penalty
        scores = ops.where(is_kept, scores, NOTHING)
        new = Hypotheses(ids, log_probabilities, lengths, scores)
        living = ops.where(ends, NOTHING, log_probabilities)  # (B, C)
        if self.options.sampling is not None:  # each sample keeps its place
            keep = (is_kept[..., None], is_kept, is_kept, is_kept)
            ended = Hypotheses(*map(ops.where, keep, new, state.ended))
        else:
            merged = [ops.concatenate(pair, axis=1) for pair in zip(state.ended, new)]
            ended = Hypotheses(*_rows(merged, ops.top_k(merged[3], self.beams)[1]))
            living, places = ops.top_k(living, self.beams)  # (B, K)
            ids, parents = _rows((ids, parents), places)
        return state._replace(
            position=state.position + 1,
            ids=ids,
            log_probabilities=living,
            ancestors=_rows((state.ancestors,), parents)[0],
            ended=ended,
            ended_count=state.ended_count + ops.sum(ops.cast(is_kept, "int32"), axis=1),
        )


def constrain(logits: Any, ids: Any, position: Any, options: SearchOptions) -> Any:
    """Makes all tokens impossible that the options forbid.

    Args:
        logits: (B, K, V) of the tokens at a position.
        ids: (B, K, T) the hypotheses so far.
        position: the number of their tokens, a scalar.

    Returns:
        The logits, (B, K, V). A token of the prefix is certain, so it adds 0 to the sum.
    """
    tokens = np.arange(logits.shape[2])
    if options.no_repeat_ngram:
        logits = _forbid_repeated_ngrams(logits, ids, position, options.no_repeat_ngram)
    if count := len(options.prefix_ids):
        prefix = np.array(options.prefix_ids, "int32")
        token = ops.take(prefix, ops.minimum(position, count - 1))
        certain = ops.where(ops.equal(tokens, token), 0.0, IMPOSSIBLE)  # (V,)
        logits = ops.where(position < count, certain, logits)
    return logits


def _forbid_repeated_ngrams(logits: Any, ids: Any, position: Any, size: int) -> Any:
    """Forbids each token that would repeat an n-gram.

    After Paulus et al. (2017), "A Deep Reinforced Model for Abstractive Summarization",
    https://arxiv.org/abs/1705.04304, section 2.5, as CTranslate2's ``no_repeat_ngram_size``.
    """
    starts = ids.shape[2] - size + 1  # W, the places where an n-gram may begin
    if starts < 1:
        return logits
    repeats = np.arange(size - 1, ids.shape[2]) < position  # (W,) the n-gram there is complete
    for i in range(size - 1):
        latest = ops.take(ids, ops.maximum(position - size + 1 + i, 0), axis=2)  # (B, K)
        is_equal = ops.equal(ids[:, :, i : i + starts], latest[:, :, None])
        repeats = ops.logical_and(repeats, is_equal)  # (B, K, W)
    count, beams, vocab_size = logits.shape
    rows = np.arange(count * beams, dtype="int32").reshape(count, beams, 1)
    nowhere = count * beams * vocab_size
    places = ops.where(repeats, rows * vocab_size + ids[:, :, size - 1 :], nowhere)
    places = ops.reshape(places, (-1, 1))
    flat = ops.pad(ops.reshape(logits, (-1,)), ((0, 1),))
    flat = ops.scatter_update(flat, places, ops.full(places.shape[:1], IMPOSSIBLE, flat.dtype))
    return ops.reshape(flat[:-1], logits.shape)


def _rows(arrays: Sequence[Any], places: Any) -> list[Any]:
    """Selects the rows at (B, K) places from arrays of shape (B, C) or (B, C, T)."""
    return [
        ops.take_along_axis(array, places[..., None] if len(array.shape) == 3 else places, axis=1)
        for array in arrays
    ]


def trace(search: BeamSearch, cache: Any) -> list[Continuation]:
    """Searches for one sentence like `BeamSearch.run`, and records the continuations of each step.

    Returns:
        The 2K best continuations of each step, the best first, step after step. Steps within a
        prefix have one continuation each.
    """
    continuations: list[Continuation] = []
    living: list[int | None] = [None]  # the last continuation of each beam
    state, limit = search.begin(cache), int(search.limits[0])
    while ops.convert_to_numpy(search.is_searching(state))[0]:
        position = int(state.position)
        state, candidates = search.consider(state)
        next_living: list[int | None] = []
        arrays = (ops.convert_to_numpy(array)[0].tolist() for array in candidates)
        for rank, (parent, token, log_probability) in enumerate(zip(*arrays)):
            if log_probability <= IMPOSSIBLE:
                continue
            fate, score = DROPPED, None
            if token == search.end_id or position + 1 == limit:
                if rank < search.beams:
                    fate = ENDED
                    score = log_probability / (position + 1) ** search.options.length_penalty
            elif len(next_living) < search.beams:
                fate = KEPT
                next_living.append(len(continuations))
            continuations.append(
                Continuation(living[parent], position, token, log_probability, fate, score)
            )
        living = next_living
        state = search.choose(state, candidates)
    for number in living:
        if number is not None:
            continuations[number] = continuations[number]._replace(fate=DROPPED)
    return continuations
