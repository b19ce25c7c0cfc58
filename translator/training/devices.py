"""The devices of JAX that share each batch of a training."""

import contextlib
from collections.abc import Iterator
from typing import Any

import keras

from translator.base.backends import JAX
from translator.base.errors import InputError
from translator.config.schema import TrainingConfig
from translator.data.batches import Batches


def find_devices(training: TrainingConfig) -> list[Any]:
    """JAX's devices for a training, of all its processes, in their order.

    Args:
        training: ``devices`` is the number of each process; ``auto`` takes all.

    Raises:
        InputError: there are fewer.
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
    return [device for device in jax.devices() if _number_in_process(device) < wanted]


@contextlib.contextmanager
def sharing_batches(training: TrainingConfig) -> Iterator[None]:
    """Spreads the batches of all models that are made in the block over the training's devices.

    Every device has all weights and computes an equal part of the rows of each batch; the
    gradients are summed over the devices (`keras.distribution.DataParallel`).

    Raises:
        InputError: as `find_devices`.
    """
    devices = find_devices(training) if keras.backend.backend() == JAX else []
    if len(devices) < 2:
        yield
        return
    names = [f"{device.platform}:{device.id}" for device in devices]
    spread = keras.distribution.DataParallel(devices=names, auto_shard_dataset=False)
    with spread.scope():
        yield


@contextlib.contextmanager
def on_one_device() -> Iterator[None]:
    """Makes models in the block for one device again, inside of `sharing_batches`."""
    spread = keras.distribution.distribution()
    keras.distribution.set_distribution(None)
    try:
        yield
    finally:
        keras.distribution.set_distribution(spread)


def check_device_count(batches: Batches) -> None:
    """Checks that no device would only ever compute padding.

    Raises:
        InputError: no batch has a row for each device.
    """
    most = int(batches.shapes[:, 0].max())
    if device_count() > most:
        raise InputError(
            f"training.devices: expected at most one for each sentence of a batch, which are"
            f" {most} here, found {device_count()} devices in all; use fewer, or raise"
            " data.batch_tokens or data.batch_size"
        )


def device_count() -> int:
    """How many devices share each batch, inside of `sharing_batches`."""
    spread = keras.distribution.distribution()
    return 1 if spread is None else int(spread.device_mesh.devices.size)


def _number_in_process(device: Any) -> int:
    import jax

    return [d.id for d in jax.devices() if d.process_index == device.process_index].index(device.id)
