"""What depends on the machine: precision, compilation, the cores or devices that share a batch."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from translator.base.backends import JAX, TENSORFLOW, running_backend
from translator.base.errors import InputError
from translator.base.machine import ALL_CORES
from translator.config.schema import TrainingConfig
from translator.data.batches import Batches

BFLOAT16_SINCE = (8, 0)  # compute capability
# Of processors that multiply faster in bfloat16 than in float32. Intel's without AMX do not, though
# they have instructions for it.
FAST_BFLOAT16 = ({"amx_bf16"}, {"avx512_bf16", "AuthenticAMD"})
MAX_SHARDS = 4  # each shard has a copy of all gradients
# Passes of TensorFlow over a graph. On a CPU a step is as fast without them, and has the same bits.
WITHOUT_EFFECT = (
    "dependency_optimization",
    "function_optimization",
    "layout_optimizer",
    "loop_optimization",
    "remapping",
    "shape_optimization",
)


def shard_count(training: TrainingConfig) -> int:
    """How many shards each batch is cut into; 1 while that is still ``auto``."""
    return 1 if training.data_parallel == "auto" else training.data_parallel


def share_out_cores() -> int:
    """How many shards a batch is cut into on this machine, each of which now has cores."""
    return min(ALL_CORES, MAX_SHARDS) if set_threads_per_shard() else 1


def set_threads_per_shard(shards: int = MAX_SHARDS) -> bool:
    """Gives each shard of a batch cores of its own, so that shards do not wait for each other.

    Returns:
        False if TensorFlow has started already and cannot change its threads.
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
    """Makes TensorFlow on a CPU compute the same bits every time; it costs no speed there.

    It holds for the whole process, which can then no longer compile a training with XLA.
    """
    if runs_on_cpu(training):
        import tensorflow as tf

        tf.config.experimental.enable_op_determinism()


@contextlib.contextmanager
def starting_sooner(training: TrainingConfig) -> Iterator[None]:
    """Leaves passes over graphs out in the block, which take seconds before the first update."""
    if not runs_on_cpu(training):
        yield
        return
    from tensorflow.config import optimizer

    before = dict.fromkeys(WITHOUT_EFFECT, True) | optimizer.get_experimental_options()
    optimizer.set_experimental_options(dict.fromkeys(WITHOUT_EFFECT, False))
    try:
        yield
    finally:
        optimizer.set_experimental_options(before)


def runs_on_cpu(training: TrainingConfig) -> bool:
    """Whether TensorFlow trains on the CPU, one operation after the other, without XLA."""
    on_cpu = running_backend() == TENSORFLOW and gpu_capability() is None
    return on_cpu and training.jit_compile is not True


def has_fast_bfloat16() -> bool:
    """Whether oneDNN multiplies faster in bfloat16 on this CPU; False where that is unknown."""
    cpu = Path("/proc/cpuinfo")
    facts = set(cpu.read_text().split()) if cpu.exists() else set()  # Linux alone has the file
    is_kept_to_less = "ONEDNN_MAX_CPU_ISA" in os.environ
    return not is_kept_to_less and any(needed <= facts for needed in FAST_BFLOAT16)


def gpu_capability() -> tuple[int, int] | None:
    """The compute capability of the first GPU; None where there is none."""
    if running_backend() == JAX:
        import jax

        gpus = [device for device in jax.devices() if device.platform == "gpu"]
        if not gpus:
            return None
        major, minor, *_ = map(int, str(getattr(gpus[0], "compute_capability", "0.0")).split("."))
        return major, minor
    import tensorflow as tf

    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return None
    details = tf.config.experimental.get_device_details(gpus[0])
    major, minor = details.get("compute_capability", (0, 0))
    return major, minor


def find_devices(training: TrainingConfig) -> list[Any]:
    """JAX's devices for a training, of all its processes, in their order.

    Args:
        training: ``devices`` is the number of each process; ``auto`` takes all.
    """
    import jax

    wanted, found = training.devices, jax.local_devices()
    if wanted == "auto":
        return list(jax.devices())
    if wanted > len(found):
        raise InputError(
            f"training.devices: expected at most {len(found)}, the number that JAX finds here"
            f" ({found[0].platform}), found {wanted}; lower it, or set it to auto"
        )
    processes = range(jax.process_count())
    chosen = {each for number in processes for each in jax.local_devices(number)[:wanted]}
    return [device for device in jax.devices() if device in chosen]


@contextlib.contextmanager
def sharing_batches(training: TrainingConfig) -> Iterator[None]:
    """Spreads the batches of all models that are made in the block over the training's devices.

    Every device has all weights and computes an equal part of the rows of each batch; the
    gradients are summed over the devices (`keras.distribution.DataParallel`).
    """
    devices = find_devices(training) if running_backend() == JAX else []
    if len(devices) < 2:
        yield
        return
    import keras

    names = [f"{device.platform}:{device.id}" for device in devices]
    spread = keras.distribution.DataParallel(devices=names, auto_shard_dataset=False)
    with spread.scope():
        yield


@contextlib.contextmanager
def on_one_device() -> Iterator[None]:
    """Makes models in the block for one device again, inside of `sharing_batches`."""
    import keras

    spread = keras.distribution.distribution()
    keras.distribution.set_distribution(None)
    try:
        yield
    finally:
        keras.distribution.set_distribution(spread)


def check_device_count(batches: Batches) -> None:
    """Checks that no device would only ever compute padding."""
    most = int(batches.shapes[:, 0].max())
    if device_count() > most:
        raise InputError(
            f"training.devices: expected at most one for each sentence of a batch, which are"
            f" {most} here, found {device_count()} devices in all; use fewer, or raise"
            " data.batch_tokens or data.batch_size"
        )


def device_count() -> int:
    """How many devices share each batch, inside of `sharing_batches`."""
    import keras

    spread = keras.distribution.distribution()
    return 1 if spread is None else int(spread.device_mesh.devices.size)
