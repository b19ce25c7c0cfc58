"""Several unequal parts make the update that one batch of them all would make."""

import functools

import keras
import numpy as np
import pytest
import tensorflow as tf

from translator.config.schema import DataConfig, ModelConfig, ScheduleConfig, TrainingConfig
from translator.data.batches import Batches, BatchLayout
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.tensorflow_batches import make_dataset
from translator.model.transformer import Transformer
from translator.training import compilation
from translator.training.compilation import compile_model
from translator.training.tensorflow_step import TensorFlowTransformer

PADDING = 19


class Side:
    """As much of a tokenizer as batches know."""

    padding_id = PADDING


def pairs(lengths: list[int]) -> EncodedPairs:
    """Random sentences of these lengths, the target's the other way round."""
    random = np.random.default_rng(3)

    def side(lengths):
        ids = [np.array([1, *random.integers(3, PADDING, n), 2], np.uint16) for n in lengths]
        return TokenArray(np.concatenate(ids), np.cumsum([0, *map(len, ids)]))

    return EncodedPairs(side(lengths), side(lengths[::-1]))


class Settings:
    """As much of a configuration as compiling knows."""

    model = ModelConfig(num_layers=1, d_model=16, num_heads=2, dff=32, dropout_rate=0.0)

    def __init__(self, steps: int) -> None:
        self.training = TrainingConfig(
            accumulation_steps=steps,
            label_smoothing=0.1,
            clip_grad_norm=1.0,
            ema_momentum=0.5,
            schedule=ScheduleConfig(name="inverse_sqrt", learning_rate=1e-2, warmup_steps=2),
        )


@pytest.fixture(scope="module", autouse=True)
def coarse_adam():
    """An Adam by which keys' biases, whose gradient is 0, do not follow rounding alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(compilation.ADAM, "epsilon", 1e-2)
        yield


def trained(
    steps: int, shards: int, size: int, epochs: int, in_chunks: bool = False
) -> Transformer:
    """A model after some epochs of the same 12 pairs."""
    keras.utils.set_random_seed(1)
    kind = functools.partial(TensorFlowTransformer, shards=shards, in_chunks=in_chunks)
    model = (kind if steps * shards > 1 or in_chunks else Transformer)(
        Settings.model, PADDING + 1, PADDING + 1, 30, PADDING, PADDING
    )
    model.build()
    compile_model(model, Settings(steps))
    for _ in range(epochs):
        model.fit(make_dataset(batches(steps, shards, size)), verbose=0, shuffle=False)
    return model


@functools.cache
def trained_on_whole_batches(size: int, epochs: int) -> Transformer:
    """The same without parts, to compare with; no test changes it."""
    return trained(1, 1, size, epochs)


def batches(steps: int, shards: int, size: int) -> Batches:
    """The 12 pairs, in one order."""
    data = pairs([2, 3, 3, 4, 5, 9, 12, 1, 1, 20, 7, 8])
    config = DataConfig(max_length=30, batch_size=size)
    return Batches(data, config, (Side, Side), None, BatchLayout(steps, shards=shards))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "shards", "size", "in_chunks"), [(5, 1, 3, False), (1, 5, 12, True), (2, 3, 11, True)]
)
def test_parts_equal_one_joined_batch(steps, shards, size, in_chunks):
    """A fifth batch of three pairs is padding alone; of one pair a second and a third shard are
    nothing at all.
    """
    joined = trained_on_whole_batches(12, 4)
    parted = trained(steps, shards, size, 4, in_chunks)
    for one, other in zip(joined.variables, parted.variables):
        if "seed_generator" not in one.path and "loss" not in one.path:
            assert one.path == other.path
            assert np.allclose(one.numpy(), other.numpy(), rtol=0, atol=1e-6), one.path
    for one, other in zip(joined.optimizer.variables, parted.optimizer.variables):
        assert np.allclose(one.numpy(), other.numpy(), rtol=0, atol=1e-6), one.path
    assert int(parted.optimizer.iterations) == 4, "the schedule counts updates"
    assert float(parted.optimizer.learning_rate) == float(joined.optimizer.learning_rate)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "shards", "size", "joined", "in_chunks"), [(5, 1, 3, 12, False), (1, 2, 5, 5, True)]
)
def test_metrics_see_every_token(steps, shards, size, joined, in_chunks):
    """Of an epoch of one update, and of one of three unequal batches."""
    models = trained_on_whole_batches(joined, 1), trained(steps, shards, size, 1, in_chunks)
    one, other = (model.get_metrics_result() for model in models)
    assert one.keys() == other.keys()
    for name in one.keys() - {"loss"}:  # which Keras weighs by sentences
        assert float(one[name]) == pytest.approx(float(other[name]), abs=1e-5), name
    assert float(other["loss"]) == pytest.approx(mean_loss(size * steps), abs=1e-4)


def mean_loss(size: int) -> float:
    """The loss that is minimised, a mean over the tokens of an epoch of unequal batches."""
    model = trained(1, 1, 12, 0)
    sums = np.zeros(2)
    for x, y in make_dataset(batches(1, 1, size)):
        tokens = np.sum(y.numpy() != PADDING)
        sums += float(model.loss(y, model(x))) * tokens, tokens
        model.train_on_batch(x, y)
    return sums[0] / sums[1]


def with_dropout(shards: int, tied: str) -> Transformer:
    """A model for shards of a batch that drops elements; new, but compiled."""
    keras.utils.set_random_seed(1)
    config = Settings.model.model_copy(update={"dropout_rate": 0.5, "tied_embeddings": tied})
    model = TensorFlowTransformer(
        config, PADDING + 1, PADDING + 1, 30, PADDING, PADDING, shards=shards, in_chunks=True
    )
    model.build()
    compile_model(model, Settings(1))
    return model


@pytest.mark.slow
@pytest.mark.parametrize("tied", ["none", "all"])
def test_shards_drop_what_they_would_drop_one_after_the_other(tied):
    """A shared embedding draws twice for each shard."""
    in_turn, together = with_dropout(1, tied), with_dropout(3, tied)
    data = next(iter(make_dataset(batches(1, 3, 12))))
    for model in (in_turn, together):
        model.train_step(data)
    for one, other in zip(in_turn.variables, together.variables):
        exactly = "seed_generator" in one.path
        assert np.allclose(one.numpy(), other.numpy(), rtol=0, atol=0 if exactly else 1e-6), (
            one.path
        )


def test_shards_are_calls_of_one_function_that_do_not_wait_for_each_other():
    dataset = make_dataset(batches(1, 3, 12))
    step = tf.function(with_dropout(3, "none").train_step, autograph=False)
    graph = step.get_concrete_function(dataset.element_spec).graph
    calls = [op for op in graph.get_operations() if op.type == "StatefulPartitionedCall"]
    assert len(calls) == 3
    assert len({op.get_attr("f").name for op in calls}) == 1
    assert not any(set(op.control_inputs) & set(calls) for op in calls)


def test_every_layer_is_built_before_training():
    """Else Keras builds the model from an update, which fails under JAX if that has two batches."""
    model = Transformer(Settings.model, PADDING + 1, PADDING + 1, 30, PADDING, PADDING)
    compile_model(model, Settings(1))
    assert [layer.path for layer in model._flatten_layers() if not layer.built] == []
