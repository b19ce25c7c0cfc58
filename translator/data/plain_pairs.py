"""Sentence pairs in the characters that translating shows a model."""

from translator.corpora import SentencePairs
from translator.text.characters import with_plain_characters


def plain_pairs(pairs: SentencePairs, languages: tuple[str, str]) -> SentencePairs:
    """Sentence pairs as `with_plain_characters` writes them, which is how they are trained on.

    Args:
        pairs: the sentences; what scores are computed against stays as it was read.
        languages: codes of source and target.
    """
    source, target = languages
    return SentencePairs.from_pairs(
        (with_plain_characters(a, source), with_plain_characters(b, target)) for a, b in zip(*pairs)
    )
