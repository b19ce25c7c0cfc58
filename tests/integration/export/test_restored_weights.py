"""An export holds the weights of its run, for Keras too."""

import functools

import numpy as np
import pytest

import translator
from translator.base.cache import crc32
from translator.base.errors import InputError
from translator.export.ctranslate2 import export_run
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import load_weights, read_variables
from translator.runs.weights import load_arrays
from translator.search.engine import SearchOptions
from translator.text.alignment_heads import AlignmentHeads

SHAPES = [
    {},
    {"tied_embeddings": "all", "normalize_first": True},
    {"tied_embeddings": "target", "head_dim": 6},
]


@pytest.fixture(scope="module")
def run_of(random_run):
    """A run of a shape whose best heads are neither the first nor in order."""

    @functools.cache
    def make(*shape: tuple) -> RunDirectory:
        run = random_run(**dict(shape))
        run.read_record()._replace(alignment=AlignmentHeads(1, (3, 1), 0.9, 100)).write(run.path)
        return run

    return make


@pytest.fixture
def exported(run_of, tmp_path):
    """Such a run and its export."""

    def export(quantization: str, shape: dict) -> tuple[RunDirectory, RunDirectory]:
        run = run_of(*shape.items())
        return run, RunDirectory(export_run(run, tmp_path / "export", quantization))

    return export


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("quantization", ["float32", "int8", "int16", "float16", "bfloat16"])
def test_weights_are_restored_within_a_step_of_their_type(exported, quantization, shape):
    run, export = exported(quantization, shape)
    original, restored = load_arrays(run.weights), load_weights(export)
    assert restored.keys() == original.keys()
    differs = 0
    for name, array in original.items():
        assert restored[name].dtype == array.dtype == "float32"
        assert np.all(abs(restored[name] - array) <= step(array, quantization)), name
        differs += not np.array_equal(restored[name], array)
    assert differs == 0 if quantization == "float32" else differs > len(original) / 4


def step(array: np.ndarray, quantization: str) -> np.ndarray | float:
    """The most that rounding may change each number of an array; nothing is scaled up."""
    if quantization == "float32":
        return 0.0
    if quantization == "float16":
        return np.maximum(abs(array) * 2.0**-11, 2.0**-24)
    if quantization == "bfloat16":
        return np.maximum(abs(array) * 2.0**-8, 1e-30)
    if quantization == "int16":
        return abs(array).max() * 4 / 2**10  # the layers that are joined share a scale
    if array.ndim == 1:  # int8 leaves them as they are
        return 0.0
    by_input = abs(array).max(axis=1, keepdims=True)  # of an embedding table
    by_output = abs(array).max(axis=0, keepdims=True)  # of a kernel
    return np.maximum(by_input, by_output) / 127 / 2 * 1.001


def test_keras_translates_with_restored_weights_as_ctranslate2_does(exported):
    _, export = exported("float32", {})
    engines = [translator.load(export.path, name).engine for name in ("keras", "ctranslate2")]
    source = engines[0].tokenizers.source  # type: ignore[attr-defined]
    sentences = [[source.start_id, *range(10, 10 + length), source.end_id] for length in (1, 5, 9)]
    options = SearchOptions(beam_size=2, return_alignment=True)
    ours, theirs = (engine.search(sentences, [20] * 3, options) for engine in engines)
    for [one], [other] in zip(ours, theirs):
        assert one.ids == other.ids
        assert one.score == pytest.approx(other.score, abs=1e-4)
        assert np.allclose(one.alignment[:, 1:-1], other.alignment[:, 1:-1], atol=1e-4)


def test_heads_of_a_quantized_export_are_near_those_of_its_run(tiny_run, tmp_path):
    folder = export_run(RunDirectory(tiny_run), tmp_path / "export", "int8")
    run, export = translator.load(tiny_run), translator.load(folder)
    translations = run.translate(["The man sees the cat.", "The dog loves the house."])
    for one, other in zip(run.attention(translations), export.attention(translations)):
        assert one.target_tokens == other.target_tokens
        difference = abs(one.cross - other.cross)
        assert 0 < difference.max() < 0.3
        assert difference.mean() < 0.02


def test_an_export_without_the_order_of_its_heads_is_refused(exported):
    _, export = exported("float32", {})
    export.read_record()._replace(alignment=None).write(export.path)
    with pytest.raises(InputError, match="with the order of heads, found another"):
        load_weights(export)


def test_a_model_of_another_kind_is_refused(exported):
    _, export = exported("float32", {})
    model = export.path / "model.bin"
    whole = model.read_bytes()
    for content, found in (
        (b"\x07" + whole[1:], "version 7 of the format instead of 6"),
        (whole[: len(whole) // 2], "error: unpack requires|ValueError"),
        (b"", "error: unpack requires"),
        (whole.replace(b"encoder/embeddings_0", b"encoder/embeddings_9"), "KeyError"),
    ):
        model.write_bytes(content)
        with pytest.raises(InputError, match="an unchanged export, found another model.bin"):
            load_weights(export)
        record = export.read_record()
        changed = {**record.files, "model.bin": crc32(model)}
        record._replace(files=changed).write(export.path)
        with pytest.raises(InputError, match=found) as refused:
            load_weights(export)
        assert "export the run again" in str(refused.value)


def test_an_alias_has_the_values_that_it_stands_for(exported):
    _, export = exported("int8", {"tied_embeddings": "all"})
    variables = read_variables(export.path / "model.bin")
    table = variables["encoder/embeddings_0/weight"]
    assert table.dtype == "float32"
    for name in ("decoder/embeddings/weight", "decoder/projection/weight"):
        assert np.array_equal(variables[name], table)
