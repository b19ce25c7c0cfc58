"""Measures memory and time of preparing synthetic pairs, and of training on them.

    python benchmarks/memory.py --pairs 10000000 --updates 20
    python benchmarks/memory.py --pairs 1000000 10000000 --updates 0

Frequencies of words follow Zipf's law, sentences have 3 to 17 words, and 5 % of the pairs repeat an
earlier pair. The preparation also trains a SentencePiece model. Then it trains twice: the first
training encodes the corpus, and the second finds it encoded. Each is a separate process.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import harness
import numpy as np

from translator.cli import errors_as_one_line
from translator.config.yaml_file import read_config

VOCABULARY = 1_000_000  # words of each language, unless there are few pairs
EXPONENT = 1.2  # of Zipf's law
REPEATED = 0.05  # share of the pairs that repeat an earlier pair
CHUNK = 50_000  # pairs that are made at a time
SYLLABLES = [c + v for c in (*"bdfghklmnprstwz", "sch", "st", "tr") for v in "aeiou"]
PREPARED = """
corpus: {{train: {{tsv: {folder}/train.tsv}}}}
tokenizer: {{name: sentencepiece, vocab_size: {size}}}
data: {{max_length: 64, batch_tokens: 4096}}
"""
PREPARE = """
import sys
from translator.config.yaml_file import read_config
from translator.data.preparation import prepare
prepare(read_config(sys.argv[1]), lambda line: print(line, file=sys.stderr))
"""
TRAINED = """
corpus: {{train: {{tsv: {folder}/train.tsv}}, validation: {{tsv: {folder}/validation.tsv}}}}
data: {{max_length: 40, batch_tokens: 4096}}
training: {{schedule: {{name: constant, learning_rate: 1e-3, warmup_steps: 100}}}}
validation: {{every_updates: 1, translate_every: 0}}
"""
SMALL = ["tokenizer.vocab_size=400", "model.num_layers=1", "model.d_model=16", "model.num_heads=2",
         "model.dff=16", "training.data_parallel=1"]  # fmt: skip


def main() -> None:
    """Prints a row for each number of pairs, and one for each training."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--updates", type=int, default=100, help="of a training; 0 to skip it")
    options = parser.parse(pairs=[500], updates=2)
    prepared, trained = list[harness.Row](), list[harness.Row]()
    for pairs in options.pairs:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_pairs(folder / "train.tsv", pairs)
            prepared.append([pairs, *prepare(folder, pairs, 400 if options.small else 16000)])
            if options.updates:
                write_pairs(folder / "validation.tsv", 100)
                for run in ("encoded first", "found encoded")[: 1 if options.small else 2]:
                    used = train(folder, run, options.updates, SMALL if options.small else ())
                    precision = read_config(folder / run / "config.yaml").training.precision
                    trained.append([pairs, run, *used])
    columns = ["pairs", "memory", "of it anonymous", "seconds", "pairs/s", "processor seconds"]
    harness.show(options, "preparing", "Preparing synthetic pairs", columns, prepared, "none")
    if trained:
        columns = ["pairs", "", "memory", "before the first update", "to the first update"]
        columns += ["each further update", "processor time of it"]
        harness.show(options, "memory", "Training on them", columns, trained, precision)


def prepare(folder: Path, pairs: int, vocab_size: int) -> harness.Row:
    """The memory and the time that preparing some pairs takes."""
    os.environ["TRANSLATOR_HOME"] = str(folder / "home-of-preparing")
    config = folder / "prepared.yaml"
    config.write_text(PREPARED.format(folder=folder, size=vocab_size), "utf-8")
    used = harness.watch([sys.executable, "-c", PREPARE, str(config)])
    sizes = [f"{size / 2**30:.2f} GiB" for size in (used.peak, used.anonymous)]
    seconds = round(used.seconds, 1), round(pairs / used.seconds), round(used.processor_seconds, 1)
    return [*sizes, *seconds]


def train(folder: Path, run: str, updates: int, settings: Sequence[str]) -> list[str]:
    """Trains for some updates.

    Returns:
        The memory in all and before the first update, the time until the first update, and the
        seconds and processor seconds of each further update with its validation.
    """
    os.environ["TRANSLATOR_HOME"] = str(folder / "home")
    config = folder / "trained.yaml"
    config.write_text(TRAINED.format(folder=folder), "utf-8")
    command = [*harness.PROGRAM, "train", str(config), "--run", str(folder / run)]
    command += [part for each in settings for part in ("--set", each)]
    memory: list[int] = []
    times: list[tuple[float, float]] = []
    began = time.perf_counter()

    def read(line: str, process: "subprocess.Popen[str]") -> None:
        if line.startswith("epoch"):  # of the validation after each update
            memory.append(harness.read_memory(process.pid, "RssAnon"))
            times.append((time.perf_counter(), harness.read_processor_seconds(process.pid)))
            if len(times) == updates:
                process.send_signal(signal.SIGTERM)

    used = harness.watch(command, on_line=read)
    sizes = [f"{size / 2**30:.2f} GiB" for size in (used.anonymous, memory[0])]
    later = [
        f"{(last - first) / (len(times) - 1):.1f} s" if len(times) > 1 else ""
        for first, last in zip(times[0], times[-1])
    ]
    return [*sizes, f"{times[0][0] - began:.1f} s", *later]


def write_pairs(path: Path, count: int) -> None:
    """Writes synthetic pairs as a TSV file."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{source}\t{target}\n" for source, target in make_pairs(count))


def make_words(draw: np.random.Generator, count: int, nouns: float) -> list[str]:
    """Words by rank; frequent words are short.

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

    A translation has the translations of the words; one of these is moved or missing.
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
