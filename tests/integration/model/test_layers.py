"""What every layer must do: survive a serialisation round trip, run symbolically."""

import keras
import numpy as np
import pytest
from keras import ops

from translator.model.basic_layers import Dropout, LayerNorm
from translator.model.decoder import Decoder, DecoderLayer
from translator.model.encoder import Encoder, EncoderLayer
from translator.model.multi_head_attention import MultiHeadAttention
from translator.model.sub_layers import FeedForward, Residual
from translator.model.token_embedding import TokenEmbedding

SIZES = 8, 2, 12  # d_model, num_heads, dff
SETTINGS = {
    "activation": "gelu",
    "dropout_rate": 0.1,
    "attention_dropout_rate": 0.2,
    "activation_dropout_rate": 0.3,
}
NORMALIZE_FIRST = {**SETTINGS, "normalize_first": True}
ROTARY = {**SETTINGS, "positions": "rotary"}
X = np.random.default_rng(1).normal(size=(2, 3, 8)).astype("float32")
MEMORY = np.random.default_rng(2).normal(size=(2, 5, 8)).astype("float32")
IDS = np.array([[1, 2, 3], [4, 5, 6]])

LAYERS = [
    pytest.param(lambda: MultiHeadAttention(2, 8, 3), (X, MEMORY), id="MultiHeadAttention"),
    pytest.param(lambda: MultiHeadAttention(2, 8, positions="rotary"), (X, X), id="rotary"),
    pytest.param(lambda: Decoder(2, *SIZES, **ROTARY), (X, MEMORY), id="Decoder, rotary"),
    pytest.param(lambda: FeedForward(12, 8, "silu"), (X,), id="FeedForward"),
    pytest.param(lambda: Residual(0.1, normalize_first=True), (X, X), id="Residual"),
    pytest.param(lambda: EncoderLayer(*SIZES, **SETTINGS), (X,), id="EncoderLayer"),
    pytest.param(lambda: Encoder(2, *SIZES, **NORMALIZE_FIRST), (X,), id="Encoder"),
    pytest.param(lambda: DecoderLayer(*SIZES, **SETTINGS), (X, MEMORY), id="DecoderLayer"),
    pytest.param(lambda: Decoder(2, *SIZES, **NORMALIZE_FIRST), (X, MEMORY), id="Decoder"),
    pytest.param(lambda: TokenEmbedding(9, 8, 4, 0.1), (IDS,), id="TokenEmbedding"),
    pytest.param(
        lambda: TokenEmbedding(9, 8, 4, positions="halves", output_bias=True),
        (IDS,),
        id="TokenEmbedding with a bias",
    ),
]


def flatten(output) -> list[np.ndarray]:
    """The arrays of an output, which may be a NamedTuple of them."""
    return [np.array(array) for array in keras.tree.flatten(output)]


@pytest.mark.parametrize(("make", "arguments"), LAYERS)
def test_layer_survives_a_serialisation_round_trip(make, arguments, seeded):
    layer = make()
    before = flatten(layer(*arguments))
    description = keras.saving.serialize_keras_object(layer)
    again = keras.saving.deserialize_keras_object(description)
    again(*arguments)
    again.set_weights(layer.get_weights())
    assert again.get_config() == layer.get_config()
    for one, other in zip(before, flatten(again(*arguments)), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("make", "arguments"), LAYERS)
def test_symbolic_shapes_are_the_real_ones(make, arguments, seeded):
    real = [array.shape for array in flatten(make()(*arguments))]
    symbols = [keras.KerasTensor(array.shape, str(array.dtype)) for array in arguments]
    symbolic = keras.tree.flatten(make()(*symbols))
    assert [tuple(symbol.shape) for symbol in symbolic] == real


RATES = ("dropout_rate", "attention_dropout_rate", "activation_dropout_rate")


@pytest.mark.parametrize("place", RATES)
@pytest.mark.parametrize("arguments", [(X,), (X, MEMORY)])
@pytest.mark.parametrize("normalize_first", [False, True])
def test_dropout_is_off_unless_training(normalize_first, arguments, place, seeded):
    rates = {**dict.fromkeys(RATES, 0.0), place: 0.5}
    kind = (EncoderLayer, DecoderLayer)[len(arguments) - 1]
    layer = kind(*SIZES, **rates, normalize_first=normalize_first)
    still = [flatten(layer(*arguments, training=False))[0] for _ in range(2)]
    noisy = [flatten(layer(*arguments, training=True))[0] for _ in range(2)]
    assert np.array_equal(*still)
    assert not np.array_equal(*noisy)


@pytest.mark.parametrize(
    ("stack", "arguments"), [(Encoder, (X,)), (Decoder, (X, MEMORY))], ids=["Encoder", "Decoder"]
)
def test_a_stack_that_normalises_first_normalises_its_output_too(stack, arguments, seeded):
    hidden = np.array(stack(2, *SIZES, **NORMALIZE_FIRST)(*arguments).hidden)
    assert np.allclose(hidden.mean(-1), 0, atol=1e-5)
    assert np.allclose(hidden.var(-1), 1, atol=1e-3)


@pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="takes TensorFlow's tape")
def test_normalisation_and_its_gradient_are_keras_s_own(seeded):
    import tensorflow as tf

    ours, theirs = LayerNorm(), keras.layers.LayerNormalization(epsilon=1e-6)
    x = tf.Variable(keras.random.normal((3, 5, 8), mean=2, stddev=3))
    upstream = keras.random.normal((3, 5, 8))
    found = []
    for layer in (ours, theirs):
        layer.build(x.shape)
        layer.gamma.assign(np.linspace(0.5, 2, 8))
        layer.beta.assign(np.linspace(-1, 1, 8))
        with tf.GradientTape() as tape:
            y = layer(x)
        variables = [x, *(w.value for w in layer.trainable_weights)]
        found.append([y, *tape.gradient(y, variables, upstream)])
    for one, other in zip(*found):
        assert np.allclose(one, other, rtol=1e-4, atol=1e-5)


def test_normalisation_counts_in_float32_whatever_it_is_given():
    layer = LayerNorm(dtype="mixed_bfloat16")
    x = keras.ops.cast(np.array([[1000.0, 1001.0, 1002.0, 1003.0]]), "bfloat16")
    assert keras.backend.standardize_dtype(layer(x).dtype) == "bfloat16"
    assert layer.gamma.dtype == "float32"


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_dropout_drops_its_share_and_keeps_the_mean(dtype, seeded):
    layer = Dropout(0.25, dtype=dtype)
    x = ops.ones((3, 1001, 67), dtype)
    y = ops.convert_to_numpy(ops.cast(layer(x, training=True), "float32"))
    assert y.shape == (3, 1001, 67)
    assert np.mean(y == 0) == pytest.approx(0.25, abs=0.005)
    assert np.unique(y) == pytest.approx([0, 4 / 3], rel=0.01)
    for axis in range(3):  # no pattern of four
        rest = tuple(i for i in range(3) if i != axis)
        assert np.std(np.mean(y == 0, axis=rest)) < 0.04
    again = ops.convert_to_numpy(ops.cast(layer(x, training=True), "float32"))
    assert np.mean(y == again) == pytest.approx(0.25**2 + 0.75**2, abs=0.01)


def test_dropout_does_nothing_out_of_training_or_at_rate_0():
    x = ops.ones((2, 3, 4))
    assert Dropout(0.5)(x, training=False) is x
    assert Dropout(0.5)(x) is x
    assert Dropout(0.0)(x, training=True) is x


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.1, 0.3, 0.9, 0.999])
def test_dropout_drops_the_rate_that_it_was_given(rate, seeded):
    """Within a tenth, however small or close to 1."""
    y = ops.convert_to_numpy(Dropout(rate)(ops.ones((1000, 1001)), training=True))
    dropped = np.mean(y == 0)
    assert dropped == pytest.approx(rate, rel=0.1)
    assert 1 - dropped == pytest.approx(1 - rate, rel=0.1)
    assert np.mean(y) == pytest.approx(1, abs=0.1)
