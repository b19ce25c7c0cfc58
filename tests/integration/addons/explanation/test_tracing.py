"""The steps of a head: their numbers are those of NumPy and of the model; their order and words."""

import keras
import numpy as np
import pytest
from keras import ops

from tests.integration.addons.explanation.numpy_transformer import NumpyTransformer
from translator.addons.attention.ablation import without_heads
from translator.addons.explanation.steps import Labels, Step, make_steps
from translator.addons.explanation.tracing import HeadTrace, trace_head
from translator.config.model import ModelConfig
from translator.model.transformer import Transformer
from translator.runs.weights import model_weights

SOURCE, TARGET = [1, 7, 5, 9, 11, 2], [1, 8, 6, 10]
SIZES = {"num_layers": 2, "d_model": 24, "num_heads": 3, "dff": 40}
MODELS = {
    "last": ModelConfig(**SIZES, tied_embeddings="none"),
    "first": ModelConfig(**SIZES, normalize_first=True, tied_embeddings="all"),
    "silu": ModelConfig(**SIZES, head_dim=10, activation="silu", positions="halves",
                        tied_embeddings="target"),
    "rotary": ModelConfig(**SIZES, positions="rotary", tied_embeddings="target"),
}  # fmt: skip


def make_model(config: ModelConfig) -> Transformer:
    """A model whose weights are all random, biases and normalisations too."""
    keras.utils.set_random_seed(3)
    model = Transformer(config, 20, 20, 16, 3, 3)
    model.build()
    draw = np.random.default_rng(3)
    for variable in model.weights:
        noise = draw.normal(scale=0.3, size=variable.shape)
        variable.assign(variable + noise.astype("float32"))
    return model


def assert_equal(found: np.ndarray, expected: np.ndarray, name: str) -> None:
    """To a relative 1e-5 of the largest number."""
    assert found.shape == expected.shape, name
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max(), name


LABELS = Labels(
    ("<s>", "▁a", "▁b", "▁c", "▁d", "</s>"), ("<s>", "▁x", "▁y", "▁z"), ("▁x", "▁y", "▁z", "</s>")
)
INSIDE = {"queries": "queries", "keys": "keys", "values": "values", "products": "products",
          "scaled": "logits", "weights": "weights", "weighted sum": "context",
          "normalised": "query_input", "memory": "memory"}  # fmt: skip
AROUND = {"input": "x", "all heads": "output", "residual": "attended", "cross-attention": "other",
          "normalised again": "feed_forward_input", "inner": "inner",
          "feed-forward": "feed_forward", "layer's result": "result"}  # fmt: skip
OF_EMBEDDING = {"embedding": "vectors", "position": "positions", "sum": "sum"}


def steps_of(trace: HeadTrace, config: ModelConfig) -> dict[str, Step]:
    steps = make_steps(
        trace, LABELS, config.num_layers, config.normalize_first, str(config.activation)
    )
    found = {step.name: step for step in steps}
    assert len(found) == len(steps)
    return found


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("which", MODELS)
def test_every_number_of_a_head_is_that_of_another_path(which, kind):
    config, model = MODELS[which], make_model(MODELS[which])
    rotates = config.positions == "rotary"
    table = np.zeros((16, 24)) if rotates else model.source_embedding.positions.table
    sizes_of = config.num_heads, config.normalize_first, config.activation

    def by_numpy(weights):
        return NumpyTransformer(weights, *sizes_of).run(SOURCE, TARGET, table, rotates)

    other = by_numpy(model_weights(model))
    side = "source" if kind == "encoder" else "target"
    for layer, head in ((1, 3), (2, 2)):
        trace = trace_head(model, SOURCE, TARGET, kind, layer, head)
        steps = steps_of(trace, config)
        mask = steps.pop("mask").numbers
        outputs = other[f"{kind}/{layer}/outputs"]
        assert_equal(steps.pop("this head adds").numbers, outputs[head - 1], "this head adds")
        sizes = np.linalg.norm(outputs, axis=-1).T
        assert_equal(steps.pop("each head adds").numbers, sizes, "each head adds")
        names = {
            **{name: f"{kind}/{layer}/{head}/{key}" for name, key in INSIDE.items()},
            **{name: f"{kind}/{layer}/{key}" for name, key in AROUND.items()},
            **{name: f"{side}/{key}" for name, key in OF_EMBEDDING.items()},
            "decoder's output": "hidden",
        }
        for name, step in steps.items():
            assert_equal(step.numbers, other[names[name]], name)
        assert np.all(steps["weights"].numbers[mask == 0] == 0)
        assert_equal(trace.logits, other["logits"], "logits")
        silenced = without_heads(model_weights(model), config, kind, layer - 1, [head - 1])
        assert_equal(trace.logits_without, by_numpy(silenced)["logits"], "logits without the head")
        assert np.abs(trace.logits_without - trace.logits).max() > 1e-3
    output = model.forward(np.array([SOURCE]), np.array([TARGET]))
    scores = ops.convert_to_numpy(getattr(output, f"{kind}_attention"))[0, 1, 1]
    np.testing.assert_allclose(steps["weights"].numbers, scores, rtol=1e-5, atol=1e-7)
    assert_equal(trace.logits, ops.convert_to_numpy(output.logits)[0], "as before")


ATTENTION = ["queries", "keys", "values", "products", "scaled", "mask", "weights", "weighted sum",
             "this head adds", "each head adds", "all heads", "residual"]  # fmt: skip
ADDED, NETWORK = ["embedding", "position", "sum"], ["inner", "feed-forward", "layer's result"]


def test_the_order_labels_and_words_of_the_steps():
    for which, kind, layer, names in [
        ("first", "encoder", 1, [*ADDED, "normalised", *ATTENTION, "normalised again", *NETWORK]),
        ("last", "decoder", 2, [*ADDED, "input", *ATTENTION, "cross-attention", *NETWORK]),
        ("first", "cross", 1, [*ADDED, "input", "normalised", "memory", *ATTENTION,
                               "normalised again", *NETWORK, "decoder's output"]),
        ("rotary", "decoder", 1, ["embedding", *ATTENTION, "cross-attention", *NETWORK,
                                  "decoder's output"]),
        ("rotary", "cross", 2, ["embedding", "input", "memory", *ATTENTION, *NETWORK]),
    ]:  # fmt: skip
        trace = trace_head(make_model(MODELS[which]), SOURCE, TARGET, kind, layer, 1)
        steps = steps_of(trace, MODELS[which])
        assert list(steps) == names
        for name, step in steps.items():
            rows = LABELS.keys(kind) if step.is_of_keys else LABELS.queries(kind)
            if kind == "cross" and not step.is_of_keys and name not in ADDED:
                rows = LABELS.writes  # as in every map of cross-attention
            assert step.rows == rows
            assert step.numbers.shape == (len(rows), len(step.columns or step.numbers[0]))
            assert step.text.endswith(".")
        assert steps["each head adds"].columns == ("head 1", "head 2", "head 3")
        hidden = "6 pairs are hidden" if kind == "decoder" else "Nothing is hidden"
        assert hidden in steps["mask"].text
        rotates = which == "rotary" and kind != "cross"
        assert steps["queries"].formula == f"Q = {'R · (' * rotates}x · W_Q + b_Q{')' * rotates}"
        assert ("memory" in steps["keys"].formula) == (kind == "cross")
