"""Where a new run's tokenizers come from: files, BPEmb, or training on the corpus."""

from pathlib import Path

from translator.base.errors import InputError
from translator.config.schema import Config, TokenizerConfig
from translator.corpora import SentencePairs
from translator.tokenizers.bpemb_download import check_vocab_size, fetch_model
from translator.tokenizers.bpemb_languages import bpemb_language
from translator.tokenizers.opening import open_tokenizers
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.training import find_trained, train_models

DEMO_MODELS = Path(__file__).parents[1] / "corpora" / "demo"
SIDES = ("source", "target")


def find_tokenizers(config: Config, corpus: str) -> Tokenizers | None:
    """A new run's tokenizers, if no training is needed: named files, bundled, cached, downloaded.

    Args:
        config: says which.
        corpus: the corpus's fingerprint; what is trained on the same corpus with
            the same settings is trained once.

    Returns:
        The tokenizers; None if `train_tokenizers` must train them first.

    Raises:
        InputError: a model cannot be downloaded or used.
    """
    if config.tokenizer_models is not None:
        return open_tokenizers(config.tokenizer_models, config)
    if config.corpus.name == "demo" and config.tokenizer == TokenizerConfig():
        source, target = (DEMO_MODELS / f"{code}.model" for code in config.corpus.languages)
        return open_tokenizers((source, target), config)
    if config.tokenizer.name == "bpemb":
        for language in config.tokenizer_languages:  # before anything is downloaded
            check_vocab_size(bpemb_language(language), config.tokenizer.vocab_size)
    trained = find_trained(config.tokenizer, corpus, _trained_sides(config))
    if trained is None:
        return None
    source, target = (
        trained.get(side) or _fetch_model(config, side, language)
        for side, language in zip(SIDES, config.tokenizer_languages)
    )
    return open_tokenizers((source, target), config)


def train_tokenizers(config: Config, corpus: str, train: SentencePairs) -> Tokenizers:
    """Trains what `find_tokenizers` lacks, and opens a new run's tokenizers.

    Args:
        config: says which.
        corpus: the corpus's fingerprint.
        train: the training split.

    Raises:
        InputError: a model cannot be downloaded or used, or the text is too small
            for the vocabulary.
    """
    train_models(config.tokenizer, corpus, train, _trained_sides(config))
    found = find_tokenizers(config, corpus)
    if found is None:
        raise RuntimeError("the models that were just trained cannot be read")
    return found


def describe_stand_ins(config: Config) -> list[str]:
    """A line on each model that stands in for BPEmb's own."""
    if config.tokenizer.name != "bpemb":
        return []
    return [
        f"tokenizer: a stand-in for BPEmb's {bpemb_language(language)} model, trained on the corpus"
        " with BPEmb's settings (tokenizer.stand_in)"
        for side, language in zip(SIDES, config.tokenizer_languages)
        if side in _trained_sides(config)
    ]


def _trained_sides(config: Config) -> tuple[str, ...]:
    if config.tokenizer.name == "sentencepiece":
        return SIDES
    return tuple(side for side in SIDES if config.tokenizer.stand_in in (side, "both"))


def _fetch_model(config: Config, side: str, language: str) -> Path:
    try:
        return fetch_model(bpemb_language(language), config.tokenizer.vocab_size)
    except InputError as error:
        advice = f"; or train a stand-in with --set tokenizer.stand_in={side}"
        raise InputError(f"{error}{'' if config.tokenizer.shared else advice}") from None
