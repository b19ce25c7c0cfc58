"""The interface of every subword tokenizer: text to ids and back.

Every tokenizer has four special ids, all different: padding, unknown, start and
end. (Many tutorials pad with 0 when they use BPEmb. There 0 means unknown, so every unknown
word is lost.)
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from translator.base.files import whole_file

SIDES = ("source", "target")
MODEL, VOCABULARY = "model", "vocabulary.json"  # the endings of a tokenizer's files
FILE_NAMES = tuple(f"{side}.{MODEL}" for side in SIDES)  # of the two models in a folder
VOCABULARY_NAMES = tuple(f"{side}.{VOCABULARY}" for side in SIDES)  # of name: marian alone


def with_zeros(text: str) -> str:
    """A text with 0 for every digit."""
    return re.sub(r"\d", "0", text)


class Tags(NamedTuple):
    """The tags that have ids of their own; see `translator.corpora.tags`.

    Attributes:
        are_read: whether they are read at the beginning of a text. Otherwise only their ids exist.
    """

    names: tuple[str, ...] = ()
    are_read: bool = True


class Tokenizer(Protocol):
    """One side's tokenizer."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of the tags that may begin a text."""

    @property
    def tag_ids(self) -> tuple[int, ...]:
        """The ids of all tags, of which none is ever written."""

    @property
    def masks(self) -> Mapping[str, int]:
        """The ids of masks; empty for a model without any. See `translator.tokenizers.masks`."""

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
        """Begins every sentence that is written, and every one that is read if ``has_start``."""

    @property
    def has_start(self) -> bool:
        """Whether encoded text begins with the start token; it always ends with the end token."""

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
    def files(self) -> dict[str, bytes]:
        """The content of all its files by their endings, ``model`` and ``vocabulary.json``."""

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides how text is encoded."""

    def split_tags(self, line: str) -> tuple[list[int], str]:
        """The ids of the tags that a line begins with, such as ``<bt>``, and the rest of it.

        Raises:
            InputError: it begins with what can only be a tag, but this one is not known.
        """

    def ids_of_tags(self, names: Iterable[str]) -> list[int]:
        """The ids of known tags, by their names."""

    def plain(self, text: str) -> str:
        """A text as the model reads and writes it, such as with 0 for every digit."""

    def encode(self, sentences: str | Iterable[str], reads_tags: bool = True) -> list[list[int]]:
        """The ids of each sentence, between start, if ``has_start``, and end.

        Args:
            sentences: a single one counts as a list of one.
            reads_tags: whether known tags at the beginning are tags; otherwise they are text.

        Raises:
            InputError: these are not sentences, one is not Unicode text, or as in `split_tags`.
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

    def spells_in_bytes(self, text: str) -> bool:
        """Whether the model lacks a piece for some of a text, which training hardly showed it.

        Such characters are bytes, which a piece each spells, or unknown.
        """

    def spells(self, ids: Sequence[int]) -> bool:
        """Whether anything in ``ids`` is a piece that the model has learnt from text."""


class Tokenizers(NamedTuple):
    """The tokenizers of both sides."""

    source: Tokenizer
    target: Tokenizer

    def __repr__(self) -> str:
        return f"<Tokenizers {self.source!r}, {self.target!r}>"

    def save(self, folder: Path) -> None:
        """Writes the files of both into ``folder``, so that it needs nothing from outside."""
        folder.mkdir(parents=True, exist_ok=True)
        for side, tokenizer in zip(SIDES, self):
            for ending, content in tokenizer.files.items():
                with whole_file(folder / f"{side}.{ending}") as file:
                    file.write(content)
