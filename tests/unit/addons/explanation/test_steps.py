"""The steps of a head: their order, labels and words."""

import numpy as np
import pytest

from translator.addons.explanation.next_tokens import next_tokens, output_formula
from translator.addons.explanation.steps import Labels, make_steps
from translator.addons.explanation.trace import EmbeddingTrace, HeadTrace, LayerTrace, Trace

LABELS = Labels(("<s>", "▁a", "▁b", "</s>"), ("<s>", "▁x"), ("▁x", "</s>"))


def make_trace(kind, layer=1, positions=1.0):
    rows, keys = {"encoder": (4, 4), "decoder": (2, 2), "cross": (2, 4)}[kind]
    zeros = np.zeros
    embedded = {
        side: EmbeddingTrace(zeros((n, 6)), np.full((n, 6), positions), zeros((n, 6)))
        for side, n in (("s", 4), ("t", 2))
    }
    mask = np.tri(rows, dtype=bool) if kind == "decoder" else np.ones((rows, keys), bool)
    head = HeadTrace(  # type: ignore[call-arg]
        zeros((rows, 6)), zeros((keys, 6)), zeros((rows, 3)), zeros((keys, 3)), zeros((keys, 3)),
        *[zeros((rows, keys))] * 2, mask, *[zeros((rows, keys))] * 2, zeros((rows, 3)),
        np.ones((2, rows, 6)), zeros(6), zeros((rows, 6)),
    )  # fmt: skip
    other = zeros((rows, 6)) if kind == "decoder" else None
    x, wide = zeros((rows, 6)), zeros((rows, 8))
    around = LayerTrace(x, x, other, x, wide, x, x)
    return Trace(
        kind, layer, 1, embedded["s"], embedded["t"], around, head, zeros((2, 6)),
        zeros((2, 9)), zeros((2, 9)),
    )  # fmt: skip


EMBEDDING = ("embedding", "position", "sum")


def names(kind, layer=1, layers=2, first=True):
    return [
        step.name for step in make_steps(make_trace(kind, layer), LABELS, layers, first, "relu")
    ]


ATTENTION = ["queries", "keys", "values", "products", "scaled", "mask", "weights", "weighted sum",
             "this head adds", "each head adds", "all heads", "residual"]  # fmt: skip


def test_the_order_of_the_steps():
    assert names("encoder") == [
        "embedding", "position", "sum", "normalised", *ATTENTION, "normalised again", "inner",
        "feed-forward", "layer's result",
    ]  # fmt: skip
    assert names("decoder", 2, first=False) == [
        "embedding", "position", "sum", "input", *ATTENTION, "cross-attention", "inner",
        "feed-forward", "layer's result",
    ]  # fmt: skip
    assert names("cross") == [
        "embedding", "position", "sum", "input", "normalised", "memory", *ATTENTION,
        "normalised again", "inner", "feed-forward", "layer's result", "decoder's output",
    ]  # fmt: skip
    for kind in ("encoder", "decoder", "cross"):
        assert len(set(names(kind, 2))) == len(names(kind, 2))


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_positions_that_are_not_added_rotate_queries_and_keys_of_self_attention(kind):
    steps = make_steps(make_trace(kind, positions=0.0), LABELS, 2, True, "relu")
    assert {"position", "sum"}.isdisjoint(step.name for step in steps)
    formulas = {step.name: step.formula for step in steps}
    rotated = kind != "cross"
    assert formulas["queries"] == ("Q = R · (x · W_Q + b_Q)" if rotated else "Q = x · W_Q + b_Q")
    product = f"{'memory' if kind == 'cross' else 'x'} · W_K + b_K"
    assert formulas["keys"] == (f"K = R · ({product})" if rotated else f"K = {product}")
    assert any("rotates each pair" in step.text for step in steps) == rotated


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_rows_and_columns_have_the_labels_of_their_tokens(kind):
    for step in make_steps(make_trace(kind), LABELS, 2, True, "relu"):
        assert step.numbers.shape[0] == len(step.rows)
        expected = LABELS.keys(kind) if step.is_of_keys else LABELS.queries(kind)
        if kind == "cross" and not step.is_of_keys and step.name not in EMBEDDING:
            expected = LABELS.writes  # as in every map of cross-attention
        assert step.rows == expected
        if step.columns is not None:
            assert step.numbers.shape[1] == len(step.columns)
        assert step.text.endswith(".")
    [adds] = [s for s in make_steps(make_trace(kind), LABELS, 2, True, "relu")
              if s.name == "each head adds"]  # fmt: skip
    assert adds.columns == ("head 1", "head 2")
    assert np.allclose(adds.numbers, np.sqrt(6))


def test_the_mask_says_how_much_it_hides():
    texts = {
        kind: next(s.text for s in make_steps(make_trace(kind), LABELS, 2, True, "relu")
                   if s.name == "mask")
        for kind in ("encoder", "decoder", "cross")
    }  # fmt: skip
    assert "1 pairs are hidden" in texts["decoder"] or "1 pair is hidden" in texts["decoder"]
    assert "Nothing is hidden" in texts["encoder"]
    assert "Nothing is hidden" in texts["cross"]


def test_next_tokens_are_the_most_probable_ones():
    logits = np.log(np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]]))
    first, second = next_tokens(logits, ("a", "b", "c"))
    assert first.tokens == ("c", "b", "a")
    assert first.probabilities == pytest.approx((0.7, 0.2, 0.1))
    assert second.tokens == ("a", "b", "c")


def test_the_formula_is_that_of_the_models_output():
    assert output_formula(is_tied=True, has_bias=False) == "softmax(output · Eᵀ)"
    assert output_formula(is_tied=False, has_bias=True) == "softmax(output · W + b)"
