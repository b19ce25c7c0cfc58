"""What a model loses without its heads, and runs with fewer of them."""

import numpy as np
import pytest

import translator
from tests.integration.addons.explanation.numpy_transformer import NumpyTransformer
from translator.addons.attention.ablation import Bench, ablate_heads, without_heads
from translator.addons.attention.gold_alignments import read_test_split
from translator.addons.attention.pruning import choose_heads_to_keep, write_pruned_run
from translator.base.errors import InputError
from translator.runs.directory import RunDirectory
from translator.runs.weights import model_weights
from translator.translation.records import KINDS


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
        logits = model.run(source, target[:-1], run.model.source_embedding.positions.table)[
            "logits"
        ]
        likely = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        total -= likely[np.arange(len(target) - 1), target[1:]].sum()
        count += len(target) - 1
    return total / count


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_without_a_head_is_that_of_another_path(run, pairs, kind):
    bench = Bench(run, pairs)
    whole = model_weights(run.model)
    expected = pytest.approx(loss_by_numpy(run, pairs, whole), rel=1e-5, abs=1e-6)
    assert bench.measure(whole).loss == expected
    stack = "encoder" if kind == "encoder" else "decoder"
    name = "cross" if kind == "cross" else "self"
    key = f"{stack}/layer_2/{name}_attention/output/kernel"
    width = run.config.model.head_dim_of(kind)
    without = whole[key].copy()
    without[width : 2 * width] = 0
    expected = loss_by_numpy(run, pairs, {**whole, key: without})
    silenced = without_heads(whole, run.config.model, kind, 1, [1])
    assert bench.measure(silenced).loss == pytest.approx(expected, rel=1e-5)


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


def test_no_pair_that_fits_is_refused(run, pairs):
    with pytest.raises(InputError, match="expected sentence pairs that fit"):
        Bench(run, [pairs[0]._replace(source="")])


def losses(**by_kind):
    return {kind: np.array(rows, float) for kind, rows in by_kind.items()}


def test_the_cheapest_round_goes_first():
    worth = losses(
        encoder=[[5, 1, 3], [1, 5, 5]], decoder=[[9, 2, 8], [2, 9, 9]], cross=[[9, 9, 2], [7, 9, 1]]
    )
    whole = {kind: [[0, 1, 2]] * 2 for kind in KINDS}
    assert choose_heads_to_keep(worth, 1) == whole
    kept = choose_heads_to_keep(worth, 2)
    assert kept == {**whole, "encoder": [[0, 2], [1, 2]]}
    kept = choose_heads_to_keep(worth, 6)  # the decoder's cost 7 for 4, the encoder's 8 for 2
    assert kept == {
        "encoder": [[0, 2], [1, 2]], "decoder": [[0, 2], [1, 2]], "cross": [[0, 1], [0, 1]]
    }  # fmt: skip
    kept = choose_heads_to_keep(worth, 100)
    assert all(len(layer) == 1 for of_kind in kept.values() for layer in of_kind)


def test_heads_that_point_stay():
    worth = losses(encoder=[[9, 9]], decoder=[[1, 2]], cross=[[0, 5]])
    assert choose_heads_to_keep(worth, 2, (0, (0,)))["cross"] == [[0]]
    assert choose_heads_to_keep(worth, 2)["cross"] == [[1]]


def test_a_pruned_run_computes_as_the_whole_without_these_heads(run, pairs, tmp_path):
    sizes = run.config.model
    kept = {
        "encoder": [[0]] * sizes.num_layers,
        "decoder": [[1]] * sizes.num_layers,
        "cross": [list(range(sizes.num_heads))[-1:]] * sizes.num_layers,
    }
    write_pruned_run(run.run, kept, RunDirectory(tmp_path / "pruned"))
    pruned = translator.load(tmp_path / "pruned", engine="keras")
    assert sum(map(np.size, model_weights(pruned.model).values())) < sum(
        map(np.size, model_weights(run.model).values())
    )
    silenced = model_weights(run.model)
    all_heads = set(range(sizes.num_heads))
    for kind in KINDS:
        for layer, heads in enumerate(kept[kind]):
            silenced = without_heads(silenced, sizes, kind, layer, all_heads - set(heads))
    expected = Bench(run, pairs).measure(silenced)
    found = Bench(pruned, pairs).measure(model_weights(pruned.model))
    assert found.loss == pytest.approx(expected.loss, rel=1e-5)
    assert found.bleu == expected.bleu
    by_export = translator.load(tmp_path / "pruned", engine="ctranslate2")
    texts = [pair.source for pair in pairs]
    assert [each.text for each in by_export.translate(texts)] == [
        each.text for each in pruned.translate(texts)
    ]


def test_unequal_heads_are_refused(run, tmp_path):
    kept = {"encoder": [[0], [0, 1]], "decoder": [[0], [0]], "cross": [[0], [0]]}
    with pytest.raises(InputError, match="equally many in all layers of the encoder"):
        write_pruned_run(run.run, kept, RunDirectory(tmp_path / "pruned"))
    assert not (tmp_path / "pruned").exists()
