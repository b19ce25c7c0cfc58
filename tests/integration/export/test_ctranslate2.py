"""An export is the same model, in every shape that a configuration allows."""

import json
import sys

import ctranslate2
import numpy as np
import pytest

import translator
from tests import public_models
from translator.base.errors import InputError
from translator.export.ctranslate2 import QUANTIZATIONS, export_run
from translator.runs.directory import RunDirectory
from translator.search.engine import SearchOptions
from translator.text.alignment_heads import AlignmentHeads
from translator.translation.options import TranslationOptions

MARIAN = {**public_models.MODEL, "source_start": False}
SHAPE = {"tied_embeddings": "all", "normalize_first": True}
ROTARY = {"positions": "rotary", "normalize_first": True, "head_dim": 10, "decoder_num_heads": 3}
MORE_SHAPES = [
    MARIAN,
    {},
    {"normalize_first": True},
    {"tied_embeddings": "target", "head_dim": 6},
    {"activation": "gelu"},
    {"activation": "silu", "head_dim": 12},
]


OPTIONS = [
    SearchOptions(beam_size=1, return_alignment=True),
    SearchOptions(beam_size=3, n_best=3, return_alignment=True),
    SearchOptions(beam_size=2, prefix_ids=(20, 30), return_alignment=True),
    SearchOptions(beam_size=3, n_best=2, no_repeat_ngram=1, prefix_ids=(20, 30)),
    SearchOptions(beam_size=3, n_best=2, length_penalty=0.0),
    SearchOptions(beam_size=1, prefix_ids=(20, 30), return_alignment=True),
    SearchOptions(beam_size=1, no_repeat_ngram=1),
    SearchOptions(beam_size=3, n_best=2, no_repeat_ngram=2),
]


def random_sentences(tokenizer) -> list[list[int]]:
    random = np.random.default_rng(3)
    start = [tokenizer.start_id] if tokenizer.has_start else []
    return [
        [*start, *random.integers(5, tokenizer.size, length).tolist(), tokenizer.end_id]
        for length in (1, 2, 5, 5, 8, 13, 20)
    ]


@pytest.mark.parametrize(
    "shape",
    [SHAPE, *(pytest.param(s, marks=pytest.mark.slow) for s in (ROTARY, *MORE_SHAPES))],
    ids=str,
)
@pytest.mark.parametrize("longest", [8, pytest.param(23, marks=pytest.mark.slow)])
def test_engines_find_the_same(random_run, shape, longest):
    run = random_run(**shape)
    run.read_record()._replace(alignment=AlignmentHeads(0, (2, 1), 0.9, 100)).write(run.path)
    export_run(run, run.export)
    engines = [translator.load(run.path, engine).engine for engine in ("keras", "ctranslate2")]
    source, target = engines[0].tokenizers  # type: ignore[attr-defined]
    sentences = random_sentences(source)
    limits = [longest, *(min(2 + len(sentence), longest) for sentence in sentences[1:])]
    for options in OPTIONS if longest > 8 else OPTIONS[:4]:
        ours, theirs = (engine.search(sentences, limits, options) for engine in engines)
        for one, other in zip(ours, theirs):
            assert [found.ids for found in one] == [found.ids for found in other]
            for mine, its in zip(one, other):
                assert mine.score == pytest.approx(its.score, abs=1e-4)
                assert mine.log_probability == pytest.approx(its.log_probability, abs=1e-3)
                if options.return_alignment:  # CTranslate2 leaves start and end out
                    inner = slice(1 if source.has_start else 0, -1)
                    seen = mine.alignment[:, inner]
                    assert np.allclose(seen, its.alignment[:, inner], atol=1e-4)
    targets = random_sentences(target)[::-1]
    [nothing], [no_source] = target.encode(""), source.encode("")
    pairs = [*zip(sentences, targets), (sentences[0], nothing), (no_source, targets[0])]
    ours, theirs = (engine.score(*zip(*pairs)) for engine in engines)
    for one, other, (_, target) in zip(ours, theirs, pairs):
        assert one.shape == other.shape == (len(target) - 1,)  # type: ignore[attr-defined]
        assert np.allclose(one, other, atol=1e-4)


def test_engines_find_the_same_n_best_of_a_trained_model(tiny_run, tiny_corpus):
    """With no length penalty CTranslate2 by itself would stop before it knows them."""
    sentences = (tiny_corpus / "test.en").read_text("utf-8").splitlines()
    for penalty in (0.0, 1.0):
        ours, theirs = (
            translator.load(tiny_run, engine).translate(
                sentences, TranslationOptions(beam_size=4, n_best=4, length_penalty=penalty)
            )
            for engine in ("keras", "ctranslate2")
        )
        for one, other in zip(ours, theirs):
            assert [h.ids for h in one.hypotheses] == [h.ids for h in other.hypotheses]
            texts = [h.text for h in one.hypotheses]
            assert len(texts) == len(set(texts)) == 4


@pytest.mark.parametrize("quantization", QUANTIZATIONS)
def test_every_quantization_translates_the_tiny_corpus(tiny_run, tmp_path, quantization):
    run = RunDirectory(tiny_run)
    export_run(run, tmp_path / "export", quantization)
    model = translator.load(tmp_path / "export")
    assert model.engine.name == "ctranslate2"
    assert model.translate(["The man sees the cat."])[0].text == "Der Mann sieht die Katze."
    assert (tmp_path / "export" / "model.bin").stat().st_size < 1e6


def test_plain_ctranslate2_loads_an_export(tiny_run, tmp_path):
    """With nothing of ours: its tokenizer lies beside it."""
    import sentencepiece

    export_run(RunDirectory(tiny_run), tmp_path / "export")
    models = [
        sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "export" / f"{side}.model"))
        for side in ("source", "target")
    ]
    plain = ctranslate2.Translator(str(tmp_path / "export"))
    pieces = models[0].encode("The dog loves the house.", out_type=str)
    [result] = plain.translate_batch([pieces])
    assert models[1].decode(result.hypotheses[0]) == "Der Hund liebt das Haus."


def test_a_run_is_loaded_with_its_export_unless_keras_is_asked_for(tiny_run):
    assert translator.load(tiny_run).engine.name == "ctranslate2"
    assert translator.load(tiny_run, "keras").engine.name == "keras"


def test_an_export_of_other_tokenizers_is_refused(random_run):
    run = random_run()
    export_run(run, run.export)
    marker = json.loads((run.export / "run.json").read_text())
    marker["tokenizers"][0] = "0" * 64
    (run.export / "run.json").write_text(json.dumps(marker))
    with pytest.raises(InputError, match="found one of other tokenizers"):
        translator.load(run.path)
    (run.export / "run.json").unlink()
    with pytest.raises(InputError, match="expected an export of this run, found one of other"):
        translator.load(run.path)


def raise_runtime_error(*arguments, **options):
    raise RuntimeError("no memory")


def test_what_is_not_an_export_is_refused(random_run, monkeypatch):
    run = random_run()
    with pytest.raises(InputError, match="expected an export in this run, found none; write"):
        translator.load(run.path, "ctranslate2")
    with pytest.raises(InputError, match="quantization: expected one of float32, .* found int4"):
        export_run(run, run.export, "int4")
    for name in ("model.bin", "source_vocabulary.json", "config.json"):
        export_run(run, run.export)
        (run.export / name).write_bytes((run.export / name).read_bytes()[:-1] + b"x")
        with pytest.raises(InputError, match=f"an unchanged export, found another {name}"):
            translator.load(run.path)
    export_run(run, run.export)
    (run.export / "run.json").write_text((run.path / "run.json").read_text())
    with pytest.raises(InputError, match="found one of other weights"):
        translator.load(run.path, "ctranslate2")
    with pytest.raises(InputError, match=r"an unchanged export, found another run\.json"):
        translator.load(run.export)
    monkeypatch.setattr(sys.modules["ctranslate2._ext"], "Translator", raise_runtime_error)
    export_run(run, run.export)
    with pytest.raises(InputError, match="found one that CTranslate2 cannot read .no memory."):
        translator.load(run.path)
    with pytest.raises(InputError, match=r"engine: expected keras or ctranslate2, found onnx"):
        translator.load(run.path, "onnx")


def test_an_export_is_not_exported_again_nor_translates_without_its_model(tiny_run, tmp_path):
    export_run(RunDirectory(tiny_run), tmp_path / "export")
    with pytest.raises(InputError, match="expected a run with its weights, found an export"):
        export_run(RunDirectory(tmp_path / "export"), tmp_path / "again")
    (tmp_path / "export" / "model.bin").unlink()
    for engine in (None, "keras"):
        with pytest.raises(InputError, match=r"an unchanged export, found no model\.bin"):
            translator.load(tmp_path / "export", engine)
