"""Loss and metrics against sums done by hand; padding counts nowhere."""

import keras
import numpy as np
import pytest
from keras import ops

from translator.model.losses import (
    MaskedCrossEntropy,
    is_highest,
    smoothed_cross_entropy,
    sum_tokens,
)

PADDING = 3
IDS = np.array([[0, 2, PADDING], [1, PADDING, PADDING]])
PROBABILITIES = np.array(
    [
        [[0.5, 0.2, 0.2, 0.1], [0.1, 0.2, 0.6, 0.1], [0.7, 0.1, 0.1, 0.1]],
        [[0.4, 0.25, 0.25, 0.1], [0.1, 0.7, 0.1, 0.1], [0.25, 0.25, 0.25, 0.25]],
    ]
)
LOGITS = (np.log(PROBABILITIES) + np.array([0.3, -2.0])[:, None, None]).astype("float32")


def test_loss_is_the_mean_over_real_tokens():
    expected = -(np.log(0.5) + np.log(0.6) + np.log(0.25)) / 3
    assert float(MaskedCrossEntropy(PADDING)(IDS, LOGITS)) == pytest.approx(expected, abs=1e-6)


def test_label_smoothing_is_the_cross_entropy_with_the_smoothed_target():
    e = 0.1
    total = 0.0
    for row, column in ((0, 0), (0, 1), (1, 0)):
        target = np.full(4, e / 4)
        target[IDS[row, column]] += 1 - e
        total -= np.sum(target * np.log(PROBABILITIES[row, column]))
    got = float(MaskedCrossEntropy(PADDING, label_smoothing=e)(IDS, LOGITS))
    assert got == pytest.approx(total / 3, abs=1e-6)


@pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="uses TensorFlow's tape")
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_gradient_by_hand_is_the_automatic_one(smoothing):
    import tensorflow as tf

    logits = tf.Variable(LOGITS)
    with tf.GradientTape(persistent=True) as tape:
        losses = smoothed_cross_entropy(ops.convert_to_tensor(IDS), logits + 0.0, smoothing)
        by_hand = tf.reduce_sum(losses**2)
        target = (1 - smoothing) * tf.one_hot(IDS, 4) + smoothing / 4
        automatic = tf.reduce_sum(tf.reduce_sum(-target * tf.nn.log_softmax(logits), -1) ** 2)
    expected = tape.gradient(automatic, logits)
    assert np.allclose(tape.gradient(by_hand, logits), expected, atol=1e-6)


def test_highest_is_what_an_argmax_finds():
    logits = np.random.default_rng(2).normal(0, 3, (4, 7, 11)).astype("float32")
    ids = np.random.default_rng(3).integers(0, 11, (4, 7))
    assert np.array_equal(is_highest(ids, logits), logits.argmax(-1) == ids)
    assert np.all(is_highest(logits.argmax(-1), logits))


def test_logits_far_from_zero_lose_no_precision():
    logits = np.array([[[1e4, 1e4 - 1, -1e4]]], "float32")
    got = smoothed_cross_entropy(np.array([[0]]), logits, 0.0)
    assert np.allclose(got, np.log(1 + np.exp(-1.0)), rtol=1e-5)


def test_changing_logits_on_padding_changes_nothing():
    changed = LOGITS.copy()
    changed[0, 2] += 5 * np.arange(4)
    loss = MaskedCrossEntropy(PADDING, 0.1)
    assert float(loss(IDS, LOGITS)) == float(loss(IDS, changed))
    for one, other in zip(sum_tokens(IDS, LOGITS, PADDING), sum_tokens(IDS, changed, PADDING)):
        assert float(one) == float(other)


def test_sums_count_real_tokens():
    cross_entropy, accuracy, tokens = map(float, sum_tokens(IDS, LOGITS, PADDING))
    assert cross_entropy == pytest.approx(-np.log(0.5) - np.log(0.6) - np.log(0.25), abs=1e-6)
    assert (accuracy, tokens) == (2, 3)


def test_serialisation_round_trip():
    loss = MaskedCrossEntropy(5, 0.2)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(loss))
    assert again.get_config() == loss.get_config()
