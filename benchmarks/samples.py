"""Writes a page of translations of test sentences that a seed has drawn; nothing is picked.

    python benchmarks/samples.py --run en-de --out docs/samples.md

The sentences and the references are those of the run's test split.
"""

import argparse
import random
import shlex
import sys
from pathlib import Path

import translator
from translator.base.files import check_output_path, whole_file
from translator.cli import errors_as_one_line
from translator.corpora import known_corpora
from translator.evaluation.run_evaluation import load_split
from translator.evaluation.scores import gather_references
from translator.translation.translator import Translator


def main() -> None:
    """Draws, translates and writes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=100, help="(default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    check_output_path(options.out)
    opened = translator.load(options.run)
    page = write_page(opened, str(options.run), options.sentences, options.seed, sys.argv[1:])
    with whole_file(options.out) as file:
        file.write(page.encode())


def write_page(opened: Translator, name: str, count: int, seed: int, arguments: list[str]) -> str:
    """The page, in Markdown.

    Args:
        opened: the run.
        name: of the run, for the reader.
        count: how many sentences are drawn; fewer if the split has fewer.
        seed: of the draw.
        arguments: those that this script was given, for whoever writes the page again.
    """
    corpus = opened.config.corpus
    pairs, _ = load_split(opened, "test")
    references = gather_references(pairs)
    drawn = random.Random(seed).sample(sorted(references), min(count, len(references)))
    rows = [
        f"| {_cell(translation.source)} | {_cell(references[translation.source][0])}"
        f" | {_cell(translation.text)} | {_confidence(translation)} |"
        for translation in opened.translate(drawn)
    ]
    licence = known_corpora()[corpus.name].licence if corpus.name in known_corpora() else ""
    return "\n".join(
        [
            "# Samples",
            "",
            f"{len(drawn)} of the {len(references):,} sentences of the test split, drawn with seed"
            f" {seed}, not picked, and",
            f"translated by `{name}`. The first reference of each is shown. The confidence is the"
            " share of",
            "words that is expected to be right. This page is written by",
            "",
            f"    python benchmarks/samples.py {shlex.join(arguments)}",
            "",
            *([f"Sentences and references: {corpus.name}, {licence}.", ""] if licence else []),
            "| source | reference | translation | confidence |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _confidence(translation: translator.Translation) -> str:
    [best, *_] = translation.hypotheses or [None]
    return "" if best is None or best.confidence is None else f"{best.confidence:.2f}"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
