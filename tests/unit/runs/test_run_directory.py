"""The run directory: what was recorded of a training, and files that were edited since."""

import itertools
import json
import os

import pytest

import translator
from translator.base.errors import InputError
from translator.config.schema import Config
from translator.config.yaml_file import config_to_yaml, validate_config
from translator.runs.directory import RunDirectory
from translator.runs.exports import describe_export, find_export, is_export
from translator.runs.record import RunRecord, read_record, settings_of
from translator.runs.weights import save_arrays
from translator.tokenizers.opening import load_tokenizers
from translator.tokenizers.training import train_model

VALUES = {
    "corpus": {"name": "demo"},
    "data": {"max_length": 24, "batch_size": 16},
    "model": {"num_layers": 1, "d_model": 8, "num_heads": 2, "dff": 16},
}


MODEL = validate_config(VALUES, "test").model.model_dump()


@pytest.fixture
def config() -> Config:
    """A small configuration."""
    return validate_config(VALUES, "test")


@pytest.fixture
def run(config, tmp_path) -> RunDirectory:
    """A run without tokenizers, whose weights are one array."""
    import numpy as np

    run = RunDirectory(tmp_path / "run")
    run.path.mkdir()
    run.write_config(config)
    record = RunRecord(config.model.model_dump(), ["a", "b"], "c", settings_of(config))
    record.write(run.path)
    save_arrays(run.weights, {"kernel": np.zeros(3, "float32")})
    for name in ("source.model", "target.model"):
        (run.path / name).write_bytes(b"model")
    return run


def write_export(run: RunDirectory) -> None:
    """An export whose model is one byte."""
    run.export.mkdir()
    (run.export / "model.bin").write_bytes(b"x")
    describe_export(run, run.export)


def edit(run: RunDirectory, old: str, new: str) -> None:
    """Edits config.yaml by hand."""
    text = run.config.read_text("utf-8")
    assert old in text
    run.config.write_text(text.replace(old, new), "utf-8")


def edit_record(path, **values) -> None:
    """Replaces values of run.json; None removes one."""
    record = json.loads(path.read_text()) | values
    path.write_text(json.dumps({key: value for key, value in record.items() if value is not None}))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("max_length: 24", "max_length: 99", "data.max_length was 24 when the run was trained"),
        (
            "  source_language: en\n  target_language: de",
            "  source_language: de\n  target_language: en",
            "corpus.source_language was en .* found de",
        ),
        (
            "zero_digits: false",
            "zero_digits: true",
            "tokenizer.zero_digits was false .* found true",
        ),
        ("vocab_size: 8000", "vocab_size: 9000", "tokenizer.vocab_size was 8000 .* found 9000"),
        ("tokenized: false", "tokenized: true", "corpus.tokenized was false .* found true"),
        ("normalize_first: false", "normalize_first: true", "model.normalize_first was false"),
        ("head_dim: null", "head_dim: 4", "model.head_dim was null .* found 4"),
        ("tied_embeddings: none", "tied_embeddings: target", "model.tied_embeddings was none"),
        ("d_model: 8", "d_model: 16", "model.d_model was 8 .* restore it, or train again"),
    ],
)
def test_settings_that_the_weights_depend_on_must_not_change(run, old, new, message):
    edit(run, old, new)
    with pytest.raises(InputError, match=f"config.yaml: {message}"):
        run.read_config()


@pytest.mark.parametrize(
    ("section", "setting", "message"),
    [
        ("training", "adam_beta_1: 0.8", "adam_beta_1: 0.8 .always 0.9 now."),
        ("training", "adam_beta_2: 0.999", "adam_beta_2: 0.999 .always 0.98 now."),
        ("training", "adam_epsilon: 1.0e-8", "adam_epsilon: 1.0e-08 .always 1.0e-09 now."),
        ("data", "bpe_dropout: 0.1", "bpe_dropout: 0.1 .always 0.0 now."),
        ("corpus", "synthetic: {tsv: a.tsv}", "synthetic: {tsv: a.tsv} .always null now."),
        ("cleaning", "drop_empty: false", "drop_empty: false .always true now."),
        ("cleaning", "drop_unequal_numbers: false", "_numbers: false .always auto now."),
    ],
)
def test_a_run_that_trained_with_what_went_is_read_and_not_resumed(run, section, setting, message):
    former = run.config.read_text("utf-8")
    indent = " " * (4 if section == "cleaning" else 2)
    edit(run, f"{section}:\n", f"{section}:\n{indent}{setting}\n")
    assert run.read_config() == validate_config(VALUES, "test")
    advice = f"; resume it with a version before 0.3.0, .* with --init {run.path}$"
    with pytest.raises(InputError, match=f"config.yaml: .*{message}{advice}"):
        run.read_config_to_resume()
    run.config.write_text(former, "utf-8")
    edit(run, "training:\n", "training:\n  adam_beta_1: 0.9\n  adam_epsilon: 1.0e-09\n")
    edit(run, "cleaning:\n", "cleaning:\n    drop_unequal_numbers: auto\n")
    run.read_config_to_resume()


def test_a_run_of_corpora_that_went_is_not_resumed(run):
    edit(run, "name: demo", "name: mtdata:ID")
    edit(run, "corpora: []", "corpora: [{name: cldr, weight: 1.0}]")
    with pytest.raises(InputError, match="with corpus mtdata:ID .removed., corpus cldr .re"):
        run.read_config_to_resume()


def test_settings_that_nothing_trained_depends_on_may_change(run):
    edit(run, "beam_size: 4", "beam_size: 2")
    edit(run, "film: []", "film: [A dog.]")  # a command of that name went
    config = run.read_config()
    assert (config.decoding.beam_size, config.film) == (2, ["A dog."])


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("model", 3, r"model \(3"),
        ("model", None, r"model \(nothing"),
        ("model", {**MODEL, "num_layers": "x"}, r"model.num_layers \('x'"),
        ("tokenizers", "a", r"tokenizers \('a'"),
        ("tokenizers", ["a"], r"tokenizers \(\['a'\]"),
        ("corpus", 5, r"corpus \(5"),
        ("settings", [], r"settings \(\[\]"),
        ("translator", 3, r"translator \(3"),
    ],
)
def test_a_damaged_record_gives_an_error_of_one_line(run, key, value, found):
    edit_record(run.record, **{key: value})
    message = f"run.json: expected a record of a training, found a wrong value of {found}\\); rest"
    with pytest.raises(InputError, match=message) as caught:
        run.read_config()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no json", "expected JSON, found something else; restore the file"),
        ('{"format_version": 1' + "0" * 5000 + "}", "expected JSON, found something else"),
        ("[" * 100_000, "expected JSON, found something else"),
        ("[1]", "found no format_version in it"),
        ("{}", "found no format_version in it"),
    ],
)
def test_a_record_that_is_not_a_json_object_gives_an_error_of_one_line(run, text, found):
    run.record.write_text(text)
    with pytest.raises(InputError, match=f"run.json: .*{found}") as caught:
        run.read_config()
    assert "\n" not in str(caught.value)


def test_recorded_texts_are_quoted_where_yaml_needs_it(run):
    edit_record(run.record, settings={"corpus.source_language": "no"})
    with pytest.raises(InputError, match="corpus.source_language was 'no' when .* found en;"):
        run.read_config()


def test_long_values_are_cut(run):
    edit_record(run.record, format_version=10**400)
    with pytest.raises(InputError, match="its format is 10+[.]{3}0+ and this release") as caught:
        run.read_config()
    assert len(str(caught.value)) < 300 + len(str(run.path))
    edit_record(run.record, format_version=1, settings={"data.max_length": 10**400})
    with pytest.raises(InputError, match="data.max_length was 10+… when") as caught:
        run.read_config()
    assert len(str(caught.value)) < 300 + len(str(run.path))


@pytest.fixture
def trained(tmp_path) -> RunDirectory:
    """A run of an earlier version, with trained tokenizers and without recorded settings."""
    tokenizer = {"vocab_size": 300}
    config = validate_config({**VALUES, "tokenizer": tokenizer}, "test")
    run = RunDirectory(tmp_path / "trained")
    run.path.mkdir()
    run.write_config(config)
    for name, letters in (("source.model", "abcdef"), ("target.model", "ghijkl")):
        words = ["".join(word) for word in itertools.product(letters, repeat=3)]
        (run.path / name).write_bytes(train_model([" ".join(words)], 300))
    fingerprints = [tokenizer.fingerprint for tokenizer in load_tokenizers(run.path, config)]
    RunRecord(MODEL, fingerprints, "c").write(run.path)
    assert run.read_tokenizers(run.read_config()).source.size == 300
    return run


@pytest.mark.parametrize(
    ("old", "new"),
    [("zero_digits: false", "zero_digits: true"), ("name: sentencepiece", "name: bpemb")],
)
def test_an_edited_tokenizer_of_an_earlier_version_is_refused(trained, old, new):
    edit(trained, old, new)
    with pytest.raises(InputError, match="the source.model and target.model of its training, fou"):
        trained.read_tokenizers(trained.read_config())


def test_another_model_file_is_named(trained):
    (trained.path / "target.model").write_bytes((trained.path / "source.model").read_bytes())
    with pytest.raises(InputError, match="expected the target.model of its training, found other"):
        trained.read_tokenizers(trained.read_config())


def test_a_record_survives_a_round_trip(run):
    record = read_record(run.record)._replace(weights="w", files={"model.bin": 1}, program="0.0.1")
    record.write(run.path)
    assert read_record(run.record) == record


def test_an_export_cannot_be_resumed(run):
    write_export(run)
    before = sorted(run.export.iterdir())
    with pytest.raises(InputError, match="expected a run to resume, found an export; name the run"):
        RunDirectory(run.export).read_config_to_resume()
    assert sorted(run.export.iterdir()) == before
    assert run.read_config_to_resume() == run.read_config()


def test_an_older_export_is_skipped_with_a_note_and_refused_if_required(run):
    import numpy as np

    write_export(run)
    assert is_export(run.export)
    notes = []
    assert find_export(run, report=notes.append) == run.export
    assert notes == []
    save_arrays(run.weights, {"kernel": np.ones(3, "float32")})
    assert find_export(run, report=notes.append) is None
    [note] = notes
    assert "found an export of other weights, so Keras is used; write a new one with" in note
    with pytest.raises(InputError, match="expected an export of this run's weights, found one of"):
        find_export(run, required=True)


@pytest.mark.parametrize("path", [None, 3, b"run"])
def test_what_is_not_a_path_is_refused(path):
    found = type(path).__name__
    with pytest.raises(InputError, match=f"^run: expected a path, as a string .*, found {found}$"):
        translator.load(path)


def test_a_path_that_is_not_utf_8_gives_an_error_of_one_line(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/r\xfcn")
    with pytest.raises(InputError, match=r"r\\xfcn: expected the path of a run in UTF-8"):
        RunDirectory(path)


def test_the_configuration_is_read_as_it_was_written(run, config):
    assert run.config.read_text("utf-8") == config_to_yaml(config)
    assert repr(run) == f"RunDirectory({str(run.path)!r})"
