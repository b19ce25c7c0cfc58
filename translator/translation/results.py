"""The results of a translation, and how those of sentences are joined to those of a line."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from translator.text.sentences import Part


class Hypothesis(NamedTuple):
    """One translation of a sentence.

    Attributes:
        text: for a reader.
        ids: its tokens, the end included.
        log_probability: the sum over the tokens, without those of a prefix.
        score: what hypotheses are ranked by; of a line, the sum over its sentences.
        source_ids: what the model was shown, start and end of each sentence included.
    """

    text: str
    ids: tuple[int, ...]
    log_probability: float
    score: float
    source_ids: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Hypothesis {str(self.text)!r}, score {self.score:.4f}, {len(self.ids)} tokens>"


class Translation(NamedTuple):
    """A line and its translations, the best first.

    Attributes:
        source: the line.
        hypotheses: ``n_best`` of them, or fewer if there are no more.
    """

    source: str
    hypotheses: tuple[Hypothesis, ...]

    @property
    def text(self) -> str:
        """The best translation; empty for an empty line."""
        return self.hypotheses[0].text if self.hypotheses else ""

    def __repr__(self) -> str:
        score = f", score {self.hypotheses[0].score:.4f}" if self.hypotheses else ""
        more = f", {len(self.hypotheses)} hypotheses" if len(self.hypotheses) > 1 else ""
        return f"<Translation {str(self.source)!r} to {str(self.text)!r}{score}{more}>"


class Score(NamedTuple):
    """How probable a given translation is.

    Attributes:
        log_probability: the sum over its tokens.
        tokens: how many there are, the end included.
    """

    log_probability: float
    tokens: int


def without_equal_texts(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The first hypothesis of each text, in order."""
    first: dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        first.setdefault(hypothesis.text, hypothesis)
    return list(first.values())


class _Choice(NamedTuple):
    """A hypothesis for each part so far: the last one, and the choice for the parts before it."""

    score: float
    log_probability: float
    last: Hypothesis
    before: "_Choice | None"


def join(
    line_parts: Sequence[Part],
    hypotheses: Sequence[Sequence[Hypothesis]],
    n_best: int,
    spaces: bool,
) -> list[Hypothesis]:
    """Joins the translations of a line's parts to the best combinations.

    They are ranked by the sum of their scores, so the best one consists of the best
    translation of each part.

    Args:
        line_parts: the sentences of the line, and the parts of those that were cut.
        hypotheses: of each part, the best first.
        n_best: the most combinations to return; fewer if some have equal texts.
        spaces: whether the target language has spaces between words.

    Returns:
        At most ``n_best`` hypotheses. Their scores and log probabilities are sums, and
        their ids are joined.
    """
    if not line_parts:
        return []
    first = [_choose(hypothesis, None) for hypothesis in hypotheses[0]]
    choices = sorted(first, key=lambda choice: -choice.score)[:n_best]
    for of_part in hypotheses[1:]:
        longer = [_choose(hypothesis, before) for before in choices for hypothesis in of_part]
        choices = sorted(longer, key=lambda choice: -choice.score)[:n_best]
    between = [_space(part) if spaces else "" for part in line_parts[:-1]]
    joined = []
    for choice in choices:
        chosen = _chosen(choice)
        text = "".join(a.text + b for a, b in zip(chosen, [*between, ""]))
        ids, source_ids = (
            tuple(itertools.chain.from_iterable(rows))
            for rows in zip(*((hypothesis.ids, hypothesis.source_ids) for hypothesis in chosen))
        )
        joined.append(Hypothesis(text, ids, choice.log_probability, choice.score, source_ids))
    return without_equal_texts(joined)


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
    """The space after the translation of a part that is not the last; a line remains one line."""
    within_word = not part.space and part.text[-1:].isalnum()
    space = part.space or " " * (not within_word)
    return space if space.isprintable() else " "
