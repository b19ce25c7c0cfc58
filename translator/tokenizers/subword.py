"""Subword tokenizers: text to ids and back, by SentencePiece BPE models, BPEmb's among them.

Every tokenizer has four special ids, all different: padding, unknown, start and
end. (BPEmb's own models give padding no id; the id after their last piece
becomes it. Padding with 0, as many tutorials do, erases every unknown word.)
"""

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import sentencepiece

from translator.base.cache import sha256
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.languages import language_facts
from translator.base.machine import ALL_CORES
from translator.config.schema import Config
from translator.tokenizers.special_tokens import END, PADDING, START

FILE_NAMES = ("source.model", "target.model")
TOGETHER = 64  # fewer sentences are encoded sooner without starting threads


def with_zeros(text: str) -> str:
    """A text with 0 for every digit."""
    return re.sub(r"\d", "0", text)


class SubwordTokenizer:
    """One side's tokenizer.

    Args:
        model_file: a SentencePiece model, such as those of BPEmb.
        language: a code or name such as ``en`` or ``English``; for ``bpemb`` one of BPEmb's.
        bpemb: whether text is made what BPEmb's models were trained on before
            it is encoded: lower-case, every digit written as 0. Heinzerling and
            Strube (2018), "BPEmb", https://aclanthology.org/L18-1473
        zero_digits: whether every digit is written as 0 for another model, too: so a
            number is its length, and where it stands decides what it was.

    Attributes:
        hides_digits: whether every digit is written as 0.
        language: its code.
        size: V, special ids included.
        padding_id: fills up short sentences; no token shares it.
        unknown_id: stands for what the model cannot spell.
        start_id: begins every sentence.
        end_id: ends every sentence.
        model_bytes: the SentencePiece model, as it stands in its file.

    Raises:
        InputError: the file is missing or not a SentencePiece model, or BPEmb
            does not know the language.
    """

    def __init__(
        self,
        model_file: str | Path,
        language: str,
        bpemb: bool = False,
        zero_digits: bool = False,
    ) -> None:
        self.model_file = Path(model_file)
        self.language = language_code(language)
        self.bpemb = bpemb
        self.hides_digits = bpemb or zero_digits
        if not self.model_file.is_file():
            raise InputError(f"{model_file}: expected a SentencePiece model, found no such file")
        if bpemb:
            language = bpemb_language(language)
        try:
            if bpemb:
                from bpemb import BPEmb

                self.model = BPEmb(
                    lang=language,
                    model_file=self.model_file,
                    dim=300 if language == "multi" else 100,
                    segmentation_only=True,
                    vs_fallback=False,
                ).spm
            else:
                self.model = sentencepiece.SentencePieceProcessor()
                self.model.Load(str(self.model_file))
        except RuntimeError:
            raise InputError(
                f"{model_file}: expected a SentencePiece model, found other bytes"
            ) from None
        self.model_bytes = self.model_file.read_bytes()
        self.size = self.model.get_piece_size()
        self.unknown_id = self.model.unk_id()
        self.start_id = self._special_id(self.model.bos_id())
        self.end_id = self._special_id(self.model.eos_id())
        self.padding_id = self._special_id(self.model.pad_id())
        self._names = {self.padding_id: PADDING, self.start_id: START, self.end_id: END}

    def _special_id(self, known: int) -> int:
        if known >= 0:
            return known
        self.size += 1
        return self.size - 1

    @property
    def fingerprint(self) -> str:
        """A name for all that decides how text is encoded."""
        manner = b"bpemb" if self.bpemb else b"zeros" if self.hides_digits else b""
        return sha256(self.model_bytes + manner)

    @property
    def writes_spaces(self) -> bool:
        """Whether the language has spaces between words."""
        return language_facts(self.language).has_spaces

    def plain(self, text: str) -> str:
        """A text as the model is given it and writes it: zeros, and for BPEmb small letters."""
        if not self.bpemb:
            return with_zeros(text) if self.hides_digits else text
        from bpemb import BPEmb

        return BPEmb.preprocess(text)

    def encode(self, sentences: Sequence[str]) -> list[list[int]]:
        """Ids of each sentence, between start and end; many are encoded on all cores.

        Raises:
            InputError: one is no Unicode text.
        """
        texts = [self.plain(text) for text in sentences]
        threads = ALL_CORES if len(texts) >= TOGETHER else 1
        try:
            encoded = self.model.encode(texts, num_threads=threads)
        except (UnicodeEncodeError, TypeError, RuntimeError):  # lone surrogates
            raise InputError("text: expected UTF-8, found other bytes") from None
        return [[self.start_id, *ids, self.end_id] for ids in encoded]

    def decode(self, ids: Iterable[int]) -> str:
        """Text of one sentence's ids; the special ones are left out."""
        special = (self.padding_id, self.start_id, self.end_id)
        return self.model.decode([int(i) for i in ids if i not in special])

    def parse_ids(self, line: str, name: str = "ids") -> list[int]:
        """Reads ids that are written with spaces between; ``name`` names them in errors.

        Raises:
            InputError: something there is no id of this tokenizer.
        """
        for word in line.split():
            if not (word.isascii() and word.isdigit() and int(word) < self.size):
                raise InputError(f"{name}: expected ids from 0 to {self.size - 1}, found {word!r}")
        return [int(word) for word in line.split()]

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Each id as a reader sees it: its piece, or the name of a special id."""
        return [self._names.get(int(i)) or self.model.id_to_piece(int(i)) for i in ids]

    def piece_ids(self, pieces: Iterable[str]) -> list[int]:
        """The ids of what `pieces` gives."""
        special = {name: i for i, name in self._names.items()}
        return [
            special[piece] if piece in special else self.model.piece_to_id(piece)
            for piece in pieces
        ]

    def spells(self, ids: Sequence[int]) -> bool:
        """Whether anything in ``ids`` is a piece the model has learnt from text.

        Unknown pieces and single bytes, the fallback for characters that were
        never seen, are not; neither is white space alone.
        """
        model = self.model
        special = (self.padding_id, self.start_id, self.end_id, self.unknown_id)
        return any(
            i not in special and not model.is_byte(i) and model.id_to_piece(i) != "▁" for i in ids
        )

    @property
    def control_ids(self) -> tuple[int, ...]:
        """The single bytes that are control characters, such as a line feed."""
        model = self.model
        pieces = (f"<0x{byte:02X}>" for byte in (*range(0x20), 0x7F))
        ids = (model.piece_to_id(piece) for piece in pieces)
        return tuple(i for i in ids if model.is_byte(i))


class Tokenizers(NamedTuple):
    """The tokenizers of both sides."""

    source: SubwordTokenizer
    target: SubwordTokenizer

    def save(self, folder: Path) -> None:
        """Writes both models into ``folder``, so that it needs nothing from outside."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, tokenizer in zip(FILE_NAMES, self):
            with whole_file(folder / name) as file:
                file.write(tokenizer.model_bytes)


def load_tokenizers(folder: Path, config: Config) -> Tokenizers:
    """Opens the tokenizers that `Tokenizers.save` wrote.

    Raises:
        InputError: one is missing or damaged.
    """
    return open_tokenizers((folder / FILE_NAMES[0], folder / FILE_NAMES[1]), config)


def open_tokenizers(models: tuple[Path, Path], config: Config) -> Tokenizers:
    """Opens the models of the source and the target side as a configuration says.

    Raises:
        InputError: one is missing or damaged.
    """
    languages = (config.corpus.source_language, config.corpus.target_language)
    if config.tokenizer.shared and config.tokenizer.name == "bpemb":
        languages = ("multi", "multi")
    settings = config.tokenizer
    return Tokenizers(
        *(
            SubwordTokenizer(model, language, settings.name == "bpemb", settings.zero_digits)
            for model, language in zip(models, languages)
        )
    )


def language_code(language: str) -> str:
    """The code of a language, such as ``de`` for ``deu`` or ``German``; else what was given."""
    if (
        len(language) == 2 and language.islower()
    ):  # a code already; most programs begin sooner without BPEmb
        return language
    from bpemb.available_languages import to_wikicode

    return to_wikicode.get(language, language)


def bpemb_language(language: str) -> str:
    """BPEmb's code of a language, such as ``de`` for ``de``, ``deu`` or ``German``.

    Raises:
        InputError: BPEmb does not know it; the message names the nearest ones.
    """
    from bpemb.available_languages import to_wikicode, wikicode

    if language == "multi" or language in wikicode:
        return language
    if language in to_wikicode:
        return to_wikicode[language]
    names = {name.lower(): name for name in (*wikicode, *to_wikicode)}
    nearest = difflib.get_close_matches(language.lower(), names, n=3, cutoff=0.6)
    found = [
        f"{names[n]} ({to_wikicode[names[n]]})" if names[n] in to_wikicode else n for n in nearest
    ]
    advice = f"the nearest are {', '.join(found)}" if found else "such as en, de or zh"
    raise InputError(f"{language}: expected a language of BPEmb, {advice}")
