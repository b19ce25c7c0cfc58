"""The Keras engine pads sentences to a few shapes, which changes nothing."""

import numpy as np
import pytest

from translator.search import keras_engine
from translator.search.engine import SearchOptions
from translator.search.keras_engine import KerasEngine
from translator.search.sampling import Sampling
from translator.text.alignment_heads import PointingHeads

WORDS = ["the", "man", "sees", "a", "river", "and", "the", "old", "house", "of", "his"]


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions(2, n_best=2),
        pytest.param(SearchOptions(1), marks=pytest.mark.slow),
        pytest.param(SearchOptions(n_best=2, sampling=Sampling(2.0)), marks=pytest.mark.slow),
    ],
)
def test_a_sentence_does_not_depend_on_its_batch_and_padding(tiny_translator, monkeypatch, options):
    """Sentences of all lengths; of samples the first, whose random numbers are the same."""
    model, tokenizers = tiny_translator.model, tiny_translator.tokenizers
    lines = [" ".join(WORDS[i % 5 : i % 5 + 1 + i % 7]) + "." for i in range(12)]
    ids = tokenizers.source.encode(lines)
    limits = [2 * len(one) + 10 for one in ids]  # also more than the model takes
    together = KerasEngine(model, tokenizers, PointingHeads(0, (0,))).search(ids, limits, options)
    monkeypatch.setattr(keras_engine, "SOURCE_LENGTHS", (64,))
    alone = KerasEngine(model, tokenizers, PointingHeads(0, (0,)))
    for i in range(1 if options.sampling else len(ids)):
        [hypotheses] = alone.search(ids[i : i + 1], limits[i : i + 1], options)
        assert [one.ids for one in hypotheses] == [one.ids for one in together[i]]
        scores = [[one.score for one in side] for side in (hypotheses, together[i])]
        assert np.allclose(*scores, atol=1e-5)


def test_one_search_serves_all_sentences_of_a_shape(tiny_translator):
    model, tokenizers = tiny_translator.model, tiny_translator.tokenizers
    engine = KerasEngine(model, tokenizers, PointingHeads(0, (0,)))
    ids = tokenizers.source.encode(["the man", "a river", "the old house"])
    for limits in ([10, 12, 9], [5, 3, 7], [1, 9, 2]):
        engine.search(ids, limits, SearchOptions(2))
    assert engine._searches.cache_info().currsize == 1
    assert engine.search([], [], SearchOptions(2)) == []
