"""What the machine decides where a configuration says ``auto``."""

import keras

from translator.config import Config, TrainingConfig
from translator.errors import InputError

BFLOAT16_SINCE = (8, 0)  # compute capability


def resolve(config: Config) -> Config:
    """Puts a choice for this machine in the place of each ``auto``.

    On a CPU: float32 without XLA. On a GPU: XLA, and bfloat16 where it has that,
    float16 otherwise.

    Raises:
        InputError: the configuration asks for float16 where there is no GPU.
    """
    gpu = gpu_capability()
    training = config.training
    if training.precision == "float16" and gpu is None:
        raise InputError(
            "training.precision: float16 needs a GPU, found none; set it to float32, to bfloat16"
            " or to auto"
        )
    precision, jit_compile = training.precision, training.jit_compile
    if precision == "auto":
        half = "bfloat16" if (gpu or (0, 0)) >= BFLOAT16_SINCE else "float16"
        precision = "float32" if gpu is None else half
    if jit_compile == "auto":
        jit_compile = gpu is not None
    return with_choices(config, precision, jit_compile)


def keep_choices(config: Config, kept: Config) -> Config:
    """Puts the choices of a run that goes on in the place of each ``auto``."""
    training = config.training
    return with_choices(
        config,
        kept.training.precision if training.precision == "auto" else training.precision,
        kept.training.jit_compile if training.jit_compile == "auto" else training.jit_compile,
    )


def with_choices(config: Config, precision: str, jit_compile: bool | str) -> Config:
    """A configuration with another precision and compilation."""
    choices = {"precision": precision, "jit_compile": jit_compile}
    training = TrainingConfig(**{**dict(config.training), **choices})
    return config.model_copy(update={"training": training})


def dtype_policy(precision: str) -> str:
    """Keras's name for a precision: variables are float32 in any case."""
    return precision if precision == "float32" else f"mixed_{precision}"


def gpu_capability() -> tuple[int, int] | None:
    """The compute capability of the first GPU; None where there is none."""
    if keras.backend.backend() == "jax":
        import jax

        gpus = [device for device in jax.devices() if device.platform == "gpu"]
        found = getattr(gpus[0], "compute_capability", "0.0") if gpus else None
        return tuple(map(int, str(found).split("."))) if found else None
    import tensorflow as tf

    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return None
    return tf.config.experimental.get_device_details(gpus[0]).get("compute_capability", (0, 0))
