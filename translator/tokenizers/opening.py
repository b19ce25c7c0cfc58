"""Opens the tokenizers of both sides, of the kind that a configuration names."""

from pathlib import Path
from typing import TYPE_CHECKING

from translator.base.errors import InputError
from translator.tokenizers.marian_tokenizer import MarianTokenizer
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer, Tags
from translator.tokenizers.subword import FILE_NAMES, VOCABULARY_NAMES, Tokenizer, Tokenizers

if TYPE_CHECKING:
    from translator.config.schema import Config, TokenizerConfig


def languages_of(config: "Config") -> tuple[str, str]:
    """The languages of the two tokenizers; ``multi`` for BPEmb's shared tokenizer."""
    if config.tokenizer.shared and config.tokenizer.name == "bpemb":
        return "multi", "multi"
    return config.corpus.source_language, config.corpus.target_language


def load_tokenizers(folder: Path, config: "Config") -> Tokenizers:
    """Opens the tokenizers that `Tokenizers.save` wrote."""
    models, vocabularies = (
        (folder / names[0], folder / names[1]) for names in (FILE_NAMES, VOCABULARY_NAMES)
    )
    return open_tokenizers(models, vocabularies, config.tokenizer, languages_of(config))


def open_tokenizers(
    models: tuple[Path, Path],
    vocabularies: tuple[Path, Path] | None,
    settings: "TokenizerConfig",
    languages: tuple[str, str],
) -> Tokenizers:
    """Opens the models of the source and the target side.

    Args:
        vocabularies: the files of both sides. Only ``name: marian`` needs them.
    """

    def open_one(side: int, has_start: bool, tags: Tags) -> Tokenizer:
        model, language = models[side], languages[side]
        has_masks = bool(settings.masks)
        if settings.name == "bpemb":
            from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer

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
