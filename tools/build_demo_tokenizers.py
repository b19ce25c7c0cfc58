"""Trains the two SentencePiece models that are bundled with the demo corpus.

    python tools/build_demo_tokenizers.py

To be run again after `python -m tools.demo_grammar` has written other pairs.
"""

from translator.config.schema import CorpusConfig
from translator.corpora import load_corpus
from translator.tokenizers.sources import DEMO_MODELS
from translator.tokenizers.training import train_model

VOCAB_SIZES = {"en": 2000, "de": 2400}


def main() -> None:
    """Writes en.model and de.model."""
    train = load_corpus(CorpusConfig(name="demo")).train
    for (language, vocab_size), sentences in zip(VOCAB_SIZES.items(), train):
        path = DEMO_MODELS / f"{language}.model"
        path.write_bytes(train_model(sentences, vocab_size))
        print(f"{path}: {vocab_size:,} pieces, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
