"""Translates test sentences that a seed has drawn at random.

    python benchmarks/samples.py --run en-de
    python benchmarks/samples.py --run en-de --test-set phrasebook

The sentences and the references come from the test split of the run, or of a known corpus. Only the
first reference of a sentence is shown. The confidence is the expected share of right words.
"""

import random
from pathlib import Path

import harness
from translating import precision_of, read_split

import translator
from translator.cli import errors_as_one_line
from translator.evaluation.run_evaluation import load_test_set, pairs_of
from translator.evaluation.scores import gather_references


def main() -> None:
    """Draws and translates."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--test-set", help="a known corpus (default: the run's own)")
    parser.add_argument("--sentences", type=int, default=100, help="(default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    options = parser.parse(sentences=5)
    with harness.folder_and_run(options) as (_, run):
        opened = translator.load(run)
        references = (
            gather_references(pairs_of(load_test_set(opened, options.test_set)))
            if options.test_set
            else read_split(opened, "test")
        )
        count = min(options.sentences, len(references))
        drawn = random.Random(options.seed).sample(sorted(references), count)
        rows: list[harness.Row] = []
        for found in opened.translate(drawn):
            confidence = found.hypotheses[0].confidence if found.hypotheses else None
            shown = None if confidence is None else round(confidence, 2)
            rows.append([found.source, references[found.source][0], found.text, shown])
        harness.show(
            options,
            "-".join(filter(None, ("samples", run.name, options.test_set))),
            f"{count} translations of {run.name}, drawn by chance",
            ["source", "reference", "translation", "confidence"],
            rows,
            precision_of(opened),
        )


if __name__ == "__main__":
    with errors_as_one_line():
        main()
