"""Sentence pairs in the characters and words that translating shows a model."""

import functools

from translator.base.parallel import over_parts
from translator.corpora import SentencePairs
from translator.corpora.pairs import PairBlock
from translator.text.abbreviations import with_written_abbreviations
from translator.text.characters import with_plain_characters


def plain_source(text: str, language: str) -> str:
    """A sentence to translate in plain characters, its abbreviations written out."""
    return with_written_abbreviations(with_plain_characters(text, language), language)


def plain_pairs(pairs: SentencePairs, languages: tuple[str, str]) -> SentencePairs:
    """Sentence pairs in plain characters, sources with their abbreviations written out.

    So a reader of lines writes them, and so they are trained on.

    Args:
        pairs: the sentences; what scores are computed against stays as it was read.
    """
    return SentencePairs.from_parts(
        over_parts(functools.partial(_plain_part, languages), pairs.parts())
    )


def _plain_part(languages: tuple[str, str], part: PairBlock) -> PairBlock:
    source, target = languages
    return PairBlock.of(
        [
            (plain_source(one, source), with_plain_characters(other, target))
            for one, other in part.pairs()
        ]
    )
