"""Target tokens a second of all engines on the same sentences with the same weights.

    python scripts/benchmark_decoding.py --run checkpoints/tatoeba

The sentences are the different source sentences of the run's own corpus, drawn at
random. Every row is a process of its own on the same number of threads; the rows take
turns, round after round, so that what else the machine does falls on all of them, and
a row's figure is its median. The first translation of a process includes compiling.
"""

import argparse
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from translator.cli import errors_as_one_line
from translator.decoding.engine import BATCH_SIZE, SearchOptions
from translator.errors import InputError
from translator.run import RunDirectory
from translator.tokenizer import ALL_CORES

Translate = Callable[[list[list[int]], int], int]  # sentences and beam size to target tokens


class Row(NamedTuple):
    """A line of the table.

    Attributes:
        make: opens an engine in its own process.
        quantization: of the export that it reads, if any.
        beams: the beam sizes that it can do.
        sentences: how many of the sentences it is given; None for all.
    """

    make: Callable[[RunDirectory, Path, int], Translate]
    quantization: str | None
    beams: tuple[int, ...] = (1, 4)
    sentences: int | None = None


def main() -> None:
    """Measures all rows and prints them."""
    options = parse_arguments()
    run = RunDirectory(options.run)
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    sentences = draw(config, tokenizers, options)
    with tempfile.TemporaryDirectory() as folder:
        exports = write_exports(run, Path(folder))
        for beam in options.beams:
            measure(run, sentences, exports, beam, options)


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--threads", type=int, default=ALL_CORES)
    return parser.parse_args()


def draw(config, tokenizers, options: argparse.Namespace) -> list[list[int]]:
    """Different source sentences of the corpus that the model takes, encoded."""
    from translator.corpora import load_corpus

    different = sorted(set(load_corpus(config.corpus).train.sources))
    random.Random(1).shuffle(different)
    encoded = tokenizers.source.encode(different[: options.sentences])
    usable = [ids for ids in encoded if 2 < len(ids) <= config.data.max_length]
    if not usable:
        raise InputError(f"{options.run}: its corpus has no sentence that the model takes")
    lengths = [len(ids) - 2 for ids in usable]
    print(f"{len(usable):,} sentences of {statistics.fmean(lengths):.1f} pieces")
    return usable


def write_exports(run: RunDirectory, where: Path) -> dict[str, Path]:
    """An export of each precision."""
    from translator.export.ctranslate2 import export_ctranslate2

    folders = {name: where / name for name in ("float32", "int8")}
    for name, folder in folders.items():
        export_ctranslate2(run, folder, name)
    return folders


def measure(run, sentences, exports: dict[str, Path], beam: int, options) -> None:
    """Prints the table of one beam size."""
    context = multiprocessing.get_context("spawn")
    print(f"\n{'greedy' if beam == 1 else f'beam of {beam}'}, batches of {BATCH_SIZE}")
    rows = {name: row for name, row in ROWS.items() if beam in row.beams}
    first: dict[str, list[float]] = {name: [] for name in rows}
    later: dict[str, list[float]] = {name: [] for name in rows}
    connections = {}
    for name, row in rows.items():
        here, there = context.Pipe()
        given = sentences[: row.sentences]
        arguments = (there, row, run, exports, given, beam, options.threads)
        context.Process(target=work, args=arguments, daemon=True).start()
        here.recv()
        connections[name] = here
    for number in range(options.rounds + 1):
        for name, connection in connections.items():
            connection.send("go")
            seconds, tokens = connection.recv()
            (later if number else first)[name].append(tokens / seconds)
            print(f"round {number}, {name}: {tokens:,} tokens, {tokens / seconds:,.0f} a second")
    for connection in connections.values():
        connection.send(None)
    print_table(first, later)


def work(there: Connection, row: Row, run, exports, sentences, beam: int, threads: int) -> None:
    """A row's process: answers each "go" with (seconds, target tokens)."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    translate = row.make(run, exports.get(row.quantization), threads)
    there.send(None)
    while there.recv():
        began = time.perf_counter()
        tokens = translate(sentences, beam)
        there.send((time.perf_counter() - began, tokens))


def open_keras(run: RunDirectory, export: Path | None, threads: int) -> Translate:
    """This program's Keras engine, from ids to ids."""
    import translator

    engine = translator.load(run.path, "keras").engine

    def translate(sentences: list[list[int]], beam: int) -> int:
        limits = [2 * len(ids) + 10 for ids in sentences]
        found = engine.search(sentences, limits, SearchOptions(beam_size=beam))
        return sum(len(hypotheses[0].ids) for hypotheses in found)

    return translate


def open_ctranslate2(run: RunDirectory, export: Path, threads: int) -> Translate:
    """CTranslate2 as its own documentation calls it, from pieces to pieces."""
    import ctranslate2

    tokenizers = run.read_tokenizers(run.read_config())
    model = ctranslate2.Translator(str(export), intra_threads=threads)
    longest = run.read_config().data.max_length - 1
    pieces: dict[int, list[str]] = {}

    def translate(sentences: list[list[int]], beam: int) -> int:
        for i, ids in enumerate(sentences):
            pieces.setdefault(i, tokenizers.source.pieces(ids[1:-1]))
        results = model.translate_batch(
            [pieces[i] for i in range(len(sentences))],
            max_batch_size=BATCH_SIZE,
            beam_size=beam,
            max_decoding_length=longest,
        )
        return sum(len(result.hypotheses[0]) + 1 for result in results)

    return translate


def open_tutorial(run: RunDirectory, export: Path | None, threads: int) -> Translate:
    """One sentence at a time and no cache: the whole model anew for each token."""
    import tensorflow as tf

    import translator

    loaded = translator.load(run.path, "keras")
    target, longest = loaded.tokenizers.target, loaded.config.data.max_length - 1
    ids_spec = tf.TensorSpec((1, None), tf.int32)

    @tf.function(input_signature=(ids_spec, ids_spec))
    def likeliest(source_ids: tf.Tensor, target_ids: tf.Tensor) -> tf.Tensor:
        return tf.argmax(loaded.model((source_ids, target_ids))[0, -1], output_type=tf.int32)

    def translate(sentences: list[list[int]], beam: int) -> int:
        tokens = 0
        for sentence in sentences:
            found = [target.start_id]
            while found[-1] != target.end_id and len(found) <= min(2 * len(sentence) + 10, longest):
                found.append(int(likeliest(tf.constant([sentence]), tf.constant([found]))))
            tokens += len(found) - 1
        return tokens

    return translate


ROWS = {
    "CTranslate2, float32": Row(open_ctranslate2, "float32"),
    "translator, Keras, float32": Row(open_keras, None),
    "CTranslate2, int8": Row(open_ctranslate2, "int8"),
    "the tutorials' way, float32": Row(open_tutorial, None, beams=(1,), sentences=200),
}


def print_table(first: dict[str, list[float]], later: dict[str, list[float]]) -> None:
    """Prints the median of each row, and what it is to CTranslate2's float32."""
    width = max(map(len, later))
    reference = statistics.median(later["CTranslate2, float32"])
    print(f"\n{'':<{width}}  {'tokens/s':>9}  {'range':>16}  {'times':>6}  compiling included")
    for name, speeds in later.items():
        median = statistics.median(speeds)
        span = f"{min(speeds):,.0f} to {max(speeds):,.0f}"
        once = f"{first[name][0]:>10,.0f}  {first[name][0] / reference:.2f} times"
        print(f"{name:<{width}}  {median:>9,.0f}  {span:>16}  {median / reference:>6.2f}  {once}")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
