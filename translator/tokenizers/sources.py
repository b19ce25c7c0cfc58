"""Where a new run's tokenizers come from: BPEmb, training on the corpus, or files of one's own."""

import io
import re
import shutil
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
from bpemb import BPEmb
from bpemb.available_vocab_sizes import vocab_sizes

from translator.base.cache import cached_folder, home, key_of
from translator.base.download import RemoteFile, check_member_names, fetch
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.config.schema import Config, TokenizerConfig
from translator.corpora import SentencePairs
from translator.tokenizers.subword import (
    SubwordTokenizer,
    Tokenizers,
    bpemb_language,
    open_tokenizers,
    with_zeros,
)

DEMO_MODELS = Path(__file__).parents[1] / "corpora" / "demo"
BPEMB = "https://nlp.h-its.org/bpemb"
BPEMB_MULTILINGUAL = "https://bpemb.h-its.org/multi"  # the only model that lies elsewhere
BPEMB_HASHES = {  # as published, where it could be checked
    "en/en.wiki.bpe.vs10000.model": (
        "843d908206b03fe85f77b2de4220e5ad8574f343afb58bd25bad0c5087103557"
    ),
}
SIDES = ("source", "target")
TRAINING_VERSION = 1  # to be raised when the same text comes to give another model


def prepare_tokenizers(
    config: Config, corpus: str, train: Callable[[], SentencePairs]
) -> tuple[Tokenizers, list[str]]:
    """A new run's tokenizers: downloaded, trained, or the named files.

    Args:
        config: says which.
        corpus: the corpus's fingerprint. What is trained on the same corpus with
            the same settings is trained once.
        train: gives the training side; called where something is trained on it.

    Returns:
        The tokenizers, and a line on each that the reader should know about.

    Raises:
        InputError: a model cannot be had or used, or the text is too small for
            the vocabulary asked for.
    """
    settings = config.tokenizer
    notes = []
    if settings.source_model and settings.target_model:
        models = (Path(settings.source_model), Path(settings.target_model))
    elif config.corpus.name == "demo" and settings == TokenizerConfig():
        languages = (config.corpus.source_language, config.corpus.target_language)
        models = tuple(DEMO_MODELS / f"{language}.model" for language in languages)
    elif settings.name == "sentencepiece":
        models = tuple(_trained_models(settings, corpus, train, SIDES).values())
    else:
        for side in SIDES:  # before anything is downloaded
            _check_size(_language(config, side), settings.vocab_size)
        stood_in = tuple(side for side in SIDES if settings.stand_in in (side, "both"))
        trained = _trained_models(settings, corpus, train, stood_in)
        models = tuple(trained.get(side) or _fetch_side(config, side) for side in SIDES)
        for side in stood_in:
            notes.append(
                f"tokenizer: a stand-in for BPEmb's {_language(config, side)} model, trained on the"
                " corpus to BPEmb's settings (tokenizer.stand_in)"
            )
    return open_tokenizers(models, config), notes


def load_vectors(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """BPEmb's vectors for the pieces of the source and the target side.

    Returns:
        Two arrays (pieces, D), float32, in the order of the pieces.

    Raises:
        InputError: they cannot be had.
    """
    return tuple(_load_vectors(config, side) for side in SIDES)


def _load_vectors(config: Config, side: str) -> np.ndarray:
    language, size, dim = _language(config, side), config.tokenizer.vocab_size, config.model.d_model
    name = f"{language}/{language}.wiki.bpe.vs{size}.d{dim}.w2v.bin"
    model = _fetch_model(language, size)
    file = home() / "bpemb" / name
    if not file.is_file():
        archive = fetch(_remote(f"{name}.tar.gz", check=_check_vectors))
        try:
            _unpack_vectors(archive, file)
        except InputError as error:
            raise InputError(f"{archive}: {error}; remove it to get it anew") from None
        archive.unlink()
    try:
        embedding = BPEmb(
            lang=language, model_file=model, emb_file=file, dim=dim, vs_fallback=False
        )
    except (EOFError, ValueError, AssertionError):  # gensim's and BPEmb's of a damaged file
        raise InputError(
            f"{file}: expected BPEmb's vectors, found a damaged file; remove it to get it anew"
        ) from None
    if len(embedding.vectors) != embedding.vocab_size:
        raise InputError(
            f"{file}: expected {embedding.vocab_size:,} vectors, as many as pieces, found"
            f" {len(embedding.vectors):,}; remove it to get it anew"
        )
    return np.array(embedding.vectors, np.float32)


def _check_vectors(path: Path) -> None:
    _read_vectors(path, lambda file: None)


def _unpack_vectors(archive: Path, target: Path) -> None:
    def copy(content: io.BufferedReader) -> None:
        with whole_file(target) as file:
            while block := content.read(1 << 20):
                file.write(block)

    _read_vectors(archive, copy)


def _read_vectors(path: Path, use: Callable[[io.BufferedReader], None]) -> None:
    """Hands over the one file of an archive; nothing is written by the archive's names."""
    try:
        with tarfile.open(path, "r:gz") as archive:
            members = archive.getmembers()
            check_member_names([member.name for member in members])
            files = [member for member in members if member.isreg()]
            if len(files) != 1:
                raise InputError(f"expected one file in the archive, found {len(files)}")
            use(archive.extractfile(files[0]))
    except (tarfile.TarError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputError("expected a whole .tar.gz archive, found one cut short") from None


def bpemb_tokenizer(language: str, vocab_size: int) -> SubwordTokenizer:
    """BPEmb's tokenizer of a language, downloaded unless it is cached.

    Args:
        language: as BPEmb names it: ``de``, ``deu`` or ``German``; ``multi`` for all.
        vocab_size: one that BPEmb has for it.

    Raises:
        InputError: BPEmb has no such model, or it cannot be had.
    """
    language = bpemb_language(language)
    return SubwordTokenizer(_fetch_model(language, vocab_size), language, bpemb=True)


def _fetch_model(language: str, vocab_size: int) -> Path:
    _check_size(language, vocab_size)
    name = f"{language}/{language}.wiki.bpe.vs{vocab_size}.model"
    return fetch(_remote(name, BPEMB_HASHES.get(name), _check_model))


def _check_size(language: str, vocab_size: int) -> None:
    sizes = sorted(vocab_sizes.get(language, ()))
    if vocab_size not in sizes:
        known = f"{', '.join(map(str, sizes))} pieces" if sizes else "no models"
        raise InputError(f"vocabulary size: BPEmb has {known} for {language}, found {vocab_size}")


def _fetch_side(config: Config, side: str) -> Path:
    try:
        return _fetch_model(_language(config, side), config.tokenizer.vocab_size)
    except InputError as error:
        advice = f"; or train a stand-in with --set tokenizer.stand_in={side}"
        raise InputError(f"{error}{'' if config.tokenizer.shared else advice}") from None


def _remote(name: str, sha256: str | None = None, check: Callable | None = None) -> RemoteFile:
    base = BPEMB_MULTILINGUAL if name.startswith("multi/") else BPEMB
    return RemoteFile(f"bpemb/{name}", f"{base}/{name}", sha256, check)


def _check_model(path: Path) -> None:
    try:
        sentencepiece.SentencePieceProcessor().Load(str(path))
    except RuntimeError:
        raise InputError("expected a SentencePiece model, found other bytes") from None


def _language(config: Config, side: str) -> str:
    if config.tokenizer.shared:
        return "multi"
    return bpemb_language(getattr(config.corpus, f"{side}_language"))


def _trained_models(
    settings: TokenizerConfig,
    corpus: str,
    train: Callable[[], SentencePairs],
    sides: tuple[str, ...],
) -> dict[str, Path]:
    """The paths of models trained on those sides of the corpus."""
    if not sides:
        return {}
    train_one = train_stand_in if settings.name == "bpemb" else train_model

    def build(folder: Path) -> None:
        pairs = train()
        texts = {side: getattr(pairs, f"{side}s") for side in sides}
        if settings.shared:
            texts = {sides[0]: pairs.sources + pairs.targets}
        if settings.zero_digits:
            texts = {side: map(with_zeros, text) for side, text in texts.items()}
        models = {side: train_one(text, settings.vocab_size) for side, text in texts.items()}
        for side in sides:
            model = models.get(side, models[sides[0]])
            (folder / f"{side}.model").write_bytes(model)

    key = key_of([TRAINING_VERSION, corpus, settings.model_dump()])
    for _ in range(2):
        folder = cached_folder("tokenizers", key, build)
        paths = {side: folder / f"{side}.model" for side in sides}
        try:
            for path in paths.values():
                _check_model(path)
            break
        except (InputError, OSError):  # damaged; they are trained anew
            shutil.rmtree(folder)
    return paths


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
    options = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": 3, "byte_fallback": True}
    options["normalization_rule_name"] = "identity"  # or "，" comes back as ",", "½" as "1⁄2"
    return _train(sentences, vocab_size, options)


def train_stand_in(sentences: Iterable[str], vocab_size: int) -> bytes:
    """Trains a model to BPEmb's settings: lower-case, digits as 0, no byte fallback.

    Args:
        sentences: the training text; it is preprocessed as by BPEmb.
        vocab_size: V, BPEmb's 3 special ids included.

    Returns:
        The model, as it stands in its file.

    Raises:
        InputError: the text does not hold that many different pieces.
    """
    options = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}
    options["normalization_rule_name"] = "nfkc"
    return _train(map(BPEmb.preprocess, sentences), vocab_size, options)


def _train(sentences: Iterable[str], vocab_size: int, options: dict[str, Any]) -> bytes:
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences),
            model_writer=model,
            model_type="bpe",
            vocab_size=vocab_size,
            character_coverage=0.9995,
            minloglevel=2,
            **options,
        )
    except RuntimeError as error:
        most = re.search(r"value <= (\d+)", str(error))
        least = re.search(r"required_chars\D*\d+ vs (\d+)", str(error))
        advice = (
            f"; {most[1]} is the most" if most else f"; {least[1]} is the least" if least else ""
        )
        raise InputError(
            "tokenizer.vocab_size: expected room for every character of the training text, and as"
            f" many pieces as it can fill, found {vocab_size}{advice}"
        ) from None
    return model.getvalue()
