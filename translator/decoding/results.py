"""What a translation is, and how those of a line's sentences become the line's."""

import itertools
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


class _Choice(NamedTuple):
    """A hypothesis for each part so far: the last one, and the choice of those before it."""

    log_probability: float
    tokens: int
    last: Hypothesis
    before: "_Choice | None"


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

    def score(choice: _Choice) -> float:
        return choice.log_probability / max(choice.tokens, 1) ** options.length_penalty

    choices: list[_Choice | None] = [None]
    for its in hypotheses:
        longer = [_choose(hypothesis, before) for before in choices for hypothesis in its]
        choices = sorted(longer, key=score, reverse=True)[: options.n_best]
    between = [_space(part) if spaces else "" for part in parts[:-1]]
    joined = []
    for choice in choices if parts else []:
        chosen = _chosen(choice)
        text = "".join(a.text + b for a, b in zip(chosen, [*between, ""]))
        ids = tuple(itertools.chain.from_iterable(hypothesis.ids for hypothesis in chosen))
        joined.append(Hypothesis(text, ids, choice.log_probability, score(choice)))
    return joined


def _choose(hypothesis: Hypothesis, before: _Choice | None) -> _Choice:
    log_probability, tokens = hypothesis.log_probability, len(hypothesis.ids)
    if before is not None:
        log_probability += before.log_probability
        tokens += before.tokens
    return _Choice(log_probability, tokens, hypothesis, before)


def _chosen(choice: _Choice | None) -> list[Hypothesis]:
    """The hypothesis of each part, in order."""
    chosen = []
    while choice is not None:
        chosen.append(choice.last)
        choice = choice.before
    return chosen[::-1]


def _space(part: Part) -> str:
    """What stands after the translation of a part that is not the last; a line stays one."""
    space = part.space or " " * part.whole
    return space if space.isprintable() else " "
