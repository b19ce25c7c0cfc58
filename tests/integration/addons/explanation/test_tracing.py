"""The numbers of a head equal those that NumPy computes from the weights, and the model's own."""

import keras
import numpy as np
import pytest
from keras import ops

from tests.integration.addons.explanation.numpy_transformer import NumpyTransformer
from translator.addons.attention.ablation import without_heads
from translator.addons.explanation.tracing import trace_head
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


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("which", MODELS)
def test_every_number_of_a_head_is_that_of_another_path(which, kind):
    config, model = MODELS[which], make_model(MODELS[which])
    rotates = config.positions == "rotary"
    table = np.zeros((16, 24)) if rotates else model.source_embedding.positions.table
    positions = table, rotates
    other = NumpyTransformer(
        model_weights(model), config.num_heads, config.normalize_first, config.activation
    ).run(SOURCE, TARGET, *positions)
    for layer, head in ((1, 3), (2, 2)):
        trace = trace_head(model, SOURCE, TARGET, kind, layer, head)
        for side, embedded in (("source", trace.source), ("target", trace.target)):
            for name, numbers in embedded._asdict().items():
                assert_equal(numbers, other[f"{side}/{name}"], f"{side} {name}")
        of_layer, of_head = f"{kind}/{layer}", f"{kind}/{layer}/{head}"
        for name, numbers in trace.around._asdict().items():
            if numbers is not None:
                assert_equal(numbers, other[f"{of_layer}/{name}"], name)
        assert (trace.around.other is None) == (kind != "decoder")
        for name, numbers in trace.attention._asdict().items():
            if name in ("outputs", "output"):
                assert_equal(numbers, other[f"{of_layer}/{name}"], name)
            elif name not in ("mask", "bias"):
                assert_equal(numbers, other[f"{of_head}/{name}"], name)
        assert_equal(trace.hidden, other["hidden"], "hidden")
        assert_equal(trace.logits, other["logits"], "logits")
        silenced = without_heads(model_weights(model), config, kind, layer - 1, [head - 1])
        without = NumpyTransformer(
            silenced, config.num_heads, config.normalize_first, config.activation
        ).run(SOURCE, TARGET, *positions)
        assert_equal(trace.logits_without, without["logits"], "logits without the head")
        assert np.abs(trace.logits_without - trace.logits).max() > 1e-3
    assert_equal(trace_head(model, SOURCE, TARGET, kind, 1, 3).logits, other["logits"], "after")


@pytest.mark.parametrize("which", MODELS)
def test_weights_and_logits_are_those_of_the_model(which):
    model = make_model(MODELS[which])
    output = model.forward(np.array([SOURCE]), np.array([TARGET]))
    scores = {
        "encoder": output.encoder_attention,
        "decoder": output.decoder_attention,
        "cross": output.cross_attention,
    }
    for kind, of_kind in scores.items():
        trace = trace_head(model, SOURCE, TARGET, kind, 2, 1)
        expected = ops.convert_to_numpy(of_kind)[0, 1, 0]
        np.testing.assert_allclose(trace.attention.weights, expected, rtol=1e-5, atol=1e-7)
        assert np.all(trace.attention.weights[~trace.attention.mask] == 0)
        logits = ops.convert_to_numpy(output.logits)[0]
        np.testing.assert_allclose(trace.logits, logits, rtol=1e-5, atol=1e-5)
