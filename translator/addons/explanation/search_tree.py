"""The search for a translation as a tree: what a beam kept and dropped at each step. NumPy only."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from translator.search.state import DROPPED, ENDED, Continuation
from translator.tokenizers.special_tokens import END
from translator.tokenizers.words import words_of


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
