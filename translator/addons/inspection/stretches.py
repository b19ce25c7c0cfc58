"""Stretches of lines whose sides do not belong together, found by the scores of their pairs.

Lines that are shifted come in stretches, so neighbours decide together, by a hidden Markov model
of two states: Rabiner (1989), "A Tutorial on Hidden Markov Models and Selected Applications in
Speech Recognition", https://doi.org/10.1109/5.18626, section III.
"""

import itertools
from collections.abc import Sequence

import numpy as np

from translator.addons.inspection.findings import Stretch
from translator.addons.inspection.pair_scores import Pair, PairScorer

BEGINS, ENDS = 1e-3, 0.1  # probabilities that a stretch begins, or ends, with the next line
STRONGEST = 8.0  # log-odds that one line counts at most, so that none is a stretch alone
FARTHEST = 4  # lines by which a side may be shifted for the shift to be found
TRIED = 8  # lines of a stretch by which its shift is found
LEAST_RISE = 0.5  # mean log probability of a token by which the shifted lines must be better
MOST_TRIED = 200  # stretches whose shift is looked for


def misalignment(log_odds: np.ndarray) -> np.ndarray:
    """How probably each line is in a stretch whose sides do not belong together.

    Args:
        log_odds: (lines,) that the sides of a line belong together; NaN where that is not known.

    Returns:
        (lines,) probabilities, given all lines.
    """
    known = np.clip(np.nan_to_num(log_odds), -STRONGEST, STRONGEST)
    evidence: list[float] = np.exp(known).tolist()
    following = [1.0]  # the odds that the lines after a line give it
    for odds in reversed(evidence[1:]):
        together = odds * following[-1]
        following.append(((1 - BEGINS) * together + BEGINS) / (ENDS * together + 1 - ENDS))
    found = []
    before = ENDS / BEGINS
    for odds, after in zip(evidence, reversed(following)):
        own = before * odds
        found.append(1 / (1 + own * after))
        together = own / (1 + own)
        following_together = together * (1 - BEGINS) + (1 - together) * ENDS
        before = following_together / (1 - following_together)
    return np.array(found)


def find_stretches(
    is_misaligned: np.ndarray, pairs: Sequence[Pair], scorer: PairScorer
) -> list[Stretch]:
    """The stretches of misaligned lines, with how far each is shifted.

    Args:
        is_misaligned: (lines,) whether each line is.
        pairs: of all lines.
        scorer: scores the lines with their translations looked for before and after them.
    """
    stretches: list[Stretch] = []
    for misaligned, group in itertools.groupby(range(len(pairs)), lambda line: is_misaligned[line]):
        if misaligned:
            lines = list(group)
            is_tried = len(stretches) < MOST_TRIED
            offset = _find_offset(lines, pairs, scorer) if is_tried else None
            stretches.append(Stretch(lines[0], lines[-1], offset))
    return stretches


def _find_offset(lines: list[int], pairs: Sequence[Pair], scorer: PairScorer) -> int | None:
    """How many lines further the translations are; None if they are not near."""
    middle = max((len(lines) - TRIED) // 2, 0)
    tried = lines[middle : middle + TRIED]
    offsets = [0, *(sign * n for n in range(1, FARTHEST + 1) for sign in (1, -1))]
    moved = [
        (pairs[line][0], pairs[line + offset][1] if 0 <= line + offset < len(pairs) else "")
        for offset in offsets
        for line in tried
    ]
    scores = scorer.features(moved)[:, 0].reshape(len(offsets), len(tried))
    scored = ~np.isnan(scores)
    sums = np.where(scored, scores, 0.0).sum(axis=1)
    means = np.where(scored.any(axis=1), sums / np.maximum(scored.sum(axis=1), 1), -np.inf)
    best = int(means.argmax())
    return offsets[best] if best and means[best] - means[0] >= LEAST_RISE else None
