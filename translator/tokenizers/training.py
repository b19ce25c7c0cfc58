"""Trains SentencePiece models on a corpus, and keeps them in the cache."""

import io
import itertools
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import sentencepiece
from bpemb import BPEmb
from sentencepiece import sentencepiece_model_pb2

from translator.base.cache import cached_folder, home, key_of
from translator.base.errors import InputError
from translator.config.schema import TokenizerConfig
from translator.corpora.pairs import SentencePairs
from translator.tokenizers.bpemb_download import check_model
from translator.tokenizers.sentencepiece_tokenizer import with_zeros
from translator.tokenizers.special_tokens import (
    APART,
    BPEMB_IDS,
    TRAINED_IDS,
    WORD_START,
    set_apart,
)

LONGEST = 4192  # most bytes of a sentence that SentencePiece uses
UNKNOWN_MARK = "▅"  # SentencePiece's own mark
KIND = "tokenizers"  # the folder of the cache
LEARNT_FROM = 20  # fewest words with a letter that gets a piece
TRAINING_VERSION = 2  # raise it when the same text gives another model


def find_trained(
    settings: TokenizerConfig, corpus: str, sides: tuple[str, ...], required: str = ""
) -> dict[str, Path] | None:
    """Finds models in the cache that were trained on some sides of a corpus.

    Args:
        sides: of ``source`` and ``target``.
        required: characters that have a piece each, however rare they are.

    Returns:
        Each side's path; None if a model is missing or damaged.
    """
    folder = home() / KIND / _key(settings, corpus, required)
    paths = {side: folder / f"{side}.model" for side in sides}
    try:
        for path in paths.values():
            check_model(path)
    except (InputError, OSError):
        return None
    return paths


def train_models(
    settings: TokenizerConfig,
    corpus: str,
    train: SentencePairs,
    sides: tuple[str, ...],
    required: str = "",
) -> dict[str, Path]:
    """Trains a model for each of some sides of a corpus, or one for both.

    Args:
        sides: of ``source`` and ``target``.
        required: characters that have a piece each, however rare they are.

    Returns:
        Each side's path in the cache.
    """
    train_one = train_stand_in if settings.name == "bpemb" else train_model

    def build(folder: Path) -> None:
        texts: dict[str, Iterable[str]] = {side: getattr(train, f"{side}s") for side in sides}
        if settings.shared:
            texts = {sides[0]: itertools.chain(*train)}
        if settings.zero_digits:
            texts = {side: map(with_zeros, text) for side, text in texts.items()}
        models = {
            side: train_one(text, settings.vocab_size, required) for side, text in texts.items()
        }
        for side in sides:
            (folder / f"{side}.model").write_bytes(models.get(side, models[sides[0]]))

    key = _key(settings, corpus, required)
    shutil.rmtree(home() / KIND / key, ignore_errors=True)  # an existing model is damaged
    folder = cached_folder(KIND, key, build)
    return {side: folder / f"{side}.model" for side in sides}


def _key(settings: TokenizerConfig, corpus: str, required: str) -> str:
    values = settings.model_dump(exclude={"masks"} if settings.tags else {"masks", "tags"})
    return key_of(
        [TRAINING_VERSION, corpus, values, *([required, APART.decode()] if required else [])]
    )


def train_model(sentences: Iterable[str], vocab_size: int, required: str = "") -> bytes:
    """Trains a cased SentencePiece BPE model with byte fallback.

    Sennrich et al. (2016), "Neural Machine Translation of Rare Words with
    Subword Units", https://arxiv.org/abs/1508.07909

    Args:
        vocab_size: V, the 256 bytes and 4 special ids included.
        required: characters that get a piece each, even if they are rare. If there are any, letters
            that are not very rare also get a piece, and opening marks are set apart; see
            `opening_marks`.

    Returns:
        The content of the model's file.
    """
    return train_bpe(
        map(set_apart, sentences) if required else sentences,
        vocab_size,
        APART.decode() if required else "",
        LEARNT_FROM,
        required_chars=required,
        **TRAINED_IDS,
        byte_fallback=True,
        normalization_rule_name="identity",  # otherwise "，" becomes ",", and "½" becomes "1⁄2"
    )


def train_stand_in(sentences: Iterable[str], vocab_size: int, required: str = "") -> bytes:
    """Trains a model with BPEmb's settings: lower-case, digits as 0, no byte fallback.

    Args:
        sentences: the training text. It is preprocessed like BPEmb's.
        vocab_size: V, BPEmb's 3 special ids included.

    Returns:
        The content of the model's file.
    """
    texts = map(BPEmb.preprocess, sentences)
    return train_bpe(
        texts,
        vocab_size,
        required_chars=required,
        **BPEMB_IDS,
        normalization_rule_name="nfkc",
    )


def train_bpe(
    sentences: Iterable[str],
    vocab_size: int,
    note: str = "",
    learnt_from: int = 0,
    /,
    **options: Any,
) -> bytes:
    """Trains on the sentences' different words and their counts. BPE needs nothing else.

    SentencePiece itself would keep all sentences in memory. The model is the same, byte by byte.

    Args:
        learnt_from: letters in at least this many words are also required; 0 for none.

    Returns:
        The content of the model's file.
    """
    model = io.BytesIO()
    words = _count_words(sentences)
    if learnt_from:
        options["required_chars"] += _frequent_letters(words, learnt_from)
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=map("{0[0]}\t{0[1]}".format, words.items()),
            input_format="tsv",
            model_writer=model,
            model_type="bpe",
            vocab_size=vocab_size,
            character_coverage=0.9995,
            minloglevel=2,
            **options,
        )
    except RuntimeError as error:
        upper = re.search(r"value <= (\d+)", str(error))
        lower = re.search(r"required_chars\D*\d+ vs (\d+)", str(error))
        advice = f"; use at least {lower[1]}" if lower else ""
        advice = f"; use at most {upper[1]}" if upper else advice
        raise InputError(
            "tokenizer.vocab_size: expected a piece for each character of the training text, and no"
            f" more pieces than the text has, found {vocab_size}{advice}"
        ) from None
    content = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    content.trainer_spec.ClearField("input_format")
    if note:
        content.trainer_spec.model_prefix = note  # nothing else reads this field
    return bytes(content.SerializeToString())


def _frequent_letters(words: Counter[str], least: int) -> str:
    """The letters that occur in at least ``least`` words, in order."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for letter in set(filter(str.isalpha, word)):
            counts[letter] += count
    return "".join(sorted(letter for letter in counts if counts[letter] >= least))


def _count_words(sentences: Iterable[str]) -> Counter[str]:
    """Counts the words of sentences, divided in the same way as by SentencePiece.

    SentencePiece leaves out sentences that are too long or have its own mark for unknown
    characters. A sentence with its mark for spaces stays whole; SentencePiece divides it.
    """
    counts = Counter(itertools.chain.from_iterable(_divide(sentences)))
    del counts[""]
    return counts


def _divide(sentences: Iterable[str]) -> Iterator[Sequence[str]]:
    for sentence in sentences:
        text = sentence.rstrip("\r\n")
        if UNKNOWN_MARK not in text and (4 * len(text) <= LONGEST or len(text.encode()) <= LONGEST):
            yield (text,) if WORD_START in text else text.split(" ")
