"""Checks the inputs of a model: its settings as keywords, and ids."""

from collections.abc import Mapping
from types import NoneType
from typing import Any

import keras
import numpy as np
from pydantic import ValidationError

from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.config.section import describe_problem

SOURCE, TARGET = 0, 1  # places of the sides, as in `ModelOfIds.vocab_sizes`


class ModelOfIds(keras.Model):
    """A model that checks its source and target ids.

    A compiled step has no values to check, so the check costs it nothing.

    Attributes:
        vocab_sizes: V of the source side and of the target side.
        max_length: the longest sentence, in tokens with start and end.
    """

    vocab_sizes: tuple[int, int]
    max_length: int

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Checks the inputs first, because Keras would wrap errors of ``call`` in more lines."""
        self.check_pair(inputs)
        return super().__call__(inputs, *args, **kwargs)

    def summary(self, *args: Any, **kwargs: Any) -> None:
        """Prints Keras's summary, also before the first call."""
        if not self.built:
            self.build(None)
        super().summary(*args, **kwargs)

    def check_pair(self, inputs: Any) -> None:
        """Checks a pair of ids.

        Raises:
            InputError: it is no pair, or `check_ids` refuses the ids of a side.
        """
        if not isinstance(inputs, (tuple, list)) or len(inputs) != 2:
            raise InputError(
                f"inputs: expected a pair (source ids, target ids), found {type(inputs).__name__}"
            )
        for side, ids in enumerate(inputs):
            self.check_ids(ids, side)

    def check_ids(self, ids: Any, side: int) -> None:
        """Checks the ids of a side, unless they are symbolic, as in a compiled step.

        Raises:
            InputError: they are no array of rows, rows are too long, or an id is out of range.
        """
        try:
            values = np.asarray(ids if hasattr(ids, "shape") else None)
        except (TypeError, ValueError, NotImplementedError):  # a backend's error for symbolic ids
            return
        size, problem = self.vocab_sizes[side], f"{type(ids).__name__} of shape {values.shape}"
        if values.ndim == 2 and values.shape[1] <= self.max_length and values.dtype.kind in "iuf":
            wrong = values[~((values >= 0) & (values < size) & (values == np.floor(values)))]
            if not wrong.size:
                return
            problem = str(wrong[0])
        raise InputError(
            f"{('source', 'target')[side]} ids: expected an array (sentences, tokens) of ids from"
            f" 0 to {size - 1}, at most {self.max_length} a sentence, found {problem}; encode the"
            " text with the model's own tokenizer"
        )


def make_config(
    config: ModelConfig | Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> ModelConfig:
    """Makes the configuration of a model from the arguments of its constructor.

    Args:
        config: the first argument.
        settings: the other keywords, which are keys of a configuration.

    Raises:
        InputError: both have settings, or a setting is unknown or cannot be used.
    """
    if isinstance(config, ModelConfig) and not settings:
        return config
    if isinstance(config, ModelConfig) or not isinstance(config, (Mapping, NoneType)):
        kind = "both" if settings else type(config).__name__
        raise InputError(f"config: expected a ModelConfig or its keywords, found {kind}")
    try:
        return ModelConfig(**{**(config or {}), **settings})
    except ValidationError as error:
        raise InputError(f"Transformer: {describe_problem(error, ModelConfig)}") from None
