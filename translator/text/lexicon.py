"""Words of two languages that are associated with each other; kept in ``lexicon.json``."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.text.punctuation import plain_word

PERCENT = 100  # associations are whole numbers of it in the file


class Lexicon(NamedTuple):
    """How much words are associated with words of the other language.

    Attributes:
        translations: for source words, target words with their association, above 0 and at
            most 1; words as `plain_word` writes them.
    """

    translations: dict[str, dict[str, float]]

    def associations(self, targets: Sequence[str], sources: Sequence[str]) -> np.ndarray:
        """How much the words of a translation and of its source are associated.

        Returns:
            (T, S), from 0 not at all to 1; equal words, such as names, have 1.
        """
        found = np.zeros((len(targets), len(sources)))
        plain = [plain_word(word) for word in targets]
        for s, source in enumerate(map(plain_word, sources)):
            translations = {**self.translations.get(source, {}), source: 1.0} if source else {}
            found[:, s] = [translations.get(target, 0.0) for target in plain]
        return found

    def best(self, targets: Sequence[str], sources: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The most that each word is associated with one of the other side, in linear time.

        Returns:
            (T,) the maxima of the rows of `associations`, and (S,) those of its columns.
        """
        plain = [plain_word(word) for word in targets], [plain_word(word) for word in sources]
        of_targets, of_sources = (dict.fromkeys(words, 0.0) for words in plain)
        for source in filter(None, of_sources):
            for target, share in {**self.translations.get(source, {}), source: 1.0}.items():
                if target in of_targets:
                    of_targets[target] = max(of_targets[target], share)
                    of_sources[source] = max(of_sources[source], share)
        rows, columns = (
            np.array([found[word] for word in words])
            for found, words in zip((of_targets, of_sources), plain)
        )
        return rows, columns

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        values = {
            source: {target: round(PERCENT * share) for target, share in its.items()}
            for source, its in self.translations.items()
        }
        with whole_file(path) as file:
            file.write(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode())

    @classmethod
    def load(cls, path: Path) -> "Lexicon":
        """Reads what `save` wrote; returns an empty lexicon if there is no such file."""
        try:
            values = json.loads(read_file(path))
            return cls(
                {
                    source: {target: _share(percent) for target, percent in its.items()}
                    for source, its in values.items()
                }
            )
        except FileNotFoundError:
            return cls({})
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{path}: expected what training writes, found other text; train again, or"
                " remove the file to translate without it"
            ) from None


def _share(percent: object) -> float:
    if type(percent) is not int or not 0 < percent <= PERCENT:
        raise ValueError
    return percent / PERCENT
