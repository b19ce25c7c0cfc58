"""The codec of models with masks, which training and translating share."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from translator.corpora import SentencePairs, split_tags
from translator.text.casing import CaseReader
from translator.text.codec import CodecOptions, Parts
from translator.text.masked_reading import MaskedReader
from translator.text.masked_writing import MaskedWriter
from translator.text.masking import Masker, put_masks
from translator.text.names import NameModel
from translator.text.plain_pairs import plain_pairs
from translator.text.read_lines import SourceLine
from translator.tokenizers.masks import MASKS
from translator.tokenizers.subword import Tokenizers


class MaskCodec:
    """See `translator.text.codec.Codec`.

    Args:
        parts: the run's.

    Raises:
        ValueError: what the run knows of names is damaged; so do KeyError, TypeError and
            AttributeError.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.masker = make_masker(parts.tokenizers, parts.restoration.names)

    def reader(self, options: CodecOptions) -> MaskedReader:
        """A reader of lines."""
        source = self.parts.tokenizers.source
        return MaskedReader(source, self.parts.max_length, self.masker, self._case_reader, options)

    def writer(self, options: CodecOptions, lines: Sequence[SourceLine]) -> MaskedWriter:
        """A writer of the translations of lines that a reader of the same options has read."""
        has_marks = any(sentence.marks for line in lines for sentence in line.sentences)
        return MaskedWriter(
            self.parts.tokenizers,
            self.masker.read_prefix(options.prefix),
            None if options.raw else self.parts.restoration.truecaser,
            is_raw=options.raw,
            lexicon=self.parts.lexicon() if has_marks else None,
        )

    def show_pairs(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Pairs in plain characters with masks where both sides say the same, as in training."""
        pairs = SentencePairs.from_pairs(zip(sources, targets))
        shown_sources, shown_targets = [], []
        for source, target in zip(*plain_pairs(pairs, _languages(self.parts.tokenizers))):
            _, text = split_tags(source, self.parts.tokenizers.source.tags)
            hidden = [each for each in self.masker.common(text, target) if not each[0].is_shown]
            shown, shown_target = put_masks((text, target), hidden)
            shown_sources.append(source.removesuffix(text) + shown)
            shown_targets.append(shown_target)
        return shown_sources, shown_targets

    @functools.cached_property
    def _case_reader(self) -> CaseReader | None:
        return self.parts.case_reader()


def learn_names(train: SentencePairs, tokenizers: Tokenizers) -> dict[str, Any]:
    """What the codec needs to know of names, as JSON, from the text of the training split."""
    return NameModel.learn(*train, _languages(tokenizers)).to_json()


def make_masker(tokenizers: Tokenizers, names: Mapping[str, Any]) -> Masker:
    """Makes what puts masks into texts.

    Args:
        tokenizers: of both sides.
        names: from `learn_names`.

    Raises:
        ValueError: the names are damaged; so do KeyError, TypeError and AttributeError.
    """

    def spells(character: str) -> bool:
        """Whether both tokenizers have a piece for a character; no mask is one of a text.

        Words of sentences taught the bytes of a capital whose small letter has a piece.
        """
        return character not in MASKS and not any(
            tokenizer.spells_in_bytes(character) and tokenizer.spells_in_bytes(character.lower())
            for tokenizer in tokenizers
        )

    model = NameModel.from_json(names)
    return Masker(_languages(tokenizers), model, tokenizers.target.masks_digits, spells)


def _languages(tokenizers: Tokenizers) -> tuple[str, str]:
    return tokenizers.source.language, tokenizers.target.language
