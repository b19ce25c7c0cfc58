"""Pairs that are trained on in addition to the corpus: synthetic, noisy, words and phrases."""

from collections.abc import Callable, Iterator

from translator.config.schema import Config
from translator.corpora import Corpus, SentencePairs, drop_held_out, read_synthetic
from translator.data.noise import make_noisy_copies
from translator.data.phrase_pairs import find_phrase_pairs
from translator.data.word_links import WordLinks


def without_added_pairs(config: Config) -> Config:
    """The configuration of the corpus alone, for what needs only its validation split."""
    corpus = config.corpus.model_copy(update={"synthetic": None})
    data = config.data.model_copy(update={"noise": 0.0, "word_pairs": False})
    return config.model_copy(update={"corpus": corpus, "data": data})


def added_pairs(
    corpus: Corpus, config: Config, links: WordLinks
) -> Iterator[tuple[str, SentencePairs]]:
    """The pairs that a configuration adds to a training split, none of them held out.

    Args:
        corpus: the cleaned corpus.
        config: says what is added.
        links: of the words of the training split.

    Yields:
        A name for the user and at least one pair, for each kind of pairs.

    Raises:
        InputError: a file of synthetic pairs cannot be read.
    """
    kinds: list[tuple[str, Callable[[], SentencePairs]]] = []
    if config.corpus.synthetic is not None:
        kinds.append(("synthetic", lambda: read_synthetic(config.corpus, corpus)))
    if config.data.noise:
        kinds.append(
            (
                "noisy copies",
                lambda: make_noisy_copies(corpus.train, config.data.noise, config.corpus.languages),
            )
        )
    if config.data.word_pairs:
        kinds.append(
            (
                "words and phrases",
                lambda: find_phrase_pairs(corpus.train, links, config.corpus.languages[0]),
            )
        )
    held_out = corpus.held_out if config.corpus.cleaning.drop_held_out else []
    for name, make in kinds:
        pairs, _ = drop_held_out(make(), held_out, {})
        if pairs:
            yield name, pairs
