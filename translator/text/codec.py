"""What stands between lines of text and the ids that a model reads, in training and translating.

A reader makes ids of a line and keeps a memo of what the model is not shown; a writer makes text
of the model's ids and that memo.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from translator.corpora import SentencePairs, split_tags
from translator.text.casing import CaseReader
from translator.text.codec_options import CodecOptions
from translator.text.learnt_words import LearntWords
from translator.text.masking import Masker, Prefix, put_masks
from translator.text.names import NameModel
from translator.text.plain_pairs import plain_pairs
from translator.text.read_lines import SourceLine
from translator.text.reading import LineReader
from translator.text.truecasing import Truecaser
from translator.text.word_table import WordTable
from translator.text.writing import TranslationWriter
from translator.tokenizers.masks import MASKS
from translator.tokenizers.subword import Tokenizers


class Parts(NamedTuple):
    """What a codec of a run is made of.

    Attributes:
        max_length: the most tokens that the model takes, start and end included.
        has_word_pairs: whether the training data has words and phrases as sentences.
        truecases: whether sentences begin as they go on, as in `data.truecase`.
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
        self.masker = make_masker(parts.tokenizers, parts.words.source)

    def reader(self, options: CodecOptions) -> LineReader:
        """A reader of lines."""
        source = self.parts.tokenizers.source
        return LineReader(
            source,
            self.parts.max_length,
            self.masker,
            self._case_reader,
            options,
            self._prefix(options),
            self._truecaser,
            self.parts.tag_counts,
        )

    def writer(self, options: CodecOptions, lines: Sequence[SourceLine]) -> TranslationWriter:
        """A writer of the translations of lines that a reader of the same options has read."""
        return TranslationWriter(
            self.parts.tokenizers,
            self._prefix(options),
            None if options.raw else self.parts.words.truecaser,
            is_raw=options.raw,
            lexicon=self.parts.words.source,
        )

    def show_pairs(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Pairs as in training: with masks where both sides say the same, sources truecased.

        Those of models with masks are in plain characters.
        """
        has_masks = bool(self.parts.tokenizers.target.masks)
        pairs = SentencePairs.from_pairs(zip(sources, targets))
        if has_masks:
            pairs = plain_pairs(pairs, _languages(self.parts.tokenizers))
        shown_sources, shown_targets = [], []
        for source, target in zip(*pairs):
            _, text = split_tags(source, self.parts.tokenizers.source.tags)
            common = self.masker.common(text, target) if has_masks else []
            hidden = [each for each in common if not each[0].is_shown]
            shown, shown_target = put_masks((text, target), hidden)
            if self._truecaser is not None:
                shown = self._truecaser.with_small_beginning(shown)
            shown_sources.append(source.removesuffix(text) + shown)
            shown_targets.append(shown_target)
        return shown_sources, shown_targets

    def _prefix(self, options: CodecOptions) -> Prefix:
        has_masks = self.parts.tokenizers.target.masks
        return self.masker.read_prefix(options.prefix) if has_masks else Prefix(options.prefix)

    @property
    def _truecaser(self) -> Truecaser | None:
        """What writes the first words of sentences; None leaves them."""
        return self.parts.words.source_truecaser if self.parts.truecases else None

    @functools.cached_property
    def _case_reader(self) -> CaseReader | None:
        """Reads texts in capitals and the like; None if the run has learnt no capitals."""
        source = self.parts.tokenizers.source
        truecaser = self.parts.words.source_truecaser
        if truecaser is None and not source.lowercases:
            return None
        return CaseReader(truecaser, source.language, self.parts.has_word_pairs)


def make_masker(tokenizers: Tokenizers, words: WordTable) -> Masker:
    """Makes what puts masks into texts.

    Args:
        words: of the source language.
    """

    def spells(character: str) -> bool:
        """Whether both tokenizers have a piece for a character; no mask is one of a text.

        Words of sentences taught the bytes of a capital whose small letter has a piece.
        """
        return character not in MASKS and not any(
            tokenizer.spells_in_bytes(character) and tokenizer.spells_in_bytes(character.lower())
            for tokenizer in tokenizers
        )

    names = NameModel(words)
    return Masker(_languages(tokenizers), names, tokenizers.target.masks_digits, spells)


def _languages(tokenizers: Tokenizers) -> tuple[str, str]:
    return tokenizers.source.language, tokenizers.target.language
