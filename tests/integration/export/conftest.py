"""Runs of any shape, to export."""

import shutil

import keras
import pytest

from translator.config.yaml_file import validate_config
from translator.runs.directory import RunDirectory
from translator.runs.weights import make_model, model_weights, save_arrays
from translator.tokenizers.opening import load_tokenizers
from translator.tokenizers.subword import FILE_NAMES


@pytest.fixture(scope="module")
def random_run(tiny_run, tmp_path_factory):
    """Makes runs of any shape with random weights and the tiny run's tokenizers."""

    def make(source_start: bool = True, **model) -> RunDirectory:
        shared = model.get("tied_embeddings") == "all"
        values = RunDirectory(tiny_run).read_config().model_dump()
        values["model"] = {"num_layers": 2, "d_model": 32, "num_heads": 4, "dff": 48, **model}
        values["tokenizer"] |= {"shared": shared, "source_start": source_start}
        config = validate_config(values, "test")
        tokenizers = load_tokenizers(tiny_run, config)
        if shared:
            folder = tmp_path_factory.mktemp("tokenizers")
            for name in FILE_NAMES:
                shutil.copy(tiny_run / FILE_NAMES[1], folder / name)
            tokenizers = load_tokenizers(folder, config)
        run = RunDirectory(tmp_path_factory.mktemp("runs") / "run")
        run.create(config, tokenizers, "none")
        keras.utils.set_random_seed(5)
        built = make_model(config, tokenizers)
        for weight in built.weights:
            weight.assign_add(0.2 * keras.random.normal(weight.shape))
        save_arrays(run.weights, model_weights(built))
        return run

    return make
