"""What a training checks before Keras starts."""

import pytest

from translator.base.errors import InputError
from translator.config.yaml_file import validate_config
from translator.training import start


@pytest.mark.parametrize(
    ("corpus", "problem"),
    [
        ({"target_language": "jp"}, "corpus.target_language: expected .* did you mean ja"),
        ({}, "none.tsv: expected a text file, found nothing there"),
    ],
)
def test_languages_and_files_are_checked_before_keras_starts(
    corpus, problem, tmp_path, monkeypatch
):
    def too_late(training):
        raise AssertionError("Keras was started")

    monkeypatch.setattr(start, "_start", too_late)
    values = {"corpus": {"train": {"tsv": str(tmp_path / "none.tsv")}, **corpus}}
    config = validate_config({**values, "data": {"batch_size": 8}}, "test")
    with pytest.raises(InputError, match=problem):
        start.train(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()
