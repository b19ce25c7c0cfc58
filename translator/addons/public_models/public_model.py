"""What both forms of a public model are read into, and how its arrays get our names."""

import dataclasses
import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from translator.base.errors import InputError
from translator.base.texts import listed, quoted
from translator.config.schema import ModelConfig
from translator.text.word_alignment import AlignmentHeads
from translator.tokenizers.marian_tokenizer import MarianTokenizer
from translator.tokenizers.subword import Tokenizers
from translator.tokenizers.vocabulary_files import MAX_ID, read_vocabulary

# What padding and start get as output bias: e^-100 is nothing beside any other token, and still
# a number that a loss can be computed with.
NEVER_WRITTEN = -100.0
LAYER_NORM_EPSILON = 1e-5  # of PyTorch, and of CTranslate2 for Marian's models
MAX_LENGTH = 512  # tokens, as OPUS-MT's models are published
STACKS = ("encoder", "decoder")
Weights = dict[str, np.ndarray]


class TokenizerFiles(NamedTuple):
    """The files of both sides; the vocabulary may be one.

    Attributes:
        models: SentencePiece models.
        vocabularies: the ids of their pieces.
    """

    models: tuple[Path, Path]
    vocabularies: tuple[Path, Path]

    def open(self, languages: tuple[str, str]) -> Tokenizers:
        """Opens the tokenizers as Marian uses them, without a start on the source side.

        Raises:
            InputError: a file is missing or damaged.
        """
        opened = (
            MarianTokenizer(model, vocabulary, language, has_start)
            for model, vocabulary, language, has_start in zip(
                self.models, self.vocabularies, languages, (False, True)
            )
        )
        return Tokenizers(*opened)

    @property
    def are_shared(self) -> bool:
        """Whether both sides have one vocabulary."""
        first, second = self.vocabularies
        return first == second or read_vocabulary(first) == read_vocabulary(second)


class Embeddings(NamedTuple):
    """Tables of token vectors, and the output projection.

    Attributes:
        source: (V, D) of the source.
        target: (V, D) of the target; the same array where both are one.
        projection: (D, V); None where it is the target's table.
        bias: (V,) of the output; None where there is none.
    """

    source: np.ndarray
    target: np.ndarray
    projection: np.ndarray | None
    bias: np.ndarray | None


class PublicModel(NamedTuple):
    """A model that was read, not yet written as a run.

    Attributes:
        model: its section of the configuration.
        files: of its tokenizers.
        embeddings: with the rows that its vocabularies have.
        layers: the arrays of all layers by our names.
        max_length: the most tokens that it takes.
        beam_size: that it was published with.
        length_penalty: likewise.
        languages: of source and target, where they are known.
        alignment: the heads that were trained to align words, where they are known.
    """

    model: ModelConfig
    files: TokenizerFiles
    embeddings: Embeddings
    layers: Weights
    max_length: int = MAX_LENGTH
    beam_size: int = 4
    length_penalty: float = 1.0
    languages: tuple[str | None, str | None] = (None, None)
    alignment: AlignmentHeads | None = None

    def weights(self, tokenizers: Tokenizers, origin: Path) -> Weights:
        """All arrays by the names of `translator.runs.weights.model_weights`.

        Padding and start, which the tokenizers add, get vectors of zeros.

        Args:
            tokenizers: the model's.
            origin: names the model in errors.

        Raises:
            InputError: the vocabularies have other sizes than the tables.
        """
        source, target, projection, bias = self.embeddings
        for side, table, tokenizer in zip(("source", "target"), (source, target), tokenizers):
            stored = cast(MarianTokenizer, tokenizer).stored_size
            if len(table) != stored:
                raise InputError(
                    f"{origin}: expected a {side} vocabulary of {len(table):,} pieces, as many as"
                    f" the model has vectors, found {stored:,}"
                )
        size = tokenizers.target.size
        biases = _extended(np.zeros(len(target)) if bias is None else bias, size)
        biases[[tokenizers.target.padding_id, tokenizers.target.start_id]] = NEVER_WRITTEN
        weights = dict(self.layers)
        if self.model.tied_embeddings == "all":
            weights["shared_embedding/embedding/embeddings"] = _extended(target, size)
            return {**weights, "shared_embedding/output_bias": biases}
        table = _extended(source, tokenizers.source.size)
        weights["source_embedding/embedding/embeddings"] = table
        weights["target_embedding/embedding/embeddings"] = _extended(target, size)
        if projection is None:
            return {**weights, "target_embedding/output_bias": biases}
        kernel = np.ascontiguousarray(_extended(projection.T, size).T)
        return {**weights, "projection/kernel": kernel, "projection/bias": biases}


def tying(embeddings: Embeddings) -> dict[str, Any]:
    """The settings of a model with these tables."""
    if embeddings.projection is not None:
        return {"tied_embeddings": "none"}
    is_one = embeddings.source is embeddings.target
    return {"tied_embeddings": "all" if is_one else "target", "output_bias": True}


def _extended(rows: np.ndarray, count: int) -> np.ndarray:
    """Rows, with rows of zeros after them, ``count`` together."""
    more = np.zeros((count - len(rows), *rows.shape[1:]), "float32")
    return np.concatenate([rows.astype("float32"), more])


@dataclasses.dataclass(frozen=True)
class Arrays:
    """The arrays of a file, and how errors name it.

    Attributes:
        values: by the file's own names.
        origin: the file.
        taken: the names of those that the model has a place for.
    """

    values: Mapping[str, np.ndarray]
    origin: Path
    taken: set[str] = dataclasses.field(default_factory=set)

    def take(self, name: str, *shape: int) -> np.ndarray:
        """An array of a shape as float32.

        Raises:
            InputError: there is none, it has another shape, or numbers that are not finite.
        """
        found = self.values.get(name)
        if found is None or found.shape != shape:
            what = "none" if found is None else f"{found.shape}"
            raise InputError(f"{self.origin}: expected {name} of shape {shape}, found {what}")
        self.taken.add(name)
        if not np.isfinite(found).all():
            raise InputError(
                f"{self.origin}: expected finite numbers in {name}, found NaN or infinite ones"
            )
        return np.ascontiguousarray(found, "float32")

    def check_rest(self, *known: str) -> None:
        """Checks that every array was taken.

        Args:
            *known: the names of those that are none of the model's.

        Raises:
            InputError: one was not, so that our model would compute something else.
        """
        rest = sorted(self.values.keys() - self.taken - {*known})
        if rest:
            raise InputError(
                f"{self.origin}: expected the weights of a Marian Transformer alone, found"
                f" {listed(rest)} as well; variants of it cannot be imported"
            )


def whole_number(
    values: Mapping[str, Any], key: str, origin: Path, default: int | None = None
) -> int:
    """A number of a model's settings, above 0.

    Args:
        values: the settings.
        key: of the number.
        origin: names them in errors.
        default: where there is none; None requires one.

    Raises:
        InputError: it is something else.
    """
    value = values.get(key)
    value = default if value is None else value
    if type(value) is not int or not 0 < value < MAX_ID:
        raise InputError(f"{origin}: expected a number above 0 as {key}, found {quoted(value)}")
    return value


def chosen_name(
    values: Mapping[str, Any], key: str, choices: Mapping[str, str], origin: Path
) -> str:
    """Our name of what a model's settings choose.

    Args:
        values: the settings.
        key: of the name.
        choices: our names by theirs.
        origin: names the settings in errors.

    Raises:
        InputError: it is none of these names.
    """
    value = values.get(key)
    if not isinstance(value, str) or value not in choices:
        raise InputError(
            f"{origin}: expected {key} as one of {', '.join(choices)}, found {quoted(value)}"
        )
    return choices[value]


class LayerNames(NamedTuple):
    """The names of the arrays of layers in one form.

    Attributes:
        layer: begins them, with ``{stack}`` and ``{number}``.
        first: the number of the first layer.
        places: their names for our layers, each with ``{}`` for the kind of array.
        kinds: their names for our kernels, biases, gammas and betas.
        take: an array of the form, by its name, in our shape: kernels are (inputs, outputs).
    """

    layer: str
    first: int
    places: Mapping[str, str]
    kinds: Mapping[str, str]
    take: Callable[[Arrays, str, tuple[int, ...]], np.ndarray]


def read_layers(model: ModelConfig, found: Arrays, names: LayerNames) -> Weights:
    """The arrays of all layers by our names.

    Args:
        model: the sizes.
        found: the arrays of the file.
        names: how its form names them.

    Raises:
        InputError: one is missing, or has another shape.
    """
    width, inner = model.d_model, model.dff
    kernels = {"feed_forward/inner": (width, inner), "feed_forward/outer": (inner, width)}
    weights: Weights = {}
    for stack, number in itertools.product(STACKS, range(model.num_layers)):
        start = names.layer.format(stack=stack, number=names.first + number)
        for place, theirs in names.places.items():
            if stack == "encoder" and place.startswith("cross"):
                continue
            kernel = kernels.get(place, (width, width))
            shapes = {"kernel": kernel, "bias": kernel[1:]}
            if place.endswith("norm"):
                shapes = {"gamma": (width,), "beta": (width,)}
            ours = place.replace("self_res", "attention_res") if stack == "encoder" else place
            for kind, shape in shapes.items():
                name = start + theirs.format(names.kinds[kind])
                path = f"{stack}/layer_{number + 1}/{ours}/{kind}"
                weights[path] = np.ascontiguousarray(names.take(found, name, shape))
    return weights


def make_model_config(origin: Path, **settings: Any) -> ModelConfig:
    """The section ``model`` of a Marian Transformer.

    Args:
        origin: names the file in errors.
        **settings: its sizes; what all of Marian's have is added.

    Raises:
        InputError: a size is not one that a Transformer can have.
    """
    from pydantic import ValidationError

    usual = {
        "positions": "halves",
        "zero_start": True,
        "layer_norm_epsilon": LAYER_NORM_EPSILON,
    }
    try:
        return ModelConfig(**{**usual, **settings})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        key = ".".join(map(str, problem["loc"])) or "sizes"
        raise InputError(
            f"{origin}: expected the sizes of a Transformer, found {key}: {problem['msg']}"
        ) from None
