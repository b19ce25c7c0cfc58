"""Opens the models of both sides as the tokenizers that a configuration describes."""

from pathlib import Path

from translator.config.schema import Config, TokenizerConfig
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer
from translator.tokenizers.subword import FILE_NAMES, Tokenizer, Tokenizers


def load_tokenizers(folder: Path, config: Config) -> Tokenizers:
    """Opens the tokenizers that `Tokenizers.save` wrote.

    Raises:
        InputError: one is missing or damaged.
    """
    models = folder / FILE_NAMES[0], folder / FILE_NAMES[1]
    return open_tokenizers(models, config.tokenizer, config.tokenizer_languages)


def open_tokenizers(
    models: tuple[Path, Path], settings: TokenizerConfig, languages: tuple[str, str]
) -> Tokenizers:
    """Opens the models of the source and the target side.

    Raises:
        InputError: one is missing or damaged.
    """

    def open_one(model: Path, language: str) -> Tokenizer:
        if settings.name == "bpemb":
            return BPEmbTokenizer(model, language)
        return SentencePieceTokenizer(model, language, settings.zero_digits)

    return Tokenizers(*map(open_one, models, languages))
