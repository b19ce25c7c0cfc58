"""Measures how fast each engine translates the same sentences with the same weights.

    python benchmarks/decoding.py --run checkpoints/tatoeba

The sentences are drawn at random from the different source sentences of the run's corpus.
Each row of the table is measured in its own process with the same number of threads. The
rows take turns, round after round, so that other load on the machine affects all of them,
and the median of a row is printed. The first translation of a process includes compiling.

Then it measures 1,000 sentences from the start of a process to its exit. With --picture it
draws the speed by length and by number of sentences, of a model with random weights that
must translate to exactly that many tokens.
"""

import argparse
import functools
import multiprocessing
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from translator.base.errors import InputError
from translator.base.machine import ALL_CORES
from translator.cli import errors_as_one_line
from translator.runs.directory import RunDirectory
from translator.search.engine import BATCH_SIZE, SearchOptions
from translator.text.fitting import Fit, check_fit

Translate = Callable[[list[list[int]], int], int]  # sentences and beam size to target tokens


class Row(NamedTuple):
    """A line of the table.

    Attributes:
        make: opens an engine in its own process.
        quantization: of the export that it reads, if any.
        beams: the beam sizes that it supports.
        sentences: how many of the sentences it translates; None for all.
        workers: batches that it translates at the same time.
    """

    make: Callable[[RunDirectory, Path, int], Translate]
    quantization: str | None
    beams: tuple[int, ...] = (1, 4)
    sentences: int | None = None
    workers: int = 1


class Figures(NamedTuple):
    """The measurements of a row.

    Attributes:
        first: tokens per second of the first round, which includes compiling.
        later: tokens per second of each other round.
        alone: milliseconds for a single sentence.
        memory: peak memory in MB.
    """

    first: float
    later: list[float]
    alone: float
    memory: float


def main() -> None:
    """Measures all rows and prints them."""
    options = parse_arguments()
    run = RunDirectory(options.run)
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    texts, sentences = draw(config, tokenizers, options)
    with tempfile.TemporaryDirectory() as folder:
        exports = write_exports(run, Path(folder))
        for beam in options.beams:
            measure(run, sentences, exports, beam, options)
        measure_processes(run, texts[:1000], sentences[:1000], Path(folder))
        if options.picture:
            draw_speeds(write_random_run(run, Path(folder)), options.picture)


def parse_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--threads", type=int, default=ALL_CORES)
    parser.add_argument("--picture", type=Path, help="picture of the speed by length and number")
    return parser.parse_args()


def draw(config, tokenizers, options) -> tuple[list[str], list[list[int]]]:
    """Draws different source sentences that fit the model; returns texts and ids."""
    from translator.corpora import load_corpus

    different = sorted(set(load_corpus(config.corpus).train.sources))
    random.Random(1).shuffle(different)
    different = different[: options.sentences]
    encoded = tokenizers.source.encode(different)
    pairs = [
        (text, ids)
        for text, ids in zip(different, encoded)
        if check_fit(ids, config.data.max_length) is Fit.FITS
    ]
    if not pairs:
        raise InputError(f"{options.run}: expected sentences that fit the model, found none")
    print(
        f"{len(pairs):,} sentences of {statistics.fmean(len(p[1]) - 2 for p in pairs):.1f} pieces"
    )
    return [text for text, _ in pairs], [ids for _, ids in pairs]


def write_exports(run: RunDirectory, where: Path) -> dict[str, Path]:
    """Writes an export in each precision."""
    from translator.export.formats import export_run

    folders = {name: where / name for name in ("float32", "int8")}
    for name, folder in folders.items():
        export_run(run, folder, name)
    return folders


def measure(run, sentences, exports: dict[str, Path], beam: int, options) -> None:
    """Prints the table of one beam size."""
    context = multiprocessing.get_context("spawn")
    print(f"\n{'greedy' if beam == 1 else f'beam of {beam}'}, batches of {BATCH_SIZE}")
    rows = {name: row for name, row in ROWS.items() if beam in row.beams}
    speeds: dict[str, list[float]] = {name: [] for name in rows}
    connections = {}
    for name, row in rows.items():
        here, there = context.Pipe()
        arguments = (there, row, run, exports, sentences, beam, options.threads)
        context.Process(target=work, args=arguments, daemon=True).start()
        here.recv()
        connections[name] = here

    def ask(connection: Connection, what: str):
        connection.send(what)
        return connection.recv()

    for number in range(options.rounds + 1):
        for name, connection in connections.items():
            tokens, seconds = ask(connection, "all")
            speeds[name].append(tokens / seconds)
            print(f"round {number}, {name}: {tokens:,} tokens, {tokens / seconds:,.0f} a second")
    memory = {name: ask(connection, "memory") for name, connection in connections.items()}
    alone = {name: ask(connection, "alone") for name, connection in connections.items()}
    print_table(
        {name: Figures(its[0], its[1:], alone[name], memory[name]) for name, its in speeds.items()}
    )
    for connection in connections.values():
        connection.send(None)


def work(there: Connection, row: Row, run, exports, sentences, beam: int, threads: int) -> None:
    """The process of a row: measures what it is asked for."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    translate = row.make(run, exports.get(row.quantization), threads, row.workers)
    there.send(None)
    while asked := there.recv():
        if asked == "memory":
            there.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        elif asked == "alone":
            there.send(1000 * time_alone(translate, sentences[:30], beam))
        else:
            began = time.perf_counter()
            tokens = translate(sentences[: row.sentences], beam)
            there.send((tokens, time.perf_counter() - began))


def time_alone(translate: Translate, sentences: list[list[int]], beam: int) -> float:
    """Seconds for a single sentence after a warm-up, in a search compiled for one sentence."""
    from translator.search import compiled_search

    compiled_search.COMPILE_AFTER_SECONDS = 0.0
    seconds = []
    for _ in range(2):
        for sentence in sentences:
            began = time.perf_counter()
            translate([sentence], beam)
            seconds.append(time.perf_counter() - began)
    return statistics.median(seconds[len(sentences) :])


def open_keras(run: RunDirectory, export: Path | None, threads: int, workers: int) -> Translate:
    """The Keras engine of this package, from ids to ids."""
    import translator

    engine = translator.load(run.path, "keras").engine

    def translate(sentences: list[list[int]], beam: int) -> int:
        limits = [2 * len(ids) + 10 for ids in sentences]
        found = engine.search(sentences, limits, SearchOptions(beam_size=beam))
        return sum(len(hypotheses[0].ids) for hypotheses in found)

    return translate


def open_ctranslate2(run: RunDirectory, export: Path, threads: int, workers: int) -> Translate:
    """CTranslate2 as its documentation calls it, from pieces to pieces."""
    import ctranslate2

    tokenizers = run.read_tokenizers(run.read_config())
    model = ctranslate2.Translator(
        str(export), inter_threads=workers, intra_threads=threads // workers
    )
    longest = run.read_config().data.max_length - 1

    @functools.cache
    def pieces(ids: tuple[int, ...]) -> list[str]:
        return tokenizers.source.pieces(ids[1:-1])

    def translate(sentences: list[list[int]], beam: int) -> int:
        results = model.translate_batch(
            [pieces(tuple(ids)) for ids in sentences],
            max_batch_size=BATCH_SIZE,
            beam_size=beam,
            max_decoding_length=longest,
        )
        return sum(len(result.hypotheses[0]) + 1 for result in results)

    return translate


def open_tutorial(run: RunDirectory, export: Path | None, threads: int, workers: int) -> Translate:
    """One sentence at a time without a cache: the whole model runs again for each token."""
    import tensorflow as tf

    import translator

    opened = translator.load(run.path, "keras")
    target, longest = opened.tokenizers.target, opened.config.data.max_length - 1
    ids_spec = tf.TensorSpec((1, None), tf.int32)

    @tf.function(input_signature=(ids_spec, ids_spec))
    def likeliest(source_ids: tf.Tensor, target_ids: tf.Tensor) -> tf.Tensor:
        return tf.argmax(opened.model((source_ids, target_ids))[0, -1], output_type=tf.int32)

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
    "CTranslate2, float32, a batch on each core": Row(
        open_ctranslate2, "float32", workers=ALL_CORES
    ),
    "translator, Keras, float32": Row(open_keras, None),
    "CTranslate2, int8, a batch on each core": Row(open_ctranslate2, "int8", workers=ALL_CORES),
    "the tutorials' way, float32": Row(open_tutorial, None, beams=(1,), sentences=200),
}


def print_table(figures: dict[str, Figures]) -> None:
    """Prints the median of each row, also relative to CTranslate2 in float32."""
    width = max(map(len, figures))
    reference = statistics.median(figures["CTranslate2, float32"].later)
    heads = ("tokens/s", "range", "times", "compiling included", "one sentence", "memory")
    print(f"\n{'':<{width}}  {heads[0]:>8}  {heads[1]:>16}  " + "  ".join(heads[2:]))
    for name, row in figures.items():
        median = statistics.median(row.later)
        span = f"{min(row.later):,.0f} to {max(row.later):,.0f}"
        print(
            f"{name:<{width}}  {median:>8,.0f}  {span:>16}  {median / reference:>5.2f}"
            f"  {row.first:>9,.0f} = {row.first / reference:>4.2f}x  {row.alone:>9.1f} ms"
            f"  {row.memory:>3.0f} MB"
        )


def measure_processes(run, texts: list[str], sentences: list[list[int]], folder: Path) -> None:
    """Prints how long a file of sentences takes from the start of a process to its exit."""
    file = folder / "sentences.txt"
    file.write_text("".join(text + "\n" for text in texts), "utf-8")
    command = [sys.executable, "-m", "translator.cli", "translate", "--run", str(run.path)]
    command += ["--beam-size", "1", "--file", str(file)]
    print(f"\n{len(texts):,} sentences, greedily, from the start of a process to its exit")
    for name, arguments in (
        ("translator translate, with an export", command),
        ("translator translate --engine keras", [*command, "--engine", "keras"]),
    ):
        seconds = []
        for _ in range(3):
            began = time.perf_counter()
            subprocess.run(arguments, check=True, capture_output=True)
            seconds.append(time.perf_counter() - began)
        span = f"{min(seconds):.1f} to {max(seconds):.1f}"
        print(f"{name:<40}  {statistics.median(seconds):>6.1f} s  {span}")
    process = multiprocessing.get_context("spawn").Process(
        target=translate_as_tutorials_do, args=(run, sentences)
    )
    began = time.perf_counter()
    process.start()
    process.join()
    print(f"{'the tutorials’ way':<40}  {time.perf_counter() - began:>6.1f} s")


def translate_as_tutorials_do(run: RunDirectory, sentences: list[list[int]]) -> None:
    """The process that opens a run and translates like the tutorials."""
    open_tutorial(run, None, ALL_CORES, 1)(sentences, 1)


def draw_speeds(run: RunDirectory, path: Path) -> None:
    """Draws and prints the speed by length and by number of sentences."""
    context = multiprocessing.get_context("spawn")
    speeds: dict[str, dict[tuple[int, int], float]] = {}
    for name in ("keras", "ctranslate2"):
        here, there = context.Pipe()
        process = context.Process(target=work_by_length, args=(there, run, name))
        process.start()
        speeds[name] = here.recv()
        process.join()
    print(f"\ntokens a second, greedily\n{'tokens':>6} {'sentences':>9}", *speeds)
    for length in LENGTHS:
        for count in COUNTS:
            both = "  ".join(f"{its[length, count]:>9,.0f}" for its in speeds.values())
            print(f"{length:>6} {count:>9} {both}")
    plot_speeds(speeds, path)


LENGTHS = (10, 40, 160)
COUNTS = (1, 4, 16, 64, 256)


def work_by_length(there: Connection, run: RunDirectory, name: str) -> None:
    """The process that measures one engine: sends {(tokens, sentences): tokens per second}."""
    import translator
    from translator.search import compiled_search

    compiled_search.COMPILE_AFTER_SECONDS = 0.0
    engine = translator.load(run.path, name).engine
    draw = random.Random(1)
    speeds = {}
    for length in LENGTHS:
        for count in COUNTS:
            sentences = [[3, *draw.choices(range(10, 900), k=length - 2), 4] for _ in range(count)]
            search = functools.partial(
                engine.search,
                sentences,
                [length] * count,
                SearchOptions(beam_size=1, min_length=length),
            )
            search()  # compiles
            seconds = []
            for _ in range(5):
                began = time.perf_counter()
                found = search()
                seconds.append(time.perf_counter() - began)
            tokens = sum(len(hypotheses[0].ids) for hypotheses in found)
            speeds[length, count] = tokens / statistics.median(seconds)
    there.send(speeds)


def write_random_run(run: RunDirectory, folder: Path) -> RunDirectory:
    """Writes a run of the same sizes and tokenizers with random weights, for long sentences."""
    from translator.base.keras_startup import start_keras
    from translator.config.yaml_file import validate_config

    start_keras()
    from translator.export.formats import export_run
    from translator.runs.weights import make_model, model_weights, save_arrays

    values = run.read_config().model_dump()
    values["data"]["max_length"] = max(LENGTHS) + 8
    config = validate_config(values, "random")
    tokenizers = run.read_tokenizers(config)
    made = RunDirectory(folder / "random")
    made.create(config, tokenizers, "none")
    save_arrays(made.weights, model_weights(make_model(config, tokenizers)))
    export_run(made)
    return made


def plot_speeds(speeds: dict[str, dict[tuple[int, int], float]], path: Path) -> None:
    """Draws one panel per length and one line per engine."""
    from matplotlib.figure import Figure as Picture
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    from translator.base.figures import save_figure

    picture = Picture(figsize=(10, 3.4), layout="constrained")
    panels = picture.subplots(1, len(LENGTHS), sharey=True)
    for panel, length in zip(panels, LENGTHS):
        for (name, its), marker in zip(speeds.items(), "os"):
            panel.plot(COUNTS, [its[length, n] for n in COUNTS], marker=marker, label=name)
        panel.set_title(f"{length} tokens")
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.set_xticks(COUNTS, [str(count) for count in COUNTS])
        panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        panel.yaxis.set_minor_formatter(NullFormatter())
        panel.set_xlabel("sentences at once")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("target tokens a second")
    panels[0].legend(title="engine")
    save_figure(picture, path)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
