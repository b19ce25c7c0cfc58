"""How often each piece of a vocabulary stands in text of the source and of the target."""

from pathlib import Path

import numpy as np

from translator.addons.explanation.embeddings import uses_by_side
from translator.base.errors import InputError
from translator.corpora import load_corpus, read_lines
from translator.runs.directory import RunDirectory
from translator.text.lexicon import Lexicon

LINES_AT_MOST = 100_000  # of a corpus; the shares of frequent pieces do not change with more


def count_uses(
    run: RunDirectory, side: str, size: int, files: tuple[Path, Path] | None = None
) -> tuple[np.ndarray | None, str]:
    """Counts pieces.

    Args:
        run: whose vocabulary it is.
        side: source or target; of two vocabularies, the counts of the other side are 0.
        size: V.
        files: of source and target; None for the training split of the run's own corpus where it is
            there, and for the words of the run's lexicon where it is not.

    Returns:
        (2, V), or None where nothing is known, and where the text was found.
    """
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    texts, origin = _texts(run, files)
    if texts is None:
        return None, origin
    if config.tokenizer.shared:
        return uses_by_side(tokenizers, texts, size), origin
    number = ("source", "target").index(side)
    counts = np.zeros((2, size), "int64")
    counts[number] = uses_by_side([tokenizers[number]], [texts[number]], size)[0]
    return counts, origin


def _texts(
    run: RunDirectory, files: tuple[Path, Path] | None
) -> tuple[tuple[list[str], list[str]] | None, str]:
    if files is not None:
        source, target = (list(read_lines(path)) for path in files)
        return (source, target), f"{files[0]} and {files[1]}"
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
    return None, "not known; give --source and --target for the colours"
