"""Makes a model that is ready for training: with optimiser, loss and metrics."""

import functools
from collections.abc import Callable, Sequence

import keras

from translator.base.backends import JAX, TENSORFLOW
from translator.config.schema import Config, TrainingConfig
from translator.model.keras_internals import build_from_shapes
from translator.model.transformer import Transformer
from translator.runs.weights import make_model, model_weights
from translator.tokenizers.subword import Tokenizers
from translator.training.hardware import dtype_policy, runs_on_cpu, shard_count
from translator.training.initial_run import frozen_names
from translator.training.jax_step import JaxTransformer
from translator.training.losses import MaskedCrossEntropy
from translator.training.metrics import TokenAccuracy, TokenCrossEntropy
from translator.training.optimizer import FusedAdam
from translator.training.schedules import make_schedule
from translator.training.tensorflow_step import TensorFlowTransformer


def make_training_model(config: Config, tokenizers: Tokenizers) -> Transformer:
    """A compiled model with new weights, in the configured precision.

    Args:
        config: resolved; see `translator.training.resolution`.
        tokenizers: the run's.
    """
    training = config.training
    policy = dtype_policy(training.precision)
    model = make_model(config, tokenizers, training_kind(training), policy)
    freeze(model, training.freeze)
    compile_model(model, config)
    return model


def freeze(model: Transformer, parts: Sequence[str]) -> None:
    """Keeps the weights of some parts of a model as they are; before it is compiled.

    Args:
        model: built.
        parts: see `translator.training.initial_run.frozen_names`, whose errors it raises.
    """
    names = list(model_weights(model))
    frozen = frozen_names(names, parts)
    for name, variable in zip(names, model.weights):
        variable.trainable = variable.trainable and name not in frozen


def training_kind(training: TrainingConfig) -> Callable[..., Transformer]:
    """The class of a model that can be trained and measured on the backend that Keras runs on."""
    if keras.backend.backend() == JAX:
        return JaxTransformer
    return functools.partial(
        TensorFlowTransformer,
        shards=shard_count(training),
        in_chunks=runs_on_cpu(training),
        compile_batches=compiles_batches(training),
    )


def compiles_batches(training: TrainingConfig) -> bool:
    """Whether XLA compiles a batch's work under TensorFlow, and not an update's."""
    is_tensorflow = keras.backend.backend() == TENSORFLOW
    return is_tensorflow and training.jit_compile is True and training.accumulation_steps > 1


def compile_model(model: Transformer, config: Config) -> None:
    """Compiles a model with the configured optimiser, loss and metrics, and builds them."""
    padding_id = model.padding_ids[1]
    training = config.training
    model.compile(
        optimizer=FusedAdam(
            make_schedule(training.schedule, config.model.d_model),
            beta_1=training.adam_beta_1,
            beta_2=training.adam_beta_2,
            epsilon=training.adam_epsilon,
            global_clipnorm=training.clip_grad_norm,
            use_ema=training.ema_momentum is not None,
            ema_momentum=training.ema_momentum or 0.99,
        ),
        loss=MaskedCrossEntropy(
            padding_id,
            training.label_smoothing,
            training.r_drop_alpha,
            copies_adjacent=keras.backend.backend() == JAX,
        ),
        metrics=[TokenCrossEntropy(padding_id), TokenAccuracy(padding_id)],
        jit_compile=training.jit_compile is True and not compiles_batches(training),
    )
    ids = keras.KerasTensor((None, None), "int32")
    with model.loss.without_r_drop():  # for a batch of unknown size
        build_from_shapes(model, ((ids, ids), ids))  # `fit` expects one batch an update
