"""What a model loses without its heads."""

import numpy as np
import pytest

import translator
from tests.integration.addons.explanation.numpy_transformer import NumpyTransformer
from translator.addons.attention.ablation import Bench, ablate_heads, without_heads
from translator.addons.attention.head_analysis import read_test_split
from translator.base.errors import InputError
from translator.runs.weights import model_weights


@pytest.fixture(scope="module")
def run(tiny_run):
    return translator.load(tiny_run, engine="keras")


@pytest.fixture(scope="module")
def pairs(run):
    return read_test_split(run.run)[:8]


def loss_by_numpy(run, pairs, weights):
    sizes = run.config.model
    model = NumpyTransformer(weights, sizes.num_heads, sizes.normalize_first, sizes.activation)
    total = count = 0
    for pair in pairs:
        [source], [target] = (
            tokenizer.encode([text])
            for tokenizer, text in zip(run.tokenizers, (pair.source, pair.target))
        )
        table = run.model.source_embedding.positions.table
        logits = model.run(source, target[:-1], table)["logits"]
        likely = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        total -= likely[np.arange(len(target) - 1), target[1:]].sum()
        count += len(target) - 1
    return total / count


def test_the_loss_without_a_head_is_that_of_another_path(run, pairs):
    bench, whole = Bench(run, pairs), model_weights(run.model)
    expected = pytest.approx(loss_by_numpy(run, pairs, whole), rel=1e-5, abs=1e-6)
    assert bench.measure(whole).loss == expected
    for kind, place in (("encoder", "encoder/layer_2/self"), ("decoder", "decoder/layer_2/self"),
                        ("cross", "decoder/layer_2/cross")):  # fmt: skip
        key, width = f"{place}_attention/output/kernel", run.config.model.head_dim_of(kind)
        without = whole[key].copy()
        without[width : 2 * width] = 0
        expected = loss_by_numpy(run, pairs, {**whole, key: without})
        silenced = without_heads(whole, run.config.model, kind, 1, [1])
        assert bench.measure(silenced).loss == pytest.approx(expected, rel=1e-5, abs=1e-6), kind


def test_every_head_and_layer_is_measured(run, pairs):
    sizes = run.config.model
    calls = []
    found = ablate_heads(run, pairs, advance=calls.append)
    assert found.sentences == len(pairs)
    assert found.whole.bleu > 50
    assert len(calls) == 3 * sizes.num_layers * (sizes.num_heads + 1)
    for of_kind in found.kinds.values():
        assert np.shape(of_kind.losses(found.whole)) == (sizes.num_layers, sizes.num_heads)
        assert len(of_kind.layers) == sizes.num_layers
    without_source = found.kinds["cross"].layers
    assert max(each.loss for each in without_source) > found.whole.loss + 0.1
    assert min(each.bleu for each in without_source) < found.whole.bleu
    with pytest.raises(InputError, match="expected sentence pairs that fit"):
        Bench(run, [pairs[0]._replace(source="")])
