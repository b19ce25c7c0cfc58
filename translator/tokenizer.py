"""Subword tokenizers: text to ids and back, by SentencePiece BPE models through BPEmb.

Every tokenizer has four special ids, all different: padding, unknown, start and
end. (BPEmb's own models give padding no id; the id after their last piece
becomes it. Padding with 0, as many tutorials do, erases every unknown word.)
"""

import io
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import sentencepiece
from bpemb import BPEmb

from translator.config import Config, TokenizerConfig
from translator.corpora import SentencePairs
from translator.errors import InputError
from translator.writing import whole_file

DEMO_MODELS = Path(__file__).parent / "corpora" / "demo"
FILE_NAMES = ("source.model", "target.model")


class SubwordTokenizer:
    """One side's tokenizer.

    Args:
        model_file: a SentencePiece model, such as those of BPEmb.
        language: a BPEmb language code, such as ``en``.

    Attributes:
        size: V, special ids included.
        padding_id: fills up short sentences; no token shares it.
        unknown_id: stands for what the model cannot spell.
        start_id: begins every sentence.
        end_id: ends every sentence.
        model_bytes: the SentencePiece model, as it stands in its file.

    Raises:
        InputError: the file is missing or not a SentencePiece model.
    """

    def __init__(self, model_file: str | Path, language: str) -> None:
        self.model_file = Path(model_file)
        self.language = language
        if not self.model_file.is_file():
            raise InputError(f"{model_file}: expected a SentencePiece model, found no such file")
        try:
            self.bpemb = BPEmb(
                lang=language,
                model_file=self.model_file,
                segmentation_only=True,
                preprocess=False,
                vs_fallback=False,
            )
        except RuntimeError:
            raise InputError(
                f"{model_file}: expected a SentencePiece model, found other bytes"
            ) from None
        except ValueError:
            raise InputError(
                f"{language}: expected a language code of BPEmb, such as en or de"
            ) from None
        self.model_bytes = self.model_file.read_bytes()
        pieces = self.bpemb.spm
        self.size = pieces.get_piece_size()
        self.unknown_id = pieces.unk_id()
        self.start_id = self._special_id(pieces.bos_id())
        self.end_id = self._special_id(pieces.eos_id())
        self.padding_id = self._special_id(pieces.pad_id())

    def _special_id(self, known: int) -> int:
        if known >= 0:
            return known
        self.size += 1
        return self.size - 1

    def encode(self, sentences: Sequence[str]) -> list[list[int]]:
        """Ids of each sentence, between start and end."""
        encoded = self.bpemb.encode_ids(list(sentences))
        return [[self.start_id, *ids, self.end_id] for ids in encoded]

    def decode(self, ids: Iterable[int]) -> str:
        """Text of one sentence's ids; the special ones are left out."""
        special = (self.padding_id, self.start_id, self.end_id)
        [text] = self.bpemb.decode_ids([[int(i) for i in ids if i not in special]])
        return text

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Each id as a reader sees it: its piece, or the name of a special id."""
        names = {self.padding_id: "<pad>", self.start_id: "<s>", self.end_id: "</s>"}
        return [names.get(int(i)) or self.bpemb.spm.id_to_piece(int(i)) for i in ids]

    def spells(self, ids: Sequence[int]) -> bool:
        """Whether anything in ``ids`` is a piece the model has learnt from text.

        Unknown pieces and single bytes, the fallback for characters that were
        never seen, are not; neither is white space alone.
        """
        model = self.bpemb.spm
        special = (self.padding_id, self.start_id, self.end_id, self.unknown_id)
        return any(
            i not in special and not model.is_byte(i) and model.id_to_piece(i) != "▁" for i in ids
        )

    @property
    def control_ids(self) -> tuple[int, ...]:
        """The single bytes that are control characters, such as a line feed."""
        model = self.bpemb.spm
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
    """Opens the tokenizers that `Tokenizers.save` wrote."""
    languages = (config.corpus.source_language, config.corpus.target_language)
    return Tokenizers(
        *(
            SubwordTokenizer(folder / name, language)
            for name, language in zip(FILE_NAMES, languages)
        )
    )


def prepare_tokenizers(config: Config, train: SentencePairs) -> Tokenizers:
    """A new run's tokenizers: the named ones, or newly trained ones.

    Args:
        config: names the models, or says how to train them.
        train: the sentences to train on where no models are named.

    Returns:
        The tokenizers; `Tokenizers.save` writes their models.

    Raises:
        InputError: a named model cannot be used, or the text is too small for
            the vocabulary asked for.
    """
    languages = (config.corpus.source_language, config.corpus.target_language)
    settings = config.tokenizer
    if settings.source_model and settings.target_model:
        models = (Path(settings.source_model), Path(settings.target_model))
        return Tokenizers(*map(SubwordTokenizer, models, languages))
    if config.corpus.name == "demo" and settings == TokenizerConfig():
        models = (DEMO_MODELS / "en.model", DEMO_MODELS / "de.model")
        return Tokenizers(*map(SubwordTokenizer, models, languages))
    sides = [train.sources + train.targets] if settings.shared else list(train)
    trained = [train_model(side, settings.vocab_size) for side in sides]
    with tempfile.TemporaryDirectory() as folder:
        for name, model in zip(FILE_NAMES, trained * 2 if settings.shared else trained):
            (Path(folder) / name).write_bytes(model)
        return load_tokenizers(Path(folder), config)


def train_model(sentences: Iterable[str], vocab_size: int) -> bytes:
    """Trains a cased SentencePiece BPE model with byte fallback.

    Sennrich et al. (2016), "Neural Machine Translation of Rare Words with
    Subword Units", https://arxiv.org/abs/1508.07909

    Args:
        sentences: the training text.
        vocab_size: V, the 256 bytes and 4 special ids included.

    Returns:
        The model, as it stands in its file.

    Raises:
        InputError: the text does not hold that many different pieces.
    """
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences),
            model_writer=model,
            model_type="bpe",
            vocab_size=vocab_size,
            character_coverage=0.9995,
            normalization_rule_name="nfkc",
            byte_fallback=True,
            unk_id=0,
            bos_id=1,
            eos_id=2,
            pad_id=3,
            minloglevel=2,
        )
    except RuntimeError as error:
        most = re.search(r"value <= (\d+)", str(error))
        least = re.search(r"required_chars_size\D*(\d+)", str(error))
        advice = f"; {most[1]} is the most" if most else f"; more than {least[1]}" if least else ""
        raise InputError(
            f"tokenizer.vocab_size: expected as many pieces as the training text can fill,"
            f" found {vocab_size}{advice}"
        ) from None
    return model.getvalue()
