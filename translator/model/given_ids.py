"""What is given to a model from outside: its settings as keywords, and ids, which are checked."""

from collections.abc import Mapping
from types import NoneType
from typing import Any

import keras
import numpy as np
from pydantic import ValidationError

from translator.base.errors import InputError
from translator.base.texts import listed, quoted
from translator.config.schema import ModelConfig
from translator.config.yaml_file import describe_problem

SOURCE, TARGET = 0, 1  # sides, as in `ModelOfIds.vocab_sizes`


class ModelOfIds(keras.Model):
    """A model of source and target ids, which checks those that it is given.

    A compiled step has no values to check, and is as fast as without.

    Attributes:
        vocab_sizes: V of the source side and of the target side.
        max_length: the longest sentence, in tokens with start and end.
    """

    vocab_sizes: tuple[int, int]
    max_length: int

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """As Keras's, which would wrap the errors of ``call`` in lines of its own."""
        self.check_pair(inputs)
        return super().__call__(inputs, *args, **kwargs)

    def fit(self, x: Any = None, *args: Any, **kwargs: Any) -> Any:
        """As Keras's; ids in arrays are checked."""
        self._check_arrays(x)
        return super().fit(x, *args, **kwargs)

    def evaluate(self, x: Any = None, *args: Any, **kwargs: Any) -> Any:
        """As Keras's; ids in arrays are checked."""
        self._check_arrays(x)
        return super().evaluate(x, *args, **kwargs)

    def predict(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """As Keras's; ids in arrays are checked."""
        self._check_arrays(x)
        return super().predict(x, *args, **kwargs)

    def check_pair(self, inputs: Any) -> None:
        """Checks a pair of ids.

        Raises:
            InputError: it is none, or as in `check_ids`.
        """
        if isinstance(inputs, Mapping):
            names = [quoted(key) for key in inputs]
            pair = (
                [f"inputs[{name}]" for name in names] if len(names) == 2 else ("source", "target")
            )
            raise InputError(
                "inputs: expected a pair (source ids, target ids), found a dictionary with"
                f" {listed(names)}; give ({', '.join(pair)})"
            )
        is_sequence = isinstance(inputs, (tuple, list))
        if not is_sequence or len(inputs) != 2:
            found = type(inputs).__name__ + (f" of {len(inputs)}" if is_sequence else "")
            raise InputError(f"inputs: expected a pair (source ids, target ids), found {found}")
        for ids, side in zip(inputs, (SOURCE, TARGET)):
            self.check_ids(ids, side)

    def _check_arrays(self, x: Any) -> None:
        """Checks what is given instead of a dataset."""
        if isinstance(x, (tuple, list, Mapping)) or hasattr(x, "shape"):
            self.check_pair(x)

    def check_ids(self, ids: Any, side: int) -> None:
        """Checks the ids of a side; of symbolic ones, as in a compiled step, the length alone.

        Raises:
            InputError: there are too many, or one is outside the vocabulary.
        """
        name, length = ("source", "target")[side], np.shape(ids)[-1]
        if isinstance(length, int) and length > self.max_length:
            raise InputError(
                f"{name} ids: expected at most {self.max_length} of a sentence (max_length), found"
                f" {length}; shorten it, or make the model with a larger max_length"
            )
        try:
            values = np.asarray(ids)
        except (TypeError, ValueError, NotImplementedError):  # symbolic, by each backend's error
            return
        size = self.vocab_sizes[side]
        wrong = values[(values < 0) | (values >= size)]
        if wrong.size:
            raise InputError(
                f"{name} ids: expected 0 to {size - 1}, as the vocabulary has {size:,} ids, found"
                f" {wrong[0]}; encode the text with the model's own tokenizer"
            )


def make_config(
    config: ModelConfig | Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> ModelConfig:
    """The configuration of a model, from what its constructor was given.

    Args:
        config: its first argument.
        settings: keywords that are keys of it.

    Raises:
        InputError: both give settings, or these cannot be used.
    """
    if isinstance(config, ModelConfig) and not settings:
        return config
    if isinstance(config, ModelConfig) or not isinstance(config, (Mapping, NoneType)):
        found = "keywords of it too" if settings else type(config).__name__
        raise InputError(f"config: expected a ModelConfig or its keywords, found {found}")
    try:
        return ModelConfig(**{**(config or {}), **settings})
    except ValidationError as error:
        raise InputError(f"Transformer: {describe_problem(error, ModelConfig)}") from None
