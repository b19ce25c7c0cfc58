"""Hands batches to `fit` and `evaluate`, in the way of the backend that Keras runs on."""

from typing import Any

import keras

from translator.base.backends import JAX
from translator.config.schema import Config, TrainingConfig
from translator.data.batches import COARSE_EDGES, FINE_EDGES, Batches, BatchLayout
from translator.data.numpy_batches import MicroBatch, UpdateArrays
from translator.data.preparation import TrainingData
from translator.training.hardware import device_count, shard_count


def training_layout(training: TrainingConfig) -> BatchLayout:
    """How the batches of a training become arrays, on this machine."""
    is_jax = keras.backend.backend() == JAX
    edges = FINE_EDGES if is_jax else COARSE_EDGES
    return BatchLayout(
        training.accumulation_steps,
        edges if training.jit_compile is True else (),
        equal_shapes=is_jax,
        shards=shard_count(training),
        devices=device_count(),
    )


def validation_batches(config: Config, data: TrainingData) -> Batches:
    """The batches of the validation split, which are measured one by one."""
    layout = training_layout(config.training)._replace(accumulation_steps=1, shards=1)
    return Batches(data.validation, config.data, data.tokenizers, layout=layout)


class JaxUpdates(keras.utils.PyDataset):
    """Updates as `fit` reads them under JAX: this process's rows of each; arguments as `feed`'s."""

    def __init__(self, batches: Batches, start: int, end: int | None, copies: int) -> None:
        super().__init__()
        import jax

        own = jax.process_index(), jax.process_count()
        self.arrays = UpdateArrays(batches, start, end, copies, *own)

    def __len__(self) -> int:
        return len(self.arrays)

    def __getitem__(self, number: int) -> tuple[tuple[MicroBatch, ...]]:
        return (self.arrays[number],)


def feed(batches: Batches, start: int = 0, end: int | None = None, copies: int = 1) -> Any:
    """Some of an epoch's updates, as `fit` and `evaluate` read them.

    Args:
        start: the first update, from 0.
        end: the one after the last; None for all.
        copies: how many times each pair is repeated, such as 2 for R-Drop.

    Returns:
        A dataset of TensorFlow's, or one of NumPy arrays.
    """
    if keras.backend.backend() == JAX:
        return JaxUpdates(batches, start, end, copies)
    from translator.data.tensorflow_batches import make_dataset

    return make_dataset(batches, start, end, copies)
