"""The next tokens at each position, and the branches that a beam kept or dropped. NumPy only."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from translator.search.engine import DROPPED, ENDED, Continuation
from translator.tokenizers.special_tokens import END
from translator.tokenizers.words import words_of

TOP_TOKENS = 10
EXPLAINED = (
    "Each piece of the vocabulary has a number: the probability that it is the next piece. These"
    " numbers also sum to 1."
)
WITHOUT = (
    "The next pieces at each position if this head added nothing. The translation before them is"
    " the same. If little changes, other heads have the same information."
)


class NextTokens(NamedTuple):
    """The tokens that may follow at a position, the most probable first."""

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]


def next_tokens(logits: np.ndarray, pieces: Sequence[str]) -> list[NextTokens]:
    """The most probable next tokens at each position.

    Args:
        logits: (T, V).
    """
    probabilities = np.exp(logits.astype("float64") - logits.max(axis=1, keepdims=True))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    following = []
    for row in probabilities:
        best = np.argsort(-row, kind="stable")[:TOP_TOKENS]
        following.append(NextTokens(tuple(pieces[i] for i in best), tuple(map(float, row[best]))))
    return following


def output_formula(is_tied: bool, has_bias: bool) -> str:
    """The formula that turns the decoder's output into probabilities.

    Args:
        is_tied: whether the output's matrix is the embedding table E itself.
        has_bias: whether a number is added for each piece.
    """
    matrix = "Eᵀ" if is_tied else "W"
    return f"softmax(output · {matrix}{' + b' if has_bias else ''})"


class Branch(NamedTuple):
    """A piece that a step of the search considered.

    Attributes:
        parent: the number, from 0, of the branch before it; None for the first piece.
        step: the position of the piece, from 0.
        probability: the probability of the piece, given the pieces before it.
        log_probability: the sum over this piece and all pieces before.
        score: the score that ranks an ended hypothesis; None for other branches.
        rank: the rank among all ended hypotheses, from 1; None for other branches.
    """

    parent: int | None
    step: int
    piece: str
    probability: float
    log_probability: float
    fate: str
    score: float | None
    rank: int | None


def make_branches(candidates: Sequence[Continuation], pieces: Sequence[str]) -> list[Branch]:
    """The branches of a search."""
    scores = [candidate.score for candidate in candidates if candidate.score is not None]
    order = sorted(scores, reverse=True)
    branches = []
    for candidate in candidates:
        before = 0.0 if candidate.parent is None else candidates[candidate.parent].log_probability
        branches.append(
            Branch(
                candidate.parent,
                candidate.step,
                pieces[candidate.id],
                math.exp(min(0.0, candidate.log_probability - before)),
                candidate.log_probability,
                candidate.fate,
                candidate.score,
                None if candidate.score is None else order.index(candidate.score) + 1,
            )
        )
    return branches


def tree_lines(branches: Sequence[Branch]) -> Iterator[str]:
    """The kept and ended hypotheses as an indented tree; a line ends at the next choice."""
    children: dict[int | None, list[int]] = {}
    for i, branch in enumerate(branches):
        children.setdefault(branch.parent, []).append(i)

    def lines(numbers: list[int], before: str) -> Iterator[str]:
        visible = [i for i in numbers if _is_shown(branches, children, i)]
        for i in visible:
            is_last = i == visible[-1]
            numbers_of_line, last = [i], i
            while branches[last].fate != ENDED:
                following = [j for j in children.get(last, []) if _is_shown(branches, children, j)]
                if len(following) != 1:
                    break
                [last] = following
                numbers_of_line.append(last)
            yield f"{before}{'└' if is_last else '├'} {_run(branches, numbers_of_line)}"
            yield from lines(children.get(last, []), before + ("  " if is_last else "│ "))

    yield from lines(children.get(None, []), "")


def _is_shown(branches: Sequence[Branch], children: dict[int | None, list[int]], i: int) -> bool:
    return branches[i].fate != DROPPED or i in children


def _run(branches: Sequence[Branch], numbers: Sequence[int]) -> str:
    """The pieces of a line as text, with the share of the first piece and the kind of the end."""
    pieces = [branches[i].piece for i in numbers]
    words = " ".join(words_of(pieces).texts)
    ends = f" {END}" if pieces[-1] == END else ""
    first, last = branches[numbers[0]], branches[numbers[-1]]
    text = f"{words}{ends}".strip()
    share = small_percent(first.probability)
    if last.fate == ENDED:
        return f"{text}  {share}  number {last.rank}, score {last.score:.3f}"
    return f"{text}  {share}" + ("  dropped" if last.fate == DROPPED else "")


def small_percent(share: float) -> str:
    """A share in percent; ``<1%`` below half a percent."""
    return "<1%" if share < 0.005 else f"{share:.0%}"
