"""Finds or trains a new run's tokenizers: from files, from BPEmb, or on the corpus."""

from pathlib import Path

from translator.base.errors import InputError
from translator.config.schema import Config, TokenizerConfig
from translator.corpora.pairs import SentencePairs
from translator.tokenizers.bpemb_download import check_vocab_size, fetch_model
from translator.tokenizers.bpemb_tokenizer import bpemb_language
from translator.tokenizers.opening import languages_of, open_tokenizers
from translator.tokenizers.special_tokens import LEARNT_MARKS
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.training import find_trained, train_models

DEMO_MODELS = Path(__file__).parents[1] / "corpora" / "demo"
SIDES = ("source", "target")


def find_tokenizers(config: Config, corpus: str) -> Tokenizers | None:
    """Opens a new run's tokenizers, unless they must be trained first.

    Args:
        config: names models, or the tokenizer to download or to find in the cache.
        corpus: the corpus's fingerprint. For the same corpus and settings, a tokenizer is trained
            only once.

    Returns:
        The tokenizers; None if `train_tokenizers` must train them first.
    """
    settings, languages = config.tokenizer, languages_of(config)
    if settings.model_paths is not None:
        return open_tokenizers(settings.model_paths, settings.vocabulary_paths, settings, languages)
    if settings.name == "marian":
        raise InputError(
            "tokenizer.name: marian: expected models and vocabularies, found none; name"
            " tokenizer.source_model, target_model, source_vocabulary and target_vocabulary, or"
            " continue the training of an imported model with training.init"
        )
    plain = TokenizerConfig(tags=settings.tags, masks=settings.masks)
    if config.corpus.name == "demo" and settings == plain and not config.data.marks:
        source, target = (DEMO_MODELS / f"{language}.model" for language in languages)
        return open_tokenizers((source, target), None, settings, languages)
    if settings.name == "bpemb":
        for language in languages:  # before anything is downloaded
            check_vocab_size(bpemb_language(language), settings.vocab_size)
    trained = find_trained(settings, corpus, _trained_sides(settings), _required(config))
    return None if trained is None else _add_downloads(settings, languages, trained)


def train_tokenizers(config: Config, corpus: str, train: SentencePairs) -> Tokenizers:
    """Trains a new run's tokenizers, and opens them together with downloaded tokenizers."""
    settings, languages = config.tokenizer, languages_of(config)
    trained = train_models(settings, corpus, train, _trained_sides(settings), _required(config))
    return _add_downloads(settings, languages, trained)


def _trained_sides(settings: TokenizerConfig) -> tuple[str, ...]:
    if settings.name == "sentencepiece":
        return SIDES
    return tuple(side for side in SIDES if settings.stand_in in (side, "both"))


def _required(config: Config) -> str:
    """The characters that must have a piece in a trained model, even if they are rare."""
    return LEARNT_MARKS if config.data.marks else ""


def _add_downloads(
    settings: TokenizerConfig, languages: tuple[str, str], trained: dict[str, Path]
) -> Tokenizers:
    """Opens the trained models, and models of BPEmb for the other sides."""
    source, target = (
        trained.get(side) or _fetch_model(settings, side, language)
        for side, language in zip(SIDES, languages)
    )
    return open_tokenizers((source, target), None, settings, languages)


def _fetch_model(settings: TokenizerConfig, side: str, language: str) -> Path:
    try:
        return fetch_model(bpemb_language(language), settings.vocab_size)
    except InputError as error:
        advice = f"; or train a stand-in with --set tokenizer.stand_in={side}"
        raise InputError(f"{error}{'' if settings.shared else advice}") from None
