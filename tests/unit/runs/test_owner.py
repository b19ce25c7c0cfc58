"""Weights say whose they are; another run's are refused by its name, and old files are not."""

import numpy as np
import pytest

from translator.base.errors import InputError
from translator.base.files import whole_folder
from translator.config.yaml_file import config_to_yaml, validate_config
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import load_weights
from translator.runs.record import RunRecord, settings_of
from translator.runs.weights import load_arrays, save_arrays, weights_fingerprint
from translator.training.state import Progress, read_progress

MODEL = {"num_layers": 1, "d_model": 8, "num_heads": 2, "dff": 16}
ARRAYS = {"kernel": np.arange(6.0).reshape(2, 3)}


@pytest.fixture
def make_run(tmp_path):
    """Writes runs of one array, with a model and tokenizers of a test's choice."""

    def make(name: str, tokenizers=("a", "b"), languages=("en", "de"), **model) -> RunDirectory:
        corpus = dict(zip(("source_language", "target_language"), languages))
        values = {"corpus": {"train": {"tsv": "x"}, **corpus}, "model": {**MODEL, **model}}
        config = validate_config({**values, "data": {"batch_size": 8}}, "test")
        run = RunDirectory(tmp_path / name)
        with whole_folder(run.path) as partial:
            (partial / "config.yaml").write_text(config_to_yaml(config), "utf-8")
            settings = config.model.model_dump(), list(tokenizers), None, settings_of(config)
            RunRecord(*settings).write(partial)
            written = RunDirectory(partial)
            written.write_weights(written.weights, ARRAYS)
        return run

    return make


def put(path, run) -> None:
    """Copies a file of weights into another run."""
    run.weights.write_bytes(path.read_bytes())


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        ({"tokenizers": ("a", "c")}, "tokenizers"),
        ({"tokenizers": ("b", "a"), "languages": ("de", "en")}, "languages and tokenizers"),
        ({"tokenizers": ("a", "a"), "languages": ("de", "en")}, "languages and tokenizers"),
        ({"languages": ("de", "en")}, "languages"),
        ({"num_heads": 4}, "model settings"),
        ({"activation": "gelu"}, "model settings"),
    ],
)
def test_weights_of_another_run_are_refused_by_its_name(make_run, other, differs):
    ours, theirs = make_run("ours"), make_run("theirs", **other)
    put(theirs.weights, ours)
    message = (
        f"{ours.weights}: expected the weights of this run, found the weights of theirs, which has"
        f" other {differs}; restore this run's file, or train again"
    )
    for read in (load_weights, lambda run: run.read_weights(run.find_weights())):
        with pytest.raises(InputError) as error:
            read(ours)
        assert str(error.value) == message


def test_weights_of_a_run_that_means_the_same_are_taken(make_run):
    ours, theirs = make_run("ours"), make_run("theirs", dropout_rate=0.3)
    put(theirs.weights, ours)
    assert load_weights(ours)["kernel"].tolist() == ARRAYS["kernel"].tolist()


def test_keys_that_a_later_version_adds_change_no_owner(make_run):
    run = make_run("run")
    record = run.read_record()
    model = {key: value for key, value in record.model.items() if key != "positions"}
    record._replace(model=model | {"of_a_later_version": 1}).write(run.path)
    assert load_weights(RunDirectory(run.path)).keys() == ARRAYS.keys()


@pytest.mark.parametrize("comment", [b"", b"anything", b"[1]", b'{"run": "theirs"}', b"\xff"])
def test_a_file_that_does_not_say_whose_it_is_is_taken(make_run, comment):
    run = make_run("run")
    fingerprint = weights_fingerprint(run.weights)
    save_arrays(run.weights, ARRAYS, comment=comment)
    assert load_weights(run)["kernel"].tolist() == ARRAYS["kernel"].tolist()
    assert weights_fingerprint(run.weights) == fingerprint


def test_a_run_of_a_version_that_recorded_no_languages_is_compared_by_the_rest(make_run):
    ours, theirs = make_run("ours"), make_run("theirs")
    ours.read_record()._replace(settings={}).write(ours.path)
    put(theirs.weights, ours)
    assert RunDirectory(ours.path).owner.languages == ""
    assert load_weights(RunDirectory(ours.path)).keys() == ARRAYS.keys()


def test_other_programs_read_the_file_as_before(make_run):
    run = make_run("run")
    with np.load(run.weights) as arrays:
        assert {name: arrays[name].tolist() for name in arrays} == {
            "kernel": [[0, 1, 2], [3, 4, 5]]
        }
    assert load_arrays(run.weights)["kernel"].flags["C_CONTIGUOUS"]


@pytest.mark.parametrize("name", ["last", "before_last", "weights"])
def test_a_state_of_another_run_is_refused_and_stays(make_run, name):
    """It is not taken for a damaged one, which the state before it replaces."""
    ours, theirs = make_run("ours"), make_run("theirs", activation="gelu")
    progress = {"progress": Progress().to_array()}
    for path in (ours.last, ours.before_last):
        ours.write_weights(path, progress)
    assert read_progress(ours).epoch == 0
    foreign = getattr(ours, name)
    theirs.write_weights(foreign, progress)
    content = foreign.read_bytes()
    with pytest.raises(InputError, match=f"{foreign.name}: expected the weights of .* theirs"):
        read_progress(ours)
    assert foreign.read_bytes() == content
