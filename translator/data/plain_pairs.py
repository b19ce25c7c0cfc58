"""Sentence pairs in the characters and words that translating shows a model."""

from translator.corpora import SentencePairs
from translator.text.abbreviations import with_written_abbreviations
from translator.text.characters import with_plain_characters


def plain_pairs(pairs: SentencePairs, languages: tuple[str, str]) -> SentencePairs:
    """Sentence pairs in plain characters, sources with their abbreviations written out.

    So a reader of lines writes them, and so they are trained on.

    Args:
        pairs: the sentences; what scores are computed against stays as it was read.
        languages: codes of source and target.
    """
    source, target = languages
    return SentencePairs.from_pairs(
        (
            with_written_abbreviations(with_plain_characters(a, source), source),
            with_plain_characters(b, target),
        )
        for a, b in zip(*pairs)
    )
