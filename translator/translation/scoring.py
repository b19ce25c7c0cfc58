"""Scores of given translations, with those of their tokens and words."""

from collections.abc import Sequence

import numpy as np

from translator.tokenizers.subword import Tokenizer
from translator.tokenizers.words import words_of
from translator.translation.confidence import Assessor, ScoredTokens
from translator.translation.results import Score, WordConfidence


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
    pieces = tokenizer.pieces(ids)
    total = float(log_probabilities.sum())
    score = Score(total, len(ids), tuple(pieces), tuple(log_probabilities.tolist()))
    if assessor is None:
        return score
    words = words_of(pieces)
    share = assessor.unseen_share(source.split())
    of_words = assessor.of_tokens(ScoredTokens(words, log_probabilities), share).tolist()
    return score._replace(
        confidence=assessor.of_sentence(total, len(ids), share),
        words=tuple(map(WordConfidence, words.texts, of_words)),
        word_numbers=tuple(words.numbers.tolist()),
    )
