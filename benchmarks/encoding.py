"""Prepares synthetic pairs for training in a fresh process, and measures its memory and time.

    python benchmarks/encoding.py --pairs 1000000 10000000

Words are as frequent as Zipf's law says, sentences have 3 to 17 of them, and a twentieth of the
pairs repeats an earlier one. A SentencePiece model is trained.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import harness
import numpy as np

from translator.cli import errors_as_one_line

VOCABULARY = 1_000_000  # words of each language, unless there are few pairs
EXPONENT = 1.2  # of Zipf's law
REPEATED = 0.05  # share of the pairs that are as an earlier one
CHUNK = 50_000  # pairs that are made at a time
SYLLABLES = [c + v for c in (*"bdfghklmnprstwz", "sch", "st", "tr") for v in "aeiou"]
CONFIG = """
corpus: {{train: {{tsv: {pairs}}}}}
tokenizer: {{name: sentencepiece, vocab_size: {size}}}
data: {{max_length: 64, batch_tokens: 4096}}
"""
PREPARE = """
import sys
from translator.config.yaml_file import read_config
from translator.data.preparation import prepare
prepare(read_config(sys.argv[1]), lambda line: print(line, file=sys.stderr))
"""


def main() -> None:
    """Prints a row for each number of pairs."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--folder", type=Path, help="for the temporary files")
    options = parser.parse(pairs=[2000])
    size = 400 if options.small else 16000
    rows = [[pairs, *measure(pairs, size, options.folder)] for pairs in options.pairs]
    columns = ["pairs", "memory", "of it anonymous", "seconds", "pairs/s", "processor seconds"]
    harness.show(options, "encoding", "Preparing synthetic pairs", columns, rows, "none")


def measure(pairs: int, vocab_size: int, folder: Path | None) -> harness.Row:
    """The memory and the time that some pairs take."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        config, path = Path(name) / "config.yaml", Path(name) / "pairs.tsv"
        write_pairs(path, pairs)
        config.write_text(CONFIG.format(pairs=path, size=vocab_size), "utf-8")
        os.environ["TRANSLATOR_HOME"] = str(Path(name) / "home")
        used = harness.watch([sys.executable, "-c", PREPARE, str(config)])
    sizes = [f"{size / 2**30:.2f} GiB" for size in (used.peak, used.anonymous)]
    seconds = round(used.seconds, 1), round(pairs / used.seconds), round(used.processor_seconds, 1)
    return [*sizes, *seconds]


def write_pairs(path: Path, count: int) -> None:
    """Writes synthetic pairs as a TSV file."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{source}\t{target}\n" for source, target in make_pairs(count))


def make_words(draw: np.random.Generator, count: int, nouns: float) -> list[str]:
    """Words by their rank: the frequent ones are short, those after them longer.

    Args:
        draw: makes the words.
        count: how many.
        nouns: share of the words that have a capital.
    """
    digits = np.array(SYLLABLES, object)[draw.permutation(len(SYLLABLES))]
    ranks = np.arange(count)
    words = digits[ranks % len(SYLLABLES)]
    while (ranks := ranks // len(SYLLABLES)).any():
        words = np.where(ranks > 0, words + digits[ranks % len(SYLLABLES)], words)
    capital = draw.random(count) < nouns
    return [w.capitalize() if c else w for w, c in zip(words, capital.tolist())]


def make_pairs(count: int) -> Iterator[tuple[str, str]]:
    """Yields sentences and translations.

    A translation has the translations of the words, one of which is at another place or missing.
    """
    draw = np.random.default_rng(1)
    size = min(VOCABULARY, 10 * count)
    source, target = make_words(draw, size, nouns=0.1), make_words(draw, size, nouns=0.4)
    target[::50] = source[::50]  # names
    shares = (np.arange(size) + 2.7) ** -EXPONENT
    cumulated = np.cumsum(shares / shares.sum())
    for first in range(0, count, CHUNK):
        lengths = draw.integers(3, 17, min(CHUNK, count - first), endpoint=True)
        ranks = np.searchsorted(cumulated, draw.random(lengths.sum())).tolist()
        start, pair = 0, ("", "")
        moves = draw.random((len(lengths), 3)).tolist()
        for end, (place, other, repeats) in zip(np.cumsum(lengths).tolist(), moves):
            if repeats >= REPEATED or not pair[0]:
                words = ranks[start:end]
                translated = list(words)
                moved = translated.pop(int(place * len(words)))
                if other < 0.8:
                    translated.insert(int(other * len(words)), moved)
                mark = "?" if place < 0.1 else "."
                pair = write(source, words, mark), write(target, translated, mark)
            yield pair
            start = end


def write(words: list[str], ranks: list[int], mark: str) -> str:
    """A sentence of words."""
    first, *others = (words[rank] for rank in ranks)
    return " ".join([first.capitalize(), *others]) + mark


if __name__ == "__main__":
    with errors_as_one_line():
        main()
