"""Settings that depend on the machine: precision, and the cores or devices that share a batch."""

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

BFLOAT16_SINCE = (8, 0)  # first compute capability with bfloat16
# Flags of processors that multiply faster in bfloat16 than in float32. Intel's processors without
# AMX are not faster, although they have instructions for it.
FAST_BFLOAT16 = ({"amx_bf16"}, {"avx512_bf16", "AuthenticAMD"})
MAX_SHARDS = 4  # each shard has a copy of all gradients


def usual_precision() -> str:
    """The half precision of the GPU; on a CPU the faster precision."""
    gpu = gpu_capability()
    if gpu is not None:
        return "bfloat16" if gpu >= BFLOAT16_SINCE else "float16"
    is_faster = running_backend() == TENSORFLOW and has_fast_bfloat16()
    return "bfloat16" if is_faster else "float32"


def shard_count(training: TrainingConfig) -> int:
    """The number of shards of each batch. Automatic: under TensorFlow, one for each core."""
    if training.data_parallel != "auto":
        return training.data_parallel
    return min(ALL_CORES, MAX_SHARDS) if running_backend() == TENSORFLOW else 1


def has_fast_bfloat16() -> bool:
    """Whether oneDNN multiplies faster in bfloat16 on this CPU; False if this is not known."""
    cpu = Path("/proc/cpuinfo")
    facts = set(cpu.read_text().split()) if cpu.exists() else set()  # only Linux has the file
    is_limited = "ONEDNN_MAX_CPU_ISA" in os.environ
    return not is_limited and any(flags <= facts for flags in FAST_BFLOAT16)


def gpu_capability() -> tuple[int, int] | None:
    """The compute capability of the first GPU of JAX; None if there is no GPU."""
    if running_backend() != JAX:
        return None
    import jax

    gpus = [device for device in jax.devices() if device.platform == "gpu"]
    if not gpus:
        return None
    major, minor, *_ = map(int, str(getattr(gpus[0], "compute_capability", "0.0")).split("."))
    return major, minor


def find_devices(training: TrainingConfig) -> list[Any]:
    """JAX's devices for a training, of all its processes, in the order of the processes.

    Args:
        training: ``devices`` is the number of devices of each process; ``auto`` takes all.
    """
    import jax

    count, local = training.devices, jax.local_devices()
    if count == "auto":
        return list(jax.devices())
    if count > len(local):
        raise InputError(
            f"training.devices: expected at most {len(local)}, the number that JAX finds here"
            f" ({local[0].platform}), found {count}; lower it, or set it to auto"
        )
    processes = range(jax.process_count())
    shared = {device for number in processes for device in jax.local_devices(number)[:count]}
    return [device for device in jax.devices() if device in shared]


@contextlib.contextmanager
def sharing_batches(training: TrainingConfig) -> Iterator[None]:
    """Spreads the batches of all models made in the block over the training's devices.

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
    """Makes models in the block for one device, inside of `sharing_batches`."""
    import keras

    spread = keras.distribution.distribution()
    keras.distribution.set_distribution(None)
    try:
        yield
    finally:
        keras.distribution.set_distribution(spread)


def check_device_count(batches: Batches) -> None:
    """Checks that each device gets more than padding in at least one batch."""
    most = int(batches.shapes[:, 0].max())
    if device_count() > most:
        raise InputError(
            f"training.devices: expected at most {most} devices, one for each sentence of a batch,"
            f" found {device_count()} devices; use fewer, or raise data.batch_tokens or"
            " data.batch_size"
        )


def device_count() -> int:
    """How many devices share each batch, inside of `sharing_batches`."""
    import keras

    spread = keras.distribution.distribution()
    return 1 if spread is None else int(spread.device_mesh.devices.size)
