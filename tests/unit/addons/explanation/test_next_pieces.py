"""What may be written next, and the tree of a search."""

import math

import numpy as np
import pytest

from translator.addons.explanation.next_tokens import (
    make_branches,
    next_tokens,
    output_formula,
    small_percent,
    tree_lines,
)
from translator.search.engine import DROPPED, ENDED, KEPT, Continuation

PIECES = ("</s>", "▁Er", "▁Sie", "▁kam", "▁ging", ".")
HALF, TENTH = math.log(0.5), math.log(0.1)


@pytest.fixture
def found():
    """Er kam </s>, Er ging </s>; Sie was dropped, and so was a dot."""
    return [
        Continuation(None, 0, 1, HALF, KEPT),
        Continuation(None, 0, 2, TENTH, DROPPED),
        Continuation(0, 1, 3, 2 * HALF, KEPT),
        Continuation(0, 1, 4, HALF + TENTH, KEPT),
        Continuation(0, 1, 5, HALF + math.log(0.001), DROPPED),
        Continuation(2, 2, 0, 3 * HALF, ENDED, 3 * HALF / 3),
        Continuation(3, 2, 0, 2 * HALF + TENTH, ENDED, (2 * HALF + TENTH) / 3),
    ]


def test_branches_have_probabilities_and_ranks_and_lines_show_those_that_were_kept(found):
    branches = make_branches(found, PIECES)
    assert [(each.piece, round(each.probability, 3), each.rank) for each in branches] == [
        ("▁Er", 0.5, None), ("▁Sie", 0.1, None), ("▁kam", 0.5, None), ("▁ging", 0.1, None),
        (".", 0.001, None), ("</s>", 0.5, 1), ("</s>", 0.5, 2),
    ]  # fmt: skip
    assert list(tree_lines(make_branches(found, PIECES))) == [
        "└ Er  50%",
        "  ├ kam </s>  50%  number 1, score -0.693",
        "  └ ging </s>  10%  number 2, score -1.230",
    ]
    assert list(tree_lines([])) == []
    shares = [small_percent(share) for share in (0.5, 0.005, 0.0049, 0.0, 1.0)]
    assert shares == ["50%", "0%", "<1%", "<1%", "100%"]


def test_next_tokens_are_the_most_probable_ones():
    logits = np.log(np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]]))
    first, second = next_tokens(logits, ("a", "b", "c"))
    assert first.tokens == ("c", "b", "a")
    assert first.probabilities == pytest.approx((0.7, 0.2, 0.1))
    assert second.tokens == ("a", "b", "c")
    assert output_formula(is_tied=True, has_bias=False) == "softmax(output · Eᵀ)"
    assert output_formula(is_tied=False, has_bias=True) == "softmax(output · W + b)"
