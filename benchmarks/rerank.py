"""Chooses translations by the scores of several runs, and measures what that gains.

    python benchmarks/rerank.py --forward checkpoints/student-1 --forward checkpoints/student-2 \
        --backward checkpoints/backward --weights 0 0.2 0.4

Each run of --forward gives its best hypotheses of every sentence of the split. All are scored by
all of these runs (the mean of their log probabilities per token), and by the runs of --backward,
which translate the other way and say how probable the source is, given the hypothesis (Yee et al.
2019, "Simple and Effective Noisy Channel Modeling for Neural Machine Translation",
https://arxiv.org/abs/1908.05731). The hypothesis with the highest sum is taken, of the first and a
weight times the second. BLEU is printed for each weight.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import translator
from translator.cli import errors_as_one_line
from translator.evaluation.run_evaluation import load_split, target_language
from translator.evaluation.scores import gather_references, score_translations
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

sys.path.append(str(Path(__file__).parents[1] / "tools"))
from make_synthetic_pairs import languages_of  # noqa: E402

TOO_LONG = -1e6  # below every score


def main() -> None:
    """Prints BLEU for each weight."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--forward", type=Path, action="append", required=True, metavar="RUN")
    parser.add_argument("--backward", type=Path, action="append", default=[], metavar="RUN")
    parser.add_argument(
        "--weights", type=float, nargs="+", default=[0.3], help="of --backward (default: 0.3)"
    )
    parser.add_argument("--n-best", type=int, default=8, help="of each run (default: 8)")
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    options = parser.parse_args()
    forward = [translator.load(run) for run in options.forward]
    backward = [translator.load(run) for run in options.backward]
    languages_of(forward, backward)
    references = gather_references(load_split(forward[0], options.split)[0])
    pairs = gather_hypotheses(forward, list(references), options.n_best)
    own, theirs = score_both_ways(forward, backward, pairs)
    print(f"{len(pairs):,} hypotheses of {len(references):,} sentences")
    for weight in options.weights:
        chosen = choose(pairs, own + weight * theirs)
        texts = [chosen[source] for source in references]
        language = target_language(forward[0])
        tokenized = forward[0].config.corpus.is_tokenized
        found = score_translations(texts, list(references.values()), language, tokenized=tokenized)
        print(f"weight {weight:g}: BLEU {found.bleu:.2f}  {found.bleu_signature}")


def gather_hypotheses(
    forward: Sequence[Translator], sources: list[str], n_best: int
) -> list[tuple[str, str]]:
    """All different hypotheses of the runs, each after its source."""
    search = TranslationOptions(beam_size=n_best, n_best=n_best, errors="replace")
    found: dict[tuple[str, str], None] = {}
    for run in forward:
        for translation in run.translate(sources, search):
            texts = [each.text for each in translation.hypotheses]
            found.update(dict.fromkeys((translation.source, text) for text in texts))
    return list(found)


def score_both_ways(
    forward: Sequence[Translator], backward: Sequence[Translator], pairs: Sequence[tuple[str, str]]
) -> tuple[np.ndarray, np.ndarray]:
    """The mean score of each pair by the runs of each direction; 0 where there are none."""
    turned = [(text, source) for source, text in pairs]
    own = np.mean([score(run, pairs) for run in forward], axis=0)
    return own, np.mean([score(run, turned) for run in backward] or [0 * own], axis=0)


def score(run: Translator, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """The log probability per token of each pair's second sentence, given the first.

    It is `TOO_LONG` where a sentence is longer than the run takes.
    """
    scores = np.full(len(pairs), TOO_LONG)
    sides = (run.tokenizers.source, run.tokenizers.target)
    lengths = np.array(
        [list(map(len, side.encode(texts))) for side, texts in zip(sides, zip(*pairs))]
    )
    fitting = np.flatnonzero((lengths <= run.config.data.max_length).all(axis=0))
    found = run.score(*zip(*(pairs[place] for place in fitting)))
    scores[fitting] = [each.log_probability / each.tokens for each in found]
    return scores


def choose(pairs: Sequence[tuple[str, str]], scores: np.ndarray) -> dict[str, str]:
    """The hypothesis of the highest score of each source."""
    best: dict[str, int] = {}
    for place, (source, _) in enumerate(pairs):
        if source not in best or scores[place] > scores[best[source]]:
            best[source] = place
    return {source: pairs[place][1] for source, place in best.items()}


if __name__ == "__main__":
    with errors_as_one_line():
        main()
