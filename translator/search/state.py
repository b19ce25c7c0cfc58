"""The values of a search by name: its settings, its state and its results.

B slots, M sentences, K beams, T the most tokens, V vocabulary.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from translator.search.samplers import Sampler


class Step(NamedTuple):
    """The arguments of a step function, which scores the tokens that may follow.

    Attributes:
        ids: (B, K) the last token of each hypothesis.
        positions: (B,) the position of that token in its sentence, from 0.
        slot: where its keys and values are written in the cache, a scalar below T.
        visible: (B, 1, K, T * K) which entries of the cache each hypothesis may
            attend to; the entry of beam k at slot t is t * K + k.
        memory: what the encoder returned for the sentences, (B, ...) each.
        cache: as the previous step returned it, (B, ..., T * K, x) each.
    """

    ids: Any
    positions: Any
    slot: Any
    visible: Any
    memory: Any
    cache: Any


# Returns logits (B, K, V) float32, about `IMPOSSIBLE` for forbidden tokens, and the cache.
StepFunction = Callable[[Step], tuple[Any, Any]]


class Sampling(NamedTuple):
    """How tokens are drawn.

    Attributes:
        temperature: what logits are divided by before the softmax; below 1 probable tokens
            become more probable.
        samplers: what narrows down the tokens that are drawn from, one after the other.
    """

    temperature: float = 1.0
    samplers: tuple[Sampler, ...] = ()


class SearchSettings(NamedTuple):
    """What is searched for, and how.

    Attributes:
        start_id: the token that every hypothesis follows.
        end_id: the token that ends a hypothesis.
        beam_size: K; 1 is greedy search. With ``sampling`` the number of samples.
        length_penalty: 0 ranks by log probability, 1 by log probability per token.
        min_length: the fewest tokens of a hypothesis, end included.
        prefix_ids: the tokens that every hypothesis begins with; they do not count
            in its log probability.
        no_repeat_ngram: n; no hypothesis has the same n tokens in a row twice. 0 allows it.
        sampling: how to draw hypotheses; None searches for the best.
    """

    start_id: int
    end_id: int
    beam_size: int
    length: int
    length_penalty: float = 1.0
    min_length: int = 1
    prefix_ids: tuple[int, ...] = ()
    no_repeat_ngram: int = 0
    sampling: Sampling | None = None


class Hypotheses(NamedTuple):
    """The hypotheses that a search found, best first, or that were drawn, in any order.

    Attributes:
        ids: (M, K, T) tokens, the end included, then ``end_id`` as padding.
        log_probabilities: (M, K) sums over the tokens, the end included.
        lengths: (M, K) tokens, the end included.
        scores: (M, K) log probability / length^length_penalty; `IMPOSSIBLE` or
            less if there are fewer than K hypotheses.
    """

    ids: Any
    log_probabilities: Any
    lengths: Any
    scores: Any


class SearchState(NamedTuple):
    """The state of a search between two steps.

    Attributes:
        started: how many sentences have been given a slot.
        sentences: (B,) the sentence that each slot translates.
        active: (B,) whether the slot is still searching.
        positions: (B,) of the token that is searched for.
        ids: (B, K, T) of the open hypotheses.
        log_probabilities: (B, K) of the open hypotheses.
        ancestors: (B, K, T) the beam that wrote the cache entry of each step of the
            hypothesis; -1 for steps that are not part of it.
        ended: the K best ended hypotheses of each slot's sentence.
        ended_count: (B,) how many have ended; a sentence with K of them is done.
        memory: what the encoder returned for each slot's sentence.
        found: the result, filled as sentences are done.
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


class Opening(NamedTuple):
    """Sentences after their first token, (M, ...) each: the state that slots start from.

    Attributes:
        memory: what the encoder returned for the sentences.
        cache: the entry of the start token, (M, ..., 1, x) each.
        ids: (M, K, T) of the open hypotheses.
        log_probabilities: (M, K) of the open hypotheses.
        ended: the hypotheses that ended with their first token.
        ended_count: (M,) how many have ended.
    """

    memory: Any
    cache: Any
    ids: Any
    log_probabilities: Any
    ended: Hypotheses
    ended_count: Any


KEPT, ENDED, DROPPED = "kept", "ended", "dropped"


class Continuation(NamedTuple):
    """A token that a step of the search considered.

    Attributes:
        parent: the number of the continuation that it follows, from 0; None for the first token.
        step: number of the step, from 0; the position of the token.
        log_probability: the sum over all tokens up to it.
        fate: kept as one of the K best open hypotheses, ended, or dropped.
        score: of a hypothesis that has ended, log probability / length^length_penalty; None
            elsewhere.
    """

    parent: int | None
    step: int
    id: int
    log_probability: float
    fate: str
    score: float | None = None
