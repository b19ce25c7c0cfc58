"""Measures how much an export's translations and attention differ from its run.

    python benchmarks/quantization.py --run checkpoints/tatoeba
    python benchmarks/quantization.py --run checkpoints/tatoeba --quantization int16

The run is exported in float32, without rounding, and with the quantization. Both engines translate
the same lines with both exports: Keras restores the weights from the exports. The attention of
every head is compared over the translations of the run. The lines, and the references for BLEU, are
those of the test split of the run's corpus.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import harness
import numpy as np
from translating import read_split

from translator.base.keras_startup import start_keras
from translator.cli import errors_as_one_line
from translator.evaluation.run_evaluation import target_language
from translator.evaluation.scores import score_translations
from translator.export.ctranslate2 import QUANTIZATIONS, export_run
from translator.runs.directory import RunDirectory
from translator.translation.options import TranslationOptions
from translator.translation.records import KINDS
from translator.translation.results import Translation
from translator.translation.translator import Translator

ENGINES = ("ctranslate2", "keras")


def main() -> None:
    """Prints shares of equal translations, BLEU, and differences of attention."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path, help="a trained run with its weights")
    parser.add_argument("--quantization", choices=QUANTIZATIONS, default="int8")
    parser.add_argument("--limit", type=int, default=1000, help="the most lines (default 1000)")
    parser.add_argument("--attention", type=int, default=200, help="translations to compare it of")
    options = parser.parse(limit=4, attention=2)
    with harness.folder_and_run(options) as (folder, path):
        start_keras()
        run, opened = RunDirectory(path), {}
        for kind in ("float32", options.quantization):
            export = export_run(run, folder / kind, kind)
            size = (export / "model.bin").stat().st_size / 1e6
            for engine in ENGINES:
                opened[f"{engine}, {kind}, {size:.1f} MB"] = Translator(export, engine)
        found = compare_translations(opened, options)
        _, keras, _, restored = opened.values()
        compare_attention(keras, restored, found[: options.attention], options)


def compare_translations(
    opened: dict[str, Translator], options: argparse.Namespace
) -> list[Translation]:
    """Prints how many translations are equal, and BLEU; returns the run's translations."""
    first = next(iter(opened.values()))
    split = read_split(first, "test", options.limit)
    lines, references = list(split), list(split.values())
    search = TranslationOptions(errors="replace")
    found = {name: each.translate(lines, search) for name, each in opened.items()}
    texts = {name: [each.text for each in translations] for name, translations in found.items()}
    whole = next(iter(texts.values()))
    language, tokenized = target_language(first), first.config.corpus.is_tokenized
    rows: list[harness.Row] = []
    for name, own in texts.items():
        equal = harness.share(sum(map(str.__eq__, whole, own)), len(lines))
        scores = score_translations(own, references, language, tokenized=tokenized)
        rows.append([name, equal, round(scores.bleu, 2)])
    precision = f"float32 and {options.quantization}"
    title = f"{len(lines):,} lines, weights rounded to {options.quantization}"
    columns = ["engine", "equal translations", "BLEU"]
    harness.show(options, "quantized", title, columns, rows, precision)
    return next(iter(found.values()))


def compare_attention(
    whole: Translator,
    rounded: Translator,
    translations: Sequence[Translation],
    options: argparse.Namespace,
) -> None:
    """Prints the differences of attention weights, which lie between 0 and 1."""
    end = whole.tokenizers.source.end_id
    usable = [
        translation
        for translation in translations
        if translation.hypotheses and translation.hypotheses[0].source_ids.count(end) == 1
    ]
    records = list(zip(whole.attention(usable), rounded.attention(usable)))
    rows: list[harness.Row] = []
    for kind in KINDS:
        both = [(getattr(one, kind), getattr(other, kind)) for one, other in records]
        differences = [abs(a - b) for a, b in both]
        same = np.mean([np.mean(a.argmax(-1) == b.argmax(-1)) for a, b in both])
        mean = np.mean([each.mean() for each in differences])
        largest = max(each.max() for each in differences)
        rows.append([kind, round(float(mean), 5), round(float(largest), 3), f"{same:.1%}"])
    title = f"Attention of Keras over {len(usable)} translations, restored against float32"
    columns = ["attention", "mean difference", "largest", "the same strongest position"]
    precision = f"float32 and {options.quantization}"
    harness.show(options, "quantized-attention", title, columns, rows, precision)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
