"""What a translation is, and how those of a line's sentences become the line's."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from translator.text.sentences import Part


class Hypothesis(NamedTuple):
    """One translation of a sentence.

    Attributes:
        text: for a reader.
        ids: its tokens, the end included.
        log_probability: the sum over them, but for those of a prefix.
        score: what hypotheses are ranked by; of a line, the sum over its sentences.
        source_ids: what the model was shown, start and end of each sentence included.
    """

    text: str
    ids: tuple[int, ...]
    log_probability: float
    score: float
    source_ids: tuple[int, ...] = ()


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

    score: float
    log_probability: float
    last: Hypothesis
    before: "_Choice | None"


def join(
    parts: Sequence[Part], hypotheses: Sequence[Sequence[Hypothesis]], n_best: int, spaces: bool
) -> list[Hypothesis]:
    """The best combinations of the translations of a line's parts.

    They rank by the sum of the parts' scores, so that the best one is made of the
    best of each part.

    Args:
        parts: of the line.
        hypotheses: of each part, the best first.
        n_best: how many combinations are wanted.
        spaces: whether the target language has any.

    Returns:
        At most ``n_best`` hypotheses; their scores and log probabilities are sums,
        and their ids follow each other.
    """
    choices: list[_Choice | None] = [None]
    for its in hypotheses:
        longer = [_choose(hypothesis, before) for before in choices for hypothesis in its]
        choices = sorted(longer, key=lambda choice: -choice.score)[:n_best]
    between = [_space(part) if spaces else "" for part in parts[:-1]]
    joined = []
    for choice in choices if parts else []:
        chosen = _chosen(choice)
        text = "".join(a.text + b for a, b in zip(chosen, [*between, ""]))
        ids, source_ids = (
            tuple(itertools.chain.from_iterable(its))
            for its in zip(*((hypothesis.ids, hypothesis.source_ids) for hypothesis in chosen))
        )
        joined.append(Hypothesis(text, ids, choice.log_probability, choice.score, source_ids))
    return joined


def _choose(hypothesis: Hypothesis, before: _Choice | None) -> _Choice:
    score, log_probability = hypothesis.score, hypothesis.log_probability
    if before is not None:
        score += before.score
        log_probability += before.log_probability
    return _Choice(score, log_probability, hypothesis, before)


def _chosen(choice: _Choice | None) -> list[Hypothesis]:
    """The hypothesis of each part, in order."""
    chosen = []
    while choice is not None:
        chosen.append(choice.last)
        choice = choice.before
    return chosen[::-1]


def _space(part: Part) -> str:
    """What stands after the translation of a part that is not the last; a line stays one."""
    within_word = not part.space and part.text[-1:].isalnum()
    space = part.space or " " * (not within_word)
    return space if space.isprintable() else " "
