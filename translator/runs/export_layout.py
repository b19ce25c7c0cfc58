"""Where the weights of each layer and head are, in a run and in an export for CTranslate2."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from translator.config.schema import ModelConfig
from translator.text.alignment_heads import PointingHeads

# By kind of attention: its stack, and its name in a layer of it.
_ATTENTIONS = {
    "encoder": ("encoder", "self_attention"),
    "decoder": ("decoder", "self_attention"),
    "cross": ("decoder", "cross_attention"),
}


def attention_name(kind: str, layer: int) -> str:
    """What the names of the weights of one attention begin with; layers count from 0."""
    stack, attention = _ATTENTIONS[kind]
    return f"{stack}/layer_{layer + 1}/{attention}"


def places_of_heads(heads: Iterable[int], width: int) -> np.ndarray:
    """The columns of some heads in the projections, which are their rows in the output matrix."""
    return (np.array(list(heads), int)[:, None] * width + np.arange(width)).ravel()


Arrays = Mapping[str, np.ndarray]


class Dense(NamedTuple):
    """Dense layers with the same input, which CTranslate2 joins to one.

    Attributes:
        path: the layer's name in CTranslate2, such as ``encoder/layer_0/ffn/linear_0``.
        names: our names of the layers, in the order of their outputs.
    """

    path: str
    names: tuple[str, ...]

    def join(self, weights: Arrays) -> dict[str, np.ndarray]:
        """CTranslate2's variables of the layer.

        Args:
            weights: by the names of `translator.runs.weights.model_weights`. Kernels are (inputs,
                outputs), in CTranslate2 (outputs, inputs).
        """
        kernels = [weights[f"{name}/kernel"].T for name in self.names]
        biases = [weights[f"{name}/bias"] for name in self.names]
        return {"weight": np.concatenate(kernels), "bias": np.concatenate(biases)}

    def separate(self, variables: Arrays) -> dict[str, np.ndarray]:
        """The opposite of `join`: weights by our names.

        Args:
            variables: of the whole export, by CTranslate2's names.
        """
        count = len(self.names)
        kernels = np.split(variables[f"{self.path}/weight"], count)
        biases = np.split(variables[f"{self.path}/bias"], count)
        weights = {}
        for name, kernel, bias in zip(self.names, kernels, biases):
            weights[f"{name}/kernel"] = np.ascontiguousarray(kernel.T)
            weights[f"{name}/bias"] = bias
        return weights


class Plain(NamedTuple):
    """A layer whose arrays CTranslate2 stores as they are: a norm or an embedding table.

    Attributes:
        path: the layer's name in CTranslate2.
        names: our name of each of CTranslate2's variables.
    """

    path: str
    names: Mapping[str, str]

    def join(self, weights: Arrays) -> dict[str, np.ndarray]:
        """See `Dense.join`."""
        return {key: weights[name] for key, name in self.names.items()}

    def separate(self, variables: Arrays) -> dict[str, np.ndarray]:
        """See `Dense.separate`."""
        return {name: variables[f"{self.path}/{key}"] for key, name in self.names.items()}


def parts_of(model: ModelConfig) -> Iterator[Dense | Plain]:
    """All parts of a model that have weights."""
    is_one = model.tied_embeddings == "all"
    source, target = (
        f"{'shared' if is_one else side}_embedding/embedding/embeddings"
        for side in ("source", "target")
    )
    yield Plain("encoder/embeddings_0", {"weight": source})
    yield Plain("decoder/embeddings", {"weight": target})
    if model.tied_embeddings == "none":
        yield Dense("decoder/projection", ("projection",))
    else:
        bias = {"bias": target.replace("embedding/embeddings", "output_bias")}
        yield Plain("decoder/projection", {"weight": target, **(bias if model.output_bias else {})})
    for stack in ("encoder", "decoder"):
        for i in range(model.layers_of(stack)):
            yield from _parts_of_layer(f"{stack}/layer_{i}", f"{stack}/layer_{i + 1}")
        if model.normalize_first:
            yield _norm(f"{stack}/layer_norm", f"{stack}/norm")


def _parts_of_layer(path: str, name: str) -> Iterator[Dense | Plain]:
    decodes = name.startswith("decoder")
    own, cross = f"{name}/self_attention", f"{name}/cross_attention"
    own_residual = f"{name}/{'self' if decodes else 'attention'}_residual"
    yield Dense(f"{path}/self_attention/linear_0", _within(own, "query", "key", "value"))
    yield Dense(f"{path}/self_attention/linear_1", _within(own, "output"))
    yield _norm(f"{path}/self_attention/layer_norm", f"{own_residual}/norm")
    if decodes:
        yield Dense(f"{path}/attention/linear_0", _within(cross, "query"))
        yield Dense(f"{path}/attention/linear_1", _within(cross, "key", "value"))
        yield Dense(f"{path}/attention/linear_2", _within(cross, "output"))
        yield _norm(f"{path}/attention/layer_norm", f"{name}/cross_residual/norm")
    yield Dense(f"{path}/ffn/linear_0", (f"{name}/feed_forward/inner",))
    yield Dense(f"{path}/ffn/linear_1", (f"{name}/feed_forward/outer",))
    yield _norm(f"{path}/ffn/layer_norm", f"{name}/feed_forward_residual/norm")


def _within(name: str, *layers: str) -> tuple[str, ...]:
    return tuple(f"{name}/{layer}" for layer in layers)


def _norm(path: str, name: str) -> Plain:
    return Plain(path, {key: f"{name}/{key}" for key in ("gamma", "beta")})


def with_heads_first(
    weights: Arrays, first: PointingHeads, model: ModelConfig
) -> dict[str, np.ndarray]:
    """The same weights with the heads of one cross-attention in another order.

    CTranslate2 returns the mean attention of the first heads of one layer.
    """
    return _reorder(weights, first.layer, _order(first, model), model)


def with_heads_in_place(
    weights: Arrays, first: PointingHeads, model: ModelConfig
) -> dict[str, np.ndarray]:
    """The opposite of `with_heads_first`."""
    return _reorder(weights, first.layer, np.argsort(_order(first, model)).tolist(), model)


def _order(first: PointingHeads, model: ModelConfig) -> list[int]:
    return [
        *first.heads,
        *(head for head in range(model.heads_of("cross")) if head not in first.heads),
    ]


def _reorder(
    weights: Arrays, layer: int, heads: Iterable[int], model: ModelConfig
) -> dict[str, np.ndarray]:
    head_dim = model.head_dim_of("cross")
    order = np.concatenate([np.arange(head * head_dim, (head + 1) * head_dim) for head in heads])
    name = f"decoder/layer_{layer + 1}/cross_attention"
    moved = {f"{name}/output/kernel": weights[f"{name}/output/kernel"][order]}
    for part in ("query", "key", "value"):
        moved[f"{name}/{part}/kernel"] = weights[f"{name}/{part}/kernel"][:, order]
        moved[f"{name}/{part}/bias"] = weights[f"{name}/{part}/bias"][order]
    return {**weights, **moved}
