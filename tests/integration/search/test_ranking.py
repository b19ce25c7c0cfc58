"""Ranking by columns finds what a full sort finds."""

import numpy as np
import pytest
from keras import ops

from translator.search.ranking import top_continuations


@pytest.mark.parametrize("vocab_size", [5, 64, 341, 1001])
@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("wanted", [2, 8, 60])
def test_top_continuations_are_those_of_a_full_sort(vocab_size, beams, wanted):
    random = np.random.default_rng(vocab_size + beams)
    logits = random.normal(0, 3, (3, beams, vocab_size)).astype("float32")
    totals = random.normal(0, 1, (3, beams)).astype("float32")
    count = min(wanted, beams * vocab_size)
    values, flat = top_continuations(ops.convert_to_tensor(logits), totals, count)
    likely = logits.astype("float64")
    likely -= np.log(np.exp(likely).sum(axis=-1, keepdims=True))
    likely = (likely + totals[:, :, None]).reshape(3, -1)
    expected = np.argsort(-likely, axis=1)[:, :count]
    assert np.array_equal(ops.convert_to_numpy(flat), expected)
    assert np.allclose(values, np.take_along_axis(likely, expected, axis=1), atol=1e-5)
