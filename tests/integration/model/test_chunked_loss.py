"""The loss in chunks is the loss of whole logits, and so are its gradients."""

import numpy as np
import pytest
import tensorflow as tf

from translator.model import chunked_loss as module
from translator.model.chunked_loss import chunked_loss
from translator.model.losses import MaskedCrossEntropy, is_highest, token_cross_entropy

WIDTH, VOCAB_SIZE = 6, 11


def draw(seed: int, *shapes: tuple[int, ...], spread: float = 1.0) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [random.normal(0, spread, shape).astype("float32") for shape in shapes]


def compare(ids: list[int], arrays: list[np.ndarray], smoothing: float, alpha: float = 0.0):
    """Compares loss, metrics and gradients with those of whole logits; returns the loss.

    Args:
        ids: of the tokens, those of both copies with R-Drop.
        arrays: hidden states, kernel and perhaps bias.
        smoothing: of the labels.
        alpha: of R-Drop.
    """
    ids = tf.constant(ids, "int32")
    of_all = MaskedCrossEntropy(padding_id=-1, label_smoothing=smoothing, r_drop_alpha=alpha)

    @tf.function
    def whole(hidden, kernel, bias=0.0):
        logits = tf.matmul(hidden, kernel) + bias
        others = token_cross_entropy(ids[None], logits[None]), is_highest(ids[None], logits[None])
        copies = np.arange(len(ids)).reshape(2 if alpha else 1, -1).T.ravel()  # are neighbours
        loss = of_all(tf.gather(ids, copies)[:, None], tf.gather(logits, copies)[:, None])
        loss *= len(ids)
        return loss, *(tf.reduce_sum(tf.cast(values, "float32")) for values in others)

    @tf.function
    def chunked(hidden, kernel, bias=None):
        return tuple(chunked_loss(hidden, ids, kernel, bias, smoothing, alpha))

    found = []
    for measure in (chunked, whole):
        inputs = [tf.constant(array) for array in arrays]
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            sums = measure(*inputs)
            tripled = 3 * sums[0]
        found.append([*sums, *tape.gradient(tripled, inputs)])
    for one, other in zip(*found, strict=True):
        assert one.shape == other.shape
        assert np.allclose(one, other, rtol=1e-4, atol=1e-4)
    return float(found[0][0])


@pytest.mark.parametrize("tokens", [0, 1, 8, 9])
@pytest.mark.parametrize(("smoothing", "has_bias"), [(0.0, False), (0.1, True)])
def test_chunks_equal_the_whole(monkeypatch, tokens, smoothing, has_bias):
    """Chunks of four tokens: none, one that is not full, two, and two with one token more."""
    monkeypatch.setattr(module, "CHUNK_BYTES", 4 * 4 * VOCAB_SIZE)
    arrays = draw(tokens, (tokens, WIDTH), (WIDTH, VOCAB_SIZE), (VOCAB_SIZE,), spread=2)
    ids = np.random.default_rng(1).integers(0, VOCAB_SIZE, tokens)
    compare(ids, arrays if has_bias else arrays[:2], smoothing)


@pytest.mark.parametrize("pairs", [0, 1, 4, 5])
def test_r_drop_in_chunks_equals_the_whole(monkeypatch, pairs):
    """Chunks of two tokens and the same again."""
    monkeypatch.setattr(module, "CHUNK_BYTES", 4 * 4 * VOCAB_SIZE)
    arrays = draw(pairs, (2 * pairs, WIDTH), (WIDTH, VOCAB_SIZE), (VOCAB_SIZE,))
    ids = np.random.default_rng(1).integers(0, VOCAB_SIZE, pairs)
    compare([*ids, *ids], arrays, 0.1, 3.0)


@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_one_hopeless_token_spoils_no_other_of_its_chunk(alpha):
    """Its p is 0 in float32."""
    hidden, kernel = draw(1, (4, WIDTH), (WIDTH, VOCAB_SIZE))
    hidden[1] *= 200
    hopeless = int(np.argmin(hidden[1] @ kernel))
    hidden[2:] = hidden[:2] * 1.01
    assert compare([3, hopeless] * 2, [hidden, kernel], 0.1, alpha) > 200


def test_a_token_is_right_where_it_is_the_likeliest_of_many_unlikely_ones():
    """Each of three tokens has one logit a little above the others; two of these are right."""
    kernel = np.zeros((WIDTH, VOCAB_SIZE), "float32")
    kernel[[0, 1, 2], [4, 7, 9]] = 0.5
    sums = chunked_loss(tf.eye(3, WIDTH), tf.constant([4, 7, 8]), tf.constant(kernel))
    assert float(sums.accuracy) == 2


def test_half_precision_is_for_products_alone():
    hidden, kernel = map(tf.constant, draw(1, (9, WIDTH), (WIDTH, VOCAB_SIZE)))
    ids = tf.constant(np.random.default_rng(1).integers(0, VOCAB_SIZE, 9), "int32")

    @tf.function
    def losses(hidden, kernel):
        sums = chunked_loss(hidden, ids, kernel, tf.zeros(VOCAB_SIZE), 0.1)
        return sums, tf.gradients(sums.loss, [hidden, kernel])

    sums, gradients = losses(tf.cast(hidden, "bfloat16"), kernel)
    expected, exact = losses(hidden, kernel)
    assert {value.dtype for value in sums} == {tf.float32}
    assert [gradient.dtype for gradient in gradients] == [tf.bfloat16, tf.float32]
    assert np.allclose(sums.loss, expected.loss, rtol=0.01)
    for one, other in zip(gradients, exact):
        assert np.allclose(tf.cast(one, "float32"), other, atol=0.1)
