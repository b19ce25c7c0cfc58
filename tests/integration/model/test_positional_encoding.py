"""Sinusoidal positions and the embedding they are added to."""

import keras
import numpy as np

from translator.model.positional_encoding import TokenEmbedding, sinusoidal_positions


def test_position_one_of_twenty_dimensions():
    expected = [0.84147098, 0.54030231, 0.38767423, 0.92179645, 0.15782664, 0.98746684]
    assert np.allclose(sinusoidal_positions(3, 20)[1, :6], expected, atol=1e-7)


def test_position_two_follows_from_position_one_by_rotation():
    table = sinusoidal_positions(3, 20).astype("float64")
    sine, cosine = table[1, 0::2], table[1, 1::2]
    assert np.allclose(table[2, 0::2], 2 * sine * cosine, atol=1e-6)
    assert np.allclose(table[2, 1::2], cosine**2 - sine**2, atol=1e-6)


def test_position_zero_is_zeros_and_ones():
    assert sinusoidal_positions(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]


def test_embedding_is_scaled_table_row_plus_position():
    layer = TokenEmbedding(vocab_size=7, d_model=4, max_length=5)
    output = np.array(layer(np.array([[6, 2]])))
    table = layer.embedding.embeddings.numpy()
    expected = table[[6, 2]] * 2 + sinusoidal_positions(5, 4)[:2]
    assert np.allclose(output[0], expected, atol=1e-6)


def test_positions_may_be_given():
    layer = TokenEmbedding(vocab_size=7, d_model=4, max_length=5)
    whole = np.array(layer(np.array([[1, 2, 3]])))
    assert np.allclose(
        np.array(layer(np.array([[3]]), positions=np.array([[2]])))[0, 0], whole[0, 2], atol=1e-6
    )


def test_tied_logits_are_products_with_the_table():
    layer = TokenEmbedding(vocab_size=7, d_model=4, max_length=5)
    layer.build((None, None))
    hidden = keras.random.normal((2, 3, 4))
    expected = np.array(hidden) @ layer.embedding.embeddings.numpy().T
    assert np.allclose(np.array(layer.logits(hidden)), expected, atol=1e-6)
