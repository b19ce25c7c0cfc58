"""A public model in memory, and its files of named arrays: safetensors and Keras's HDF5."""

import contextlib
import dataclasses
import errno
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from translator.base.errors import InputError
from translator.base.texts import listed, quoted
from translator.config.schema import ModelConfig
from translator.tokenizers.marian_tokenizer import MAX_ID, MarianTokenizer, read_vocabulary
from translator.tokenizers.subword import SIDES, Tokenizers

# Output bias of padding and start: their probability becomes almost 0 (e^-100), but a loss can
# still be computed.
NEVER_WRITTEN = -100.0
LAYER_NORM_EPSILON = 1e-5  # of PyTorch
MAX_LENGTH = 512  # tokens, as OPUS-MT's models are published
STACKS = ("encoder", "decoder")
Weights = dict[str, np.ndarray]
FLOATS = "fV"  # kinds of NumPy's types; V is the kind of bfloat16


class TokenizerFiles(NamedTuple):
    """The files of both sides, which may share a vocabulary.

    Attributes:
        vocabularies: for each side, the ids of its pieces.
    """

    models: tuple[Path, Path]
    vocabularies: tuple[Path, Path]

    def open(self, languages: tuple[str, str]) -> Tokenizers:
        """Opens the tokenizers as Marian uses them, without a start token on the source side."""
        tokenizers = (
            MarianTokenizer(model, vocabulary, language, has_start)
            for model, vocabulary, language, has_start in zip(
                self.models, self.vocabularies, languages, (False, True)
            )
        )
        return Tokenizers(*tokenizers)

    @property
    def are_shared(self) -> bool:
        """Whether both sides have one vocabulary."""
        first, second = self.vocabularies
        return first == second or read_vocabulary(first) == read_vocabulary(second)


@dataclasses.dataclass(frozen=True)
class Arrays:
    """The arrays of a file, with its name for errors.

    Attributes:
        values: all arrays, by the file's own names.
        taken: the arrays that the model uses, as float32.
    """

    values: Mapping[str, np.ndarray]
    origin: Path
    taken: Weights = dataclasses.field(default_factory=dict)

    def take(self, name: str, *shape: int) -> np.ndarray:
        """Returns an array as float32, after checking its shape."""
        array = self.values.get(name)
        if array is None or array.shape != shape:
            stored = "none" if array is None else array.shape
            raise InputError(f"{self.origin}: expected {name} of shape {shape}, found {stored}")
        self.taken[name] = np.ascontiguousarray(array, "float32")
        return self.taken[name]

    def check_rest(self) -> None:
        """Checks that the model uses every array."""
        unused = sorted(self.values.keys() - self.taken.keys())
        if unused:
            raise InputError(
                f"{self.origin}: expected only the weights of a Marian Transformer, found also"
                f" {listed(unused)}; variants of it cannot be imported"
            )


class PublicModel(NamedTuple):
    """A model that was read, not yet written as a run.

    Attributes:
        model: the section ``model`` of its configuration.
        arrays: the arrays by the names of `translator.runs.weights.model_weights`. Tables of
            tokens have the rows of the public model's vocabularies.
        max_length: the largest number of tokens that it can read.
        beam_size: the beam size that was published with it.
        languages: source and target language; None if they are not known.
    """

    model: ModelConfig
    files: TokenizerFiles
    arrays: Weights
    max_length: int = MAX_LENGTH
    beam_size: int = 4
    languages: tuple[str | None, str | None] = (None, None)

    def weights(self, tokenizers: Tokenizers, origin: Path) -> Weights:
        """The arrays, with rows for padding and start. The tokenizers add these two tokens."""
        weights = dict(self.arrays)
        for side, tokenizer in zip(SIDES, tokenizers):
            prefix = "shared" if self.model.tied_embeddings == "all" else side
            table = self.arrays[f"{prefix}_embedding/embedding/embeddings"]
            stored = cast(MarianTokenizer, tokenizer).stored_size
            if len(table) != stored:
                raise InputError(
                    f"{origin}: expected a {side} vocabulary of {len(table):,} pieces, as many as"
                    f" the model has vectors, found {stored:,}"
                )
            name = f"{prefix}_embedding/embedding/embeddings"
            weights[name] = _extend(table, tokenizer.size)
        target = tokenizers.target
        for name in self.arrays:
            if name.endswith(("output_bias", "projection/bias")):
                weights[name] = _extend(self.arrays[name], target.size)
                weights[name][[target.padding_id, target.start_id]] = NEVER_WRITTEN
            elif name == "projection/kernel":
                kernel = _extend(self.arrays[name].T, target.size)
                weights[name] = np.ascontiguousarray(kernel.T)
            if not np.isfinite(weights[name]).all():
                raise InputError(
                    f"{origin}: expected finite numbers in {name}, found NaN or infinite ones"
                )
        return weights


def _extend(rows: np.ndarray, count: int) -> np.ndarray:
    """Adds rows of zeros, so that there are ``count`` rows."""
    zeros = np.zeros((count - len(rows), *rows.shape[1:]), "float32")
    return np.concatenate([rows, zeros])


def read_whole_number(
    values: Mapping[str, Any], key: str, origin: Path, default: int | None = None
) -> int:
    """Reads a whole number above 0 from a model's settings.

    Args:
        default: the number if the settings lack it; if None, they must have it.
    """
    value = values.get(key)
    value = default if value is None else value
    if type(value) is not int or not 0 < value < MAX_ID:
        raise InputError(
            f"{origin}: expected a number from 1 to {MAX_ID - 1:,} as {key}, found {quoted(value)}"
        )
    return value


def read_choice(
    values: Mapping[str, Any], key: str, choices: Mapping[str, str], origin: Path
) -> str:
    """Reads a choice from a model's settings, and returns our name of it."""
    value = values.get(key)
    if not isinstance(value, str) or value not in choices:
        raise InputError(
            f"{origin}: expected {key} as one of {', '.join(choices)}, found {quoted(value)}"
        )
    return choices[value]


def make_model_config(origin: Path, **settings: Any) -> ModelConfig:
    """The section ``model`` of a Marian Transformer."""
    from pydantic import ValidationError

    defaults = {
        "positions": "halves",
        "zero_start": True,
        "layer_norm_epsilon": LAYER_NORM_EPSILON,
    }
    try:
        return ModelConfig(**{**defaults, **settings})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        key = ".".join(map(str, problem["loc"])) or "sizes"
        raise InputError(
            f"{origin}: expected the sizes of a Transformer, found {key}: {problem['msg']}"
        ) from None


@contextlib.contextmanager
def damage_as_input_error(path: Path, form: str) -> Iterator[None]:
    """Turns any error of reading a file of weights into one line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # a damaged file makes readers fail in dozens of ways
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise  # of the system: no permission, a broken disk
        raise InputError(f"{path}: expected {form}, found a damaged or wrong file") from None


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Reads a file of safetensors.

    Returns:
        The arrays by name, as float32; arrays of integers are left out.
    """
    from safetensors.numpy import load_file

    path.open("rb").close()  # errors of the system are raised here, unchanged
    with damage_as_input_error(path, "weights in safetensors"):
        arrays = load_file(path)
    return {
        name: array.astype("f4") for name, array in arrays.items() if array.dtype.kind in FLOATS
    }


def read_hdf5(path: Path) -> dict[str, np.ndarray]:
    """Reads the weights that a Keras model wrote; needs h5py.

    Returns:
        The arrays by their paths in the file, as float32.
    """
    import h5py

    arrays: dict[str, np.ndarray] = {}
    size = path.stat().st_size

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            if item.nbytes > size:  # a shape without data would be filled with zeros
                raise ValueError
            arrays[name] = np.array(item, np.float32)

    with damage_as_input_error(path, "weights in HDF5"), h5py.File(path, "r") as file:
        file.visititems(visit)
    return arrays


# In the order in which they are looked for.
READERS: dict[str, Callable[[Path], dict[str, np.ndarray]]] = {
    "model.safetensors": read_safetensors,
    "tf_model.h5": read_hdf5,
}
