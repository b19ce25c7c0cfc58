"""What a search considers at each step."""

from typing import NamedTuple

KEPT, ENDED, DROPPED = "kept", "ended", "dropped"


class Continuation(NamedTuple):
    """A token that a step of the search considered.

    Attributes:
        parent: the number of the continuation that it follows, from 0; None for the first token.
        step: number of the step, from 0; the position of the token.
        id: the token.
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
