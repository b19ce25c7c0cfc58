"""Compares ``translator translate`` with its engine alone, on the same lines.

    python benchmarks/translating.py

The engine alone is SentencePiece and CTranslate2, from text to text, with the model's own files and
the same beam, patience and length penalty. The lines are drawn at random from the phrasebook; the
single line has the median length. Each figure is the time of whole processes, from start to exit.
They take turns. The first round does not count, because it reads the files into memory.
"""

import functools
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import harness
import yaml

from translator.cli import errors_as_one_line
from translator.config.schema import CorpusConfig
from translator.corpora.corpus import load_corpus
from translator.evaluation.run_evaluation import load_split, pairs_of
from translator.evaluation.scores import gather_references
from translator.runs.choosing import find_run
from translator.runs.exports import find_export
from translator.search.engine import SearchOptions, ended_hypotheses
from translator.translation.translator import Translator

References = dict[str, list[str]]
SENTENCES: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("sentences.yaml").read_text("utf-8")
)
RUN = "en-de"
ENGINE = """
import os, sys, ctranslate2, sentencepiece
folder, path, beam, patience, penalty, longest = sys.argv[1:]
lines = open(path, encoding="utf-8").read().splitlines()
pieces = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/source.model")
model = ctranslate2.Translator(folder, inter_threads=len(os.sched_getaffinity(0)), intra_threads=1)
options = {"beam_size": int(beam), "patience": float(patience), "length_penalty": float(penalty),
           "max_input_length": int(longest) - 1, "max_decoding_length": int(longest) - 1}
results = model.translate_batch(pieces.encode(lines, out_type=str), max_batch_size=32, **options)
print("\\n".join(pieces.decode(result.hypotheses[0]) for result in results))
"""


def main() -> None:
    """Prints the seconds of both, and their ratio, for one line and for many."""
    parser = harness.Parser(__doc__, rounds=7)
    parser.add_argument("--lines", type=int, default=2000)
    options = parser.parse(rounds=1, lines=3)
    corpus = CorpusConfig(name="phrasebook", source_language="en", target_language="de")
    lines = random.Random(1).sample(list(load_corpus(corpus).train.sources), options.lines)
    rows: list[harness.Row] = []
    with tempfile.TemporaryDirectory() as folder:
        middle = sorted(lines, key=len)[len(lines) // 2]
        for count, chosen in ((1, [middle]), (len(lines), lines)):
            path = Path(folder) / f"{count}.txt"
            path.write_text("".join(f"{line}\n" for line in chosen), "utf-8")
            program = (*harness.PROGRAM, "translate", "--run", RUN, "--file", str(path))
            commands = {"engine": (sys.executable, "-c", ENGINE, *engine_arguments(path)),
                        "program": program}  # fmt: skip
            turns = {name: functools.partial(run, command) for name, command in commands.items()}
            seconds = harness.in_turns(turns, options.rounds)
            engine, whole = (statistics.median(seconds[name]) for name in commands)
            row = f"{count:,} line{'s' * (count > 1)}", round(engine, 2), round(whole, 2)
            rows.append([*row, round(whole / engine, 2)])
    columns = ["", "engine alone, seconds", "translator, seconds", "times"]
    harness.show(options, "translating", "Lines from a file", columns, rows, "int8")


def engine_arguments(path: Path) -> list[str]:
    """The arguments of the engine alone: the model's folder, the file, and the search's options."""
    shipped = find_run(RUN)
    config = shipped.read_config()
    search = SearchOptions(beam_size=config.decoding.beam_size)
    patience = ended_hypotheses(search) / search.open_hypotheses
    options = (search.beam_size, patience, config.decoding.length_penalty, config.data.max_length)
    return [str(find_export(shipped)), str(path), *map(str, options)]


def run(command: tuple[str, ...]) -> float:
    """The seconds of a process."""
    return harness.timed(lambda: subprocess.run(command, check=True, capture_output=True))


def read_split(opened: Translator, split: str, most: int | None = None) -> References:
    """Different sentences of a split of the run's corpus, each with all of its translations."""
    return dict(list(gather_references(pairs_of(load_split(opened, split))).items())[:most])


def precision_of(opened: Translator) -> str:
    """The precision of a run's products."""
    if opened.engine.name == "keras":
        return "float32"
    import ctranslate2

    export = find_export(opened.run, required=True)
    return str(ctranslate2.Translator(str(export)).compute_type).removesuffix("_float32")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
