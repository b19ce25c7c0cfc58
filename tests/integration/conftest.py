"""Starts Keras quietly before any module of these tests imports it."""

from translator.base.keras_startup import start_keras

start_keras()

import keras  # noqa: E402

keras.ops.convert_to_tensor(0)  # TensorFlow begins with threads of its own choice, for all tests
