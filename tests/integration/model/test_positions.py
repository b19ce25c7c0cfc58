"""Kinds of positions: what they add to embeddings, and how they rotate queries and keys."""

import keras
import numpy as np
import pytest
from keras import ops

from tests.integration.addons.explanation.numpy_transformer import rotate
from translator.config.schema import ModelConfig
from translator.model.positions import KINDS, make_positions
from translator.model.transformer import Transformer

HEADS = np.random.default_rng(1).normal(size=(2, 3, 5, 8)).astype("float32")  # B, N, T, H


def rotary(heads: np.ndarray, positions: np.ndarray | None = None) -> np.ndarray:
    """The heads, rotated by the layer."""
    return ops.convert_to_numpy(make_positions("rotary").rotate(ops.array(heads), positions))


@pytest.mark.parametrize("kind", [None, *KINDS])
def test_a_kind_adds_or_rotates_and_is_otherwise_the_identity(kind):
    layer, embeddings, heads = make_positions(kind, 9), ops.ones((2, 5, 8)), ops.array(HEADS)
    layer.build((None, None, 8))
    assert (layer.add(embeddings, np.arange(5)) is embeddings) == (kind in (None, "rotary"))
    assert (layer.rotate(heads) is heads) == (kind != "rotary")


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_survives_a_serialisation_round_trip(kind):
    layer = make_positions(kind, 9)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    assert (type(again), again.get_config()) == (type(layer), layer.get_config())


def test_pairs_are_multiplied_by_complex_numbers_of_length_1():
    for sentence, found in zip(HEADS, rotary(HEADS)):
        for head, found_head in zip(sentence, found):
            assert np.allclose(found_head, rotate(head), atol=1e-6)


def test_a_step_is_one_radian_for_the_first_pair_and_less_for_the_next():
    found = rotary(np.array([[[[1.0, 0.0, 1.0, 0.0]] * 3]], "float32"))[0, 0]
    expected = [
        [np.cos(position), np.sin(position), np.cos(position / 100), np.sin(position / 100)]
        for position in range(3)
    ]
    assert np.allclose(found, expected, atol=1e-6)


def test_positions_may_be_given_for_all_or_for_each_sentence():
    whole = rotary(HEADS)
    for positions in (np.array([3]), np.array([[3], [3]]), np.array([[3, 3]] * 2)):
        found = rotary(HEADS[:, :, [3, 3]], positions)
        assert np.allclose(found, whole[:, :, [3, 3]], atol=1e-6)
    apart = rotary(HEADS[:, :, :1], np.array([[0], [4]]))  # as the slots of a search are
    assert np.allclose(apart[0], HEADS[0, :, :1], atol=1e-6)
    assert np.allclose(apart[1], rotary(HEADS[1:, :, :1], np.array([4]))[0], atol=1e-6)


def test_products_depend_on_the_distance_alone():
    queries, keys = HEADS[:1], HEADS[1:]

    def products(query_shift: int, key_shift: int) -> np.ndarray:
        positions = np.arange(5)
        rotated_keys = rotary(keys, positions + key_shift)
        return rotary(queries, positions + query_shift) @ rotated_keys.swapaxes(-1, -2)

    assert np.allclose(products(7, 7), products(0, 0), atol=1e-5)
    assert np.allclose(products(200, 200), products(0, 0), atol=1e-4)
    assert not np.allclose(products(1, 0), products(0, 0), atol=0.1)


def test_rotation_keeps_lengths():
    lengths = np.linalg.norm(rotary(HEADS, np.arange(5) + 1000), axis=-1)
    assert np.allclose(lengths, np.linalg.norm(HEADS, axis=-1), rtol=1e-5)


def test_rotation_counts_in_float32_whatever_it_is_given():
    heads = ops.cast(HEADS, "bfloat16")
    positions = np.arange(5) + 1000  # bfloat16 has no numbers between 1000 and 1004
    found = make_positions("rotary").rotate(heads, positions)
    assert keras.backend.standardize_dtype(found.dtype) == "bfloat16"
    expected = rotary(ops.convert_to_numpy(ops.cast(heads, "float32")), positions)
    assert np.allclose(ops.convert_to_numpy(ops.cast(found, "float32")), expected, atol=0.02)


@pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="takes TensorFlow's tape")
def test_gradients_reach_every_weight_of_a_rotary_model():
    import tensorflow as tf

    keras.utils.set_random_seed(3)
    config = ModelConfig(num_layers=1, d_model=16, num_heads=2, dff=24, positions="rotary")
    model = Transformer(config, 20, 20, 12, 3, 3)
    with tf.GradientTape() as tape:
        logits = model((np.array([[1, 7, 5, 9, 2]]), np.array([[1, 8, 6, 10]])), training=True)
        loss = tf.reduce_mean(tf.square(logits))
    gradients = tape.gradient(loss, [weight.value for weight in model.trainable_weights])
    for weight, gradient in zip(model.trainable_weights, gradients):
        largest = np.abs(np.array(tf.convert_to_tensor(gradient))).max()
        assert np.isfinite(largest), weight.path
        assert largest > 0 or weight.path.endswith("cross_attention/key/bias"), weight.path
