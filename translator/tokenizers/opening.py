"""Where the models of tokenizers come from, and how they are opened."""

from pathlib import Path

from translator.base.errors import InputError
from translator.config.schema import Config, TokenizerConfig
from translator.corpora import SentencePairs
from translator.tokenizers.bpemb_download import check_vocab_size, fetch_model
from translator.tokenizers.bpemb_languages import bpemb_language
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer
from translator.tokenizers.marian_tokenizer import MarianTokenizer
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer
from translator.tokenizers.special_tokens import LEARNT_MARKS
from translator.tokenizers.subword import (
    FILE_NAMES,
    VOCABULARY_NAMES,
    Tags,
    Tokenizer,
    Tokenizers,
)
from translator.tokenizers.training import find_trained, train_models


def load_tokenizers(folder: Path, config: Config) -> Tokenizers:
    """Opens the tokenizers that `Tokenizers.save` wrote."""
    models, vocabularies = (
        (folder / names[0], folder / names[1]) for names in (FILE_NAMES, VOCABULARY_NAMES)
    )
    return open_tokenizers(models, vocabularies, config.tokenizer, config.tokenizer_languages)


def open_tokenizers(
    models: tuple[Path, Path],
    vocabularies: tuple[Path, Path] | None,
    settings: TokenizerConfig,
    languages: tuple[str, str],
) -> Tokenizers:
    """Opens the models of the source and the target side.

    Args:
        vocabularies: of both sides; only ``name: marian`` needs them.
    """

    def open_one(side: int, has_start: bool, tags: Tags) -> Tokenizer:
        model, language = models[side], languages[side]
        has_masks = bool(settings.masks)
        if settings.name == "bpemb":
            return BPEmbTokenizer(model, language, has_start, tags, has_masks)
        if settings.name == "marian":
            if vocabularies is None:
                raise InputError(
                    "tokenizer.name: marian: expected source_vocabulary and target_vocabulary,"
                    " found none; name the files with the ids of the pieces"
                )
            return MarianTokenizer(model, vocabularies[side], language, has_start)
        zero_digits = settings.zero_digits
        return SentencePieceTokenizer(model, language, zero_digits, has_start, tags, has_masks)

    source, target = Tags(tuple(settings.tags)), Tags()
    if settings.shared:  # one vocabulary has the same ids on both sides
        target = source._replace(are_read=False)
    return Tokenizers(open_one(0, settings.source_start, source), open_one(1, True, target))


DEMO_MODELS = Path(__file__).parents[1] / "corpora" / "demo"
SIDES = ("source", "target")


def find_tokenizers(config: Config, corpus: str) -> Tokenizers | None:
    """Opens a new run's tokenizers, unless they must be trained first.

    Args:
        config: names models, or the tokenizer to download or to find in the cache.
        corpus: the corpus's fingerprint; a tokenizer is trained once for the same corpus and
            settings.

    Returns:
        The tokenizers; None if `train_tokenizers` must train them first.
    """
    settings, languages = config.tokenizer, config.tokenizer_languages
    if settings.model_paths is not None:
        return open_tokenizers(settings.model_paths, settings.vocabulary_paths, settings, languages)
    if settings.name == "marian":
        raise InputError(
            "tokenizer.name: marian expects models and vocabularies that exist, found none; name"
            " tokenizer.source_model, target_model, source_vocabulary and target_vocabulary, or go"
            " on from an imported model with training.init"
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
    """Trains a new run's tokenizers and opens them, with those that are downloaded.

    Raises:
        InputError: a model cannot be downloaded or used, or the text is too small
            for the vocabulary.
    """
    settings, languages = config.tokenizer, config.tokenizer_languages
    trained = train_models(settings, corpus, train, _trained_sides(settings), _required(config))
    return _add_downloads(settings, languages, trained)


def describe_stand_ins(config: Config) -> list[str]:
    """A line for the user on each model that replaces one of BPEmb's own."""
    if config.tokenizer.name != "bpemb":
        return []
    return [
        f"tokenizer: a stand-in for BPEmb's {bpemb_language(language)} model, trained on the corpus"
        " with BPEmb's settings (tokenizer.stand_in)"
        for side, language in zip(SIDES, config.tokenizer_languages)
        if side in _trained_sides(config.tokenizer)
    ]


def _trained_sides(settings: TokenizerConfig) -> tuple[str, ...]:
    if settings.name == "sentencepiece":
        return SIDES
    return tuple(side for side in SIDES if settings.stand_in in (side, "both"))


def _required(config: Config) -> str:
    """The characters that a model which is trained has pieces for, however rare they are."""
    return LEARNT_MARKS if config.data.marks else ""


def _add_downloads(
    settings: TokenizerConfig, languages: tuple[str, str], trained: dict[str, Path]
) -> Tokenizers:
    """Opens the models that were trained, and BPEmb's for the other sides."""
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
