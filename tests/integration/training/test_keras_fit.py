"""A Transformer is a model of Keras's, which a learner compiles and fits."""

import keras
import numpy as np
import tensorflow as tf

from translator.model.losses import MaskedCrossEntropy
from translator.model.transformer import Transformer

SIZES = {"num_layers": 1, "d_model": 32, "num_heads": 2, "dff": 64, "dropout_rate": 0.0}


def test_a_model_learns_to_copy_from_a_dataset_of_ones_own():
    """Sentences of three to six tokens, which begin with 1 and end with 2."""
    keras.utils.set_random_seed(1)
    random = np.random.default_rng(1)
    sentences = [[1, *random.integers(3, 12, random.integers(1, 5)), 2] for _ in range(256)]
    ids = tf.ragged.constant(sentences).to_tensor()
    pairs = tf.data.Dataset.from_tensor_slices(((ids, ids[:, :-1]), ids[:, 1:])).batch(32)
    model = Transformer(SIZES, 12, 12, 8, 0, 0)
    model.compile(keras.optimizers.Adam(3e-3), MaskedCrossEntropy(0))
    losses = model.fit(pairs, epochs=12, verbose=0, shuffle=False).history["loss"]
    assert losses[-1] < losses[0] / 2
