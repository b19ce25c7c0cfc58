"""Identifies languages, by py3langid, and scripts of sentences.

Lui and Baldwin (2012), "langid.py: An Off-the-shelf Language Identification Tool",
https://aclanthology.org/P12-3005; py3langid is its maintained successor.
"""

import functools
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from translator.base.errors import InputError
from translator.base.languages import language_facts

CERTAIN = 2.5  # natural log of how many times as likely another language must be
SMALLEST = 1e-30  # probability
SAMPLE = 1000  # sentences by which the language of a side is identified
LEAST_SHARE = 0.5  # of these that must be in it
PROBABLE = 0.2  # anything less probable is a guess among ninety languages
SAME = {"nb": "no", "lzh": "zh", "wuu": "zh", "gan": "zh"}  # py3langid's names for languages
NO_LANGUAGE = "zxx"  # py3langid's name for the language of text such as "@@"
USUAL_SHARE = 0.1  # of a side's letters, which makes a script usual there
FOREIGN_SHARE = 0.5  # of a sentence's letters in scripts that are not usual
SCRIPTS = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}


class Identification(NamedTuple):
    """The language that a sentence seems to be in.

    Attributes:
        language: the likeliest one, by py3langid's name.
        odds: natural log of how many times as likely it is as the expected language, at least 0,
            and 0 if it is only guessed.
        odds_of_opposite: the same for the other side's language; negative if it is less likely.
    """

    language: str
    odds: float
    odds_of_opposite: float


class LanguageIdentifier:
    """Identifies languages.

    Raises:
        ModuleNotFoundError: py3langid is not installed.
    """

    def __init__(self) -> None:
        from py3langid.langid import MODEL_FILE
        from py3langid.langid import LanguageIdentifier as Model

        self._model = Model.from_model_file(MODEL_FILE, norm_probs=True)
        self._known = frozenset(self._model.labels)

    def name(self, language: str) -> str | None:
        """What the identifier calls a language; None if it does not know it."""
        code = language_facts(language).code.lower()
        code = SAME.get(code, code)
        return code if code in self._known else None

    def probabilities(self, text: str) -> dict[str, float]:
        """How probable each language is, by the identifier's own names."""
        return {language: float(share) for language, share in self._model.rank(text)}

    def identify(
        self, sentences: Iterable[str], expected: str, opposite: str | None
    ) -> list[Identification]:
        """Identifies the language of sentences.

        Args:
            opposite: the language of the other side; None if it is not known.
        """
        identifications = []
        for sentence in sentences:
            language, _ = self._model.classify(sentence)
            if language in (expected, NO_LANGUAGE):
                identifications.append(Identification(language, 0.0, -math.inf))
                continue
            likely = dict(self._model.rank(sentence))
            of_expected = _log(likely[expected])
            of_opposite = -math.inf if opposite is None else _log(likely[opposite]) - of_expected
            odds = _log(likely[language]) - of_expected if likely[language] >= PROBABLE else 0.0
            identifications.append(Identification(language, odds, of_opposite))
        return identifications

    def language_of(self, sentences: Sequence[str], name: str) -> str:
        """The language that most sentences of a file are in."""
        step = max(len(sentences) // SAMPLE, 1)
        sample = [sentence for sentence in sentences[::step] if sentence.strip()]
        guesses = map(self._model.classify, sample)
        counts: Counter[str] = Counter(
            language for language, probability in guesses if probability >= PROBABLE
        )
        [(language, count)] = counts.most_common(1) or [("", 0)]
        if count <= LEAST_SHARE * len(sample):
            likely = ", ".join(code for code, _ in counts.most_common(3)) or "too little text"
            raise InputError(
                f"{name}: expected sentences of one language, found {likely}; name the languages"
                " with --from and --to"
            )
        return language


def is_swapped(source: Identification, target: Identification) -> bool:
    """Whether each side seems to be in the language of the other."""
    odds = (source.odds_of_opposite, target.odds_of_opposite)
    return min(odds) > 0 and sum(odds) > CERTAIN


def _log(probability: float) -> float:
    return math.log(max(probability, SMALLEST))


@functools.lru_cache(1 << 16)
def script_of(character: str) -> str:
    """The script of a letter, such as ``Latin``; empty for any other character."""
    if not character.isalpha():
        return ""
    first = unicodedata.name(character, "").replace("-", " ").split(" ")[0]
    return SCRIPTS.get(first, first.capitalize())


def count_scripts(sentence: str) -> Counter[str]:
    """How many letters of each script a sentence has."""
    counts = Counter(map(script_of, sentence))
    counts.pop("", None)
    return counts


def usual_scripts(counts: Counter[str]) -> frozenset[str]:
    """The scripts that a side is written in, by how many letters of each it has."""
    least = USUAL_SHARE * counts.total()
    return frozenset(script for script, count in counts.items() if count >= least)


def foreign_script(counts: Counter[str], usual: Iterable[str]) -> str:
    """The script that most letters of a sentence are in, if it is not usual; else empty."""
    foreign = {script: count for script, count in counts.items() if script not in usual}
    if sum(foreign.values()) <= FOREIGN_SHARE * counts.total():
        return ""
    return max(foreign, key=lambda script: (foreign[script], script))
