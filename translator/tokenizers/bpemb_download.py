"""BPEmb's models, downloaded once.

Heinzerling and Strube (2018), "BPEmb", https://aclanthology.org/L18-1473
"""

from pathlib import Path

import sentencepiece
from bpemb.available_vocab_sizes import vocab_sizes

from translator.base.download import RemoteFile, fetch
from translator.base.errors import InputError
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer, bpemb_language

BPEMB = "https://nlp.h-its.org/bpemb"
BPEMB_MULTILINGUAL = "https://bpemb.h-its.org/multi"  # its multilingual models have another address
BPEMB_HASHES = {  # published hashes that were checked
    "en/en.wiki.bpe.vs10000.model": (
        "843d908206b03fe85f77b2de4220e5ad8574f343afb58bd25bad0c5087103557"
    ),
}


def bpemb_tokenizer(language: str, vocab_size: int) -> BPEmbTokenizer:
    """BPEmb's tokenizer of a language. It is downloaded unless it is cached.

    Args:
        language: as BPEmb names it: ``de``, ``deu`` or ``German``; ``multi`` for its
            multilingual model.
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
    address = f"{BPEMB_MULTILINGUAL if language == 'multi' else BPEMB}/{name}"
    return fetch(RemoteFile(f"bpemb/{name}", address, BPEMB_HASHES.get(name), check_model))


def check_vocab_size(language: str, vocab_size: int) -> None:
    """Checks that BPEmb has a model of a size; ``language`` is BPEmb's code."""
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
