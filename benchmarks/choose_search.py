"""Chooses beam size and length penalty on the validation split, if the gain is significant.

    python benchmarks/choose_search.py --run checkpoints/multi30k

The split is translated with every pair of the values, and each pair's BLEU is compared with that
of the program's defaults by paired bootstrap resampling. The defaults stay unless another pair is
better with a p-value below 0.05 divided by the number of pairs that are tried (Bonferroni's
correction: of many pairs one is the best by chance).
"""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import harness
from sacrebleu.significance import PairedTest
from translating import precision_of, read_split, translate

import translator
from translator.cli import errors_as_one_line
from translator.config.model import DecodingConfig
from translator.evaluation.run_evaluation import target_language
from translator.evaluation.scores import sacrebleu_metrics
from translator.translation.options import TranslationOptions

SIGNIFICANT = 0.05
SAMPLES = 1000  # of the bootstrap, at least; more where many settings are tried
Setting = tuple[int, float]  # beam size and length penalty


class Tried(NamedTuple):
    """A setting that was tried.

    Attributes:
        setting: beam size and length penalty.
        bleu: of the validation split.
        p_value: how likely chance alone gives as large a difference from the first setting; None
            for the first.
    """

    setting: Setting
    bleu: float
    p_value: float | None


def main() -> None:
    """Prints BLEU and p-value of each setting, and which is chosen."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--beam-sizes", type=int, nargs="+", default=[1, 4, 5, 8, 12])
    parser.add_argument("--length-penalties", type=float, nargs="+", default=[0.6, 1.0, 1.4])
    options = parser.parse(beam_sizes=[1], length_penalties=[1.0])
    with harness.folder_and_run(options) as (_, run):
        opened = translator.load(run)
        references = read_split(opened, "validation")
        usual = DecodingConfig().beam_size, DecodingConfig().length_penalty
        settings = settings_to_try(options.beam_sizes, options.length_penalties, usual)
        translated = []
        for size, penalty in settings:
            search = TranslationOptions(beam_size=size, length_penalty=penalty, errors="replace")
            translated.append((str((size, penalty)), translate(opened, list(references), search)))
        tokenized = opened.config.corpus.is_tokenized
        bleu = sacrebleu_metrics(target_language(opened), tokenized=tokenized)["BLEU"]
        streams = list(itertools.zip_longest(*references.values()))
        samples = max(SAMPLES, round(2 * len(settings) / SIGNIFICANT))
        _, results = PairedTest(translated, {"BLEU": bleu}, streams, "bs", samples)()
        found = [
            Tried(setting, round(float(result.score), 2), result.p_value)
            for setting, result in zip(settings, results["BLEU"])
        ]
        chosen = choose(found)
        harness.show(
            options,
            f"search-{run.name}",
            f"Beam size and length penalty on the validation split of {run.name}",
            ["beam size", "length penalty", "BLEU", "p", ""],
            [[*each.setting, each.bleu, each.p_value and round(float(each.p_value), 3),
              "chosen" if each == chosen else ""] for each in found],
            precision_of(opened),
        )  # fmt: skip


def settings_to_try(
    beam_sizes: Sequence[int], length_penalties: Sequence[float], usual: Setting
) -> list[Setting]:
    """Those that are usual first; greedy search has one hypothesis, so one penalty is enough."""
    tried = [(1, usual[1])] if 1 in beam_sizes else []
    tried += itertools.product((size for size in beam_sizes if size > 1), length_penalties)
    return list(dict.fromkeys([usual, *tried]))


def choose(found: Sequence[Tried]) -> Tried:
    """The best of those that chance does not explain; the first where there is none."""
    bound = SIGNIFICANT / max(1, len(found) - 1)
    certain = [tried for tried in found if tried.p_value is None or tried.p_value < bound]
    return max(certain, key=lambda tried: tried.bleu)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
