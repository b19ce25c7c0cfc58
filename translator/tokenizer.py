"""Subword tokenizers: text to ids and back, by SentencePiece BPE models through BPEmb.

Every tokenizer has four special ids, all different: padding, unknown, start and
end. (BPEmb's own models give padding no id; the id after their last piece
becomes it. Padding with 0, as many tutorials do, erases every unknown word.)
"""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import sentencepiece
from bpemb import BPEmb

from translator.config import Config
from translator.corpora import SentencePairs
from translator.errors import InputError

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
    def model_bytes(self) -> bytes:
        """The SentencePiece model, as it stands in its file."""
        return self.model_file.read_bytes()


class Tokenizers(NamedTuple):
    """The tokenizers of both sides."""

    source: SubwordTokenizer
    target: SubwordTokenizer

    def save(self, folder: Path) -> None:
        """Writes both models into ``folder``, so that it needs nothing from outside."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, tokenizer in zip(FILE_NAMES, self):
            (folder / name).write_bytes(tokenizer.model_bytes)


def load_tokenizers(folder: Path, config: Config) -> Tokenizers:
    """Opens the tokenizers that `Tokenizers.save` wrote."""
    languages = (config.corpus.source_language, config.corpus.target_language)
    return Tokenizers(
        *(
            SubwordTokenizer(folder / name, language)
            for name, language in zip(FILE_NAMES, languages)
        )
    )


def prepare_tokenizers(config: Config, train: SentencePairs, folder: Path) -> Tokenizers:
    """Puts a run's tokenizers into ``folder``: the named ones, or newly trained ones.

    Args:
        config: names the models, or says how to train them.
        train: the sentences to train on where no models are named.
        folder: where the two models go.

    Returns:
        The tokenizers, opened from ``folder``.

    Raises:
        InputError: a named model cannot be used, or the text is too small for
            the vocabulary asked for.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings = config.tokenizer
    if settings.source_model and settings.target_model:
        named = (Path(settings.source_model), Path(settings.target_model))
    elif config.corpus.name == "demo":
        named = (DEMO_MODELS / "en.model", DEMO_MODELS / "de.model")
    else:
        named = None
    if named:
        languages = (config.corpus.source_language, config.corpus.target_language)
        Tokenizers(*map(SubwordTokenizer, named, languages)).save(folder)
    else:
        sides = [train.sources + train.targets] * 2 if settings.shared else list(train)
        models = [train_model(sides[0], settings.vocab_size)]
        models.append(models[0] if settings.shared else train_model(sides[1], settings.vocab_size))
        for name, model in zip(FILE_NAMES, models):
            (folder / name).write_bytes(model)
    return load_tokenizers(folder, config)


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
        raise InputError(
            f"tokenizer.vocab_size: the training text cannot fill {vocab_size} pieces"
            f" ({str(error).splitlines()[-1].strip()}); lower it"
        ) from None
    return model.getvalue()
