"""The tokenizer of Marian's public models: SentencePiece, with the ids of a vocabulary file.

Junczys-Dowmunt et al. (2018), "Marian", https://aclanthology.org/P18-4020;
Tiedemann and Thottingal (2020), "OPUS-MT", https://aclanthology.org/2020.eamt-1.61
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from translator.base.errors import InputError
from translator.base.files import read_file
from translator.base.texts import find_lone_surrogate, list_of_texts, listed, quoted
from translator.tokenizers.sentencepiece_tokenizer import VOCABULARY, SentencePieceTokenizer
from translator.tokenizers.special_tokens import (
    END,
    PADDING,
    START,
    TARGET_TOKEN,
    UNKNOWN,
    WORD_START,
    is_text,
    write_target_token,
)
from translator.tokenizers.subword import Tokenizer

MAX_ID = 10_000_000  # above every vocabulary that has been published


def read_vocabulary(path: Path) -> dict[str, int]:
    """Reads a vocabulary file."""
    try:
        content = read_file(path)
    except FileNotFoundError:
        raise InputError(f"{path}: expected a vocabulary file, found no such file") from None
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError(
            f"{path}: expected a JSON object with an id for each piece, found something else"
        )
    for piece, number in values.items():
        if find_lone_surrogate(piece):
            raise InputError(f"{path}: expected pieces of Unicode text, found {quoted(piece)}")
        if type(number) is not int or not 0 <= number < MAX_ID:
            raise InputError(f"{path}: expected an id for {quoted(piece)}, found {quoted(number)}")
    if len(set(values.values())) < len(values):
        raise InputError(f"{path}: expected a different id for each piece, found one id twice")
    return values


def format_vocabulary(ids: dict[str, int]) -> bytes:
    """The content of a vocabulary file in JSON, one piece a line."""
    return f"{json.dumps(ids, ensure_ascii=False, indent=0)}\n".encode()


def target_tokens(tokenizer: Tokenizer) -> tuple[str, ...]:
    """The target tokens, such as ``>>deu<<``, one of which each line needs; often none."""
    is_marian = isinstance(tokenizer, MarianTokenizer)
    return tuple(map(write_target_token, tokenizer.tags)) if is_marian else ()


class MarianTokenizer(SentencePieceTokenizer):
    """Splits text by a SentencePiece model and takes the ids from a vocabulary file.

    A piece that the vocabulary lacks is unknown. A line may begin with a token of the vocabulary
    such as ``>>deu<<``. It names the target language, if a model has several.

    Args:
        vocabulary_file: the ids of the pieces, as JSON, with ``</s>`` and ``<unk>``. If it lacks
            padding or start, these get ids after the last one.
        language: a code or name such as ``en`` or ``English``.

    Attributes:
        stored_size: the number of ids up to the last id of the vocabulary file.
        tags: the target languages that a line may begin with, such as ``deu`` for ``>>deu<<``; most
            models have none. They are part of the vocabulary that the model writes.

    Raises:
        InputError: a file is missing, or has the wrong format.
    """

    _preprocessing = "marian"

    def __init__(
        self,
        model_file: str | Path,
        vocabulary_file: str | Path,
        language: str,
        has_start: bool = True,
    ) -> None:
        super().__init__(model_file, language, has_start=has_start)
        path = Path(vocabulary_file)
        ids = read_vocabulary(path)
        self.vocabulary_bytes = format_vocabulary(ids)
        for name in (END, UNKNOWN):
            if name not in ids:
                raise InputError(f"{path}: expected {name} in the vocabulary, found none")
        self.stored_size = max(ids.values()) + 1
        for name in (PADDING, START):
            ids.setdefault(name, max(ids.values()) + 1)
        self.size = max(ids.values()) + 1
        self._ids = ids
        self._pieces = [f"<unused {i}>" for i in range(self.size)]
        for piece, i in ids.items():
            self._pieces[i] = piece
        self.unknown_id, self.end_id = ids[UNKNOWN], ids[END]
        self.padding_id, self.start_id = ids[PADDING], ids[START]
        self._of_model = [
            ids.get(self.model.id_to_piece(i), self.unknown_id)
            for i in range(self.model.get_piece_size())
        ]
        matches = map(TARGET_TOKEN.fullmatch, ids)
        self._tags = {match[1]: ids[match[0]] for match in matches if match}
        self.tags = tuple(self._tags)

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides how text is encoded."""
        of_model = super().fingerprint.encode()
        return hashlib.sha256(of_model + self.vocabulary_bytes).hexdigest()

    @property
    def files(self) -> dict[str, bytes]:
        """The model and the vocabulary."""
        return {**super().files, VOCABULARY: self.vocabulary_bytes}

    def split_tags(self, line: str) -> tuple[list[int], str]:
        """Splits a line into the id of its target token, if there is one, and the rest.

        Raises:
            InputError: the model has target tokens, but not this token.
        """
        match = TARGET_TOKEN.match(line.lstrip()) if self.tags else None
        if match is None:
            return [], line
        if match[1] not in self.tags:
            known = listed(target_tokens(self))
            raise InputError(
                f"expected a target token that the model knows ({known}), found {match[0]}"
            )
        return self.ids_of_tags([match[1]]), line.lstrip()[match.end() :].lstrip()

    def encode(self, sentences: str | Iterable[str], reads_tags: bool = True) -> list[list[int]]:
        """The framed ids of each sentence. A target token stays at the beginning."""
        lines = list_of_texts(sentences)
        split = [self.split_tags(line) if reads_tags else ([], line) for line in lines]
        framed = super().encode([text for _, text in split], reads_tags=False)
        first = int(self.has_start)
        return [
            [*ids[:first], *tags, *(self._of_model[i] for i in ids[first:-1]), self.end_id]
            for (tags, _), ids in zip(split, framed)
        ]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of one sentence's ids, without special tokens."""
        pieces = [piece for piece in map(self._piece, ids) if is_text(piece)]
        return str(self.model.decode(pieces)).replace(WORD_START, " ")

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Each id as a reader sees it: its piece, or the name of a special token."""
        return [self._piece(i) for i in ids]

    def _piece(self, i: int) -> str:
        return self._pieces[int(i)]

    def piece_ids(self, pieces: Iterable[str]) -> list[int]:
        """The ids of pieces and names that `pieces` returned."""
        return [self._ids.get(piece, self.unknown_id) for piece in pieces]

    def spells(self, ids: Sequence[int]) -> bool:
        """Whether anything in ``ids`` is a piece that the model has learnt from text."""
        not_learnt = (UNKNOWN, WORD_START)
        return any(is_text(piece) and piece not in not_learnt for piece in self.pieces(ids))

    @property
    def control_ids(self) -> tuple[int, ...]:
        """The single bytes that are control characters, such as a line feed."""
        pieces = (f"<0x{byte:02X}>" for byte in (*range(0x20), 0x7F))
        return tuple(self._ids[piece] for piece in pieces if piece in self._ids)
