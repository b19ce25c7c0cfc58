"""Starts Keras on JAX with virtual devices; another process than that of TensorFlow's tests."""

import os

if os.environ.get("KERAS_BACKEND") != "jax":
    collect_ignore_glob = ["test_*.py"]  # `make test` runs them in a process of their own
else:
    import jax

    from translator.base.keras_startup import start_keras

    jax.config.update("jax_num_cpu_devices", 3)
    start_keras()
