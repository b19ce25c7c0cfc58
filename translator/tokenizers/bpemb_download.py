"""BPEmb's models and vectors, downloaded once.

Heinzerling and Strube (2018), "BPEmb", https://aclanthology.org/L18-1473
"""

import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

import numpy as np
import sentencepiece
from bpemb import BPEmb
from bpemb.available_vocab_sizes import vocab_sizes

from translator.base.cache import home
from translator.base.download import RemoteFile, fetch
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.config.schema import Config
from translator.tokenizers.bpemb_languages import bpemb_language
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer

BPEMB = "https://nlp.h-its.org/bpemb"
BPEMB_MULTILINGUAL = "https://bpemb.h-its.org/multi"  # its multilingual models have another address
BPEMB_HASHES = {  # as published, where it could be checked
    "en/en.wiki.bpe.vs10000.model": (
        "843d908206b03fe85f77b2de4220e5ad8574f343afb58bd25bad0c5087103557"
    ),
}


def bpemb_tokenizer(language: str, vocab_size: int) -> BPEmbTokenizer:
    """BPEmb's tokenizer of a language, downloaded unless it is cached.

    Args:
        language: as BPEmb names it: ``de``, ``deu`` or ``German``; ``multi`` for its
            multilingual model.

    Raises:
        InputError: BPEmb has no such model, or it cannot be downloaded.
    """
    language = bpemb_language(language)
    return BPEmbTokenizer(fetch_model(language, vocab_size), language)


def fetch_model(language: str, vocab_size: int) -> Path:
    """Downloads a model unless it is cached; ``language`` is BPEmb's code.

    Raises:
        InputError: BPEmb has no such model, or it cannot be downloaded.
    """
    check_vocab_size(language, vocab_size)
    name = f"{language}/{language}.wiki.bpe.vs{vocab_size}.model"
    return fetch(_remote(name, BPEMB_HASHES.get(name), check_model))


def check_vocab_size(language: str, vocab_size: int) -> None:
    """Checks that BPEmb has a model of a size; ``language`` is BPEmb's code.

    Raises:
        InputError: it has none; the message lists the sizes that it has.
    """
    sizes = sorted(vocab_sizes.get(language, ()))
    if vocab_size not in sizes:
        known = f"{', '.join(map(str, sizes))} pieces" if sizes else "no models"
        raise InputError(f"vocabulary size: BPEmb has {known} for {language}, found {vocab_size}")


def check_model(path: Path) -> None:
    """Checks that a file is a SentencePiece model."""
    try:
        sentencepiece.SentencePieceProcessor().Load(str(path))
    except RuntimeError:
        raise InputError("expected a SentencePiece model, found other bytes") from None


def load_vectors(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """BPEmb's vectors for the pieces of the source and the target side.

    Returns:
        Two arrays (pieces, D), float32, in the order of the pieces.
    """
    source, target = map(bpemb_language, config.tokenizer_languages)
    size, dim = config.tokenizer.vocab_size, config.model.d_model
    return _load_vectors(source, size, dim), _load_vectors(target, size, dim)


def _load_vectors(language: str, size: int, dim: int) -> np.ndarray:
    name = f"{language}/{language}.wiki.bpe.vs{size}.d{dim}.w2v.bin"
    model = fetch_model(language, size)
    file = home() / "bpemb" / name
    if not file.is_file():
        archive = fetch(_remote(f"{name}.tar.gz"))
        try:
            _unpack_vectors(archive, file)
        except InputError:  # otherwise the next try need not download it again
            archive.unlink()
            raise
        archive.unlink()
    try:
        embedding = BPEmb(
            lang=language, model_file=model, emb_file=file, dim=dim, vs_fallback=False
        )
    except (EOFError, ValueError, AssertionError):  # gensim and BPEmb raise these
        raise InputError(
            f"{file}: expected BPEmb's vectors, found a damaged file; remove it"
        ) from None
    if len(embedding.vectors) != embedding.vocab_size:
        raise InputError(
            f"{file}: expected {embedding.vocab_size:,} vectors, as many as pieces, found"
            f" {len(embedding.vectors):,}; remove it"
        )
    return np.array(embedding.vectors, np.float32)


def _unpack_vectors(archive: Path, target: Path) -> None:
    """Writes the one file of an archive, whatever its name is there."""
    try:
        with tarfile.open(archive, "r:gz") as opened:
            [content] = [opened.extractfile(each) for each in opened if each.isreg()]
            with whole_file(target) as file:
                shutil.copyfileobj(cast(IO[bytes], content), file)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputError(
            f"{archive.name}: expected a complete .tar.gz archive of one file, found another;"
            " try again"
        ) from None


def _remote(
    name: str, sha256: str | None = None, check: Callable[[Path], None] | None = None
) -> RemoteFile:
    base = BPEMB_MULTILINGUAL if name.startswith("multi/") else BPEMB
    return RemoteFile(f"bpemb/{name}", f"{base}/{name}", sha256, check)
