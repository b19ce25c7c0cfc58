"""What a judge of translations answers; an add-on brings one."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from translator.base.addons import Hook
from translator.text.read_lines import ReadSentence, SourceLine
from translator.translation.results import Doubt, Hypothesis, Score

if TYPE_CHECKING:
    from translator.translation.translator import Translator


class Assessor(Protocol):
    """Says how likely translations of a run are right, and why a line is doubtful."""

    def assess(
        self,
        sentences: Sequence[ReadSentence],
        hypotheses: Sequence[Sequence[Hypothesis]],
        prefix_length: int,
        with_words: bool,
        with_doubts: bool,
    ) -> list[list[Hypothesis]]:
        """Adds the confidence of each hypothesis, and that of its words if they are asked for.

        Args:
            sentences: that were translated.
            hypotheses: of each.
            prefix_length: tokens that the first sentence of a line was given.
            with_words: whether to score the tokens, which takes a pass of the model.
            with_doubts: whether a low confidence of the first is a doubt; that of a sample is none.
        """

    def assess_score(self, score: Score, source: str, log_probabilities: np.ndarray) -> Score:
        """Adds the confidence of a given translation and of its words.

        Args:
            score: of all its tokens, the end included.
            source: the sentence.
            log_probabilities: (T,) of the tokens.
        """

    def doubts(self, line: SourceLine, text: str | None = None) -> tuple[Doubt, ...]:
        """Why a line is doubtful, whatever the confidence of its translation; none if it is not.

        Args:
            line: the source.
            text: of its best translation; None does not look for the names of the source in it.
        """


ASSESSORS: Hook[Callable[["Translator"], Assessor | None]] = Hook()
"""Add-ons that open the assessor of a run; None of a run that has none."""

DOUBTS: Hook[Mapping[str, str]] = Hook()
"""The kinds of doubts that add-ons have, with what a summary says of lines with such a doubt."""
