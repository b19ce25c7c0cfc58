"""What a translation is, and how those of a line's sentences become the line's."""

from collections.abc import Sequence
from typing import NamedTuple

from translator.decoding.engine import SearchOptions
from translator.decoding.sentences import Part


class Hypothesis(NamedTuple):
    """One translation of a sentence.

    Attributes:
        text: for a reader.
        ids: its tokens, the end included.
        log_probability: the sum over them.
        score: what hypotheses are ranked by.
    """

    text: str
    ids: tuple[int, ...]
    log_probability: float
    score: float


class Translation(NamedTuple):
    """A sentence and its translations, the best first.

    Attributes:
        source: the sentence.
        hypotheses: ``n_best`` of them, or fewer where there are no more.
    """

    source: str
    hypotheses: tuple[Hypothesis, ...]

    @property
    def text(self) -> str:
        """The best translation; nothing for an empty sentence."""
        return self.hypotheses[0].text if self.hypotheses else ""


class Score(NamedTuple):
    """How likely a given translation is.

    Attributes:
        log_probability: the sum over its tokens.
        tokens: how many there are, the end included.
    """

    log_probability: float
    tokens: int


def join(
    parts: Sequence[Part],
    hypotheses: Sequence[Sequence[Hypothesis]],
    options: SearchOptions,
    spaces: bool,
) -> list[Hypothesis]:
    """The best combinations of the translations of a line's parts.

    Args:
        parts: of the line.
        hypotheses: of each part, the best first.
        options: say how many combinations are wanted and how they rank.
        spaces: whether the target language has any.

    Returns:
        At most ``n_best`` hypotheses; their log probabilities are sums, and their
        ids follow each other.
    """
    if not parts:
        return []
    joined = list(hypotheses[0])
    for before, following in zip(parts, hypotheses[1:]):
        space = (before.space or " " * before.whole) if spaces else ""
        space = space if space.isprintable() else " "  # a line stays one
        both = [_add(one, other, space, options) for one in joined for other in following]
        joined = sorted(both, key=lambda h: -h.score)[: options.n_best]
    return joined


def _add(one: Hypothesis, other: Hypothesis, space: str, options: SearchOptions) -> Hypothesis:
    ids = one.ids + other.ids
    log_probability = one.log_probability + other.log_probability
    score = log_probability / max(len(ids), 1) ** options.length_penalty
    return Hypothesis(one.text + space + other.text, ids, log_probability, score)
