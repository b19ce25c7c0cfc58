"""The interface of every subword tokenizer: text to ids and back.

Every tokenizer has four special ids, all different: padding, unknown, start and
end. (Many tutorials pad with 0 when they use BPEmb. There 0 means unknown, so every unknown
word is lost.)
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from translator.base.files import whole_file
from translator.tokenizers.merging import Merger

FILE_NAMES = ("source.model", "target.model")  # of the two models in a folder


def with_zeros(text: str) -> str:
    """A text with 0 for every digit."""
    return re.sub(r"\d", "0", text)


class Tokenizer(Protocol):
    """One side's tokenizer."""

    @property
    def language(self) -> str:
        """The language's code."""

    @property
    def size(self) -> int:
        """V, the number of ids, special ids included."""

    @property
    def padding_id(self) -> int:
        """Fills up short sentences; no token shares it."""

    @property
    def unknown_id(self) -> int:
        """Stands for characters that the model has no piece for."""

    @property
    def start_id(self) -> int:
        """Begins every sentence."""

    @property
    def end_id(self) -> int:
        """Ends every sentence."""

    @property
    def control_ids(self) -> tuple[int, ...]:
        """The ids of control characters, such as a line feed."""

    @property
    def masks_digits(self) -> bool:
        """Whether the model reads and writes 0 for every digit."""

    @property
    def lowercases(self) -> bool:
        """Whether text loses its capitals."""

    @property
    def writes_spaces(self) -> bool:
        """Whether the language has spaces between words."""

    @property
    def model_file(self) -> Path:
        """The file that the model was read from."""

    @property
    def model_bytes(self) -> bytes:
        """The content of that file."""

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides how text is encoded."""

    def plain(self, text: str) -> str:
        """A text as the model reads and writes it, such as with 0 for every digit."""

    def encode(self, sentences: str | Iterable[str]) -> list[list[int]]:
        """The ids of each sentence, between start and end.

        A single sentence counts as a list of one.

        Raises:
            InputError: these are not sentences, or one is not Unicode text.
        """

    def decode(self, ids: Iterable[int]) -> str:
        """The text of one sentence's ids; the special ones are left out."""

    def parse_ids(self, line: str, name: str = "ids") -> list[int]:
        """Reads ids that are written with spaces between; ``name`` names them in errors.

        Raises:
            InputError: something there is not an id of this tokenizer.
        """

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Each id as a reader sees it: its piece, or the name of a special token."""

    def piece_ids(self, pieces: Iterable[str]) -> list[int]:
        """The ids of pieces and names that `pieces` returned."""

    def spells(self, ids: Sequence[int]) -> bool:
        """Whether anything in ``ids`` is a piece that the model has learnt from text."""

    def merger(self) -> Merger:
        """The byte-pair encoder of this tokenizer, which can leave merges out."""


class Tokenizers(NamedTuple):
    """The tokenizers of both sides."""

    source: Tokenizer
    target: Tokenizer

    def __repr__(self) -> str:
        return f"<Tokenizers {self.source!r}, {self.target!r}>"

    def save(self, folder: Path) -> None:
        """Writes both models into ``folder``, so that it needs nothing from outside."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, tokenizer in zip(FILE_NAMES, self):
            with whole_file(folder / name) as file:
                file.write(tokenizer.model_bytes)
