"""The interface of the search engines: their arguments and results. It needs only NumPy."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from translator.base.late import np
from translator.search.sampling import Sampling

if TYPE_CHECKING:
    from translator.tokenizers.subword import Tokenizer

BATCH_SIZE = 64  # sentences searched together
PATIENCE = 2  # hypotheses that must end in a search beyond the beam size
MAX_OPEN_HYPOTHESES = 16 * BATCH_SIZE  # open hypotheses at once


def batch_size(beam_size: int) -> int:
    """The number of sentences that are searched together; smaller with a large beam."""
    return max(1, min(BATCH_SIZE, MAX_OPEN_HYPOTHESES // beam_size))


def ended_hypotheses(options: "SearchOptions") -> int:
    """How many hypotheses of a sentence must end until its search is done.

    Two more than the beam size, because a living hypothesis may be better than bad hypotheses that
    ended early: the patience of Kasai et al. (2022), "A Call for Clarity in Beam Search",
    https://arxiv.org/abs/2204.05424. In greedy search it is one.
    """
    is_beam = options.sampling is None and options.beam_size > 1
    return options.open_hypotheses + (PATIENCE if is_beam else 0)


def derive_seed(seed: int, *numbers: int) -> int:
    """A seed for each of several numbered searches; number 0 keeps the seed itself."""
    if not any(numbers):
        return seed
    return int(np.random.SeedSequence((seed, *numbers)).generate_state(1)[0] % 2**31)


def forbidden_ids(tokenizer: "Tokenizer") -> list[int]:
    """The tokens that no search may produce, because they are not text of a line."""
    special = tokenizer.start_id, tokenizer.padding_id, tokenizer.unknown_id
    return [*special, *tokenizer.control_ids, *tokenizer.tag_ids]


class SearchOptions(NamedTuple):
    """What to search for, and how.

    Attributes:
        beam_size: K; 1 is greedy.
        n_best: how many hypotheses to return, at most K.
        length_penalty: hypotheses rank by log probability / length^this.
        prefix_ids: tokens that every hypothesis begins with.
        return_alignment: whether to return the attention of each token to the source.
        no_repeat_ngram: n; no hypothesis has the same sequence of n tokens twice. 0: no limit.
        sampling: how to draw ``n_best`` independent hypotheses instead of searching; the beam size
            then does not count.
    """

    beam_size: int = 4
    n_best: int = 1
    length_penalty: float = 1.0
    prefix_ids: tuple[int, ...] = ()
    return_alignment: bool = False
    no_repeat_ngram: int = 0
    sampling: Sampling | None = None
    seed: int = 1

    @property
    def open_hypotheses(self) -> int:
        """How many hypotheses of a sentence are open at the same time."""
        return self.beam_size if self.sampling is None else self.n_best


class SearchHypothesis(NamedTuple):
    """One hypothesis that a search found.

    Attributes:
        ids: its T tokens, prefix included; the last one is the end token unless the hypothesis
            reached the length limit.
        log_probability: the sum over all tokens except the prefix.
        alignment: (T, S) the attention of each token to each source token; None if it was not
            requested.
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    alignment: "np.ndarray | None" = None


KEPT, ENDED, DROPPED = "kept", "ended", "dropped"


class Continuation(NamedTuple):
    """A token that was considered in a step of a beam search.

    Attributes:
        parent: the number, from 0, of the continuation before it; None for the first token.
        step: number of the step, from 0; the position of the token.
        log_probability: the sum over this token and all tokens before.
        fate: kept as one of the K best living hypotheses, ended, or dropped.
        score: the score of an ended hypothesis; None otherwise.
    """

    parent: int | None
    step: int
    id: int
    log_probability: float
    fate: str
    score: float | None = None


class Engine(Protocol):
    """Finds translations. All engines find the same translations, apart from rounding.

    Their samples differ, but an engine draws the same samples again for the same arguments.
    """

    name: str

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[SearchHypothesis]]:
        """Searches for the best hypotheses of each sentence.

        Args:
            sentences: source ids, start and end included.
            max_lengths: for each sentence the most tokens of a hypothesis, end included.
            options: see `SearchOptions`.

        Returns:
            For each sentence at most ``n_best`` hypotheses, the best first; or exactly ``n_best``
            samples in any order.
        """

    def score(
        self, sentences: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> "list[np.ndarray]":
        """Log probabilities of given translations, token by token.

        Args:
            sentences: source ids, start and end included.
            targets: target ids, start and end included.

        Returns:
            For each target (T,) log probabilities of its tokens after the start, the end included,
            each given all earlier tokens.
        """
