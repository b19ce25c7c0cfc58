"""What is computed in another way under JAX, for GPUs: the same numbers and gradients."""

import jax
import keras
import numpy as np
import pytest
from keras import ops

from tests.integration.model.test_attention import (  # noqa: F401
    test_hidden_positions_have_no_weight_and_rows_sum_to_one,
    test_two_heads_by_hand,
)
from tests.integration.model.test_checked_inputs import (  # noqa: F401
    test_keywords_make_the_model_of_a_configuration,
    test_others_are_refused_in_one_line_before_anything_is_computed,
    test_reading_attention_and_encoding_refuse_them_too,
)
from tests.integration.model.test_losses_and_metrics import (  # noqa: F401
    test_changing_logits_on_padding_changes_nothing,
    test_highest_is_what_an_argmax_finds,
    test_label_smoothing_is_the_cross_entropy_with_the_smoothed_target,
    test_logits_far_from_zero_lose_no_precision,
    test_loss_is_the_mean_over_real_tokens,
    test_sums_count_real_tokens,
)
from translator.model.basic_layers import LayerNorm
from translator.model.decoder import Decoder
from translator.model.losses import smoothed_cross_entropy
from translator.model.multi_head_attention import MultiHeadAttention
from translator.training.backends.jax import together

pytestmark = pytest.mark.slow
RANDOM = np.random.default_rng(4)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 3e-5), ("bfloat16", 1e-2)])
@pytest.mark.parametrize("mean", [0, 1, 100])
def test_rows_far_from_zero_are_normalised_as_exactly(dtype, tolerance, mean):
    """The mean is that many deviations; what counts is x after its own rounding."""
    x = ops.cast(RANDOM.normal(mean, 1, (50, 7, 512)), dtype)
    layer = LayerNorm(dtype="float32" if dtype == "float32" else "mixed_bfloat16")
    exact = np.array(ops.cast(x, "float32"), "float64")
    centred = exact - exact.mean(-1, keepdims=True)
    expected = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + layer.epsilon)
    found = np.array(ops.cast(layer(x), "float32"))
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("policy", "tolerance"), [("float32", 1e-5), ("mixed_bfloat16", 2e-2), ("mixed_float16", 2e-3)]
)
def test_the_gradient_of_normalisation_is_the_automatic_one(policy, tolerance):
    dtype = keras.dtype_policies.get(policy).compute_dtype
    x, upstream = (ops.cast(RANDOM.normal(1, 2, (6, 5, 32)), dtype) for _ in range(2))
    found = []
    for layer in (LayerNorm(dtype=policy), keras.layers.LayerNormalization(epsilon=1e-6)):
        layer.build(x.shape)
        weights = [np.linspace(0.5, 2, 32), np.linspace(-1, 1, 32)]

        def weigh(x, weights, layer=layer):
            y, _ = layer.stateless_call(weights, [], x)
            return ops.sum(ops.cast(y, "float32") * ops.cast(upstream, "float32"))

        input_ = x if isinstance(layer, LayerNorm) else ops.cast(x, "float32")
        of_x, of_weights = jax.grad(weigh, argnums=(0, 1))(input_, weights)
        assert of_x.dtype == input_.dtype
        found.append([np.array(ops.cast(each, "float32")) for each in (of_x, *of_weights)])
    for one, other in zip(*found):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * abs(other).max())


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_and_gradient_are_the_automatic_ones(smoothing):
    logits = RANDOM.normal(0, 8, (3, 5, 1037)).astype("float32")
    logits[0, :, 3], logits[1, :, -1], logits[2] = 300, 80, -1e4
    ids = RANDOM.integers(0, 1037, (3, 5), np.int32)

    def by_hand(logits):
        return smoothed_cross_entropy(ids, logits, smoothing)

    def automatic(logits):
        target = (1 - smoothing) * ops.one_hot(ids, 1037) + smoothing / 1037
        return -ops.sum(target * ops.log_softmax(logits), -1)

    np.testing.assert_allclose(by_hand(logits), automatic(logits), rtol=1e-5, atol=1e-5)
    gradients = (jax.grad(lambda x, f=f: ops.sum(f(x) ** 2))(logits) for f in (by_hand, automatic))
    np.testing.assert_allclose(*gradients, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("policy", "tolerance"), [("float32", 1e-6), ("mixed_bfloat16", 1e-2)])
@pytest.mark.parametrize("positions", [None, "rotary"])
def test_queries_keys_and_values_together_are_those_one_by_one(
    policy, tolerance, positions, seeded, request
):
    request.addfinalizer(lambda: keras.config.set_dtype_policy("float32"))
    keras.config.set_dtype_policy(policy)
    layer = MultiHeadAttention(3, 10, 6, positions=positions)
    layer.build((None, None, 10))
    for variable in layer.trainable_variables:
        variable.assign(keras.random.normal(variable.shape))
    x = RANDOM.normal(size=(2, 5, 10)).astype("float32")
    queries, key_values = layer.project_all(x)
    one_by_one = layer.queries(x), *layer.project(x)
    for one, other in zip((queries, *key_values), one_by_one, strict=True):
        assert one.dtype == other.dtype == layer.compute_dtype
        assert one.shape == (2, 3, 5, 6)
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def test_the_memory_of_all_layers_together_is_that_of_each(seeded):
    decoder = Decoder(3, d_model=8, num_heads=2, dff=12)
    decoder.build((None, None, 8), (None, None, 8))
    x, memory = (RANDOM.normal(size=(2, length, 8)).astype("float32") for length in (3, 5))
    hidden = x
    for layer, together_ in zip(decoder.layers, decoder.project(memory), strict=True):
        for one, other in zip(together_, layer.cross_attention.project(memory), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-6)
        hidden = layer(hidden, memory).hidden
    np.testing.assert_allclose(decoder(x, memory).hidden, hidden, atol=1e-6)


def test_values_together_are_the_values():
    values = [
        np.array([1 / 3, -0.0, np.inf, 1e-40], "float32"),
        np.array([2**32 - 1, 7], "uint32"),
        np.array(3, "int32"),
    ]
    for one, other in zip(jax.jit(together)(values), values, strict=True):
        assert one.dtype == other.dtype
        assert np.array(one).tobytes() == other.tobytes()
