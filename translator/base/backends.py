"""The backend that Keras computes on, TensorFlow or JAX, chosen before Keras starts."""

import os
import sys
from pathlib import Path

from translator.base.errors import InputError, is_installed
from translator.base.texts import quoted

TENSORFLOW, JAX = BACKENDS = ("tensorflow", "jax")
GPU_DEVICES = ("nvidia[0-9]*", "dxg")  # names in /dev; dxg is for WSL on Windows
CUDA_FOR_JAX = ("jax_cuda12_plugin", "jax_cuda13_plugin")


def choose_backend(wanted: str = "auto") -> str:
    """The backend with which Keras will start or has started.

    Args:
        wanted: one of `BACKENDS`. ``auto`` takes the environment's ``KERAS_BACKEND``. Without it,
            ``auto`` takes JAX if there is a GPU and JAX has its CUDA. If not, it takes TensorFlow,
            or JAX if TensorFlow is not installed.
    """
    requested = running_backend() or os.environ.get("KERAS_BACKEND") or "auto"
    if requested not in ("auto", *BACKENDS):
        raise InputError(
            f"KERAS_BACKEND: expected {' or '.join(BACKENDS)}, found {quoted(requested)}; unset it"
        )
    if wanted == "auto":
        return _usual_backend() if requested == "auto" else requested
    if requested in ("auto", wanted):
        return wanted
    if running_backend():
        raise InputError(
            f"training.backend: expected {wanted}, found that this process runs Keras on"
            f" {requested}; set KERAS_BACKEND={wanted} before Keras starts"
        )
    raise InputError(
        f"training.backend: expected {wanted}, found KERAS_BACKEND={requested} set; unset it"
    )


def running_backend() -> str | None:
    """The backend with which Keras has started; None before Keras starts."""
    keras = sys.modules.get("keras")
    return keras.config.backend() if keras is not None else None


def has_gpu() -> bool:
    """Whether this process can use a GPU of NVIDIA."""
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES", "all").strip() in ("", "-1")
    return not hidden and any(any(Path("/dev").glob(name)) for name in GPU_DEVICES)


def _usual_backend() -> str:
    if has_gpu() and is_installed("jax") and any(map(is_installed, CUDA_FOR_JAX)):
        return JAX
    return JAX if is_installed("jax") and not is_installed("tensorflow") else TENSORFLOW
