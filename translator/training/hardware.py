"""What is decided when a training begins: by the machine, where a configuration says ``auto``."""

from pathlib import Path
from typing import Any

import keras

from translator.base.errors import InputError
from translator.base.machine import ALL_CORES
from translator.config.schema import Config, TrainingConfig

BFLOAT16_SINCE = (8, 0)  # compute capability
CHOICES = ("precision", "jit_compile", "data_parallel")
MOST_SHARDS = 4  # each is traced anew


def resolve(config: Config) -> Config:
    """Puts a choice for this machine in the place of each ``auto``.

    On a CPU: no XLA, a shard of each batch on each core, and bfloat16 where it
    multiplies matrices in that, float32 otherwise. On a GPU: XLA, and bfloat16
    where it has that, float16 otherwise.

    Raises:
        InputError: the configuration asks for float16 where there is no GPU, or
            for shards and XLA.
    """
    gpu = gpu_capability()
    training = config.training
    check_precision(training.precision)
    precision, jit_compile = training.precision, training.jit_compile
    if jit_compile == "auto":
        jit_compile = gpu is not None
    on_cpu = gpu is None and not jit_compile and keras.backend.backend() == "tensorflow"
    if precision == "auto" and gpu is None:
        precision = "bfloat16" if on_cpu and multiplies_bfloat16() else "float32"
    elif precision == "auto":
        precision = "bfloat16" if gpu >= BFLOAT16_SINCE else "float16"
    shards = training.data_parallel
    if shards == "auto":
        shards = min(ALL_CORES, MOST_SHARDS) if on_cpu and share_out_threads() else 1
    elif shards > 1 and jit_compile:
        raise InputError(
            f"training.data_parallel: {shards} shards are computed side by side without XLA only,"
            " found jit_compile on; set one of the two to its other value (1, false)"
        )
    return _with(config, dict(zip(CHOICES, (precision, jit_compile, shards))))


def check_precision(precision: str) -> None:
    """Refuses what this machine cannot train in.

    Raises:
        InputError: float16 where there is no GPU.
    """
    if precision == "float16" and gpu_capability() is None:
        raise InputError(
            "training.precision: float16 needs a GPU, found none; train with float32, bfloat16 or"
            " auto, or where there is one"
        )


def share_out_threads(shards: int = MOST_SHARDS) -> bool:
    """Gives each shard of a batch cores of its own; False where TensorFlow has begun otherwise.

    An operation on one core wastes no time on meeting the other.
    """
    import tensorflow as tf

    shards = min(ALL_CORES, shards)
    try:
        tf.config.threading.set_intra_op_parallelism_threads(ALL_CORES // shards)
        tf.config.threading.set_inter_op_parallelism_threads(shards)
    except RuntimeError:
        return False
    return True


def make_deterministic(training: TrainingConfig) -> None:
    """Has TensorFlow compute the same bits every time, where that costs nothing: on a CPU.

    For the whole process, which compiles no training with XLA any more.
    """
    if runs_on_cpu(training):
        import tensorflow as tf

        tf.config.experimental.enable_op_determinism()


def keep_choices(config: Config, kept: Config) -> Config:
    """Puts what was chosen for a run that goes on in the place of each ``auto``.

    Likewise the end of a schedule that was to end with the training.
    """
    chosen = {
        key: getattr(kept.training, key)
        for key in CHOICES
        if getattr(config.training, key) == "auto"
    }
    schedule, its = config.training.schedule, kept.training.schedule
    if schedule.has_end and schedule.total_steps is None:
        chosen["schedule"] = schedule.model_copy(update={"total_steps": its.total_steps})
    return _with(config, chosen)


def _with(config: Config, chosen: dict[str, Any]) -> Config:
    training = TrainingConfig(**{**dict(config.training), **chosen})
    return config.model_copy(update={"training": training})


def runs_on_cpu(training: TrainingConfig) -> bool:
    """Whether TensorFlow trains, operation after operation, on the CPU."""
    on_cpu = keras.backend.backend() == "tensorflow" and gpu_capability() is None
    return on_cpu and training.jit_compile is not True


def multiplies_bfloat16() -> bool:
    """Whether the CPU has units for products of bfloat16 (AMX); False where nobody knows."""
    try:
        return "amx_bf16" in Path("/proc/cpuinfo").read_text().split()
    except OSError:  # not Linux
        return False


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
