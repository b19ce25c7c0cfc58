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

CERTAIN = 2.5  # another language must be e^2.5 times as likely
SMALLEST = 1e-30  # probability
SAMPLE = 1000  # sentences; they show the language of a side
LEAST_SHARE = 0.5  # share of these sentences that must be in the language
PROBABLE = 0.2  # a smaller probability is only a guess among ninety languages
SAME = {"nb": "no", "lzh": "zh", "wuu": "zh", "gan": "zh"}  # py3langid's names for languages
NO_LANGUAGE = "zxx"  # py3langid's name for the language of text such as "@@"
USUAL_SHARE = 0.1  # a script with this share of a side's letters is usual there
FOREIGN_SHARE = 0.5  # of a sentence's letters in scripts that are not usual
SCRIPTS = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}


class Identification(NamedTuple):
    """The probable language of a sentence.

    Attributes:
        language: the most probable language, by py3langid's name.
        odds: natural log of its probability divided by that of the expected language. It is at
            least 0, and it is 0 if the language is only guessed.
        odds_of_opposite: the same for the other side's language; negative if that is less likely.
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
        """The identifier's name for a language; None if the language is unknown to it."""
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
    """The scripts that are usual on a side, found from its number of letters in each script."""
    least = USUAL_SHARE * counts.total()
    return frozenset(script for script, count in counts.items() if count >= least)


def foreign_script(counts: Counter[str], usual: Iterable[str]) -> str:
    """The script of most letters of a sentence if this script is not usual; otherwise empty."""
    foreign = {script: count for script, count in counts.items() if script not in usual}
    if sum(foreign.values()) <= FOREIGN_SHARE * counts.total():
        return ""
    return max(foreign, key=lambda script: (foreign[script], script))
