"""What a judge of translations answers; an add-on brings one."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from translator.base.addons import Hook
from translator.text.read_lines import ReadSentence, SourceLine
from translator.translation.results import Doubt, Hypothesis, Score

if TYPE_CHECKING:
    import numpy as np

    from translator.translation.translator import Translator


class Assessor(Protocol):
    """Says how likely translations of a run are right, and why a line is doubtful."""

    def assess(
        self,
        sentences: Sequence[ReadSentence],
        hypotheses: Sequence[Sequence[Hypothesis]],
        prefix_length: int,
        with_words: bool,
    ) -> list[list[Hypothesis]]:
        """Adds the confidence of each hypothesis, and that of its words if they are asked for.

        Args:
            sentences: that were translated.
            hypotheses: of each.
            prefix_length: tokens that the first sentence of a line was given.
            with_words: whether to score the tokens, which takes a pass of the model.
        """

    def assess_score(self, score: Score, source: str, log_probabilities: "np.ndarray") -> Score:
        """Adds the confidence of a given translation and of its words.

        Args:
            score: of all its tokens, the end included.
            source: the sentence.
            log_probabilities: (T,) of the tokens.
        """

    def doubts(
        self, line: SourceLine, confidence: float | None, text: str | None = None
    ) -> tuple[Doubt, ...]:
        """Why a line's translation is doubtful; none if it is not.

        Args:
            line: the source.
            confidence: the lowest of the translations of its sentences; None if nothing was
                translated.
            text: of its best translation; None does not look for the names of the source in it.
        """


ASSESSORS: Hook[Callable[["Translator"], Assessor | None]] = Hook("assessors")
"""Add-ons that open the assessor of a run; None of a run that has none."""

DOUBTS: Hook[Mapping[str, str]] = Hook("doubts")
"""The kinds of doubts that add-ons have, with what a summary says of lines with such a doubt."""
