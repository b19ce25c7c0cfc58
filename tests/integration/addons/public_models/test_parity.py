"""An imported model computes what transformers computes of the original.

`tools/make_marian_reference.py` wrote the numbers of transformers.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.public_models import SHAPES, hugging_face_config, random_weights
from tools.make_marian_reference import VOCAB_SIZES, random_ids
from translator.addons.public_models import hugging_face
from translator.addons.public_models.public_model import Arrays, PublicModel, make_model_config
from translator.model.transformer import Transformer
from translator.runs.weights import set_model_weights
from translator.tokenizers.subword import Tokenizers

REFERENCE = Path(__file__).parents[3] / "reference" / "marian.npz"
ORIGIN = Path("random")


class Sized:
    """A tokenizer as far as the weights depend on it: padding after all pieces, then start."""

    def __init__(self, stored: int) -> None:
        self.stored_size = stored
        self.padding_id = stored - 1
        self.start_id = stored
        self.size = stored + 1


def build(name: str) -> Transformer:
    shape, sizes = SHAPES[name], VOCAB_SIZES[name]
    arrays = Arrays(random_weights(shape, sizes), ORIGIN)
    tying, tables = hugging_face._read_tables(arrays, hugging_face_config(shape, sizes), ORIGIN)
    config = make_model_config(
        ORIGIN,
        num_layers=shape.layers,
        d_model=shape.width,
        num_heads=shape.heads,
        dff=shape.inner,
        activation=hugging_face.ACTIVATIONS[shape.activation],
        **tying,
    )
    weights = tables | hugging_face._read_layers(config, arrays)
    pair: Any = Tokenizers(*(Sized(size) for size in (sizes[0], sizes[-1])))
    source, target = pair
    model = Transformer(config, source.size, target.size, 16, source.padding_id, target.padding_id)
    model.build()
    public = PublicModel(config, None, weights)
    set_model_weights(model, public.weights(pair, ORIGIN), ORIGIN)
    return model


@pytest.mark.parametrize("name", SHAPES)
def test_logits_and_every_head_are_those_of_transformers(name):
    source, target = random_ids(VOCAB_SIZES[name])
    target[:, 0] += 1  # our start; its vector does not count
    output = build(name).forward(source, target)
    with np.load(REFERENCE) as archive:
        wanted = {key: archive[f"{name}/{key}"] for key in output._fields if key != "trace"}
    real = source != VOCAB_SIZES[name][0] - 1
    logits = np.array(output.logits)
    pieces = wanted["logits"].shape[-1] - 1  # the last one is padding, which is never written
    assert np.abs(logits[..., :pieces] - wanted["logits"][..., :pieces]).max() < 1e-4
    assert (logits[..., pieces:] < -90).all()
    for kind in list(wanted)[1:]:
        ours, theirs = np.array(getattr(output, kind)), wanted[kind]
        for row in range(2):
            keys = slice(None) if kind == "decoder_attention" else real[row]
            queries = real[row] if kind == "encoder_attention" else slice(None)
            mine, its = (each[row][..., queries, :][..., keys] for each in (ours, theirs))
            assert np.abs(mine - its).max() < 1e-5
            assert theirs[row].std() > 0.03  # heads that differ, not all rows alike
