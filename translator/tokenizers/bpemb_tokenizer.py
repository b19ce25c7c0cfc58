"""The tokenizer for BPEmb's SentencePiece models.

Heinzerling and Strube (2018), "BPEmb", https://aclanthology.org/L18-1473
"""

from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.base.languages import code_of
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer, Tags


def bpemb_language(language: str) -> str:
    """BPEmb's code of a language, such as ``de`` for ``de``, ``deu`` or ``German``.

    Raises:
        InputError: BPEmb does not know it.
    """
    from bpemb.available_languages import to_wikicode, wikicode

    if language == "multi" or language in wikicode:
        return language
    if language in to_wikicode:
        return str(to_wikicode[language])
    code = code_of(language)
    synonyms = [name for name in wikicode if code is not None and code_of(name) == code]
    if synonyms:
        return str(min(synonyms, key=len))
    raise InputError(f"{language}: expected a language of BPEmb, such as en, de or zh")


class BPEmbTokenizer(SentencePieceTokenizer):
    """Converts text to the form of BPEmb's training text: lower case, with 0 for every digit.

    Args:
        language: one of BPEmb's, such as ``en`` or ``English``; ``multi`` for its multilingual
            model.

    Raises:
        InputError: the file is missing or not a SentencePiece model, or BPEmb
            does not know the language.
    """

    lowercases = True
    _preprocessing = "bpemb"

    def __init__(
        self,
        model_file: str | Path,
        language: str,
        has_start: bool = True,
        tags: Tags = Tags(),  # noqa: B008
        has_masks: bool = False,
    ) -> None:
        super().__init__(model_file, language, True, has_start, tags, has_masks)

    def _open(self, language: str) -> Any:
        from bpemb import BPEmb

        language = bpemb_language(language)
        return BPEmb(
            lang=language,
            model_file=self.model_file,
            dim=300 if language == "multi" else 100,
            segmentation_only=True,
            vs_fallback=False,
        ).spm

    def plain(self, text: str) -> str:
        """A text in lower case, with 0 for every digit."""
        from bpemb import BPEmb

        return str(BPEmb.preprocess(text))
