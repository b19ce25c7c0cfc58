"""Token embeddings and the sinusoids that are added to them."""

import keras
import numpy as np

from translator.model.constants import sinusoidal_positions
from translator.model.token_embedding import TokenEmbedding


def test_embedding_is_scaled_table_row_plus_position():
    layer = TokenEmbedding(vocab_size=7, d_model=4, max_length=5)
    output = np.array(layer(np.array([[6, 2]])))
    table = layer.embedding.embeddings.numpy()
    expected = table[[6, 2]] * 2 + sinusoidal_positions(5, 4)[:2]
    assert np.allclose(output[0], expected, atol=1e-6)


def test_tied_logits_are_products_with_the_table():
    layer = TokenEmbedding(vocab_size=7, d_model=4, max_length=5)
    layer.build((None, None))
    hidden = keras.random.normal((2, 3, 4))
    expected = np.array(hidden) @ layer.embedding.embeddings.numpy().T
    assert np.allclose(np.array(layer.logits(hidden)), expected, atol=1e-6)
