"""The loss in chunks is the loss of whole logits, and so are its gradients."""

import numpy as np
import pytest
import tensorflow as tf

from translator.training import chunked_loss as module
from translator.training.chunked_loss import chunked_loss
from translator.training.losses import (
    MaskedCrossEntropy,
    is_highest,
    smoothed_cross_entropy,
    token_cross_entropy,
)

WIDTH, VOCAB_SIZE = 6, 11


@pytest.mark.parametrize("tokens", [0, 1, 8, 9])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("has_bias", [False, True])
def test_chunks_equal_the_whole(monkeypatch, tokens, smoothing, has_bias):
    """Chunks of four tokens: none, one that is not full, two, and two with one token more."""
    monkeypatch.setattr(module, "CHUNK_BYTES", 4 * 4 * VOCAB_SIZE)
    random = np.random.default_rng(tokens)
    shapes = (tokens, WIDTH), (WIDTH, VOCAB_SIZE), (VOCAB_SIZE,)
    inputs = [tf.constant(random.normal(0, 2, shape), "float32") for shape in shapes]
    inputs = inputs if has_bias else inputs[:2]
    ids = tf.constant(random.integers(0, VOCAB_SIZE, tokens), "int32")

    @tf.function
    def whole(hidden, kernel, bias=None):
        logits = tf.matmul(hidden, kernel)[None] + (0.0 if bias is None else bias)
        loss = tf.reduce_sum(smoothed_cross_entropy(ids[None], logits, smoothing))
        others = token_cross_entropy(ids[None], logits), is_highest(ids[None], logits)
        others = [tf.reduce_sum(tf.cast(values, "float32")) for values in others]
        return [loss, *others], tf.gradients(
            3 * loss, [hidden, kernel] if bias is None else [hidden, kernel, bias]
        )

    @tf.function
    def chunked(hidden, kernel, bias=None):
        sums = chunked_loss(hidden, ids, kernel, bias, smoothing)
        return list(sums), tf.gradients(
            3 * sums.loss, [hidden, kernel] if bias is None else [hidden, kernel, bias]
        )

    for ours, expected in zip(chunked(*inputs), whole(*inputs)):
        for one, other in zip(ours, expected, strict=True):
            assert one.shape == other.shape
            assert np.allclose(one, other, atol=2e-5)


def test_a_token_is_right_where_it_is_the_likeliest_of_many_unlikely_ones():
    """Each of three tokens has one logit a little above the others; two of these are right."""
    kernel = np.zeros((WIDTH, VOCAB_SIZE), "float32")
    kernel[[0, 1, 2], [4, 7, 9]] = 0.5
    hidden = tf.eye(3, WIDTH)
    sums = chunked_loss(hidden, tf.constant([4, 7, 8]), tf.constant(kernel), None, 0.0)
    assert float(list(sums)[2]) == 2


@pytest.mark.parametrize("pairs", [0, 1, 4, 5])
def test_r_drop_in_chunks_equals_the_whole(monkeypatch, pairs):
    """Chunks of two tokens and the same again."""
    monkeypatch.setattr(module, "CHUNK_BYTES", 4 * 4 * VOCAB_SIZE)
    random = np.random.default_rng(pairs)
    shapes = (2 * pairs, WIDTH), (WIDTH, VOCAB_SIZE), (VOCAB_SIZE,)
    inputs = [tf.constant(random.normal(0, 1, shape), "float32") for shape in shapes]
    ids = tf.tile(tf.constant(random.integers(0, VOCAB_SIZE, pairs), "int32"), [2])
    loss = MaskedCrossEntropy(padding_id=-1, label_smoothing=0.1, r_drop_alpha=3.0)

    @tf.function
    def whole(hidden, kernel, bias):
        logits = tf.matmul(hidden, kernel) + bias
        total = loss(ids[:, None], logits[:, None]) * 2 * pairs
        return [total, *tf.gradients(total, [hidden, kernel, bias])]

    @tf.function
    def chunked(hidden, kernel, bias):
        total = chunked_loss(hidden, ids, kernel, bias, 0.1, 3.0).loss
        return [total, *tf.gradients(total, [hidden, kernel, bias])]

    for one, other in zip(chunked(*inputs), whole(*inputs), strict=True):
        assert np.allclose(one, other, atol=2e-5)


def test_logits_far_from_zero_lose_no_precision():
    hidden, kernel = tf.constant([[1e4]]), tf.constant([[1.0, 1 - 1e-4, -1.0]])
    sums = chunked_loss(hidden, tf.constant([0]), kernel)
    assert np.allclose(sums.cross_entropy, np.log(1 + np.exp(-1.0)), rtol=1e-3)
    hopeless = chunked_loss(hidden, tf.constant([2]), kernel)
    assert float(hopeless.loss) == pytest.approx(2e4, rel=1e-4)


@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_one_hopeless_token_spoils_no_other_of_its_chunk(alpha):
    """Its p is 0 in float32."""
    random = np.random.default_rng(1)
    hidden = random.normal(0, 1, (4, WIDTH)).astype("float32")
    kernel = random.normal(0, 1, (WIDTH, VOCAB_SIZE)).astype("float32")
    hidden[1] *= 200
    hopeless = int(np.argmin(hidden[1] @ kernel))
    ids = tf.constant([3, hopeless] * 2, "int32")
    hidden[2:] = hidden[:2] * 1.01
    loss = MaskedCrossEntropy(padding_id=-1, label_smoothing=0.1, r_drop_alpha=alpha)

    @tf.function
    def whole(hidden, kernel):
        total = loss(ids[:, None], tf.matmul(hidden, kernel)[:, None]) * 4
        return [total, *tf.gradients(total, [hidden, kernel])]

    @tf.function
    def chunked(hidden, kernel):
        total = chunked_loss(hidden, ids, kernel, None, 0.1, alpha).loss
        return [total, *tf.gradients(total, [hidden, kernel])]

    found = chunked(tf.constant(hidden), tf.constant(kernel))
    assert float(found[0]) > 200
    for one, other in zip(found, whole(tf.constant(hidden), tf.constant(kernel)), strict=True):
        assert np.allclose(one, other, rtol=1e-4, atol=1e-4)


def test_half_precision_is_for_products_alone():
    random = np.random.default_rng(1)
    hidden, kernel = (
        tf.constant(random.normal(0, 1, shape), "float32") for shape in ((9, 6), (6, 11))
    )
    ids = tf.constant(random.integers(0, 11, 9), "int32")

    @tf.function
    def losses(hidden, kernel):
        sums = chunked_loss(hidden, ids, kernel, tf.zeros(11), 0.1)
        return sums, tf.gradients(sums.loss, [hidden, kernel])

    sums, gradients = losses(tf.cast(hidden, "bfloat16"), kernel)
    expected, exact = losses(hidden, kernel)
    assert {value.dtype for value in sums} == {tf.float32}
    assert [gradient.dtype for gradient in gradients] == [tf.bfloat16, tf.float32]
    assert np.allclose(sums.loss, expected.loss, rtol=0.01)
    for one, other in zip(gradients, exact):
        assert np.allclose(tf.cast(one, "float32"), other, atol=0.1)
