"""Makes a model that is ready for training: with optimiser, averages, loss and metrics."""

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops
from keras.optimizers.schedules import LearningRateSchedule

from translator.base.backends import JAX, TENSORFLOW
from translator.config.schema import Config, TrainingConfig
from translator.model.keras_internals import (
    adam_moments,
    build_compiled,
    tensorflow_resource,
    variables_with_averages,
)
from translator.model.transformer import Transformer
from translator.runs.weights import frozen_names, make_model, model_weights, variable_value
from translator.tokenizers.subword import Tokenizers
from translator.training.hardware import dtype_policy, runs_on_cpu, shard_count
from translator.training.jax_step import JaxTransformer
from translator.training.losses import MaskedCrossEntropy, TokenAccuracy, TokenCrossEntropy
from translator.training.schedules import make_schedule
from translator.training.tensorflow_step import TensorFlowTransformer

ADAM = {"beta_1": 0.9, "beta_2": 0.98, "epsilon": 1e-9}  # section 5.3 of Vaswani et al. (2017)


def make_training_model(
    config: Config, tokenizers: Tokenizers, schedule: LearningRateSchedule | None = None
) -> Transformer:
    """A compiled model with new weights, in the configured precision.

    Args:
        schedule: of the learning rate; None for the configured one.
    """
    training = config.training
    policy = dtype_policy(training.precision)
    model = make_model(config, tokenizers, training_kind(training), policy)
    freeze(model, training.freeze)
    compile_model(model, config, schedule)
    return model


def freeze(model: Transformer, parts: Sequence[str]) -> None:
    """Keeps the weights of some parts of a model as they are; before it is compiled."""
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


def compile_model(
    model: Transformer, config: Config, schedule: LearningRateSchedule | None = None
) -> None:
    """Compiles a model with the configured optimiser, loss and metrics, and builds all of it."""
    if schedule is None:
        schedule = make_schedule(config.training.schedule, config.model.d_model)
    padding_id = model.padding_ids[1]
    training = config.training
    model.compile(
        optimizer=FusedAdam(
            schedule,
            **ADAM,
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
    if not model.built:
        model.build()
    build_compiled(model, (None, None), (None, None, model.vocab_sizes[1]))


@keras.saving.register_keras_serializable(package="translator")
class FusedAdam(keras.optimizers.Adam):
    """Keras's Adam, computed by TensorFlow's fused kernel where TensorFlow is the backend.

    Kingma and Ba (2015), "Adam", https://arxiv.org/abs/1412.6980. The kernel does in one
    operation what Keras does in eight, each of which reads and writes an array of the
    variable's size.
    """

    def apply(self, grads: Sequence[Any], trainable_variables: Any = None) -> None:
        """Updates the variables.

        The gradient of an embedding is a list of rows, and a row may occur twice. Clipping
        needs the norm of their sum, so they are summed first.
        """
        if self.global_clipnorm is not None and keras.backend.backend() == "tensorflow":
            import tensorflow as tf

            grads = [tf.convert_to_tensor(gradient) for gradient in grads]
        step = ops.cast(self.iterations + 1, "float32")
        betas = [ops.cast(beta, "float32") for beta in (self.beta_1, self.beta_2)]
        self.powers = [ops.power(beta, step) for beta in betas]  # for all variables
        super().apply(grads, trainable_variables)

    def finalize_variable_values(self, var_list: Sequence[Any]) -> None:
        """Does nothing; Keras would replace the weights by their averages after `fit`."""

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Updates a variable and its two moments."""
        if keras.backend.backend() != "tensorflow" or self.amsgrad:
            super().update_step(gradient, variable, learning_rate)
            return
        import tensorflow as tf

        momentum, velocity = adam_moments(self, variable)
        tf.raw_ops.ResourceApplyAdam(
            var=tensorflow_resource(variable),
            m=tensorflow_resource(momentum),
            v=tensorflow_resource(velocity),
            beta1_power=self.powers[0],
            beta2_power=self.powers[1],
            lr=learning_rate,
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=ops.cast(tf.convert_to_tensor(gradient), variable.dtype),
        )


def moving_averages(optimizer: keras.optimizers.Optimizer) -> list[tuple[Any, Any]]:
    """Each trained variable and its moving average; empty where the optimiser keeps none."""
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)  # float16: inside a loss scaler
    if not optimizer.use_ema:
        return []
    return variables_with_averages(optimizer)


def averaged_weights(model: keras.Model) -> dict[str, np.ndarray]:
    """A model's weights by name; their moving averages where there are any."""
    weights = model_weights(model)
    names = {id(variable): name for variable, name in zip(model.weights, weights)}
    averages = moving_averages(model.optimizer)
    return weights | {names[id(v)]: variable_value(average) for v, average in averages}


@contextlib.contextmanager
def averages_in_place(model: keras.Model) -> Iterator[None]:
    """Swaps the model's weights and their moving averages for the duration of a block."""
    _exchange(model)
    try:
        yield
    finally:
        _exchange(model)


def _exchange(model: keras.Model) -> None:
    for variable, average in moving_averages(model.optimizer):
        value = variable_value(variable)
        variable.assign(average)
        average.assign(value)
