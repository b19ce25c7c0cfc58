"""Measures how far an export's translations and attention are from those of its run.

    python benchmarks/quantization.py --run checkpoints/tatoeba
    python benchmarks/quantization.py --run checkpoints/tatoeba --quantization int16 \
        --source english.txt

The run is exported in float32, which is not rounded, and in the quantization. Both engines
translate the same lines with both: CTranslate2 with the exports, Keras with the weights that are
restored from them. The attention of every head is compared over the translations of the run.
Without --source the lines, and the references for BLEU, are those of a split of the run's corpus.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from translator.base.keras_startup import start_keras
from translator.cli import errors_as_one_line
from translator.corpora.files import read_lines
from translator.evaluation.run_evaluation import load_split, target_language, translate_all
from translator.evaluation.scores import gather_references, score_translations
from translator.export.ctranslate2 import QUANTIZATIONS
from translator.export.formats import export_run
from translator.runs.directory import RunDirectory
from translator.translation.options import TranslationOptions
from translator.translation.records import KINDS
from translator.translation.results import Translation
from translator.translation.translator import Translator

ENGINES = ("ctranslate2", "keras")


def main() -> None:
    """Prints sizes, shares of equal translations, BLEU, and differences of attention."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True, help="a trained run with its weights")
    parser.add_argument("--quantization", choices=QUANTIZATIONS, default="int8")
    parser.add_argument("--source", type=Path, help="file of lines to translate")
    parser.add_argument("--split", choices=("test", "validation"), default="test")
    parser.add_argument("--limit", type=int, default=1000, help="the most lines (default 1000)")
    parser.add_argument(
        "--attention", type=int, default=200, help="translations whose attention is compared"
    )
    options = parser.parse_args()
    run = RunDirectory(options.run)
    start_keras()
    with tempfile.TemporaryDirectory() as folder:
        exports = [
            export_run(run, Path(folder) / kind, kind) for kind in ("float32", options.quantization)
        ]
        for export in exports:
            files = [file.stat().st_size for file in export.iterdir()]
            model = (export / "model.bin").stat().st_size
            print(
                f"{export.name}: model.bin {model / 1e6:.2f} MB, folder {sum(files) / 1e6:.2f} MB"
            )
        whole, rounded = ([Translator(export, engine) for engine in ENGINES] for export in exports)
        lines, references = read_input(whole[0], options.source, options.split)
        lines, references = lines[: options.limit], references[: options.limit]
        translated = compare_translations(whole, rounded, lines, references)
        compare_attention(whole[1], rounded[1], translated[: options.attention])


def read_input(
    translator: Translator, source: Path | None, split: str
) -> tuple[list[str], list[Sequence[str]]]:
    """The lines of a file, or those of a split of the run's corpus with their references."""
    if source is not None:
        return list(read_lines(source)), []
    references = gather_references(load_split(translator, split)[0])
    return list(references), list(references.values())


def compare_translations(
    whole: list[Translator],
    rounded: list[Translator],
    lines: list[str],
    references: list[Sequence[str]],
) -> list[Translation]:
    """Prints how many translations are equal, and BLEU of each; returns the run's own."""
    options = TranslationOptions(errors="replace")
    found = {
        (kind, translator.engine.name): translate_all(translator, lines, options)[0]
        for kind, pair in (("whole", whole), ("rounded", rounded))
        for translator in pair
    }
    texts = {key: [translation.text for translation in value] for key, value in found.items()}
    print(f"{len(lines):,} lines; equal to CTranslate2 without quantization:")
    language, tokenized = target_language(whole[0]), whole[0].config.corpus.is_tokenized
    for (kind, engine), one in texts.items():
        same = np.mean([a == b for a, b in zip(one, texts["whole", "ctranslate2"])])
        bleu = ""
        if references:
            scores = score_translations(one, references, language=language, tokenized=tokenized)
            bleu = f"  BLEU {scores.bleu:.2f}"
        print(f"  {kind:<8} {engine:<12} {same:>7.2%}{bleu}")
    same = np.mean(
        [a == b for a, b in zip(texts["rounded", "ctranslate2"], texts["rounded", "keras"])]
    )
    print(f"  the two engines with rounded weights agree on {same:.2%}")
    return found["whole", "ctranslate2"]


def compare_attention(
    whole: Translator, rounded: Translator, translations: list[Translation]
) -> None:
    """Prints the differences of attention weights, which lie between 0 and 1."""
    usable = [
        translation
        for translation in translations
        if translation.hypotheses
        and translation.hypotheses[0].source_ids.count(whole.tokenizers.source.end_id) == 1
    ]
    sums: dict[str, list[float]] = {kind: [] for kind in KINDS}
    most = dict.fromkeys(KINDS, 0.0)
    moved: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for one, other in zip(whole.attention(usable), rounded.attention(usable)):
        for kind in KINDS:
            a, b = getattr(one, kind), getattr(other, kind)
            sums[kind] += [float(abs(a - b).mean())]
            most[kind] = max(most[kind], float(abs(a - b).max()))
            moved[kind] += [float(np.mean(a.argmax(-1) == b.argmax(-1)))]
    print(f"attention of {len(usable):,} translations, Keras with rounded weights against whole:")
    for kind in KINDS:
        print(
            f"  {kind:<8} mean difference {np.mean(sums[kind]):.5f}, largest {most[kind]:.3f},"
            f" same strongest position {np.mean(moved[kind]):.2%}"
        )


if __name__ == "__main__":
    with errors_as_one_line():
        main()
