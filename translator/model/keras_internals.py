"""All uses of private names of Keras. A release may rename or remove such names.

If a name is missing, the function that needs it raises an error.
"""

from typing import Any

import keras

from translator.base.errors import InputError

WRITTEN_FOR = "3.15"  # the Keras release with these names


def variables_with_averages(optimizer: keras.optimizers.Optimizer) -> list[tuple[Any, Any]]:
    """The trained variables and moving averages of an optimiser that keeps averages."""
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
