"""What is given to a model from outside: its settings as keywords, and ids, which are checked."""

import functools
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any

import keras
import numpy as np
from pydantic import ValidationError

from translator.base.errors import InputError
from translator.base.texts import listed, quoted
from translator.config.schema import ModelConfig
from translator.config.yaml_file import describe_problem

TAKE_ARRAYS = [  # of Keras's methods
    *("fit", "evaluate", "predict"),
    *("train_on_batch", "test_on_batch", "predict_on_batch"),
]
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
        rows = [ids.shape[0] for ids in inputs]
        if None not in rows and rows[0] != rows[1]:
            raise InputError(
                f"inputs: expected as many targets as sources, found {rows[1]} and {rows[0]}"
            )

    def check_ids(self, ids: Any, side: int) -> None:
        """Checks the ids of a side; of symbolic ones, as in a compiled step, the shape alone.

        Raises:
            InputError: they are no array of rows, too many, or one is no id of the vocabulary.
        """
        name, shape = ("source", "target")[side], getattr(ids, "shape", None)
        kind = str(getattr(ids.dtype, "name", ids.dtype)) if shape is not None else ""
        if shape is None or len(shape) != 2 or not kind.startswith(("int", "uint", "float")):
            found = type(ids).__name__ if shape is None else f"{kind} of shape {tuple(shape)}"
            raise InputError(
                f"{name} ids: expected an array of numbers of shape (sentences, tokens), found"
                f" {found}; keras.ops.array([[1, 5, 2]]) is one"
            )
        length = shape[-1]
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
        wrong = values[~((values >= 0) & (values < size) & (values == np.floor(values)))]
        if wrong.size:
            raise InputError(
                f"{name} ids: expected 0 to {size - 1}, as the vocabulary has {size:,} ids, found"
                f" {wrong[0]}; encode the text with the model's own tokenizer"
            )


def _checked(name: str) -> Callable[..., Any]:
    """A method of Keras's that checks arrays, which are given instead of a dataset."""

    @functools.wraps(getattr(keras.Model, name))
    def checked(self: ModelOfIds, x: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(x, (tuple, list, Mapping)) or hasattr(x, "shape"):
            self.check_pair(x)
        return getattr(super(ModelOfIds, self), name)(x, *args, **kwargs)

    return checked


for _name in TAKE_ARRAYS:
    setattr(ModelOfIds, _name, _checked(_name))


def make_config(
    config: ModelConfig | Mapping[str, Any] | None, settings: Mapping[str, Any]
) -> ModelConfig:
    """The configuration of a model, from what its constructor was given.

    Args:
        config: its first argument.
        settings: its other keywords, keys of it.

    Raises:
        InputError: both give settings, or these are not known or cannot be used.
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
