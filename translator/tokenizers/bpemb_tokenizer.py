"""The tokenizer for BPEmb's SentencePiece models.

Heinzerling and Strube (2018), "BPEmb", https://aclanthology.org/L18-1473
"""

from pathlib import Path
from typing import Any

from translator.tokenizers.bpemb_languages import bpemb_language
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer, Tags


class BPEmbTokenizer(SentencePieceTokenizer):
    """Converts text to what BPEmb's models were trained on: lower case, with 0 for every digit.

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
