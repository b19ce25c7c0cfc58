"""All uses of private names of Keras, which a release may rename or remove.

But those of `fit` are in `translator.training.packed_state`.

If a name is missing, the function here that needs it says so.
"""

from typing import Any

import keras

from translator.base.errors import InputError

WRITTEN_FOR = "3.15"  # the Keras release whose names these are


def build_compiled(model: keras.Model, targets: Any, outputs: Any) -> None:
    """Builds a compiled model's loss, metrics and optimiser, as `fit` does with its first batch.

    `fit` also runs the whole model on symbols for it, which takes as long as some updates.

    Args:
        model: compiled and built.
        targets: their shape, in which None is any size.
        outputs: likewise, of the model.
    """
    ids, logits = keras.KerasTensor(targets, "int32"), keras.KerasTensor(outputs, "float32")
    for name in ("_compile_metrics", "_compile_loss"):
        _private(model, name).build(ids, logits)
    model.optimizer.build(model.trainable_variables)
    _private(model, "_post_build")()


def loss_tracker(model: keras.Model) -> keras.metrics.Metric:
    """The metric that averages a compiled model's loss over an epoch."""
    return _private(model, "_loss_tracker")


def compiled_metrics(model: keras.Model) -> list[keras.metrics.Metric]:
    """The metrics that were given to a model's ``compile``."""
    metrics: list[keras.metrics.Metric] = _private(model, "_compile_metrics").metrics
    return metrics


def variables_with_averages(optimizer: keras.optimizers.Optimizer) -> list[tuple[Any, Any]]:
    """Each trained variable and its moving average, of an optimiser that keeps averages."""
    variables = _private(optimizer, "_trainable_variables")
    averages = _private(optimizer, "_model_variables_moving_average")
    return list(zip(variables, averages, strict=True))


def adam_moments(optimizer: keras.optimizers.Adam, variable: Any) -> tuple[Any, Any]:
    """Adam's first and second moment of a variable."""
    index = _private(optimizer, "_get_variable_index")(variable)
    return _private(optimizer, "_momentums")[index], _private(optimizer, "_velocities")[index]


def tensorflow_resource(variable: Any) -> Any:
    """The resource handle of a Keras variable, or of the TensorFlow variable inside one."""
    if isinstance(variable, keras.Variable):
        variable = _private(variable, "_value")
    return variable.handle


def _private(owner: Any, name: str) -> Any:
    if not hasattr(owner, name):
        raise InputError(
            f"Keras {keras.__version__}: expected {type(owner).__name__}.{name}, found no such"
            f" name; this program was written for Keras {WRITTEN_FOR}: install that release"
        )
    return getattr(owner, name)
