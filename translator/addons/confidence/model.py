"""How likely a translation and its words are right; kept in ``confidence.json``.

Two logistic regressions, fitted on translations of the validation split: one for the words, one
for sentences. What they see of a translation are its features here. NumPy only.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.addons.confidence.logistic import LogisticModel
from translator.addons.confidence.source_words import SourceWords
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.tokenizers.words import Words

SENTENCE_FEATURES = ("mean_log", "log_rest", "has_unseen", "unseen_share")
SENTENCE_SIGNS = (1, -1, -1, -1)  # of their weights: less probable is never better
_OF_WORD = ("log", "log_rest", "log_before", "log_after", "mean_log")
WORD_FEATURES = (*_OF_WORD, *(f"{name}_if_unseen" for name in _OF_WORD), "has_unseen")
WORD_SIGNS = (1, -1, 1, 1, 1, 1, -1, 1, 1, 1, 0)
SMALLEST_REST = 1e-4  # float32 knows no probability nearer to 1


class ConfidenceModel(NamedTuple):
    """What a run needs to say how likely its translations are right.

    Attributes:
        sentence: expects the share of a sentence's words that are right.
        word: expects whether a word is right.
        doubtful_below: sentences of less confidence are doubtful.
        source_words: what the training side had; None if the source language has no spaces
            between words.
        measured: figures of the half of the validation split that nothing was fitted on.
    """

    sentence: LogisticModel
    word: LogisticModel
    doubtful_below: float
    source_words: SourceWords | None
    measured: dict[str, float]

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        values = {
            "sentence": {"features": SENTENCE_FEATURES, **self.sentence._asdict()},
            "word": {"features": WORD_FEATURES, **self.word._asdict()},
            "doubtful_below": self.doubtful_below,
            "measured": self.measured,
            "source": self.source_words and self.source_words.to_json(),
        }
        with whole_file(path) as file:
            file.write(json.dumps(values, ensure_ascii=False).encode())

    @classmethod
    def load(cls, path: Path) -> "ConfidenceModel | None":
        """Reads what `save` wrote; returns None if there is no such file.

        A model of other features, of another release, counts as none: it can be fitted again.

        Raises:
            InputError: the file is damaged.
        """
        try:
            values = json.loads(path.read_text("utf-8"))
            features = {"sentence": SENTENCE_FEATURES, "word": WORD_FEATURES}
            if any(values[name]["features"] != list(its) for name, its in features.items()):
                return None
            return cls(
                LogisticModel.from_json(values["sentence"], len(SENTENCE_FEATURES)),
                LogisticModel.from_json(values["word"], len(WORD_FEATURES)),
                float(values["doubtful_below"]),
                None if values["source"] is None else SourceWords.from_json(values["source"]),
                dict(values["measured"]),
            )
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{path}: expected what translator calibrate writes, found other text; write it"
                " again with that, or remove the file to translate without it"
            ) from None


def sentence_features(log_probability: float, tokens: int, unseen_share: float) -> np.ndarray:
    """What is known of a translation without another pass of the model.

    Args:
        log_probability: the sum over its tokens.
        tokens: how many there are, the end included.
        unseen_share: of the words of its source, those that the training side never had.

    Returns:
        (F,) in the order of `SENTENCE_FEATURES`: the mean log p of its tokens, log of what is
        left of that to 1, and the unseen share with whether there is any.
    """
    mean_log = log_probability / max(tokens, 1)
    return np.array([mean_log, _log_rest(mean_log), unseen_share > 0, unseen_share])


def word_features(log_probabilities: np.ndarray, words: Words, has_unseen: bool) -> np.ndarray:
    """What is known of the words of a translation.

    Args:
        log_probabilities: (T,) of its tokens, the end included.
        words: of these tokens.
        has_unseen: whether its source has a word that the training side never had.

    Returns:
        (words, F) in the order of `WORD_FEATURES`: log p of the word's tokens together, log of
        what is left to 1, log p of the words before and after it, the mean log p of all tokens.
        If there is an unseen word these are in the second five columns instead of the first, so
        that such sentences have weights of their own; the last column says whether there is.
    """
    count = len(words.texts)
    inside = words.numbers >= 0
    own = np.bincount(words.numbers[inside], log_probabilities[inside], count)
    around = np.concatenate([[0.0], own, [log_probabilities[~inside].sum()]])
    mean_log = np.full(count, log_probabilities.mean())
    known = np.column_stack([own, _log_rest(own), around[:-2], around[2:], mean_log])
    blank = np.zeros_like(known)
    columns = (blank, known) if has_unseen else (known, blank)
    return np.hstack([*columns, np.full((count, 1), float(has_unseen))])


def _log_rest(log_probability: np.ndarray | float) -> np.ndarray:
    """log(1 - p), bounded below."""
    rest = -np.expm1(np.minimum(log_probability, 0.0))
    log_rest: np.ndarray = np.log(np.maximum(rest, SMALLEST_REST))
    return log_rest
