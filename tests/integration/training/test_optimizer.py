"""The fused Adam against Keras's own."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from translator.training.optimizer import FusedAdam

pytestmark = pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="the kernel is TensorFlow's"
)


def trained(optimizer: keras.optimizers.Optimizer, kind: str) -> list[np.ndarray]:
    """A variable and the optimiser's own after five steps on the same gradients.

    Those of an embedding are rows, some of which come twice. Keras squares such rows
    one by one for the second moment; dense, they are summed first, as here.
    """
    random = np.random.default_rng(4)
    variable = keras.Variable(random.normal(size=(6, 3)).astype("float32"))
    optimizer.build([variable])
    for _ in range(5):
        gradient = tf.constant(random.normal(size=(4, 3)).astype("float32"))
        gradient = tf.IndexedSlices(gradient, tf.constant([0, 2, 2, 5]), tf.constant([6, 3]))
        if kind == "dense":
            gradient = tf.convert_to_tensor(gradient)
        optimizer.apply([gradient], [variable])
    return [v.numpy() for v in (variable, *optimizer.variables)]


@pytest.mark.parametrize("clipped", [None, 0.5])
@pytest.mark.parametrize("kind", ["rows", "dense"])
def test_steps_are_those_of_keras(kind, clipped):
    options = {"learning_rate": 0.01, "beta_1": 0.9, "beta_2": 0.98, "epsilon": 1e-9}
    options["global_clipnorm"] = clipped
    ours = trained(FusedAdam(**options), kind)
    theirs = trained(keras.optimizers.Adam(**options), "dense")
    assert len(ours) == len(theirs) == 5
    for one, other in zip(ours, theirs):
        assert np.allclose(one, other, rtol=1e-5, atol=1e-7)
