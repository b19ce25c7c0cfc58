"""Opens the models of both sides as the tokenizers that a configuration describes."""

from pathlib import Path

from translator.config.schema import Config
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer
from translator.tokenizers.subword import FILE_NAMES, Tokenizer, Tokenizers


def load_tokenizers(folder: Path, config: Config) -> Tokenizers:
    """Opens the tokenizers that `Tokenizers.save` wrote.

    Raises:
        InputError: one is missing or damaged.
    """
    return open_tokenizers((folder / FILE_NAMES[0], folder / FILE_NAMES[1]), config)


def open_tokenizers(models: tuple[Path, Path], config: Config) -> Tokenizers:
    """Opens the models of the source and the target side.

    Raises:
        InputError: one is missing or damaged.
    """

    def open_one(model: Path, language: str) -> Tokenizer:
        if config.tokenizer.name == "bpemb":
            return BPEmbTokenizer(model, language)
        return SentencePieceTokenizer(model, language, config.tokenizer.zero_digits)

    return Tokenizers(*map(open_one, models, config.tokenizer_languages))
