"""Importing: what the run can do, and what is refused without writing anything."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import translator
from tests.public_models import SHAPES, random_weights, vocabularies, write_safetensors
from translator.addons.attention.alignments import most_attended, word_attention
from translator.addons.public_models.importing import import_model
from translator.addons.public_models.public_model import read_safetensors
from translator.base.errors import InputError
from translator.cli import main
from translator.runs.weights import load_arrays
from translator.translation.options import TranslationOptions

ONE = np.ones(1, "float32")
SHARED = "model.shared.weight"
NETWORK = "model.encoder.layers.0.fc1.weight"
POSITIONS = "model.encoder.embed_positions.weight"
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("tied", "separate")]
LINES = ["The dog sees the house.", "A man sings. The woman laughs."]


@pytest.fixture
def copy_of(public_model, tmp_path):
    def make():
        return shutil.copytree(public_model("tied"), tmp_path / "model")

    return make


@pytest.mark.parametrize("name", ["multilingual", *SLOW])
def test_both_engines_translate_the_same(imported, name):
    run = imported(name)
    opening = ">>deu<< " if SHAPES[name].multilingual else ""
    lines = [opening + line for line in LINES]
    options = TranslationOptions(beam_size=2, max_length=16)
    ours, theirs = (
        [each.text for each in translator.load(run, engine).translate(lines, options)]
        for engine in ("keras", "ctranslate2")
    )
    assert ours == theirs
    assert all(ours)


def test_attention_has_the_tokens_of_marian_and_words_are_aligned_behind_them(imported):
    model = translator.load(imported("multilingual"))
    options = TranslationOptions(max_length=12)
    [record] = model.attention(model.translate([">>fra<< The dog sees the house."], options))
    assert record.source_tokens[0] == ">>fra<<"
    assert record.source_tokens[-1] == "</s>"
    assert record.target_tokens[0] == "<s>"
    layers, heads = SHAPES["multilingual"].layers, SHAPES["multilingual"].heads
    assert record.encoder.shape[:2] == (layers, heads)
    assert record.encoder.shape[2] == len(record.source_tokens)
    model = translator.load(imported("multilingual"), "keras")
    for token in (">>fra<<", ">>deu<<"):
        source, target = (token, "The", "dog", "sees"), ("Der", "Hund")
        [record] = model.attention_of_pairs(" ".join(source), " ".join(target))
        words = word_attention(record, source, target)
        assert set(most_attended(words.written[0, 0]).tolist()) <= {1, 2, 3}


def test_import_prints_the_model_and_its_run(public_model, tmp_path, capsys):
    main(["import", str(public_model("tied")), "--out", str(tmp_path / "run")])
    error = capsys.readouterr().err
    assert "model: 2 layers, 4 heads, d_model 32" in error
    assert "en to de" in error
    assert f"run: {tmp_path / 'run'}" in error
    assert json.loads((tmp_path / "run" / "run.json").read_text())["finished"] is True
    with pytest.raises(SystemExit) as ended:  # it has no corpus
        main(["evaluate", str(tmp_path / "run")])
    assert ended.value.code == 2


def refused(folder, tmp_path, match: str) -> None:
    """Checks that a folder is refused with one line, and that nothing was written."""
    with pytest.raises(InputError, match=match) as raised:
        import_model(folder, tmp_path / "out" / "run", "en", "de")
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())


def test_other_architectures_are_refused(copy_of, tmp_path):
    config = copy_of() / "config.json"
    values = json.loads(config.read_text())
    for key, value, match in [
        ("model_type", "bart", "expected a Marian Transformer .* found 'MarianMTModel'"),
        ("scale_embedding", False, "expected scale_embedding: true, found False"),
        ("normalize_before", True, "expected normalize_before: false, found True"),
        ("decoder_layers", 1, "a decoder of the same layers, found 2 and 1"),
        ("activation_function", "gelu_new", "one of swish, silu, relu, gelu, found 'gelu_new'"),
        ("activation_function", ["swish"], r"as one of swish, .* found \['swish'\]"),
        ("d_model", None, "expected a number from 1 to 9,999,999 as d_model, found None"),
        ("vocab_size", 10**12, "expected a number from 1 to 9,999,999 as vocab_size, found 1000"),
        (
            "decoder_vocab_size",
            [1],
            r"a number from 1 to 9,999,999 as decoder_vocab_size, found \[1",
        ),
        ("num_beams", "four", "expected a number from 1 to 9,999,999 as num_beams, found 'four'"),
        (
            "max_length",
            float("inf"),
            "expected a number from 1 to 9,999,999 as max_length, found inf",
        ),
        ("decoder_start_token_id", 0, "decoder_start_token_id: [0-9]+, the same as pad_tok"),
        ("encoder_ffn_dim", 32, "a decoder of the same ffn_dim, found 32 and 64"),
        ("d_model", 48, "expected model.shared.weight of shape"),
        ("vocab_size", 7, "expected model.shared.weight of shape"),
    ]:
        config.write_text(json.dumps({**values, key: value}))
        refused(config.parent, tmp_path, match)


def test_missing_and_damaged_files_are_refused(copy_of, tmp_path):
    folder = copy_of()
    weights = (folder / "model.safetensors").read_bytes()
    vocabulary = json.loads((folder / "vocab.json").read_text("utf-8"))
    count = len(vocabulary)
    whole = (folder / "vocab.json").read_bytes()
    more = json.dumps({**vocabulary, "more": count}).encode()
    half = whole.replace('"▁rare1"'.encode(), b'"\\ud83d"')
    assert half != whole
    for name, content, match in [
        *((name, None, f"{name}: expected this file of .*, found none")
          for name in ("source.spm", "target.spm", "vocab.json")),
        ("model.safetensors", None,
         "expected one of model.safetensors, tf_model.h5 in it, found none"),
        ("config.json", None, "model in the form of Hugging Face, found no config.json"),
        *(("model.safetensors", damaged, "expected weights in safetensors, found a damaged or")
          for damaged in (b"", weights[:5], weights[:-9], b"\xff" * 20,
                          weights[:8] + b"[" + weights[9:])),
        ("vocab.json", more,
         f"expected a source vocabulary of {count} pieces, .* found {count + 1}"),
        ("vocab.json", half, "expected pieces of Unicode text, found .*ud83d"),
        ("vocab.json", b"{}", "vocab.json: expected </s> in the vocabulary, found none"),
        ("vocab.json", b'{"</s>": 0, "<unk>": 1}',
         "expected a source vocabulary of .* pieces, .* found 2"),
        *(("vocab.json", damaged, "vocab.json: expected a JSON object with an id for each piece")
          for damaged in (b"[1]", b"\xff", b'{"a": x}', b"")),
    ]:  # fmt: skip
        before = (folder / name).read_bytes()
        (folder / name).unlink()
        if content is not None:
            (folder / name).write_bytes(content)
        refused(folder, tmp_path, match)
        (folder / name).write_bytes(before)
    refused(folder / "vocab.json", tmp_path, "found a file; unpack it first")
    refused(tmp_path / "nothing", tmp_path, "found no such folder")
    (folder / "decoder.yml").touch()
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    refused(folder, tmp_path, "found only pytorch_model.bin, which may contain a program; convert")
    (folder / "config.json").unlink()
    refused(folder, tmp_path, "import decoder.yml: was removed in 0.3.0; transformers' convert")


def test_weights_of_another_model_are_refused(copy_of, tmp_path):
    folder = copy_of()
    path = folder / "model.safetensors"
    whole = read_safetensors(path)
    padded, broken = whole[SHARED].copy(), whole[NETWORK].copy()
    padded[-1, 0], broken[1, 2] = 1, np.nan
    for change, match in [
        ({"final_logits_bias": None}, "expected final_logits_bias of shape"),
        ({"model.encoder.layernorm_embedding.weight": ONE},
         "a Marian Transformer, found also model.encoder.layernorm_embedding.weight; variants"),
        ({POSITIONS: np.ones((5, 32), "float32")},
         f"expected sinusoids in {POSITIONS}, found other numbers"),
        ({"lm_head.weight": whole[SHARED] + 1},
         "expected a copy of the table of tokens in lm_head.weight, found other numbers"),
        ({"model.decoder.embed_tokens.weight": ONE},
         r"model.decoder.embed_tokens.weight of shape .*, found \(1,\)"),
        ({SHARED: padded}, "expected zeros in the vector of pad_token_id .*, found other num"),
        ({NETWORK: broken},
         "finite numbers in encoder/layer_1/feed_forward/inner/kernel, found NaN"),
    ]:  # fmt: skip
        changed = {name: array for name, array in {**whole, **change}.items() if array is not None}
        write_safetensors(path, changed)
        refused(folder, tmp_path, match)


def test_a_model_that_is_no_run_yet_is_told_how_to_become_one(copy_of):
    def advice(run: Path) -> str:
        with pytest.raises(InputError) as refusal:
            translator.load(run)
        return str(refusal.value).rpartition("; ")[2]

    assert advice(copy_of()) == "convert it to a run with translator import"
    name = "opus-mt-en-xx"
    assert advice(Path(name)).endswith(f"fetch it with translator models --fetch {name}")
    assert advice(Path("checkpoints", name)) == "train a run first, or name another one"
    assert advice(Path("nothing")) == "train a run first, or name another one"


def test_tables_need_not_be_stored_again_and_one_needs_one_vocabulary(copy_of, tmp_path):
    folder = copy_of()
    first = import_model(folder, tmp_path / "first", "en", "de")
    sizes = [len(vocabulary) for vocabulary in vocabularies(folder, SHAPES["tied"])]
    alone = random_weights(SHAPES["tied"], sizes)
    assert len(read_safetensors(folder / "model.safetensors")) == len(alone) + 5
    write_safetensors(folder / "model.safetensors", alone)
    second = import_model(folder, tmp_path / "second", "en", "de")
    assert first.weights.read_bytes() == second.weights.read_bytes()
    text = (folder / "vocab.json").read_text("utf-8")
    (folder / "target_vocab.json").write_text(text, "utf-8")
    run = import_model(folder, tmp_path / "same", "en", "de")
    assert run.read_config().tokenizer.shared
    (folder / "target_vocab.json").write_text(text.replace("▁rare1", "▁else1"), "utf-8")
    refused(folder, tmp_path, "one table of vectors, found different vocabularies in vocab.json")


def test_weights_of_keras_are_read_by_their_paths(copy_of, tmp_path):
    """As TFMarianMTModel of transformers 4 writes them."""
    import h5py

    folder = copy_of()
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
    refused(folder, tmp_path, "expected weights in HDF5, found a damaged or wrong file")


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
    folder = copy_of()
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(InputError, match="add --source-language, such as en"):
        import_model(folder, tmp_path / "run")
    config = import_model(folder, tmp_path / "run", "en", "fr").read_config()
    assert config.corpus.languages == ("en", "fr")
    with pytest.raises(InputError, match="expected an empty or new folder, found a run in it"):
        import_model(folder, tmp_path / "run", "en", "fr")
