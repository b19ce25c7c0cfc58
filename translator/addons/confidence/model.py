"""Predicts how likely a translation and its words are right; stored in ``confidence.json``.

Two logistic regressions are fitted on translations of the validation split: one for words, one
for sentences. This module also computes the features that they read from a translation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from translator.addons.confidence.logistic import LogisticModel
from translator.addons.confidence.source_words import SourceWords
from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.base.late import np
from translator.text.punctuation import plain_word
from translator.text.word_table import WordTable
from translator.tokenizers.words import Words

SENTENCE_FEATURES = (
    "mean_log", "log_rest", "has_unseen", "unseen_share", "covered", "support",
)  # fmt: skip
SENTENCE_SIGNS = (1, -1, -1, -1, 1, 1)  # of their weights: a smaller probability is never better
_OF_WORD = ("log", "log_rest", "log_before", "log_after", "mean_log")
WORD_FEATURES = (
    *_OF_WORD, *(f"{name}_if_unseen" for name in _OF_WORD), "has_unseen",
    "position", "support", "association",
)  # fmt: skip
WORD_SIGNS = (1, -1, 1, 1, 1, 1, -1, 1, 1, 1, 0, 0, 1, 1)
SMALLEST_REST = 1e-4  # float32 cannot tell apart probabilities nearer to 1


class ConfidenceModel(NamedTuple):
    """A run's data to predict how likely its translations are right.

    Attributes:
        sentence: predicts the share of a sentence's words that are right.
        word: predicts whether a word is right.
        doubtful_below: sentences of less confidence are doubtful.
        usual_support: the share of the hypotheses of a beam that have a token of the translation:
            the mean over many translations. A translation without a beam has this support.
        source_words: words of the training side; None if the source language has no spaces between
            words.
        measured: figures on the half of the validation split that was not used to fit.
    """

    sentence: LogisticModel
    word: LogisticModel
    doubtful_below: float
    usual_support: float
    source_words: SourceWords | None
    measured: dict[str, float]

    def save(self, path: Path) -> None:
        """Writes the model as JSON."""
        values = {
            "sentence": {"features": SENTENCE_FEATURES, **self.sentence._asdict()},
            "word": {"features": WORD_FEATURES, **self.word._asdict()},
            "doubtful_below": self.doubtful_below,
            "usual_support": self.usual_support,
            "measured": self.measured,
            "source": self.source_words and self.source_words.to_json(),
        }
        with whole_file(path) as file:
            file.write(json.dumps(values, ensure_ascii=False).encode())

    @classmethod
    def load(cls, path: Path, words: WordTable) -> ConfidenceModel | None:
        """Reads what `save` wrote; returns None if there is no such file.

        A file with the features of another release gives None, too: it can be fitted again.

        Args:
            words: of the source language.
        """
        features = (SENTENCE_FEATURES, WORD_FEATURES)
        try:
            values = json.loads(read_file(path))
            regressions = values["sentence"], values["word"]
            if tuple(tuple(regression["features"]) for regression in regressions) != features:
                return None
            sentence, word = map(LogisticModel.from_json, regressions, map(len, features))
            source = values["source"]
            return cls(
                sentence,
                word,
                float(values["doubtful_below"]),
                float(values["usual_support"]),
                SourceWords.from_json(source, words) if source and words else None,
                dict(values["measured"]),
            )
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{path}: expected a file that translator calibrate wrote, found other text; run"
                " the command again, or remove the file to translate without confidence"
            ) from None


class Evidence(NamedTuple):
    """The results of comparing a sentence with the words of its translation.

    Attributes:
        unseen_share: the share of the sentence's words that the training side never had.
        covered: the share of its letters in words that have a usual translation there.
        associations: (words,) how much each word of the translation is associated with a word of
            the sentence, from 0 to 1.
    """

    unseen_share: float
    covered: float
    associations: Sequence[float]


def compare_words(
    source: Sequence[str], printed: Sequence[str], lexicon: WordTable, unseen_share: float
) -> Evidence:
    """Looks up the words of a sentence and of its translation in a lexicon of their languages."""
    words = [word for word in source if any(map(str.isalpha, word))]
    associations, of_source = lexicon.best(printed, words)
    letters = [len(plain_word(word)) for word in words]
    if not printed or not sum(letters):
        return Evidence(unseen_share, 1.0, associations)
    covered = sum(count for count, share in zip(letters, of_source) if share > 0)
    return Evidence(unseen_share, covered / sum(letters), associations)


def sentence_features(
    log_probability: float, tokens: int, evidence: Evidence, support: float
) -> list[float]:
    """The features of a translation that need no further pass of the model.

    Args:
        support: for a token of the translation, the mean share of the beam that has it, too.

    Returns:
        (F,) in the order of `SENTENCE_FEATURES`: the mean log p of its tokens, log(1 - p) of that
        mean, whether there are unseen words and their share, ``covered`` and ``support``.
    """
    mean_log = log_probability / max(tokens, 1)
    share = evidence.unseen_share
    log_rest = math.log(max(-math.expm1(min(mean_log, 0.0)), SMALLEST_REST))
    return [mean_log, log_rest, float(share > 0), share, evidence.covered, support]


def word_features(
    log_probabilities: np.ndarray, words: Words, has_unseen: bool, support: np.ndarray
) -> np.ndarray:
    """The features of the words of a translation.

    Args:
        log_probabilities: (T,) log p of the tokens, the end included.
        has_unseen: whether its source has a word that the training side never had.
        support: (T,) for each token, the share of the beam that also has the token.

    Returns:
        (words, F) in the order of `WORD_FEATURES`: log p of the word's tokens together, log(1 - p),
        log p of the words before and after it, the mean log p of all tokens. If there is an unseen
        word, these five are in the second five columns instead of the first, so that such sentences
        have their own weights; the next column says whether there is an unseen word. Then follow
        the place in the sentence from 0 to 1, the support of the least supported token, and 0: it
        stands for the association of the printed word with a word of the source.
    """
    count = len(words.texts)
    numbers = np.array(words.numbers, int)
    inside = numbers >= 0
    own = np.bincount(numbers[inside], log_probabilities[inside], count)
    around = np.concatenate([[0.0], own, [log_probabilities[~inside].sum()]])
    mean_log = np.full(count, log_probabilities.mean())
    logs = np.column_stack([own, _log_rest(own), around[:-2], around[2:], mean_log])
    blank = np.zeros_like(logs)
    columns = (blank, logs) if has_unseen else (logs, blank)
    least_support = np.ones(count)
    np.minimum.at(least_support, numbers[inside], support[inside])
    position = np.arange(count) / max(count, 1)
    rest = [np.full(count, float(has_unseen)), position, least_support, np.zeros(count)]
    return np.hstack([*columns, np.column_stack(rest)])


def _log_rest(log_probability: np.ndarray) -> np.ndarray:
    """log(1 - p), with a lower bound."""
    rest = -np.expm1(np.minimum(log_probability, 0.0))
    log_rest: np.ndarray = np.log(np.maximum(rest, SMALLEST_REST))
    return log_rest
