"""A model checks its settings and ids; `tests/jax` has these tests, too."""

import keras
import numpy as np
import pytest

from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.model.transformer import Transformer

SIZES = {"num_layers": 1, "d_model": 16, "num_heads": 2, "dff": 24}
VOCABULARY = {
    "source_vocab_size": 30,
    "target_vocab_size": 40,
    "max_length": 12,
    "source_padding_id": 3,
    "target_padding_id": 3,
}
IDS = np.array([[1, 8, 9, 2], [1, 11, 2, 3]])


def make() -> Transformer:
    keras.utils.set_random_seed(3)
    model = Transformer(**SIZES, **VOCABULARY)
    model.build()
    return model


def test_keywords_make_the_model_of_a_configuration():
    keras.utils.set_random_seed(3)
    by_config = Transformer(ModelConfig(**SIZES), 30, 40, 12, 3, 3)
    by_config.build()
    expected = np.array(by_config((IDS, IDS)))
    assert np.array_equal(np.array(make()((IDS, IDS))), expected)
    again = Transformer.from_config(make().get_config())
    assert again.config == by_config.config
    assert Transformer(SIZES, 30, 40, 12, 3, 3).config == by_config.config


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((IDS + 21, IDS), "source ids: expected an array .* 0 to 29, at most 12 .*, found 30; enc"),
        ((IDS, IDS + 31), "target ids: expected an array .* 0 to 39, at most 12 .*, found 40; enc"),
        ((IDS / 2, IDS), "source ids: .*, found 0.5; encode the text with the model's own token"),
        ((IDS, IDS * np.nan), "target ids: .*, found nan; "),
        ((IDS, IDS - 2), "target ids: .*, found -1; "),
        ((np.ones((2, 13), int), IDS), r"source ids: .*, found ndarray of shape \(2, 13\); "),
        ((IDS, np.ones((2, 13), int)), r"target ids: .*, found ndarray of shape \(2, 13\); "),
        ((IDS[0], IDS), r"source ids: .*, found ndarray of shape \(4,\); "),
        ((IDS, IDS.tolist()), r"target ids: .*, found list of shape \(\); "),
        ((IDS.astype(str), IDS), r"source ids: .*, found ndarray of shape \(2, 4\); "),
        ({"a": IDS, "b": IDS}, r"inputs: expected a pair \(source ids, target ids\), found dict$"),
        ((IDS,), "inputs: expected a pair .*, found tuple$"),
        (IDS, "inputs: expected a pair .*, found "),
    ],
)  # fmt: skip
def test_others_are_refused_in_one_line_before_anything_is_computed(pair, message):
    model = make()
    with pytest.raises(InputError, match=f"^{message}") as error:
        model(pair)
    assert "\n" not in str(error.value)


def test_reading_attention_and_encoding_refuse_them_too():
    model = make()
    for read in (lambda: model.forward(IDS, IDS + 31), lambda: model.encode(IDS + 31)):
        with pytest.raises(InputError, match="ids: expected an array "):
            read()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_heads": 3}, r"Transformer: num_heads \(3\) must divide d_model \(16\)"),
        ({"dff": "wide"}, "Transformer: dff: expected a valid integer, found 'wide'"),
        ({"config": ModelConfig()}, "config: expected a ModelConfig or its keywords, found both"),
        ({"config": {"num_layer": 2}}, "Transformer: num_layer: unknown key; did you mean num_la"),
        ({"num_layer": 2}, r"Transformer: num_layer: unknown key; did you mean num_layers\?"),
        ({"max_length": None}, "Transformer: expected source_vocab_size, .* found one of them"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Transformer(**{**SIZES, **VOCABULARY, **settings})
