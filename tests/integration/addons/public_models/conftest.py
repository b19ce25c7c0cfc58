"""Public models of three shapes, and the runs that they are imported as."""

import shutil

import pytest

from tests.public_models import SHAPES, write_hugging_face, write_tokenizers
from translator.addons.public_models.importing import import_model


@pytest.fixture(scope="session")
def tokenizer_files(build_once):
    """A folder with source.spm and target.spm."""
    return build_once("marian-tokenizers", write_tokenizers)


@pytest.fixture(scope="session")
def public_model(build_once, tokenizer_files):
    """Writes a public model once, by the name of its shape; returns its folder."""

    def make(name: str):
        def write(folder):
            for side in ("source", "target"):
                shutil.copy(tokenizer_files / f"{side}.spm", folder)
            write_hugging_face(folder, SHAPES[name])

        return build_once(f"opus-{name}", write)

    return make


@pytest.fixture(scope="session")
def imported(build_once, public_model):
    """Imports a public model once; returns its run."""

    def make(name: str):
        languages = ("en", "mul" if SHAPES[name].multilingual else "de")
        built = build_once(
            f"imported-{name}",
            lambda place: import_model(public_model(name), place / "run", *languages),
        )
        return built / "run"

    return make
