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

import tempfile
from collections.abc import Sequence
from pathlib import Path

import harness
import numpy as np
from translating import measure_bleu, precision_of, read_split

import translator
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

TOO_LONG = -1e6  # below every score
Pair = tuple[str, str]


def main() -> None:
    """Prints BLEU for each weight."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--forward", type=Path, action="append", default=[], metavar="RUN")
    parser.add_argument("--backward", type=Path, action="append", default=[], metavar="RUN")
    parser.add_argument(
        "--weights", type=float, nargs="+", default=[0.3], help="of --backward (default: 0.3)"
    )
    parser.add_argument("--n-best", type=int, default=8, help="of each run (default: 8)")
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    options = parser.parse(n_best=2)
    with tempfile.TemporaryDirectory() as folder:
        if options.small and not options.forward:
            options.forward = [harness.train_small_run(Path(folder))]
        forward, backward = (
            [translator.load(run) for run in runs] for runs in (options.forward, options.backward)
        )
        check_languages(forward, backward)
        references = read_split(forward[0], options.split)
        pairs = gather_hypotheses(forward, list(references), options.n_best)
        own, theirs = score_both_ways(forward, backward, pairs)
        rows = []
        for weight in options.weights:
            chosen = choose(pairs, own + weight * theirs)
            texts = [chosen[source] for source in references]
            rows.append([weight, measure_bleu(forward[0], texts, list(references.values()))])
        title = f"The best of {len(pairs):,} hypotheses of {len(references):,} sentences"
        columns = ["weight of the backward model", f"BLEU, {options.split}"]
        harness.show(options, "reranked", title, columns, rows, precision_of(forward[0]))


def check_languages(forward: Sequence[Translator], backward: Sequence[Translator]) -> None:
    """Refuses runs that do not translate between the same languages, or none."""
    found = {run.config.corpus.languages for run in forward}
    found |= {run.config.corpus.languages[::-1] for run in backward}
    if len(found) != 1 or not forward:
        raise InputError(
            "expected runs of --forward from one language to another, and runs of --backward from"
            f" that to the first, found {', '.join('-'.join(pair) for pair in sorted(found))}"
        )


def gather_hypotheses(forward: Sequence[Translator], sources: list[str], n_best: int) -> list[Pair]:
    """All different hypotheses of the runs, each after its source."""
    search = TranslationOptions(beam_size=n_best, n_best=n_best, errors="replace")
    found: dict[Pair, None] = {}
    for run in forward:
        for translation in run.translate(sources, search):
            texts = [each.text for each in translation.hypotheses]
            found.update(dict.fromkeys((translation.source, text) for text in texts))
    return list(found)


def score_both_ways(
    forward: Sequence[Translator], backward: Sequence[Translator], pairs: Sequence[Pair]
) -> tuple[np.ndarray, np.ndarray]:
    """The mean score of each pair by the runs of each direction; 0 where there are none."""
    turned = [(text, source) for source, text in pairs]
    own = np.mean([score(run, pairs) for run in forward], axis=0)
    return own, np.mean([score(run, turned) for run in backward] or [0 * own], axis=0)


def score(run: Translator, pairs: Sequence[Pair]) -> np.ndarray:
    """The log probability per token of each pair's second sentence, given the first.

    It is `TOO_LONG` where a sentence is longer than the run takes.
    """
    scores = np.full(len(pairs), TOO_LONG)
    sides = (run.tokenizers.source, run.tokenizers.target)
    lengths = np.array(
        [list(map(len, side.encode(texts))) for side, texts in zip(sides, zip(*pairs))]
    )
    fitting = np.flatnonzero((lengths <= run.config.data.max_length).all(axis=0)).tolist()
    sources, targets = ([pairs[place][side] for place in fitting] for side in (0, 1))
    found = run.score(sources, targets)
    scores[fitting] = [each.log_probability / each.tokens for each in found]
    return scores


def choose(pairs: Sequence[Pair], scores: np.ndarray) -> dict[str, str]:
    """The hypothesis of the highest score of each source."""
    best: dict[str, int] = {}
    for place, (source, _) in enumerate(pairs):
        if source not in best or scores[place] > scores[best[source]]:
            best[source] = place
    return {source: pairs[place][1] for source, place in best.items()}


if __name__ == "__main__":
    with errors_as_one_line():
        main()
