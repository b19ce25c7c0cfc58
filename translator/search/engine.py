"""What every engine is asked and what it answers. NumPy only."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

BATCH_SIZE = 64  # sentences searched together
MOST_BEAMS = 16 * BATCH_SIZE  # open hypotheses at once


def batch_size(beam_size: int) -> int:
    """How many sentences are searched together; fewer of them with a large beam."""
    return max(1, min(BATCH_SIZE, MOST_BEAMS // beam_size))


class SearchOptions(NamedTuple):
    """How to search.

    Attributes:
        beam_size: K; 1 is greedy.
        n_best: how many hypotheses to return, at most K.
        length_penalty: hypotheses rank by log probability / length^this.
        min_length: the fewest tokens of a hypothesis, end included.
        prefix_ids: tokens that every hypothesis begins with.
        unknown: whether the unknown token may be produced.
        alignment: whether to return where each token came from.
    """

    beam_size: int = 4
    n_best: int = 1
    length_penalty: float = 1.0
    min_length: int = 1
    prefix_ids: tuple[int, ...] = ()
    unknown: bool = False
    alignment: bool = False


class Found(NamedTuple):
    """One hypothesis.

    Attributes:
        ids: its T tokens, the prefix's among them; the end is the last one
            unless the hypothesis was cut at the most tokens that were allowed.
        log_probability: the sum over the tokens that were not given.
        score: log_probability / T^length_penalty.
        alignment: (T, S) how much each token looked at each source token, where
            it was asked for.
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    alignment: np.ndarray | None = None


class Engine(Protocol):
    """Finds translations; all engines find the same ones, rounding aside."""

    name: str

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[Found]]:
        """Searches for the best hypotheses of each sentence.

        Args:
            sentences: source ids, start and end included.
            max_lengths: the most tokens of each one's hypotheses, end included.
            options: see `SearchOptions`.

        Returns:
            For each sentence at most ``n_best`` hypotheses, the best first.
        """

    def score(
        self, sentences: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> list[float]:
        """Log probabilities of given translations.

        Args:
            sentences: source ids, start and end included.
            targets: target ids, start and end included.

        Returns:
            The sum over each target's tokens, the end included.
        """
