"""How often each piece of a vocabulary stands in text of the source and of the target."""

from collections.abc import Sequence

import numpy as np

from translator.base.errors import InputError
from translator.corpora import load_corpus
from translator.runs.directory import RunDirectory
from translator.text.lexicon import Lexicon
from translator.tokenizers.subword import SIDES, Tokenizer

LINES_AT_MOST = 100_000  # of a corpus; the shares of frequent pieces do not change with more


def count_uses(run: RunDirectory, side: str, size: int) -> tuple[np.ndarray | None, str]:
    """Counts pieces in the training split of a run, or else in the words of its lexicon.

    Args:
        run: whose vocabulary it is.
        side: source or target; of two vocabularies, the counts of the other side are 0.
        size: V.

    Returns:
        (2, V), or None where nothing is known, and where the text was found.
    """
    config = run.read_config()
    texts, origin = _texts(run)
    if texts is None:
        return None, origin
    only = None if config.tokenizer.shared else side
    return uses_by_side(run.read_tokenizers(config), texts, size, only), origin


def uses_by_side(
    tokenizers: Sequence[Tokenizer], texts: Sequence[Sequence[str]], size: int, only: str | None
) -> np.ndarray:
    """(2, V) how often each id stands in the texts of the two sides.

    Args:
        tokenizers: of source and target.
        texts: of source and target.
        size: V.
        only: the side that is counted; None if both have one vocabulary.
    """
    counts = np.zeros((2, size), "int64")
    for count, name, tokenizer, lines in zip(counts, SIDES, tokenizers, texts):
        if only in (None, name):
            for ids in tokenizer.encode(list(lines)):
                np.add.at(count, list(ids), 1)
    return counts


def _texts(run: RunDirectory) -> tuple[tuple[list[str], list[str]] | None, str]:
    config = run.read_config()
    if config.corpus.name != "none":
        try:
            train = load_corpus(config.corpus, config.tokenizer.tags).train
        except InputError:  # it is not on this machine
            pass
        else:
            sources, targets = (list(texts)[:LINES_AT_MOST] for texts in train)
            return (sources, targets), f"{len(sources):,} training pairs of {config.corpus.name}"
    lexicon = Lexicon.load(run.lexicon)
    if lexicon.translations:
        words = [word for its in lexicon.translations.values() for word in its]
        return (list(lexicon.translations), words), f"the words of {run.lexicon.name}"
    return None, "not known, so points have no colours"
