"""Several unequal parts make the update that one batch of them all would make."""

import functools
from types import SimpleNamespace

import keras
import numpy as np
import pytest
import tensorflow as tf

from translator.config.schema import Config, DataConfig
from translator.config.yaml_file import validate_config
from translator.data.batches import Batches, BatchLayout
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.tensorflow_batches import make_dataset
from translator.training import optimizer
from translator.training.backends.tensorflow import IDS, TensorFlowBackend

PADDING = 19


class Side:
    """As much of a tokenizer as batches know."""

    padding_id = PADDING
    size = PADDING + 1


def pairs(lengths: list[int]) -> EncodedPairs:
    """Random sentences of these lengths, the target's the other way round."""
    random = np.random.default_rng(3)

    def side(lengths):
        ids = [np.array([1, *random.integers(3, PADDING, n), 2], np.uint16) for n in lengths]
        return TokenArray(np.concatenate(ids), np.cumsum([0, *map(len, ids)]))

    return EncodedPairs(side(lengths), side(lengths[::-1]))


def settings(steps: int, shards: int, **model: object) -> Config:
    """A configuration as a training has it when all is decided."""
    sizes = {"num_layers": 1, "d_model": 16, "num_heads": 2, "dff": 32, "dropout_rate": 0.0}
    training = {"accumulation_steps": steps, "data_parallel": shards, "precision": "float32"}
    training |= {"label_smoothing": 0.1, "clip_grad_norm": 1.0, "ema_momentum": 0.5}
    training["schedule"] = {"name": "inverse_sqrt", "learning_rate": 1e-2, "warmup_steps": 2}
    values = {"corpus": {"name": "demo"}, "data": {"max_length": 30, "batch_size": 4}}
    values |= {"tokenizer": {"shared": True}, "model": sizes | model, "training": training}
    return validate_config(values, "test")


@pytest.fixture(scope="module", autouse=True)
def coarse_adam():
    """An Adam by which keys' biases, whose gradient is 0, do not follow rounding alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(optimizer.ADAM, "epsilon", 1e-2)
        yield


def trained(steps: int, shards: int, size: int, epochs: int) -> TensorFlowBackend:
    """A model after some epochs of the same 12 pairs."""
    backend = new_backend(settings(steps, shards))
    for _ in range(epochs):
        for batch in backend.feed(batches(steps, shards, size)):
            backend.update(batch)
    return backend


def new_backend(config: Config) -> TensorFlowBackend:
    keras.utils.set_random_seed(1)
    return TensorFlowBackend(config, SimpleNamespace(source=Side, target=Side))


@functools.cache
def trained_on_whole_batches(size: int, epochs: int) -> TensorFlowBackend:
    """The same without parts, to compare with; no test changes it."""
    return trained(1, 1, size, epochs)


def batches(steps: int, shards: int, size: int) -> Batches:
    """The 12 pairs, in one order."""
    data = pairs([2, 3, 3, 4, 5, 9, 12, 1, 1, 20, 7, 8])
    config = DataConfig(max_length=30, batch_size=size)
    return Batches(data, config, (Side, Side), None, BatchLayout(steps, shards=shards))


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "shards", "size"), [(5, 1, 3), (1, 5, 12), (2, 3, 11)])
def test_parts_equal_one_joined_batch(steps, shards, size):
    """A fifth batch of three pairs is padding alone; of one pair a second and a third shard are
    nothing at all.
    """
    joined = trained_on_whole_batches(12, 4)
    parted = trained(steps, shards, size, 4)
    ours, theirs = parted.state(), joined.state()
    for name, array in theirs.items():
        if not name.startswith(("seeds/", "metrics/")):
            assert np.allclose(ours[name], array, rtol=0, atol=1e-6), name
    assert parted.updates == 4, "the schedule counts updates"
    assert parted.learning_rate == joined.learning_rate


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "shards", "size", "joined"), [(5, 1, 3, 12), (1, 2, 5, 5)])
def test_figures_see_every_token(steps, shards, size, joined):
    """Of an epoch of one update, and of one of three unequal batches."""
    one = trained_on_whole_batches(joined, 1).figures()
    other = trained(steps, shards, size, 1).figures()
    assert other == pytest.approx(one, abs=1e-5)
    assert other["loss"] == pytest.approx(mean_loss(size * steps), abs=1e-4)


def mean_loss(size: int) -> float:
    """The loss that is minimised, a mean over the tokens of an epoch of unequal batches."""
    backend = trained(1, 1, 12, 0)
    sums = np.zeros(2)
    for x, y in backend.feed(batches(1, 1, size)):
        tokens = np.sum(y.numpy() != PADDING)
        sums += float(backend.loss(0.0)(y, backend.model(x))) * tokens, tokens
        backend.update((x, y))
    return sums[0] / sums[1]


@pytest.mark.slow
@pytest.mark.parametrize("tied", ["none", "all"])
def test_shards_drop_what_they_would_drop_one_after_the_other(tied):
    """A shared embedding draws twice for each shard."""
    data = next(iter(make_dataset(batches(1, 3, 12))))
    states = []
    for shards in (1, 3):
        backend = new_backend(settings(1, shards, dropout_rate=0.5, tied_embeddings=tied))
        backend.update(data)
        states.append(backend.state())
    in_turn, together = states
    assert any(array[1] > 3 for name, array in in_turn.items() if "seeds/" in name) == (
        tied == "all"
    )
    for name, array in in_turn.items():
        exactly = name.startswith("seeds/")
        assert np.allclose(together[name], array, rtol=0, atol=0 if exactly else 1e-6), name


def test_shards_are_calls_of_one_function_that_do_not_wait_for_each_other():
    backend = new_backend(settings(1, 3, dropout_rate=0.5, tied_embeddings="none"))
    signature = ((((IDS, IDS), IDS),) * 3, tf.TensorSpec((), "int32"))
    step = tf.function(backend._update, signature, autograph=False)
    graph = step.get_concrete_function().graph
    calls = [op for op in graph.get_operations() if op.type == "StatefulPartitionedCall"]
    assert len(calls) == 3
    assert len({op.get_attr("f").name for op in calls}) == 1
    assert not any(set(op.control_inputs) & set(calls) for op in calls)


@pytest.mark.slow
def test_updates_that_are_passed_over_count_for_the_schedule_alone():
    backend = new_backend(settings(1, 1))
    for batch in backend.feed(batches(1, 1, 12)):
        backend.update(batch, 30)
    assert backend.updates == 1
    assert backend.learning_rate == pytest.approx(1e-2 * (2 / 32) ** 0.5)
