"""The knowledge of a run about the words of its two languages."""

import dataclasses
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from translator.text.names import learn_names
from translator.text.truecasing import Truecaser, begin_with_capitals, learn_spellings
from translator.text.word_table import WORD_TABLES, WordTable
from translator.tokenizers.subword import Tokenizers

if TYPE_CHECKING:
    from translator.corpora.pairs import SentencePairs


@dataclasses.dataclass(frozen=True)
class LearntWords:
    """The words of the training split.

    Attributes:
        target: these words have only spellings; empty if the tokenizer keeps capitals.
    """

    source: WordTable = dataclasses.field(default_factory=WordTable)
    target: WordTable = dataclasses.field(default_factory=WordTable)

    @classmethod
    def learn(
        cls,
        train: "SentencePairs",
        tokenizers: Tokenizers,
        translations: Mapping[str, Mapping[str, int]],
    ) -> "LearntWords":
        """Learns from the text of the training split.

        Args:
            translations: of source words, with associations in percent.
        """
        source, target = tokenizers
        has_capitals = not source.lowercases and begin_with_capitals(train.sources)
        spellings = learn_spellings(train.sources) if has_capitals else {}
        names = learn_names(*train, (source.language, target.language))
        return cls(
            merge_words(spellings, names, translations),
            WordTable.of(learn_spellings(train.targets) if target.lowercases else {}),
        )

    @classmethod
    def load(cls, folder: Path) -> "LearntWords":
        """Reads the files that `save` wrote. A table without a file is empty."""
        return cls(*(WordTable.load(folder / name) for name in WORD_TABLES))

    def joined_with(self, earlier: "LearntWords") -> "LearntWords":
        """The words of two trainings of which the later one continued the earlier one."""
        return LearntWords(
            self.source.joined_with(earlier.source), self.target.joined_with(earlier.target)
        )

    def save(self, folder: Path) -> None:
        """Writes the files into a folder."""
        for table, name in zip((self.source, self.target), WORD_TABLES):
            table.save(folder / name)

    @functools.cached_property
    def truecaser(self) -> Truecaser | None:
        """The truecaser of the target language; None if the tokenizer keeps capitals."""
        return Truecaser(self.target) if self.target else None

    @functools.cached_property
    def source_truecaser(self) -> Truecaser | None:
        """The truecaser of the source language; None if tokenizer or sentences lack capitals."""
        return Truecaser(self.source) if self.source.has_spellings else None


def merge_words(
    spellings: Mapping[str, Mapping[str, Any]],
    names: Mapping[str, Mapping[str, Any]],
    translations: Mapping[str, Mapping[str, int]],
) -> WordTable:
    """Merges tables about words: their spellings, facts about names, and counted translations."""
    words = spellings.keys() | names.keys() | translations.keys()
    return WordTable.of(
        {
            word: {
                **spellings.get(word, {"spelt": {}}),
                **names.get(word, {"new": True}),
                **({"to": translations[word]} if word in translations else {}),
            }
            for word in words
        }
    )
