"""Converts lines of text to the ids of a model and back, in training and translating.

A reader makes ids of a line, and keeps a memo of everything that the model is not shown. A writer
makes text of the model's ids and that memo.
"""

import functools
import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from translator.text.casing import CaseReader
from translator.text.learnt_words import LearntWords
from translator.text.marks import LineMarks
from translator.text.masking import Masker
from translator.text.names import NameModel
from translator.text.preprocessing import Preprocessor
from translator.text.read_lines import CodecOptions
from translator.text.reading import LineReader
from translator.text.stages import Capitals, Digits, Marks, Masks, Signs, Stage
from translator.text.writing import TranslationWriter
from translator.tokenizers.masks import MASKS
from translator.tokenizers.subword import Tokenizers


class Parts(NamedTuple):
    """The parts of the codec of a run.

    Attributes:
        max_length: the most tokens that the model takes, start and end included.
        has_word_pairs: whether the training data has words and phrases as sentences.
        truecases: whether first words are written as within sentences; see `data.truecase`.
        tag_counts: how many training pairs had each tag; see `LineTags`.
    """

    tokenizers: Tokenizers
    max_length: int
    words: LearntWords
    has_word_pairs: bool = False
    truecases: bool = False
    tag_counts: Mapping[str, int] = {}


class Codec:
    """Makes the readers and writers of a run."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.preprocessor = make_preprocessor(parts.tokenizers, parts.words, parts.truecases)

    def reader(self, options: CodecOptions) -> LineReader:
        """A reader of lines."""
        tokenizer, counts = self.parts.tokenizers.source, self.parts.tag_counts
        stages, masks, marks = self._stages(options)
        return LineReader(tokenizer, self.parts.max_length, stages, masks, marks, options, counts)

    def writer(self, options: CodecOptions) -> TranslationWriter:
        """A writer of the translations of lines that a reader of the same options has read."""
        stages, masks, _ = self._stages(options)
        return TranslationWriter(
            self.parts.tokenizers, stages, masks.prefix, self.parts.words.source
        )

    def _stages(self, options: CodecOptions) -> tuple[tuple[Stage, ...], Masks, LineMarks]:
        """The stages of sentences, and the finders of masks and of marks."""
        preprocessor, words = self.preprocessor, self.parts.words
        source, target = self.parts.tokenizers
        masks = preprocessor.masks(options.prefix, options.glossary)
        marks = LineMarks(masks.find_fixed)
        if options.raw:
            return (), masks, marks
        stages = (
            Marks(marks, target.language, words.source, options.prefix),
            Signs(masks),
            Capitals(self._case_reader, words.truecaser, masks),
            *((Digits(),) if target.masks_digits and not target.masks else ()),
            *preprocessor.stages(masks),
        )
        return stages, masks, marks

    def show_pairs(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Pairs as in training; see `Preprocessor.show_pair`."""
        shown = list(itertools.starmap(self.preprocessor.show_pair, zip(sources, targets)))
        return [source for source, _ in shown], [target for _, target in shown]

    @functools.cached_property
    def _case_reader(self) -> CaseReader | None:
        """Reads texts in capitals and the like; None if the run has learnt no capitals."""
        source = self.parts.tokenizers.source
        truecaser = self.parts.words.source_truecaser
        if truecaser is None and not source.lowercases:
            return None
        return CaseReader(truecaser, source.language, self.parts.has_word_pairs)


def make_preprocessor(tokenizers: Tokenizers, words: LearntWords, truecases: bool) -> Preprocessor:
    """Makes the preprocessor, which shows sentences to a model.

    Args:
        truecases: whether first words are written as within sentences; see `data.truecase`.
    """

    def spells(character: str) -> bool:
        """Whether both tokenizers have a piece for a character; for a mask it is False.

        A capital also counts if its small letter has a piece: training taught its bytes.
        """
        return character not in MASKS and not any(
            tokenizer.spells_in_bytes(character) and tokenizer.spells_in_bytes(character.lower())
            for tokenizer in tokenizers
        )

    source, target = tokenizers
    return Preprocessor(
        Masker(tokenizers.languages, NameModel(words.source), target.masks_digits, spells),
        bool(target.masks),
        words.source_truecaser if truecases else None,
        source.tags,
    )
