"""The tokenizer for a SentencePiece model: text to ids and back.

It has four special ids, all different: padding, unknown, start and end. (Many tutorials pad with 0
when they use BPEmb. There 0 means unknown, so every unknown word is lost.)
"""

import contextlib
import functools
import hashlib
import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sentencepiece

from translator.base.errors import InputError
from translator.base.files import read_file
from translator.base.languages import language_facts
from translator.base.late import late_pattern
from translator.base.machine import ALL_CORES
from translator.base.texts import list_of_texts, quoted
from translator.corpora.tags import split_tags, write_tag
from translator.tokenizers.masks import MASK, MASKS, name_of_mask
from translator.tokenizers.special_tokens import (
    APART,
    BYTE_PIECE,
    END,
    PADDING,
    START,
    WORD_START,
    put_together,
    set_apart,
)

MODEL, VOCABULARY = "model", "vocabulary.json"  # the endings of a tokenizer's files
MASK_OR_TEXT = late_pattern(f"[{MASKS}]|[^{MASKS}]+")
BYTES_OF_MASK = 3  # in UTF-8
MIN_THREADED = 64  # with fewer sentences, starting threads takes longer than encoding


@functools.lru_cache(2)  # the models of both sides are often the same
def _open_model(content: bytes) -> Any:
    model = sentencepiece.SentencePieceProcessor()
    model.LoadFromSerializedProto(content)
    return model


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


class SentencePieceTokenizer:
    """One side's tokenizer.

    Args:
        language: a code or name such as ``en`` or ``English``.
        has_start: whether encoded text begins with the start token; it always ends with the end
            token.
        zero_digits: whether the model sees every digit as 0. The digits of the source are
            put back after translation.
        tags: they get ids after the ids of the model. If the model has a tag as a piece, that
            tag keeps its id.

    Attributes:
        masks_digits: whether the model reads and writes 0 for every digit.
        lowercases: whether encoding removes capitals.
        size: V, the number of ids, special ids included.
        padding_id: fills up short sentences; no token shares it.
        unknown_id: stands for characters that the model has no piece for.
        tags: the names of the tags that may begin a text.
        tag_ids: the ids of all tags. The model never writes them.
        masks: the ids of masks; empty for a model without masks.

    Raises:
        InputError: the file is missing or not a SentencePiece model.
    """

    lowercases = False
    _preprocessing = ""  # the name of the preparation of text before it is encoded

    def __init__(
        self,
        model_file: str | Path,
        language: str,
        zero_digits: bool = False,
        has_start: bool = True,
        tags: Tags = Tags(),  # noqa: B008
        has_masks: bool = False,
    ) -> None:
        self.model_file = Path(model_file)
        is_name = len(language) > 2 and language.isalpha()
        self.language = language_facts(language).code if is_name else language
        self.masks_digits = zero_digits
        self.has_start = has_start
        if not self.model_file.is_file():
            raise InputError(f"{model_file}: expected a SentencePiece model, found no such file")
        self.model_bytes = read_file(self.model_file)
        try:
            self.model = self._open(language)
        except (RuntimeError, UnicodeDecodeError):  # the message has a damaged piece
            raise InputError(
                f"{model_file}: expected a SentencePiece model, found other bytes"
            ) from None
        self._sets_apart = APART in self.model_bytes
        self.size = int(self.model.get_piece_size())
        self.unknown_id = int(self.model.unk_id())
        self.start_id = self._special_id(self.model.bos_id())
        self.end_id = self._special_id(self.model.eos_id())
        self.padding_id = self._special_id(self.model.pad_id())
        self.tags = tags.names if tags.are_read else ()
        self._tags = {name: self._tag_id(write_tag(name)) for name in tags.names}
        self.tag_ids = tuple(self._tags.values())
        self.masks = {mask: self._special_id(-1) for mask in MASKS if has_masks}
        self._mask_of = {i: mask for mask, i in self.masks.items()}
        self._mask_of_bytes = {
            tuple(self.model.piece_to_id(f"<0x{byte:02X}>") for byte in mask.encode()): i
            for mask, i in self.masks.items()
        }
        self._names = {
            self.padding_id: PADDING,
            self.start_id: START,
            self.end_id: END,
            **{i: write_tag(name) for name, i in self._tags.items()},
            **{i: name_of_mask(mask) for mask, i in self.masks.items()},
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.language}, {self.size:,} ids>"

    def _open(self, language: str) -> Any:
        """Opens the model; raises RuntimeError if it is not one."""
        return _open_model(self.model_bytes)

    def _special_id(self, model_id: int) -> int:
        if model_id >= 0:
            return model_id
        self.size += 1
        return self.size - 1

    def _tag_id(self, piece: str) -> int:
        piece_id = self.model.piece_to_id(piece)
        return self._special_id(-1 if piece_id == self.unknown_id else piece_id)

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides how text is encoded."""
        preprocessing = self._preprocessing or ("zeros" if self.masks_digits else "")
        preprocessing += "" if self.has_start else "no start"
        preprocessing += "".join(map(write_tag, self._tags))
        preprocessing += "masks" if self.masks else ""
        return hashlib.sha256(self.model_bytes + preprocessing.encode()).hexdigest()

    @property
    def files(self) -> dict[str, bytes]:
        """The content of its files by their endings."""
        return {MODEL: self.model_bytes}

    @property
    def writes_spaces(self) -> bool:
        """Whether the language has spaces between words."""
        return language_facts(self.language).has_spaces

    def split_tags(self, line: str) -> tuple[list[int], str]:
        """Splits a line into the ids of its first tags, such as ``<bt>``, and the rest."""
        names, text = split_tags(line, self.tags)
        return self.ids_of_tags(names), text

    def ids_of_tags(self, names: Iterable[str]) -> list[int]:
        """The ids of known tags, by their names."""
        return [self._tags[name] for name in names]

    def plain(self, text: str) -> str:
        """A text in the form that the model reads and writes."""
        return with_zeros(text) if self.masks_digits else text

    def encode(self, sentences: str | Iterable[str], reads_tags: bool = True) -> list[list[int]]:
        """The ids of each sentence, framed; many are encoded on all cores.

        Args:
            reads_tags: whether known tags at the beginning become ids of tags, not of text.

        Raises:
            InputError: these are not sentences, or one is not Unicode text.
        """
        lines = list_of_texts(sentences)
        reads_tags = reads_tags and bool(self.tags)
        split = [self.split_tags(line) if reads_tags else ([], line) for line in lines]
        texts = [self.plain(text) for _, text in split]
        if self._sets_apart:
            texts = list(map(set_apart, texts))
        try:
            if len(texts) >= MIN_THREADED:
                encoded = self.model.encode(texts, num_threads=ALL_CORES)
            else:  # a list, even of one text, starts threads
                encoded = [self.model.encode(text) for text in texts]
        except (UnicodeEncodeError, TypeError, RuntimeError):  # lone surrogates
            raise InputError("text: expected UTF-8, found other bytes") from None
        if self.masks:
            for i, text in enumerate(texts):
                if MASK.search(text):
                    encoded[i] = self._encode_masks(text)
        start = [self.start_id] if self.has_start else []
        return [[*start, *tags, *ids, self.end_id] for (tags, _), ids in zip(split, encoded)]

    def _encode_masks(self, text: str) -> list[int]:
        """The ids of a text with masks. The model itself has no pieces for masks."""
        ids: list[int] = []
        for piece in self.model.encode(text, out_type=str):
            for part in filter(None, MASK_OR_TEXT.findall(piece)):
                ids.append(self.masks.get(part) or self.model.piece_to_id(part))
                spelt = self._mask_of_bytes.get(tuple(ids[-BYTES_OF_MASK:]))
                if spelt is not None:
                    ids[-BYTES_OF_MASK:] = [spelt]
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of one sentence's ids, with masks but without special tokens."""
        parts: list[str] = []
        for is_mask, group in itertools.groupby(map(int, ids), self._mask_of.__contains__):
            if is_mask:
                parts += (self._mask_of[i] for i in group)
                continue
            spelt = [i for i in group if i not in self._names]
            # the model leaves out the space that a text begins with
            begins = bool(parts and spelt) and self.model.id_to_piece(spelt[0])[:1] == WORD_START
            parts.append(" " * begins + str(self.model.decode(spelt)))
        text = "".join(parts)
        return put_together(text) if self._sets_apart else text

    def parse_ids(self, line: str, name: str = "ids") -> list[int]:
        """Reads ids that are separated by spaces. Errors call them ``name``.

        Raises:
            InputError: a part of the line is not an id of this tokenizer.
        """
        return [self._parse_id(word, name) for word in line.split()]

    def _parse_id(self, word: str, name: str) -> int:
        with contextlib.suppress(ValueError):  # also raised for a number that is too long
            if word.isascii() and word.isdigit() and int(word) < self.size:
                return int(word)
        raise InputError(f"{name}: expected ids from 0 to {self.size - 1}, found {quoted(word)}")

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """The piece of each id, or the name of a special token."""
        return [self._names.get(int(i)) or self.model.id_to_piece(int(i)) for i in ids]

    def piece_ids(self, pieces: Iterable[str]) -> list[int]:
        """The ids of pieces and names that `pieces` returned."""
        special = {name: i for i, name in self._names.items()}
        return [
            special[piece] if piece in special else self.model.piece_to_id(piece)
            for piece in pieces
        ]

    def spells_in_bytes(self, text: str) -> bool:
        """Whether a character has no piece. It then almost never occurred in training."""
        ids = self.encode(text, reads_tags=False)[0]
        return self.unknown_id in ids or any(map(BYTE_PIECE.fullmatch, self.pieces(ids)))

    def spells(self, ids: Sequence[int]) -> bool:
        """Whether anything in ``ids`` is a piece that the model has learnt from text.

        Unknown pieces and white space alone do not count. Single bytes do not count either: they
        are the fallback for characters that were never seen.
        """
        model = self.model
        return any(
            i not in self._names
            and i != self.unknown_id
            and not model.is_byte(i)
            and model.id_to_piece(i) != WORD_START
            for i in ids
        )

    @property
    def control_ids(self) -> tuple[int, ...]:
        """The single bytes that are control characters, such as a line feed."""
        model = self.model
        pieces = (f"<0x{byte:02X}>" for byte in (*range(0x20), 0x7F))
        ids = (model.piece_to_id(piece) for piece in pieces)
        return tuple(i for i in ids if model.is_byte(i))
