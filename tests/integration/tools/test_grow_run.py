"""Runs that are grown from others."""

import numpy as np
import pytest

from tools.grow_run import check_sizes, grown_embedding, grown_layers
from translator.base.errors import InputError
from translator.config.model import ModelConfig
from translator.model.transformer import Transformer
from translator.runs.weights import model_weights, set_model_weights

SIZES = {
    "d_model": 16, "num_heads": 4, "normalize_first": True, "tied_embeddings": "all",
    "dropout_rate": 0.0,
}  # fmt: skip
OLD = ModelConfig(num_layers=2, dff=24, **SIZES)
NEW = ModelConfig(num_layers=4, dff=40, **SIZES)


def made(config):
    model = Transformer(config, 30, 30, 12, 0, 0)
    model.build()
    return model


def test_a_grown_model_computes_the_same(tmp_path):
    old, new = made(OLD), made(NEW)
    random = np.random.default_rng(1)
    weights = {
        name: random.normal(0, 0.3, array.shape).astype("float32")
        for name, array in model_weights(old).items()
    }
    set_model_weights(old, weights, tmp_path)
    set_model_weights(new, grown_layers(weights, OLD, NEW, random), tmp_path)
    ids = random.integers(1, 30, (3, 9)), random.integers(1, 30, (3, 8))
    assert np.allclose(new(ids), old(ids), atol=1e-5)
    added = model_weights(new)["encoder/layer_3/feed_forward/inner/kernel"]
    assert added[:, 24:].std() > 0  # what is added can learn
    shallow = NEW.model_copy(update={"decoder_num_layers": 1})
    grown = grown_layers(weights, OLD, shallow, random)
    set_model_weights(made(shallow), grown, tmp_path)
    first = "decoder/layer_1/self_attention/output/kernel"
    assert np.array_equal(grown[first], weights[first])


class Pieces:
    """A tokenizer as far as its pieces go."""

    def __init__(self, *pieces):
        self.size = len(pieces)
        self.pieces = lambda ids: [pieces[i] for i in ids]


def test_a_new_piece_begins_with_the_mean_of_those_that_spell_it():
    table = np.eye(5, dtype="float32")
    old = Pieces("<s>", "▁so", "ft", "ware", "f")
    found = grown_embedding(table, old, Pieces("ware", "▁software", "▁soft", "f?t", "???"))
    assert found[0].tolist() == table[3].tolist()
    assert np.allclose(found[1], table[[1, 2, 3]].mean(axis=0))
    assert np.allclose(found[2], table[[1, 2]].mean(axis=0))
    assert np.allclose(found[3], table[4])
    assert not found[4].any()


@pytest.mark.parametrize("change", [{"dff": 8}, {"num_heads": 2}])
def test_other_sizes_are_refused(change):
    with pytest.raises(InputError, match="model: expected the sizes of the old run"):
        check_sizes(OLD, NEW.model_copy(update=change))
