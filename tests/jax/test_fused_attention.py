"""Where nobody looks at the scores, fused attention computes the same losses and gradients."""

import jax
import keras
import numpy as np
import pytest

from translator.config.schema import ModelConfig
from translator.model import multi_head_attention
from translator.model.losses import MaskedCrossEntropy
from translator.model.transformer import Transformer

pytestmark = pytest.mark.slow
PADDING, VOCABULARY = 0, 50


def model_and_batch(dtype: str, positions: str = "interleaved"):
    """A small model, and sentences of 3 to 40 tokens."""
    keras.utils.set_random_seed(3)
    sizes = {"num_layers": 2, "d_model": 32, "num_heads": 4, "dff": 64}
    config = ModelConfig(**sizes, dropout_rate=0.1, positions=positions)
    policy = keras.config.dtype_policy()
    keras.config.set_dtype_policy(dtype)
    model = Transformer(config, VOCABULARY, VOCABULARY, 64, PADDING, PADDING)
    model.build()
    keras.config.set_dtype_policy(policy)
    random = np.random.default_rng(1)
    sides = [random.integers(1, VOCABULARY, (8, 40), np.int32) for _ in range(2)]
    for side in sides:
        for row, length in zip(side, random.integers(3, 40, 8)):
            row[length:] = PADDING
    return model, sides


def loss_and_gradients(model, sides):
    """Of one update, with dropout."""
    source, target = sides
    loss = MaskedCrossEntropy(PADDING)
    others = [variable.value for variable in model.non_trainable_variables]

    def compute(trained):
        inputs = (source, target[:, :-1])
        logits, _ = model.stateless_call(trained, others, inputs, training=True)
        return loss(target[:, 1:], logits)

    trained = [variable.value for variable in model.trainable_variables]
    return jax.jit(jax.value_and_grad(compute))(trained)


@pytest.mark.parametrize("positions", ["interleaved", "rotary"])
@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-5), ("mixed_bfloat16", 1e-3)])
def test_fused_attention_trains_as_ours_does(monkeypatch, dtype, tolerance, positions):
    model, sides = model_and_batch(dtype, positions)
    loss, gradients = loss_and_gradients(model, sides)
    calls = []
    fused = keras.ops.dot_product_attention

    def dot_product_attention(query, key, value, mask, **kwargs):
        lengths = query.shape[1], key.shape[1]
        assert mask.shape == (8, 1, *lengths), "cuDNN takes a mask of every position alone"
        assert not any(length % 2 for length in lengths), "cuDNN takes even lengths alone"
        calls.append(lengths)
        return fused(query, key, value, mask=mask, **kwargs)

    monkeypatch.setattr(multi_head_attention, "FUSED_FROM", 0)
    monkeypatch.setattr(keras.ops, "dot_product_attention", dot_product_attention)
    fused_loss, fused_gradients = loss_and_gradients(model, sides)
    assert len(calls) == 6, "not every attention was fused"
    assert float(fused_loss) == pytest.approx(float(loss), rel=tolerance)
    for one, other in zip(gradients, fused_gradients):
        np.testing.assert_allclose(other, one, atol=10 * tolerance)


def test_scores_are_there_for_those_who_look(monkeypatch):
    monkeypatch.setattr(multi_head_attention, "FUSED_FROM", 0)
    model, (source, target) = model_and_batch("float32")
    output = model.forward(source, target)
    assert output.cross_attention.shape == (8, 2, 4, 40, 40)
    np.testing.assert_allclose(output.cross_attention.sum(-1), 1.0, atol=1e-5)
    np.testing.assert_allclose(output.logits, model((source, target)), atol=1e-4)
