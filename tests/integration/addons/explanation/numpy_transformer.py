"""The Transformer once more, from its weights alone and in float64: another path to its numbers."""

from collections.abc import Mapping
from typing import Any

import numpy as np

Numbers = dict[str, np.ndarray]


def rotate(vectors: np.ndarray) -> np.ndarray:
    """Rows times e^(i · position · frequency), each pair of columns as a complex number."""
    count, width = vectors.shape
    frequencies = 10000.0 ** (-np.arange(0, width, 2) / width)
    angles = np.arange(count)[:, None] * frequencies
    rotated = (vectors[:, 0::2] + 1j * vectors[:, 1::2]) * np.exp(1j * angles)
    return np.stack([rotated.real, rotated.imag], axis=-1).reshape(count, width)


class NumpyTransformer:
    """A model without Keras.

    Args:
        weights: by name.
        heads: N.
        normalizes_first: whether layers normalise before, not after.
        activation: of the feed-forward networks.
    """

    def __init__(
        self, weights: Mapping[str, np.ndarray], heads: int, normalizes_first: bool, activation: str
    ) -> None:
        self.weights = {name: array.astype("float64") for name, array in weights.items()}
        self.heads, self.normalizes_first, self.activation = heads, normalizes_first, activation
        self.layers = sum(name.startswith("encoder/layer_") and name.endswith("query/kernel")
                          for name in weights)  # fmt: skip

    def run(
        self, source: list[int], target: list[int], positions: np.ndarray, rotates: bool = False
    ) -> Numbers:
        """The numbers of every layer and head, by names such as ``cross/2/1/weights``.

        ``rotates`` is whether self-attention rotates queries and keys by their positions.
        """
        self.rotates = rotates
        found: Numbers = {}
        x = self._embed("source", source, positions, found)
        for layer in range(1, self.layers + 1):
            place = f"encoder/layer_{layer}"
            x = self._attend(place, "attention", f"encoder/{layer}", x, None, None, found)
            x = self._feed_forward(place, [f"encoder/{layer}"], x, found)
        memory = self._norm("encoder/norm", x) if self.normalizes_first else x
        x = self._embed("target", target, positions, found)
        hidden = np.tri(len(target), dtype=bool)
        for layer in range(1, self.layers + 1):
            place = f"decoder/layer_{layer}"
            x = self._attend(place, "self", f"decoder/{layer}", x, None, hidden, found)
            x = self._attend(place, "cross", f"cross/{layer}", x, memory, None, found)
            found[f"decoder/{layer}/other"] = x
            x = self._feed_forward(place, [f"decoder/{layer}", f"cross/{layer}"], x, found)
        x = self._norm("decoder/norm", x) if self.normalizes_first else x
        found["hidden"] = x
        if "projection/kernel" in self.weights:
            found["logits"] = (
                x @ self.weights["projection/kernel"] + self.weights["projection/bias"]
            )
        else:
            found["logits"] = x @ self._table("target").T
        return found

    def _table(self, side: str) -> np.ndarray:
        shared = self.weights.get("shared_embedding/embedding/embeddings")
        return self.weights[f"{side}_embedding/embedding/embeddings"] if shared is None else shared

    def _embed(
        self, side: str, ids: list[int], positions: np.ndarray, found: Numbers
    ) -> np.ndarray:
        table = self._table(side)
        found[f"{side}/vectors"] = table[ids] * np.sqrt(table.shape[1])
        found[f"{side}/positions"] = positions[: len(ids)]
        found[f"{side}/sum"] = found[f"{side}/vectors"] + positions[: len(ids)]
        return found[f"{side}/sum"]

    def _norm(self, name: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        normal = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-6)
        return normal * self.weights[f"{name}/gamma"] + self.weights[f"{name}/beta"]

    def _around(self, name: str, x: np.ndarray, of: Any) -> np.ndarray:
        """A sub-layer with what is around it."""
        if self.normalizes_first:
            return x + of(self._norm(f"{name}/norm", x))
        return self._norm(f"{name}/norm", x + of(x))

    def _dense(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{name}/kernel"] + self.weights[f"{name}/bias"]

    def _attend(
        self, place: str, kind: str, key: str, x: np.ndarray, memory: Any, mask: Any, found: Numbers
    ) -> np.ndarray:
        name = f"{place}/{'self' if kind == 'attention' else kind}_attention"

        def attention(query: np.ndarray) -> np.ndarray:
            looked_at = query if memory is None else memory
            q = np.split(self._dense(f"{name}/query", query), self.heads, axis=-1)
            k = np.split(self._dense(f"{name}/key", looked_at), self.heads, axis=-1)
            v = np.split(self._dense(f"{name}/value", looked_at), self.heads, axis=-1)
            if self.rotates and memory is None:
                q, k = ([rotate(one) for one in heads] for heads in (q, k))
            rows = np.split(self.weights[f"{name}/output/kernel"], self.heads)
            outputs = []
            for head in range(self.heads):
                products = q[head] @ k[head].T
                logits = products / np.sqrt(q[head].shape[1])
                masked = logits if mask is None else np.where(mask, logits, -1e9)
                weights = np.exp(masked - masked.max(axis=-1, keepdims=True))
                weights /= weights.sum(axis=-1, keepdims=True)
                outputs.append(weights @ v[head] @ rows[head])
                of_head = {
                    "query_input": query, "memory": looked_at, "queries": q[head],
                    "keys": k[head], "values": v[head], "products": products, "logits": logits,
                    "masked": masked, "weights": weights, "context": weights @ v[head],
                }  # fmt: skip
                found.update({f"{key}/{head + 1}/{n}": a for n, a in of_head.items()})
            output = np.sum(outputs, axis=0) + self.weights[f"{name}/output/bias"]
            found[f"{key}/outputs"], found[f"{key}/output"] = np.array(outputs), output
            return output

        found[f"{key}/x"] = x
        found[f"{key}/attended"] = self._around(f"{place}/{kind}_residual", x, attention)
        return found[f"{key}/attended"]

    def _feed_forward(
        self, place: str, keys: list[str], x: np.ndarray, found: Numbers
    ) -> np.ndarray:
        def network(entering: np.ndarray) -> np.ndarray:
            inner = self._dense(f"{place}/feed_forward/inner", entering)
            inner = inner / (1 + np.exp(-inner)) if self.activation == "silu" else inner.clip(0)
            output = self._dense(f"{place}/feed_forward/outer", inner)
            for key in keys:
                found[f"{key}/feed_forward_input"] = entering
                found[f"{key}/inner"], found[f"{key}/feed_forward"] = inner, output
            return output

        result = self._around(f"{place}/feed_forward_residual", x, network)
        found.update({f"{key}/result": result for key in keys})
        return result
