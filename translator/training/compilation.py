"""Makes a model that is ready for training: with optimiser, loss and metrics."""

import functools
from collections.abc import Callable

import keras

from translator.config.schema import Config
from translator.model.keras_internals import build_from_shapes
from translator.model.transformer import Transformer
from translator.runs.weights import make_model
from translator.tokenizers.subword import Tokenizers
from translator.training.accumulation import AccumulatingTransformer
from translator.training.hardware import dtype_policy, runs_on_cpu, shard_count
from translator.training.losses import MaskedCrossEntropy
from translator.training.metrics import TokenAccuracy, TokenCrossEntropy
from translator.training.optimizer import FusedAdam
from translator.training.schedules import make_schedule


def make_training_model(config: Config, tokenizers: Tokenizers) -> Transformer:
    """A compiled model with new weights, in the configured precision.

    Args:
        config: resolved; see `translator.training.resolution`.
        tokenizers: the run's.
    """
    training = config.training
    shards = shard_count(training)
    kind: Callable[..., Transformer] = Transformer
    in_chunks = runs_on_cpu(training)
    if in_chunks or training.accumulation_steps * shards > 1:
        kind = functools.partial(AccumulatingTransformer, shards=shards, in_chunks=in_chunks)
    model = make_model(config, tokenizers, kind, dtype_policy(training.precision))
    compile_model(model, config)
    return model


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
        loss=MaskedCrossEntropy(padding_id, training.label_smoothing, training.r_drop_alpha),
        metrics=[TokenCrossEntropy(padding_id), TokenAccuracy(padding_id)],
        jit_compile=training.jit_compile is True,
    )
    ids = keras.KerasTensor((None, None), "int32")
    build_from_shapes(model, ((ids, ids), ids))  # `fit` expects one batch an update
