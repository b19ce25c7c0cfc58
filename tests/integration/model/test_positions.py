"""Kinds of positions: what they add to embeddings, and how they rotate queries and keys."""

import keras
import numpy as np
import pytest
from keras import ops

from tests.integration.addons.explanation.numpy_transformer import rotate
from translator.model.positions import KINDS, make_positions

HEADS = np.random.default_rng(1).normal(size=(2, 3, 5, 8)).astype("float32")  # B, N, T, H


def rotary(heads: np.ndarray, positions: np.ndarray | None = None) -> np.ndarray:
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


def test_positions_may_be_given_for_all_or_for_each_sentence():
    whole = rotary(HEADS)
    for positions in (np.array([3]), np.array([[3], [3]]), np.array([[3, 3]] * 2)):
        found = rotary(HEADS[:, :, [3, 3]], positions)
        assert np.allclose(found, whole[:, :, [3, 3]], atol=1e-6)
    apart = rotary(HEADS[:, :, :1], np.array([[0], [4]]))  # as the slots of a search are
    assert np.allclose(apart[0], HEADS[0, :, :1], atol=1e-6)
    assert np.allclose(apart[1], rotary(HEADS[1:, :, :1], np.array([4]))[0], atol=1e-6)


def test_rotation_counts_in_float32_whatever_it_is_given():
    heads = ops.cast(HEADS, "bfloat16")
    positions = np.arange(5) + 1000  # bfloat16 has no numbers between 1000 and 1004
    found = make_positions("rotary").rotate(heads, positions)
    assert keras.backend.standardize_dtype(found.dtype) == "bfloat16"
    expected = rotary(ops.convert_to_numpy(ops.cast(heads, "float32")), positions)
    assert np.allclose(ops.convert_to_numpy(ops.cast(found, "float32")), expected, atol=0.02)
