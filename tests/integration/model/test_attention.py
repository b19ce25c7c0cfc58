"""Multi-head attention against sums done by hand."""

import numpy as np
import pytest

from translator.model.multi_head_attention import MultiHeadAttention


def make_identity(num_heads: int, d_model: int) -> MultiHeadAttention:
    """Attention whose four projections change nothing."""
    layer = MultiHeadAttention(num_heads, d_model)
    layer.build((None, None, d_model))
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense, layer.output_dense):
        dense.set_weights([np.eye(d_model, dtype="float32"), np.zeros(d_model, dtype="float32")])
    return layer


def test_two_heads_by_hand():
    """One dimension a head, so that H^-0.5 is 1 and every product is a number."""
    layer = make_identity(num_heads=2, d_model=2)
    query = np.array([[[1.0, 2.0]]])
    memory = np.array([[[np.log(3.0), 0.0], [0.0, np.log(2.0)]]])
    output, scores = layer(query, memory)[:2]
    # head 1: logits (ln 3, 0) -> weights 3/4, 1/4; head 2: logits (0, 2 ln 2) -> 1/5, 4/5
    assert np.allclose(np.array(scores)[0, :, 0], [[0.75, 0.25], [0.2, 0.8]], atol=1e-6)
    expected = [0.75 * np.log(3.0), 0.8 * np.log(2.0)]
    assert np.allclose(np.array(output)[0, 0], expected, atol=1e-6)


def test_logits_are_divided_by_the_root_of_head_dim():
    layer = make_identity(num_heads=1, d_model=4)
    query = np.array([[[2.0, 0, 0, 0]]])
    memory = np.array([[[np.log(3.0), 0, 0, 0], [0, 0, 0, 0]]])
    scores = np.array(layer(query, memory).attention_scores)
    assert np.allclose(scores[0, 0, 0], [0.75, 0.25], atol=1e-6)


def test_splitting_heads_of_consecutive_integers():
    layer = MultiHeadAttention(num_heads=8, d_model=512)
    x = np.arange(9 * 512, dtype="float32").reshape(1, 9, 512)
    heads = np.array(layer.split_heads(x))
    assert heads.shape == (1, 8, 9, 64)
    assert heads[0, 0, 0].tolist() == list(range(64))
    assert heads[0, 1, 0, 0] == 64
    assert heads[0, 0, 1, 0] == 512
    assert heads[0, 7, 8, 63] == 9 * 512 - 1
    assert np.array_equal(np.array(layer.join_heads(heads)), x)


def test_hidden_positions_have_no_weight_and_rows_sum_to_one(seeded):
    layer = MultiHeadAttention(num_heads=2, d_model=8)
    x = np.random.default_rng(0).normal(size=(2, 5, 8)).astype("float32")
    mask = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)[:, None, None]
    scores = np.array(layer(x, x, mask).attention_scores)
    assert scores.shape == (2, 2, 5, 5)
    assert np.all(scores[0, :, :, 3:] == 0)
    assert np.allclose(scores.sum(-1), 1, atol=1e-6)


def test_head_dim_apart_from_d_model():
    layer = MultiHeadAttention(num_heads=3, d_model=8, head_dim=5)
    x = np.zeros((1, 2, 8), dtype="float32")
    assert layer(x, x).output.shape == (1, 2, 8)
    assert layer.query_dense.kernel.shape == (8, 15)


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match=r"num_heads \(3\) must divide d_model \(8\)"):
        MultiHeadAttention(num_heads=3, d_model=8)


def test_dropout_of_scores_leaves_those_that_are_shown_whole(seeded):
    layer = MultiHeadAttention(num_heads=2, d_model=8, dropout_rate=0.5)
    x = np.random.default_rng(1).normal(size=(64, 6, 8)).astype("float32")
    still, scores = layer(x, x)[:2]
    dropped, shown = layer(x, x, training=True)[:2]
    assert np.allclose(shown, scores)
    assert not np.allclose(dropped, still, atol=1e-2)
    many = np.tile(x, (300, 1, 1))
    runs = np.array(layer(many, many, training=True).output).reshape(300, *x.shape).mean(axis=0)
    assert np.abs(runs - np.array(still)).mean() < 0.1 * np.abs(np.array(dropped) - still).mean()
