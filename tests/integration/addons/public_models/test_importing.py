"""Importing: what the run can do, and what is refused without writing anything."""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

import translator
from tests.public_models import (
    SHAPES,
    random_weights,
    vocabularies,
    write_safetensors,
    write_yaml,
    yaml_array,
)
from translator.addons.attention.alignments import most_attended, word_attention
from translator.addons.public_models.importing import import_model, read_model
from translator.addons.public_models.tensor_files import read_safetensors
from translator.base.errors import InputError
from translator.cli import main
from translator.runs.weights import load_arrays
from translator.tokenizers.vocabulary_files import read_vocabulary
from translator.translation.options import TranslationOptions

FORMS = ("hugging_face", "archive")
ONE = np.ones(1, "float32")
SHARED = "model.shared.weight"
POSITIONS = "model.encoder.embed_positions.weight"
LINES = ["The dog sees the house.", "A man sings. The woman laughs."]


@pytest.fixture
def copy_of(public_model, tmp_path):
    """A copy of a public model of the tied shape, to be damaged."""

    def make(form: str, name: str = "tied"):
        return shutil.copytree(public_model(form, name), tmp_path / f"opus-{form}")

    return make


@pytest.mark.parametrize("name", SHAPES)
def test_both_forms_have_the_same_weights(imported, name):
    ours, theirs = (load_arrays(imported(form, name) / "weights.npz") for form in FORMS)
    assert ours.keys() == theirs.keys()
    for key in ours:
        assert np.array_equal(ours[key], theirs[key]), key


@pytest.mark.parametrize(
    "name",
    [
        "multilingual",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("tied", "separate")),
    ],
)
def test_both_engines_translate_the_same(imported, name):
    run = imported("archive", name)
    opening = ">>deu<< " if SHAPES[name].multilingual else ""
    lines = [opening + line for line in LINES]
    options = TranslationOptions(beam_size=2, max_length=16)
    ours, theirs = (
        [each.text for each in translator.load(run, engine).translate(lines, options)]
        for engine in ("keras", "ctranslate2")
    )
    assert ours == theirs
    assert all(ours)


def test_attention_is_recorded_with_the_tokens_of_marian(imported):
    model = translator.load(imported("hugging_face", "multilingual"))
    options = TranslationOptions(max_length=12)
    [record] = model.attention(model.translate([">>fra<< The dog sees the house."], options))
    assert record.source_tokens[0] == ">>fra<<"
    assert record.source_tokens[-1] == "</s>"
    assert record.target_tokens[0] == "<s>"
    layers, heads = SHAPES["multilingual"].layers, SHAPES["multilingual"].heads
    assert record.encoder.shape[:2] == (layers, heads)
    assert record.encoder.shape[2] == len(record.source_tokens)


def test_words_behind_a_target_token_are_aligned_by_their_numbers(imported):
    model = translator.load(imported("archive", "multilingual"), "keras")
    for token in (">>fra<<", ">>deu<<"):
        source, target = (token, "The", "dog", "sees"), ("Der", "Hund")
        [record] = model.attention_of_pairs(" ".join(source), " ".join(target))
        words = word_attention(record, source, target)
        assert set(most_attended(words.written[0, 0]).tolist()) <= {1, 2, 3}


def test_trained_alignment_is_taken_over_from_marian(imported):
    alignment = translator.load(imported("archive", "tied"), "ctranslate2").restoration.alignment
    assert (alignment.layer, alignment.heads) == (SHAPES["tied"].layers - 1, (0,))
    of_folder = translator.load(imported("hugging_face", "tied"), "ctranslate2")
    assert of_folder.restoration.alignment is None


def test_import_prints_the_model_and_its_run(public_model, tmp_path, capsys):
    main(["import", str(public_model("hugging_face", "tied")), "--out", str(tmp_path / "run")])
    error = capsys.readouterr().err
    assert "model: 2 layers, 4 heads, d_model 32" in error
    assert "en to de" in error
    assert f"run: {tmp_path / 'run'}" in error
    assert json.loads((tmp_path / "run" / "run.json").read_text())["finished"] is True


def test_a_run_without_corpus_says_so(imported):
    run = str(imported("archive", "tied"))
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", run])
    assert ended.value.code == 2


def refused(folder, tmp_path, match: str) -> None:
    """Checks that a folder is refused with one line, and that nothing was written."""
    with pytest.raises(InputError, match=match) as raised:
        import_model(folder, tmp_path / "out" / "run", "en", "de")
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("model_type", "bart", "expected a Marian Transformer .* found 'MarianMTModel'"),
        ("scale_embedding", False, "expected scale_embedding: true, found False"),
        ("normalize_before", True, "expected normalize_before: false, found True"),
        ("decoder_layers", 1, "a decoder of the same layers, found 2 and 1"),
        ("activation_function", "gelu_new", "as one of swish, silu, relu, gelu, found 'gelu_new'"),
        ("activation_function", ["swish"], r"as one of swish, .* found \['swish'\]"),
        ("d_model", None, "expected a number above 0 as d_model, found None"),
        ("vocab_size", "many", "expected a number above 0 as vocab_size, found 'many'"),
        ("decoder_vocab_size", [1], r"expected a number above 0 as decoder_vocab_size, found \[1"),
        ("num_beams", "four", "expected a number above 0 as num_beams, found 'four'"),
        ("max_length", float("inf"), "expected a number above 0 as max_length, found inf"),
        ("decoder_start_token_id", 0, "expected decoder_start_token_id: [0-9]+, as pad_token_id"),
        ("encoder_ffn_dim", 32, "a decoder of the same ffn_dim, found 32 and 64"),
        ("d_model", 48, "expected model.shared.weight of shape"),
        ("vocab_size", 7, "expected model.shared.weight of shape"),
    ],
)
def test_other_architectures_are_refused(copy_of, tmp_path, key, value, match):
    folder = copy_of("hugging_face")
    values = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**values, key: value}))
    refused(folder, tmp_path, match)


@pytest.mark.parametrize(
    ("form", "missing"),
    [
        ("hugging_face", "source.spm"),
        ("hugging_face", "vocab.json"),
        ("archive", "target.spm"),
        ("archive", "decoder.yml"),
        ("archive", "opus.spm32k-spm32k.vocab.yml"),
    ],
)
def test_missing_files_are_named(copy_of, tmp_path, form, missing):
    folder = copy_of(form)
    (folder / missing).unlink()
    refused(folder, tmp_path, f"{missing}: expected this file of .*, found none")


def test_a_folder_without_weights_or_model_is_refused(copy_of, tmp_path):
    folder = copy_of("hugging_face")
    (folder / "model.safetensors").unlink()
    refused(folder, tmp_path, r"expected one of model.safetensors, tf_model.h5 in it, found none")
    (folder / "config.json").unlink()
    refused(folder, tmp_path, "with config.json of Hugging Face or decoder.yml of OPUS-MT")
    refused(folder / "vocab.json", tmp_path, "found a file; unpack it first")
    refused(tmp_path / "nothing", tmp_path, "found no such folder")


def test_the_languages_of_a_model_must_be_two(public_model, tmp_path):
    with pytest.raises(InputError, match="found de twice; name them with --source-language and"):
        import_model(public_model("hugging_face", "tied"), tmp_path / "run", "de", "de")


def test_a_model_that_is_no_run_yet_is_told_how_to_become_one(copy_of):
    def advice(run: Path) -> str:
        with pytest.raises(InputError) as refusal:
            translator.load(run)
        return str(refusal.value).rpartition("; ")[2]

    for form in ("hugging_face", "archive"):
        assert advice(copy_of(form)) == "make a run of it with translator import"
    name = "opus-mt-en-xx"
    assert advice(Path(name)).endswith(f"fetch it with translator models --fetch {name}")
    assert advice(Path("checkpoints", name)) == "train it first, or name another one"
    assert advice(Path("nothing")) == "train it first, or name another one"


def test_archives_of_bpe_codes_are_refused_by_name(copy_of, tmp_path):
    folder = copy_of("archive")
    (folder / "source.spm").rename(folder / "source.bpe")
    refused(folder, tmp_path, r"found BPE codes \(source.bpe\); archives of this older kind")


def test_vocabularies_that_do_not_fit_are_refused(copy_of, tmp_path):
    folder = copy_of("hugging_face")
    values = json.loads((folder / "vocab.json").read_text())
    count = len(values)
    (folder / "vocab.json").write_text(json.dumps({**values, "more": count}))
    refused(
        folder, tmp_path, f"expected a source vocabulary of {count} pieces, .* found {count + 1}"
    )


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("type", "s2s", "with type: 'transformer', found 's2s'"),
        ("transformer-preprocess", "n", "post-norm Transformer with transformer-preprocess"),
        ("transformer-decoder-autoreg", "rnn", "self-attention', found 'rnn'"),
        ("transformer-ffn-activation", "gelu", "as one of swish, relu, found 'gelu'"),
        ("dec-depth", 1, "as many layers of the decoder as of the encoder, 2, found 1"),
        ("dim-emb", "wide", "expected a number above 0 as dim-emb, found 'wide'"),
        ("transformer-ffn-activation", ["swish"], "as one of swish, relu, found"),
        ("right-left", True, "with right-left: False, found True"),
        ("dim-emb", 16, r"expected Wemb of shape \(319, 16\), found \(319, 32\)"),
        ("transformer-dim-ffn", 16, r"encoder_l1_ffn_W1 of shape \(32, 16\), found \(32, 64\)"),
    ],
)
def test_other_models_of_marian_are_refused(copy_of, tmp_path, key, value, match):
    folder = copy_of("archive")
    rewrite_archive(folder, {}, {key: value})
    refused(folder, tmp_path, match)


def rewrite_archive(folder, arrays, settings) -> None:
    """Writes Marian's weights again with other arrays and settings; None removes one."""
    [path] = folder.glob("*.npz")
    known = load_arrays(path)
    values = yaml.safe_load(known["special:model.yml"].tobytes().rstrip(b"\0")) | settings
    values = {key: value for key, value in values.items() if value is not None}
    known |= {"special:model.yml": yaml_array(values), **arrays}
    np.savez(path, **{name: array for name, array in known.items() if array is not None})


def test_settings_of_marian_that_go_without_saying_may_be_missing(copy_of, imported, tmp_path):
    folder = copy_of("archive")
    missing = ("type", "transformer-preprocess", "transformer-guided-alignment-layer")
    rewrite_archive(folder, {}, dict.fromkeys(missing))
    run = import_model(folder, tmp_path / "run", "en", "de")
    assert run.weights.read_bytes() == (imported("archive", "tied") / "weights.npz").read_bytes()


def test_a_layer_of_trained_alignment_that_there_is_not_is_left_out(copy_of):
    folder = copy_of("archive")
    for layer, found in [(1, 0), ("2", 1), ("last", 1), ("9" * 5000, None), (3, None), ([1], None)]:
        rewrite_archive(folder, {}, {"transformer-guided-alignment-layer": layer})
        alignment = read_model(folder).alignment
        assert (alignment and alignment.layer) == found, layer


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("normalize: !!float ''", "line 1: expected values that are written out, found the tag !!"),
        ("a: &a {x: 1}\nb: &b {<<: [*a, *a]}\nc: {<<: [*b, *b]}", "line 2: .* the alias"),
        ("- models", "expected Marian's settings in YAML, found something else"),
        (f"beam-size: 0x{'f' * 5000}\nmodels: [x]\nvocabs: [y]", "vocabularies with an id"),
    ],
)
def test_settings_that_are_not_written_out_are_refused(copy_of, tmp_path, text, match):
    folder = copy_of("archive")
    (folder / "decoder.yml").write_text(text)
    refused(folder, tmp_path, rf"decoder\.yml.*{match}")


def test_damaged_weights_are_refused(copy_of, tmp_path):
    folder = copy_of("hugging_face")
    path = folder / "model.safetensors"
    content = path.read_bytes()
    for damaged in (b"", content[:5], content[:-9], b"\xff" * 20, content[:8] + b"[" + content[9:]):
        path.write_bytes(damaged)
        refused(folder, tmp_path, "expected weights in safetensors, found a damaged file")
    other = copy_of("archive")
    [path] = other.glob("*.npz")
    path.write_bytes(path.read_bytes()[:-100])
    refused(other, tmp_path, "expected Marian's weights in NumPy's format, found a damaged file")
    for content in (pickle.dumps({"a": 1}), b"hello"):
        path.write_bytes(content)
        refused(other, tmp_path, "expected Marian's weights in NumPy's format")


def rewrite_weights(folder, change) -> None:
    """Writes model.safetensors again after a change of its arrays."""
    arrays = read_safetensors(folder / "model.safetensors")
    change(arrays)
    write_safetensors(folder / "model.safetensors", arrays)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda arrays: arrays.pop("final_logits_bias"), "expected final_logits_bias of shape"),
        (
            lambda arrays: arrays.update({"model.encoder.layernorm_embedding.weight": ONE}),
            "a Marian Transformer alone, found model.encoder.layernorm_embedding.weight as well",
        ),
        (
            lambda arrays: arrays.update({POSITIONS: np.ones((5, 32), "float32")}),
            f"expected sinusoids as {POSITIONS}, found other numbers",
        ),
        (
            lambda arrays: arrays.update({"lm_head.weight": arrays[SHARED] + 1}),
            "expected the table that it is tied to as lm_head.weight, found other numbers",
        ),
        (
            lambda arrays: arrays.update({"model.decoder.embed_tokens.weight": ONE}),
            r"model.decoder.embed_tokens.weight of shape .*, found \(1,\)",
        ),
        (
            lambda arrays: arrays[SHARED].__setitem__((-1, 0), 1),
            "expected zeros as the vector of pad_token_id, .*, found others",
        ),
        (
            lambda arrays: arrays["model.encoder.layers.0.fc1.weight"].__setitem__((1, 2), np.nan),
            "finite numbers in encoder/layer_1/feed_forward/inner/kernel, found NaN",
        ),
    ],
)
def test_weights_of_another_model_are_refused(copy_of, tmp_path, change, match):
    folder = copy_of("hugging_face")
    rewrite_weights(folder, change)
    refused(folder, tmp_path, match)


def test_tables_need_not_be_stored_again(copy_of, tmp_path):
    folder = copy_of("hugging_face")
    first = import_model(folder, tmp_path / "first", "en", "de")
    sizes = [len(vocabulary) for vocabulary in vocabularies(folder, SHAPES["tied"])]
    alone = random_weights(SHAPES["tied"], sizes)
    assert len(read_safetensors(folder / "model.safetensors")) == len(alone) + 5
    write_safetensors(folder / "model.safetensors", alone)
    second = import_model(folder, tmp_path / "second", "en", "de")
    assert first.weights.read_bytes() == second.weights.read_bytes()


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({"Wpos": ONE}, "a Marian Transformer alone, found Wpos as well; variants of it"),
        ({"decoder_ff_logit_out_b": None, "zzz": np.ones((5, 5))}, "found zzz as well"),
        ({"encoder_l1_ffn_W1": np.ones(5)}, r"ffn_W1 of shape \(32, 64\), found \(5,\)"),
        ({"decoder_l2_context_bq": None}, r"decoder_l2_context_bq of shape \(1, 32\), found none"),
        ({"special:model.yml": None}, "expected special:model.yml among its arrays, found none"),
    ],
)
def test_arrays_of_another_model_of_marian_are_refused(copy_of, tmp_path, arrays, match):
    folder = copy_of("archive")
    rewrite_archive(folder, arrays, {})
    refused(folder, tmp_path, match)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "vocab.yml: expected </s> in the vocabulary, found none"),
        (b"</s>: 0\n<unk>: 1\n", "expected a source vocabulary of .* pieces, .* found 2"),
        *(
            (
                content,
                "vocab.yml: expected a vocabulary, an id for each piece, found something else",
            )
            for content in (b"- a\n- b\n", b"\xff: 1\n", b'"a": x\n')
        ),
    ],
)
def test_a_damaged_vocabulary_is_not_blamed_on_the_weights(copy_of, tmp_path, content, match):
    folder = copy_of("archive")
    (folder / "opus.spm32k-spm32k.vocab.yml").write_bytes(content)
    refused(folder, tmp_path, match)


def test_half_a_character_as_a_piece_is_refused(copy_of, tmp_path):
    folder = copy_of("hugging_face")
    text = (folder / "vocab.json").read_text("utf-8")
    (folder / "vocab.json").write_text(text.replace('"▁rare1"', '"\\ud83d"'), "utf-8")
    refused(folder, tmp_path, "expected pieces of Unicode text, found .*ud83d")


def test_lists_of_pieces_without_ids_are_refused_by_name(copy_of, tmp_path):
    folder = copy_of("archive")
    settings = yaml.safe_load((folder / "decoder.yml").read_text())
    settings["vocabs"] = ["opus.src.vocab", "opus.trg.vocab"]
    write_yaml(folder / "decoder.yml", settings)
    refused(folder, tmp_path, "with an id for each piece, .*found opus.src.vocab")


def test_one_table_needs_one_vocabulary(copy_of, tmp_path):
    folder = copy_of("archive")
    [name] = {path.name for path in folder.glob("*vocab.yml")}
    settings = yaml.safe_load((folder / "decoder.yml").read_text())
    settings["vocabs"] = [name, "other.json"]
    write_yaml(folder / "decoder.yml", settings)
    text = json.dumps(read_vocabulary(folder / name), ensure_ascii=False)
    (folder / "other.json").write_text(text, "utf-8")
    run = import_model(folder, tmp_path / "same", "en", "de")
    assert run.read_config().tokenizer.shared
    (folder / "other.json").write_text(text.replace("▁rare1", "▁else1"), "utf-8")
    refused(folder, tmp_path, f"one table of vectors, found that {name} and other.json differ")


def test_a_pickle_is_not_loaded(copy_of, tmp_path):
    folder = copy_of("hugging_face")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    refused(
        folder, tmp_path, "found only pytorch_model.bin, which may hold a program; MarianMTModel"
    )


def test_weights_of_keras_are_read_by_their_paths(copy_of, tmp_path):
    """As TFMarianMTModel of transformers 4 writes them."""
    import h5py

    folder = copy_of("hugging_face")
    sizes = [len(vocabulary) for vocabulary in vocabularies(folder, SHAPES["tied"])]
    weights = random_weights(SHAPES["tied"], sizes)
    with h5py.File(folder / "tf_model.h5", "w") as file:
        for name, array in weights.items():
            file[keras_path(name)] = (
                array.T if name.endswith("proj.weight") or ".fc" in name else array
            )
    first = import_model(folder, tmp_path / "first", "en", "de")
    (folder / "model.safetensors").unlink()
    second = import_model(folder, tmp_path / "second", "en", "de")
    ours, theirs = (load_arrays(run.weights) for run in (first, second))
    assert all(np.array_equal(ours[key], theirs[key]) for key in ours)
    (folder / "tf_model.h5").write_bytes(b"hello")
    refused(folder, tmp_path, "expected weights in HDF5, found a damaged file")


def keras_path(name: str) -> str:
    """The path in tf_model.h5 of a weight by its name in PyTorch."""
    if name == "final_logits_bias":
        return "final_logits_bias/tf_marian_mt_model/final_logits_bias:0"
    if name == "model.shared.weight":
        return "model/model.shared/model.shared/embeddings:0"
    *parts, kind = name.removeprefix("model.").split(".")
    place = "/".join(parts).replace("layers/", "layers.")
    if "norm" in place:
        kind = {"weight": "gamma", "bias": "beta"}[kind]
    kind = "kernel" if kind == "weight" else kind
    return f"model/tf_marian_mt_model/model/{place}/{kind}:0"


def test_half_precision_is_read(tmp_path):
    numbers = np.array([[1.0, -2.5], [0.15625, 3.0]], np.float32)
    halves = numbers.astype(np.float16).tobytes()
    upper = (numbers.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    header = {
        "half": {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]},
        "brain": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [8, 16]},
        "count": {"dtype": "I64", "shape": [], "data_offsets": [16, 24]},
    }
    text = json.dumps(header).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + halves + upper + bytes(8))
    found = read_safetensors(path)
    assert found.keys() == {"half", "brain"}
    assert all(np.array_equal(array, numbers) for array in found.values())


def test_languages_that_no_file_says_are_asked_for(copy_of, tmp_path):
    folder = copy_of("archive")
    with pytest.raises(InputError, match="add --source-language, such as en"):
        import_model(folder, tmp_path / "run")
    folder = folder.rename(tmp_path / "my-run")
    with pytest.raises(InputError, match="add --source-language, such as en"):
        import_model(folder, tmp_path / "run")
    named = folder.rename(tmp_path / "opus-mt-en-fr")
    config = import_model(named, tmp_path / "run").read_config()
    assert config.corpus.languages == ("en", "fr")
    with pytest.raises(InputError, match="expected an empty or new folder, found a run in it"):
        import_model(named, tmp_path / "run")
