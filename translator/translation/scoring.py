"""Scores of given translations, with those of their tokens."""

from collections.abc import Sequence

import numpy as np

from translator.tokenizers.subword import Tokenizer
from translator.translation.assessor import Assessor
from translator.translation.results import Score


def make_score(
    tokenizer: Tokenizer,
    assessor: Assessor | None,
    source: str,
    ids: Sequence[int],
    log_probabilities: np.ndarray,
) -> Score:
    """The score of a given translation.

    Args:
        tokenizer: of the target.
        assessor: of the run; None gives no confidence.
        source: the sentence.
        ids: the T tokens of its translation, the end included.
        log_probabilities: (T,) of them.
    """
    total, pieces = float(log_probabilities.sum()), tuple(tokenizer.pieces(ids))
    score = Score(total, len(ids), pieces, tuple(log_probabilities.tolist()))
    return score if assessor is None else assessor.assess_score(score, source, log_probabilities)
