"""The whole model: size, masks, caching, every head's scores."""

import keras
import numpy as np
import pytest

from tests import public_models
from translator.config.schema import ModelConfig
from translator.model.transformer import Transformer

PADDING = 3
SMALL = {"num_layers": 2, "d_model": 16, "num_heads": 4, "dff": 24}
SHAPES = [
    {},
    {"normalize_first": True},
    {"tied_embeddings": "target", "head_dim": 6},
    {"tied_embeddings": "all", "normalize_first": True, "activation": "gelu"},
    {"positions": "rotary", "decoder_num_heads": 2},
    public_models.MODEL,
]


def make(**settings) -> Transformer:
    """A small model with random weights that are not its initial ones."""
    keras.utils.set_random_seed(3)
    model = Transformer(ModelConfig(**{**SMALL, **settings}), 30, 30, 12, PADDING, PADDING)
    model.build()
    for weight in model.weights:
        weight.assign_add(0.1 * keras.random.normal(weight.shape))
    return model


@pytest.fixture(scope="module", params=SHAPES)
def model(request) -> Transformer:
    """One of each shape, which no test changes."""
    return make(**request.param)


SOURCE = np.array([[1, 8, 9, 10, 2], [1, 11, 2, PADDING, PADDING]])
TARGET = np.array([[1, 20, 21, 22], [1, 23, PADDING, PADDING]])


def test_tutorial_size_has_the_tutorial_parameters():
    model = Transformer(ModelConfig(), 10_002, 10_002, 42, 0, 0)
    model.build()
    assert model.count_params() == 5_702_162


def test_tied_embeddings_are_shared():
    sizes = [make(tied_embeddings=tied).count_params() for tied in ("none", "target", "all")]
    table, projection = 30 * 16, 30 * 16 + 30
    assert sizes == [sizes[0], sizes[0] - projection, sizes[0] - projection - table]


def test_padding_does_not_change_output(model):
    padded = np.array(model((SOURCE, TARGET)))
    alone = np.array(model((SOURCE[1:, :3], TARGET[1:, :2])))
    assert np.allclose(padded[1, :2], alone[0], atol=1e-5)


def test_future_token_changes_no_earlier_logit(model):
    before = np.array(model((SOURCE, TARGET)))[0]
    changed = TARGET.copy()
    changed[0, 2] = 25
    after = np.array(model((SOURCE, changed)))[0]
    assert np.array_equal(before[:2], after[:2])
    assert not np.allclose(before[2:], after[2:])


def test_cached_decode_matches_full_forward(model):
    """Two hypotheses a sentence that change place."""
    other = np.array([[1, 20, 24, 25], [1, 24, 26, 27]])
    pasts = np.stack([np.where(TARGET == PADDING, 28, TARGET), other], axis=1)  # (B, K, T)
    memory, cache = model.encode(SOURCE), model.empty_cache(2, 5, beam_size=2)
    whole = [model.forward(SOURCE, pasts[:, k]) for k in range(2)]
    visible = np.zeros((2, 1, 2, 5 * 2), bool)
    for step in range(pasts.shape[2]):
        beams = [0, 1] if step % 2 else [1, 0]  # where each hypothesis stands now
        for beam, hypothesis in enumerate(beams):
            own = [earlier * 2 + (hypothesis if earlier % 2 else 1 - hypothesis)
                   for earlier in range(step + 1)]  # fmt: skip
            visible[:, 0, beam] = np.isin(np.arange(10), own)
        output = model.decode_step(pasts[:, beams, step], step, visible, cache, memory)
        cache = output.cache
        for beam, hypothesis in enumerate(beams):
            expected = whole[hypothesis]
            for got, wanted in (
                (output.logits[:, beam], np.array(expected.logits)[:, step]),
                (
                    output.cross_attention_scores[:, :, :, beam],
                    np.array(expected.cross_attention)[:, :, :, step],
                ),
                (
                    np.array(output.self_attention_scores)[:, :, :, beam][..., visible[0, 0, beam]],
                    np.array(expected.decoder_attention)[:, :, :, step, : step + 1],
                ),
            ):
                assert np.allclose(np.array(got), wanted, atol=1e-5)


def test_output_table_gives_the_logits_and_rules_out(model):
    visible, memory = np.array([[[[True, False]]]] * 2), model.encode(SOURCE)
    tables = (None, model.output_table((0, 7)))
    cache = model.empty_cache(2, 2)
    plain, tabled = (
        np.array(model.decode_step(TARGET[:, :1], 0, visible, cache, memory, table).logits)
        for table in tables
    )
    allowed = np.setdiff1d(np.arange(30), (0, 7))
    assert np.allclose(tabled[..., allowed], plain[..., allowed], atol=1e-5)
    assert (tabled[..., [0, 7]] < -1e8).all()


def test_an_output_bias_is_added_to_the_logits():
    model = make(tied_embeddings="target", output_bias=True)
    before = np.array(model((SOURCE, TARGET)))
    bias = model.target_embedding.output_bias
    assert bias.path == "transformer/target_embedding/output_bias"
    bias.assign_add(np.arange(30.0))
    assert np.allclose(np.array(model((SOURCE, TARGET))), before + np.arange(30), atol=1e-5)


def test_a_zero_start_does_not_see_the_first_token():
    model = make(zero_start=True)
    logits = np.array(model((SOURCE, TARGET)))
    others = TARGET.copy()
    others[:, 0] = 7
    assert np.array_equal(np.array(model((SOURCE, others))), logits)
    model.target_embedding.embedding.embeddings.assign(np.zeros((30, 16)))
    model.config = model.config.model_copy(update={"zero_start": False})
    assert np.allclose(np.array(model((SOURCE, TARGET)))[:, 0], logits[:, 0], atol=1e-5)


def test_scores_of_every_layer_and_head():
    output = make().forward(SOURCE, TARGET)
    assert output.encoder_attention.shape == (2, 2, 4, 5, 5)
    assert output.decoder_attention.shape == (2, 2, 4, 4, 4)
    assert output.cross_attention.shape == (2, 2, 4, 4, 5)
    for scores in output[1:4]:
        assert np.allclose(np.array(scores).sum(-1), 1, atol=1e-5)
    assert np.all(np.array(output.cross_attention)[1, ..., 3:] == 0)
    assert np.all(np.triu(np.array(output.decoder_attention)[0, 0, 0], k=1) == 0)


@pytest.mark.parametrize("positions", ["interleaved", "rotary"])
def test_model_survives_a_serialisation_round_trip(positions):
    model = make(tied_embeddings="target", positions=positions)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(model))
    again.set_weights(model.get_weights())
    assert np.array_equal(np.array(again((SOURCE, TARGET))), np.array(model((SOURCE, TARGET))))


def test_weight_paths_are_unique_and_speak():
    paths = [weight.path for weight in make().weights]
    assert len(set(paths)) == len(paths)
    assert "transformer/decoder/layer_2/cross_attention/key/kernel" in paths
