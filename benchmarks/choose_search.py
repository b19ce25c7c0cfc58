"""Chooses beam size and length penalty on the validation split, if the gain is significant.

    python benchmarks/choose_search.py --run checkpoints/multi30k

The split is translated with every pair of the values, and each pair's BLEU is compared with that
of the program's defaults by paired bootstrap resampling. The defaults stay unless another pair is
better with a p-value below 0.05 divided by the number of pairs that are tried (Bonferroni's
correction: of many pairs one is the best by chance). The last line is the choice.
"""

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sacrebleu.significance import PairedTest

from translator.base.keras_startup import start_keras
from translator.cli import errors_as_one_line
from translator.config.model import DecodingConfig
from translator.evaluation.run_evaluation import load_split, target_language, translate_all
from translator.evaluation.scores import gather_references, sacrebleu_metrics
from translator.runs.choosing import find_run
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

SIGNIFICANT = 0.05
SAMPLES = 1000  # of the bootstrap, at least; more where many settings are tried


def main() -> None:
    """Prints BLEU and p-value of each pair, and the choice."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", type=Path, required=True, help="a trained run with its weights")
    parser.add_argument("--beam-sizes", type=int, nargs="+", default=[1, 4, 5, 8, 12])
    parser.add_argument("--length-penalties", type=float, nargs="+", default=[0.6, 1.0, 1.4])
    options = parser.parse_args()
    start_keras()
    translator = Translator(find_run(options.run))
    references = gather_references(load_split(translator, "validation")[0])
    sources = list(references)
    defaults = DecodingConfig()
    usual = defaults.beam_size, defaults.length_penalty
    settings = settings_to_try(options.beam_sizes, options.length_penalties, usual)
    translated = [
        (
            f"beam_size {size}, length_penalty {penalty}",
            translate(translator, sources, size, penalty),
        )
        for size, penalty in settings
    ]
    tokenized = translator.config.corpus.is_tokenized
    bleu = sacrebleu_metrics(target_language(translator), tokenized=tokenized)["BLEU"]
    streams = list(itertools.zip_longest(*references.values()))
    samples = max(SAMPLES, round(2 * len(settings) / SIGNIFICANT))
    signatures, results = PairedTest(translated, {"BLEU": bleu}, streams, "bs", samples)()
    found = [
        Tried(name, float(result.score), None if result.p_value is None else float(result.p_value))
        for (name, _), result in zip(translated, results["BLEU"])
    ]
    for name, score, p_value in found:
        print(f"{name}: BLEU {score:.2f}" + ("" if p_value is None else f"  p {p_value:.3f}"))
    print(f"signature: {signatures['BLEU']}")
    print(f"chosen: {choose(found).name}")


def settings_to_try(
    beam_sizes: Sequence[int], length_penalties: Sequence[float], usual: tuple[int, float]
) -> list[tuple[int, float]]:
    """Beam size and length penalty of each setting, those that are usual first.

    Greedy search has only one hypothesis, so one penalty is enough.
    """
    tried = [(1, usual[1])] if 1 in beam_sizes else []
    tried += itertools.product((size for size in beam_sizes if size > 1), length_penalties)
    return list(dict.fromkeys([usual, *tried]))


class Tried(NamedTuple):
    """A pair of values that was tried.

    Attributes:
        name: says which.
        bleu: of the validation split.
        p_value: how likely chance alone gives as large a difference from the first pair; None
            for the first.
    """

    name: str
    bleu: float
    p_value: float | None


def choose(found: Sequence[Tried]) -> Tried:
    """The best of those that chance does not explain; the first where there is none."""
    bound = SIGNIFICANT / max(1, len(found) - 1)
    certain = [tried for tried in found if tried.p_value is None or tried.p_value < bound]
    return max(certain, key=lambda tried: tried.bleu)


def translate(
    translator: Translator, sentences: list[str], beam_size: int, length_penalty: float
) -> list[str]:
    """The best translation of each sentence with these settings of the search."""
    options = TranslationOptions(
        beam_size=beam_size, length_penalty=length_penalty, errors="replace"
    )
    return [found.text for found in translate_all(translator, sentences, options)[0]]


if __name__ == "__main__":
    with errors_as_one_line():
        main()
