"""What the model may write next at each position, and what a beam kept and dropped. NumPy only."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from translator.search.engine import DROPPED, ENDED, Continuation
from translator.tokenizers.special_tokens import END
from translator.tokenizers.words import words_of

TOP_TOKENS = 10
EXPLAINED = (
    "One number for each piece of the vocabulary, and again shares that sum to 1: how probable each"
    " piece is as the next one."
)
WITHOUT = (
    "What may be written at each position if this head added nothing, with the same beginning of"
    " the translation: where little changes, the other heads know it too."
)


class NextTokens(NamedTuple):
    """What may follow at a position, the most probable first."""

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]


def next_tokens(logits: np.ndarray, pieces: Sequence[str]) -> list[NextTokens]:
    """The most probable next tokens at each position.

    Args:
        logits: (T, V).
    """
    likely = np.exp(logits.astype("float64") - logits.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    found = []
    for row in likely:
        best = np.argsort(-row, kind="stable")[:TOP_TOKENS]
        found.append(NextTokens(tuple(pieces[i] for i in best), tuple(map(float, row[best]))))
    return found


def output_formula(is_tied: bool, has_bias: bool) -> str:
    """How the decoder's output becomes probabilities.

    Args:
        is_tied: whether the output's matrix is the embedding table E itself.
        has_bias: whether each piece has a number of its own that is added.
    """
    matrix = "Eᵀ" if is_tied else "W"
    return f"softmax(output · {matrix}{' + b' if has_bias else ''})"


class Branch(NamedTuple):
    """A piece that a step of the search considered.

    Attributes:
        parent: the number of the branch that it follows, from 0; None for the first piece.
        step: the position of the piece, from 0.
        probability: of the piece after those before it.
        log_probability: the sum over all pieces up to it.
        score: what ended hypotheses are ranked by; None elsewhere.
        rank: of an ended hypothesis among all of them, from 1; None elsewhere.
    """

    parent: int | None
    step: int
    piece: str
    probability: float
    log_probability: float
    fate: str
    score: float | None
    rank: int | None


def make_branches(found: Sequence[Continuation], pieces: Sequence[str]) -> list[Branch]:
    """The branches of a search."""
    scores = [each.score for each in found if each.score is not None]
    order = sorted(scores, reverse=True)
    branches = []
    for each in found:
        before = 0.0 if each.parent is None else found[each.parent].log_probability
        branches.append(
            Branch(
                each.parent,
                each.step,
                pieces[each.id],
                math.exp(min(0.0, each.log_probability - before)),
                each.log_probability,
                each.fate,
                each.score,
                None if each.score is None else order.index(each.score) + 1,
            )
        )
    return branches


def tree_lines(branches: Sequence[Branch]) -> Iterator[str]:
    """The kept and ended hypotheses as an indented tree; pieces without a choice share a line."""
    children: dict[int | None, list[int]] = {}
    for i, branch in enumerate(branches):
        children.setdefault(branch.parent, []).append(i)

    def lines(numbers: list[int], before: str) -> Iterator[str]:
        shown = [i for i in numbers if _is_shown(branches, children, i)]
        for i in shown:
            is_last = i == shown[-1]
            run, last = [i], i
            while branches[last].fate != ENDED:
                inner = [j for j in children.get(last, []) if _is_shown(branches, children, j)]
                if len(inner) != 1:
                    break
                [last] = inner
                run.append(last)
            yield f"{before}{'└' if is_last else '├'} {_run(branches, run)}"
            yield from lines(children.get(last, []), before + ("  " if is_last else "│ "))

    yield from lines(children.get(None, []), "")


def _is_shown(branches: Sequence[Branch], children: dict[int | None, list[int]], i: int) -> bool:
    return branches[i].fate != DROPPED or i in children


def _run(branches: Sequence[Branch], run: Sequence[int]) -> str:
    """Some pieces in a row as text, with the share of the first, and how they end."""
    pieces = [branches[i].piece for i in run]
    words = " ".join(words_of(pieces).texts)
    ends = f" {END}" if pieces[-1] == END else ""
    first, last = branches[run[0]], branches[run[-1]]
    text = f"{words}{ends}".strip()
    share = small_percent(first.probability)
    if last.fate == ENDED:
        return f"{text}  {share}  number {last.rank}, score {last.score:.3f}"
    return f"{text}  {share}" + ("  dropped" if last.fate == DROPPED else "")


def small_percent(share: float) -> str:
    """A share in percent; below half a percent only that it is so small."""
    return "<1%" if share < 0.005 else f"{share:.0%}"
