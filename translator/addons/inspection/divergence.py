"""Where two files of unequal lengths begin not to belong together."""

import numpy as np

from translator.addons.inspection.pair_scores import Pair, PairScorer, put_together_by_chance

FEWEST = 20  # lines by which it can be told
LOOKED_AT = 1000  # lines that are scored, spread over the files
GOOD = 90  # percentile of the scores, which pairs that belong together reach
SEED = 1  # of the pairs that are put together by chance


def first_divergence(sources: list[str], targets: list[str], scorer: PairScorer) -> int | None:
    """Finds the first line of two files whose sides do not belong together.

    Up to that line equal numbers should score better; from there on lines that are as far from
    each other as the files are unequal, or none: then a score half-way between good pairs and
    chance is better. The best place to change is the one with the highest sum. It is found on some
    lines, and then on all lines around it.

    Args:
        sources: the lines of one file.
        targets: the lines of the other, more or fewer.
        scorer: scores pairs of them.

    Returns:
        The place of the line, from 0; the number of lines of the shorter file if all of them
        belong together; None if there are too few lines to tell.
    """
    count = min(len(sources), len(targets))
    if count < FEWEST:
        return None
    pairs = list(zip(sources, targets))
    ahead = max(len(sources) - count, 0), max(len(targets) - count, 0)
    by_chance = put_together_by_chance(pairs[: 10 * FEWEST], np.random.default_rng(SEED))
    chance = float(np.nanmean(scorer.features(by_chance)[:, 0]))

    def fits(lines: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """How well lines fit, and those that are as far apart as the files are unequal."""
        moved: list[Pair] = [(sources[line + ahead[0]], targets[line + ahead[1]]) for line in lines]
        own, other = (
            np.nan_to_num(scorer.features(found)[:, 0], nan=chance)
            for found in ([pairs[line] for line in lines], moved)
        )
        return own, other

    step = -(-count // LOOKED_AT)
    own, other = fits(list(range(0, count, step)))
    least = (chance + float(np.percentile([*own, *other], GOOD))) / 2
    place = _best_change(own - np.maximum(other, least)) * step
    if step > 1:
        first = max(place - 2 * step, 0)
        own, other = fits(list(range(first, min(place + 2 * step, count))))
        place = first + _best_change(own - np.maximum(other, least))
    return min(place, count)


def _best_change(advantages: np.ndarray) -> int:
    """Up to which line the sum of the advantages is highest."""
    return int(np.concatenate([[0.0], np.cumsum(advantages)]).argmax())
