"""What each head does, in words, by rules on its measures. NumPy only."""

from collections.abc import Sequence

import numpy as np

from translator.addons.attention.alignment_errors import AlignmentErrors
from translator.addons.attention.measures import HeadMeasures, KindMeasures

ALIGNS_BELOW = 0.4  # alignment error rate of a head that aligns
LEANS = 0.35  # of a head's attention, for the place that has most of it to be named
MOST = 0.5  # of it, for start, end and punctuation together
EVEN = 0.8  # of the highest entropy, for a head that looks everywhere
SHARP = 0.4  # of it at most, for a head that picks few pieces

ALIGNS = "aligns"
EVERYWHERE = "looks everywhere"
PICKS = "picks a few pieces"
SPREADS = "looks at several pieces"
# The shares that a verdict may be about. A translation has an order of its own, so `PLACES` say
# nothing about cross-attention.
RESTS = {"start": "rests on the start", "end": "rests on the end"}
PLACES = {
    "previous": "looks at the piece before",
    "same": "looks at its own place",
    "next": "looks at the piece after",
}
MARKS = "rests on marks"


def head_verdicts(
    measures: HeadMeasures, errors: AlignmentErrors | None = None
) -> dict[str, list[list[str]]]:
    """A verdict in words for each head, by the first rule that holds.

    1. Of cross-attention, with gold alignments: the alignment error rate is below `ALIGNS_BELOW`.
    2. The entropy is above `EVEN` of the highest.
    3. The start, the end or, of self-attention, the piece before, the same place or the piece
       after has more of the attention than the others of them, and more than `LEANS`.
    4. Start, end and punctuation have more than `MOST` together.
    5. The entropy is below `SHARP` of the highest.
    6. None of these.

    Returns:
        By kind, for each layer and head.
    """
    return {
        kind: [
            [
                _verdict(of_kind, layer, head, kind, errors)
                for head in range(of_kind.entropy.shape[1])
            ]
            for layer in range(len(of_kind.entropy))
        ]
        for kind, of_kind in measures.kinds.items()
    }


def _verdict(
    measures: KindMeasures, layer: int, head: int, kind: str, errors: AlignmentErrors | None
) -> str:
    def share(*names: str) -> float:
        return float(sum(getattr(measures, name)[layer, head] for name in names))

    is_cross = kind == "cross"
    if is_cross and errors is not None:
        rates = [float(rates[layer, head]) for rates in errors.heads.values()]
        if min(rates) < ALIGNS_BELOW:
            return ALIGNS
    if share("evenness") > EVEN:
        return EVERYWHERE
    named = RESTS if is_cross else RESTS | PLACES
    largest = max(named, key=share)
    if share(largest) > LEANS:
        return named[largest]
    if share("start", "end", "punctuation") > MOST:
        return MARKS
    return PICKS if share("evenness") < SHARP else SPREADS


def rank_correlation(
    one: Sequence[float] | np.ndarray, other: Sequence[float] | np.ndarray
) -> float:
    """Spearman's rank correlation, with the mean rank where numbers are equal.

    Spearman (1904), "The Proof and Measurement of Association between Two Things",
    https://doi.org/10.2307/1412159

    Returns:
        From -1 to 1; 0 where all numbers of a side are equal.
    """
    ranks = [_mean_ranks(np.asarray(numbers, float)) for numbers in (one, other)]
    first, second = (rank - rank.mean() for rank in ranks)
    spread = np.sqrt((first**2).sum() * (second**2).sum())
    return float((first * second).sum() / spread) if spread else 0.0


def _mean_ranks(numbers: np.ndarray) -> np.ndarray:
    """The rank of each number; equal ones share the mean of theirs."""
    _, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: np.ndarray = (last - (counts - 1) / 2)[places]
    return ranks
