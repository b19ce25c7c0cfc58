"""A text for the tests of tokenizers, and what prepares tokenizers of it."""

from translator.config.yaml_file import validate_config
from translator.corpora.pairs import SentencePairs
from translator.tokenizers.sources import find_tokenizers, train_tokenizers

TEXT = tuple(
    f"Der Hund Nummer {i} sieht die große Katze, das Übel und {i * 7} Bücher." for i in range(60)
)


def configure(tokenizer: dict, **sections):
    """A configuration with that tokenizer section."""
    values = {"corpus": {"train": {"tsv": "a"}}, "data": {"batch_size": 4}, "tokenizer": tokenizer}
    return validate_config(values | sections, "here")


PAIRS = SentencePairs(tuple(map(str.upper, TEXT)), TEXT)


def prepare(config, pairs=PAIRS):
    """Tokenizers of a corpus that is called "key"."""
    return find_tokenizers(config, "key") or train_tokenizers(config, "key", pairs)
