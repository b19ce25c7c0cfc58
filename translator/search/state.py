"""What a search is asked, where it stands and what it finds, by name.

B slots, M sentences, K beams, T the most tokens, V vocabulary.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class Step(NamedTuple):
    """What a step function is asked: to score what may follow these tokens.

    Attributes:
        ids: (B, K) the last token of each hypothesis.
        positions: (B,) where in its sentence that token stands, from 0.
        slot: where in the cache its keys and values go, a scalar below T.
        visible: (B, 1, K, T * K) which entries of the cache each hypothesis may
            look at; the entry of beam k at slot t is t * K + k.
        memory: of the sentences that are being translated, (B, ...) each.
        cache: as the step before returned it, (B, ..., T * K, x) each.
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


class Opening(NamedTuple):
    """Sentences after their first token, (M, ...) each: what slots begin with.

    Attributes:
        memory: of the sentences.
        cache: the start token's entry, (M, ..., 1, x) each.
        ids: (M, K, T) of the open hypotheses.
        log_probabilities: (M, K) of the open hypotheses.
        ended: the hypotheses that ended at once.
        ended_count: (M,) how many have.
    """

    memory: Any
    cache: Any
    ids: Any
    log_probabilities: Any
    ended: Hypotheses
    ended_count: Any
