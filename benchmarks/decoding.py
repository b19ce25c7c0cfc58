"""Measures how fast each engine translates the same sentences with the same weights.

    python benchmarks/decoding.py --run checkpoints/tatoeba

The sentences are drawn at random from the different source sentences of the run's corpus. Each row
of the table is a separate process. The rows take turns in each round, so that other load on the
machine affects all of them. The median of each row is printed. The first translation of a process
includes compiling.
"""

import argparse
import contextlib
import functools
import random
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness

from translator.base.errors import InputError
from translator.base.machine import ALL_CORES
from translator.cli import errors_as_one_line
from translator.corpora.corpus import load_corpus
from translator.export.ctranslate2 import export_run
from translator.runs.directory import RunDirectory
from translator.search.engine import BATCH_SIZE, SearchOptions
from translator.text.fitting import Fit, check_fit

Ids = list[list[int]]
Translate = Callable[[Ids, int], int]  # sentences and beam size to target tokens
REFERENCE = "CTranslate2, float32"
TUTORIALS = "the tutorials' way: no cache, one sentence at a time"  # greedy alone
TUTORIALS_SENTENCES = 200  # that it translates
PRECISION = "float32, and int8 where it says so"


def main() -> None:
    """Measures all rows and prints them."""
    parser = harness.Parser(__doc__, rounds=5)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 4])
    options = parser.parse(sentences=2, rounds=1, beams=[1])
    with harness.folder_and_run(options) as (folder, path):
        run = RunDirectory(path)
        sentences = draw(run, options.sentences)
        for precision in ("float32", "int8"):
            export_run(run, folder / precision, precision)
        measure_rows(run, sentences, folder, options)


def draw(run: RunDirectory, count: int) -> Ids:
    """The ids of different source sentences that fit the model, drawn at random."""
    config = run.read_config()
    tokenizer = run.read_tokenizers(config).source
    different = sorted(set(load_corpus(config.corpus).train.sources))
    random.Random(1).shuffle(different)
    sentences = [
        ids
        for ids in tokenizer.encode(different[:count])
        if check_fit(ids, config.data.max_length, tokenizer) is Fit.FITS
    ]
    if not sentences:
        raise InputError(f"{run.path}: expected sentences that fit the model, found none")
    return sentences


def measure_rows(
    run: RunDirectory, sentences: Ids, folder: Path, options: argparse.Namespace
) -> None:
    """Prints a table of each beam size, and one of single sentences and memory."""
    with contextlib.ExitStack() as workers:
        asks: dict[str, Callable[[Any], Any]] = {}
        for name in ROWS:
            chosen = sentences[:TUTORIALS_SENTENCES] if name == TUTORIALS else sentences
            arguments = (name, run, folder, chosen)
            worker = harness.Worker(prepare, *arguments, is_process=not options.small)
            asks[name] = workers.enter_context(contextlib.closing(worker)).ask
        found: dict[str, list[harness.Cell]] = {name: [name] for name in ROWS}
        for beam in options.beams:
            names = [name for name in ROWS if beam == 1 or name != TUTORIALS]
            turns = {name: functools.partial(asks[name], ("speed", beam)) for name in names}
            speeds = harness.in_turns(turns, options.rounds + 1, warm_up=0)
            show_speeds(beam, speeds, options)
            for name, cells in found.items():
                took = f"{asks[name](('alone', beam)):.1f} ms" if name in names else ""
                cells.append(took)
        for name, cells in found.items():
            cells.append(f"{asks[name](('memory', 0)) / 1e6:,.0f} MB")
    title, columns = "One sentence, and memory", ["", *map(name_of_beam, options.beams), "memory"]
    harness.show(options, "decoding-sentence", title, columns, list(found.values()), PRECISION)


def name_of_beam(beam: int) -> str:
    """The name of a search for the table."""
    return "greedy" if beam == 1 else f"beam of {beam}"


def show_speeds(beam: int, speeds: dict[str, list[float]], options: argparse.Namespace) -> None:
    """Prints the median of each row, also relative to CTranslate2 in float32."""
    reference = statistics.median(speeds[REFERENCE][1:])
    rows: list[harness.Row] = []
    for name, (first, *later) in speeds.items():
        median = statistics.median(later)
        relative = round(median / reference, 2), round(first / reference, 2)
        rows.append([name, round(median), harness.spread(later), *relative])
    name = "decoding-greedy" if beam == 1 else f"decoding-beam-{beam}"
    search = name_of_beam(beam).capitalize()
    title = f"{search}, batches of {BATCH_SIZE}, target tokens a second"
    columns = ["", "tokens/s", "range", "times", "compiling included"]
    harness.show(options, name, title, columns, rows, PRECISION)


def prepare(
    name: str, run: RunDirectory, folder: Path, sentences: Ids
) -> Callable[[tuple[str, int]], float]:
    """The process of a row: returns a speed, the milliseconds of one sentence, or memory."""
    translate = ROWS[name](run, folder)

    def answer(question: tuple[str, int]) -> float:
        kind, beam = question
        if kind == "memory":
            return harness.peak_memory()
        if kind == "alone":
            return 1000 * time_alone(translate, sentences[:30], beam)
        tokens: list[int] = []
        seconds = harness.timed(lambda: tokens.append(translate(sentences, beam)))
        return tokens[0] / seconds

    return answer


def time_alone(translate: Translate, sentences: Ids, beam: int) -> float:
    """Seconds for a single sentence after a warm-up."""
    calls = [functools.partial(translate, [sentence], beam) for sentence in sentences]
    seconds = [harness.timed(call) for call in [*calls, *calls]]
    return statistics.median(seconds[len(calls) :])


def open_keras(run: RunDirectory, folder: Path) -> Translate:
    """The Keras engine of this package, from ids to ids."""
    import translator

    engine = translator.load(run.path, "keras").engine

    def translate(sentences: Ids, beam: int) -> int:
        limits = [2 * len(ids) + 10 for ids in sentences]
        found = engine.search(sentences, limits, SearchOptions(beam_size=beam))
        return sum(len(hypotheses[0].ids) for hypotheses in found)

    return translate


def open_ctranslate2(run: RunDirectory, folder: Path, precision: str, at_once: int) -> Translate:
    """CTranslate2, called as in its documentation, from pieces to pieces, with parallel batches."""
    import ctranslate2

    config = run.read_config()
    tokenizer = run.read_tokenizers(config).source
    model = ctranslate2.Translator(
        str(folder / precision), inter_threads=at_once, intra_threads=max(1, ALL_CORES // at_once)
    )

    @functools.cache
    def pieces(ids: tuple[int, ...]) -> list[str]:
        return tokenizer.pieces(ids[1:-1])

    def translate(sentences: Ids, beam: int) -> int:
        results = model.translate_batch(
            [pieces(tuple(ids)) for ids in sentences],
            max_batch_size=BATCH_SIZE,
            beam_size=beam,
            max_decoding_length=config.data.max_length - 1,
        )
        return sum(len(result.hypotheses[0]) + 1 for result in results)

    return translate


def open_tutorial(run: RunDirectory, folder: Path) -> Translate:
    """One sentence at a time without a cache: the whole model runs again for each token."""
    import tensorflow as tf

    import translator

    opened = translator.load(run.path, "keras")
    target, longest = opened.tokenizers.target, opened.config.data.max_length - 1
    ids_spec = tf.TensorSpec((1, None), tf.int32)

    def likeliest(source_ids: Any, target_ids: Any) -> Any:
        return tf.argmax(opened.model((source_ids, target_ids))[0, -1], output_type=tf.int32)

    traced = tf.function(likeliest, input_signature=(ids_spec, ids_spec))

    def translate(sentences: Ids, beam: int) -> int:
        tokens = 0
        for sentence in sentences:
            found = [target.start_id]
            while found[-1] != target.end_id and len(found) <= min(2 * len(sentence) + 10, longest):
                found.append(int(traced(tf.constant([sentence]), tf.constant([found]))))
            tokens += len(found) - 1
        return tokens

    return translate


ROWS: dict[str, Callable[[RunDirectory, Path], Translate]] = {
    REFERENCE: functools.partial(open_ctranslate2, precision="float32", at_once=1),
    "CTranslate2, float32, a batch on each core": functools.partial(
        open_ctranslate2, precision="float32", at_once=ALL_CORES
    ),
    "translator, Keras, float32": open_keras,
    "CTranslate2, int8, a batch on each core": functools.partial(
        open_ctranslate2, precision="int8", at_once=ALL_CORES
    ),
    TUTORIALS: open_tutorial,
}


if __name__ == "__main__":
    with errors_as_one_line():
        main()
