"""The tokenizers of both sides."""

from pathlib import Path
from typing import NamedTuple

from translator.base.files import whole_file
from translator.tokenizers.sentencepiece_tokenizer import MODEL, VOCABULARY, SentencePieceTokenizer

SIDES = ("source", "target")
FILE_NAMES = tuple(f"{side}.{MODEL}" for side in SIDES)  # names of the two models
VOCABULARY_NAMES = tuple(f"{side}.{VOCABULARY}" for side in SIDES)  # for name: marian

Tokenizer = SentencePieceTokenizer


class Tokenizers(NamedTuple):
    """The tokenizers of both sides."""

    source: Tokenizer
    target: Tokenizer

    def __repr__(self) -> str:
        return f"<Tokenizers {self.source!r}, {self.target!r}>"

    @property
    def languages(self) -> tuple[str, str]:
        """The languages of source and target, as the user named them."""
        return self.source.language, self.target.language

    def save(self, folder: Path) -> None:
        """Writes the files of both tokenizers into a folder, which then needs no other files."""
        folder.mkdir(parents=True, exist_ok=True)
        for side, tokenizer in zip(SIDES, self):
            for ending, content in tokenizer.files.items():
                with whole_file(folder / f"{side}.{ending}") as file:
                    file.write(content)
