"""An imported model computes what transformers and CTranslate2 compute of the original.

`tools/make_marian_reference.py` wrote the numbers of transformers.
"""

import itertools
from pathlib import Path

import ctranslate2
import numpy as np
import pytest
from ctranslate2.converters import OpusMTConverter

import translator
from tests.public_models import (
    SHAPES,
    hugging_face_config,
    marian_arrays,
    random_weights,
)
from tools.demo_grammar import draw_pairs
from tools.make_marian_reference import VOCAB_SIZES, random_ids
from translator.addons.public_models import hugging_face, marian_archive
from translator.addons.public_models.public_model import (
    Arrays,
    make_model_config,
    read_layers,
    tying,
)
from translator.model.transformer import Transformer
from translator.runs.weights import set_model_weights

REFERENCE = Path(__file__).parents[3] / "reference" / "marian.npz"
FORMS = ("hugging_face", "archive")
ORIGIN = Path("random")


class Sized:
    """A tokenizer as far as the weights depend on it: padding after all pieces, then start."""

    def __init__(self, stored: int, with_padding: bool) -> None:
        self.stored_size = stored
        self.padding_id = stored - with_padding
        self.start_id = self.padding_id + 1
        self.size = self.start_id + 1


def build(form: str, name: str) -> Transformer:
    """The Keras model of random weights that were read in one of the forms."""
    shape, sizes = SHAPES[name], VOCAB_SIZES[name]
    weights = random_weights(shape, sizes)
    is_archive = form == "archive"
    if is_archive:
        found = Arrays(marian_arrays(shape, weights), ORIGIN)
        embeddings = marian_archive._read_embeddings(found, shape.width)
    else:
        found = Arrays(weights, ORIGIN)
        values = hugging_face_config(shape, sizes)
        embeddings = hugging_face._read_embeddings(found, values, ORIGIN)
    activation = hugging_face.ACTIVATIONS[shape.activation]
    config = make_model_config(
        ORIGIN,
        num_layers=shape.layers,
        d_model=shape.width,
        num_heads=shape.heads,
        dff=shape.inner,
        activation=activation,
        **tying(embeddings),
    )
    module = marian_archive if is_archive else hugging_face
    layers = read_layers(config, found, module.LAYERS)
    tokenizers = [Sized(size - is_archive, not is_archive) for size in (sizes[0], sizes[-1])]
    read = module.PublicModel(config, None, embeddings, layers)
    source, target = tokenizers
    model = Transformer(config, source.size, target.size, 16, source.padding_id, target.padding_id)
    model.build()
    named = type("Pair", (tuple,), {"source": tokenizers[0], "target": tokenizers[1]})(tokenizers)
    set_model_weights(model, read.weights(named, ORIGIN), ORIGIN)
    return model


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SHAPES)
def test_logits_and_every_head_are_those_of_transformers(form, name):
    source, target = random_ids(VOCAB_SIZES[name])
    target[:, 0] += 1  # our start; its vector does not count
    output = build(form, name).forward(source, target)
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
            difference = (
                ours[row][..., queries, :][..., keys] - theirs[row][..., queries, :][..., keys]
            )
            assert np.abs(difference).max() < 1e-5
            assert theirs[row].std() > 0.03  # heads that differ, not all rows alike


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    """500 lines of English."""
    return [pair.source for pair in itertools.islice(draw_pairs(11), 500)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SHAPES)
def test_tokens_are_those_of_the_original_converted_by_ctranslate2(
    imported, public_model, sentences, tmp_path, form, name
):
    theirs = tmp_path / "theirs"
    OpusMTConverter(str(public_model("archive", name))).convert(str(theirs))
    original = ctranslate2.Translator(str(theirs), inter_threads=2, intra_threads=1)
    loaded = translator.load(imported(form, name), "ctranslate2")
    source, target = loaded.tokenizers
    opening = ">>fra<< " if SHAPES[name].multilingual else ""
    ids = source.encode([opening + line for line in sentences])
    pieces = [source.pieces(row[:-1]) for row in ids]
    from translator.search.engine import SearchOptions

    for beam_size in (1, 4):
        ours = loaded.engine.search(
            ids, [24] * len(ids), SearchOptions(beam_size=beam_size, allow_unknown=True)
        )
        found = original.translate_batch(
            pieces,
            beam_size=beam_size,
            max_decoding_length=24,
            return_end_token=True,
            return_scores=True,
            min_decoding_length=0,
        )
        for mine, its in zip(ours, found):
            assert target.pieces(mine[0].ids) == its.hypotheses[0]
            assert mine[0].score == pytest.approx(its.scores[0], abs=1e-3)
        assert len({mine[0].ids for mine in ours}) > 40  # not one translation for all


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_both_engines_write_the_same_tokens(imported, sentences, name):
    engines = [
        translator.load(imported("archive", name), engine).engine
        for engine in ("ctranslate2", "keras")
    ]
    opening = ">>fra<< " if SHAPES[name].multilingual else ""
    source = engines[0].tokenizers.source  # type: ignore[attr-defined]
    ids = source.encode([opening + line for line in sentences])
    from translator.search.engine import SearchOptions

    for beam_size in (1, 4):
        options = SearchOptions(beam_size=beam_size, allow_unknown=True)
        theirs, ours = (engine.search(ids, [24] * len(ids), options) for engine in engines)
        for row, its, mine in zip(ids, theirs, ours):
            if its[0].ids != mine[0].ids:  # rounding may decide between equals in a batch
                [its] = engines[0].search([row], [24], options)
            assert mine[0].ids == its[0].ids
            assert mine[0].score == pytest.approx(its[0].score, abs=1e-3)
