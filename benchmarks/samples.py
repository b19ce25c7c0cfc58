"""Translates test sentences that a seed has drawn; nothing is picked.

    python benchmarks/samples.py --run en-de

The sentences and the references are those of the run's test split; of several references the first
is shown. The confidence is the share of words that is expected to be right.
"""

import random
from pathlib import Path

import harness
from translating import precision_of, read_split

import translator
from translator.cli import errors_as_one_line


def main() -> None:
    """Draws and translates."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--sentences", type=int, default=100, help="(default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    options = parser.parse(sentences=5)
    with harness.folder_and_run(options) as (_, run):
        opened = translator.load(run)
        references = read_split(opened, "test")
        count = min(options.sentences, len(references))
        drawn = random.Random(options.seed).sample(sorted(references), count)
        rows: list[harness.Row] = []
        for found in opened.translate(drawn):
            confidence = found.hypotheses[0].confidence if found.hypotheses else None
            shown = None if confidence is None else round(confidence, 2)
            rows.append([found.source, references[found.source][0], found.text, shown])
        harness.show(
            options,
            f"samples-{run.name}",
            f"{count} translations of {run.name}, drawn by chance",
            ["source", "reference", "translation", "confidence"],
            rows,
            precision_of(opened),
        )


if __name__ == "__main__":
    with errors_as_one_line():
        main()
