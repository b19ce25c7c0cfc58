"""The Python of the pages is true: layers are built with, subclassed, fitted and saved."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from translator.model.transformer import Transformer

DOCS = Path(__file__).parents[3] / "docs"


def run_page(name: str, *changes: tuple[str, str]) -> dict[str, Any]:
    """What the Python of a page defines, after some changes of its text."""
    names: dict[str, Any] = {"__name__": "page"}
    page = (DOCS / name).read_text("utf-8")
    for old, new in changes:
        page = page.replace(old, new)
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(example, name, "exec"), names)
    return names


@pytest.mark.filterwarnings("ignore:__array__ implementation")  # of Keras, as it saves
def test_the_page_about_layers_builds_a_model_that_learns_and_comes_back(tmp_path, monkeypatch):
    keras.utils.set_random_seed(1)
    monkeypatch.chdir(tmp_path)
    names = run_page("layers.md")
    assert names["losses"][-1] < names["losses"][0] / 2
    model, again = (np.array(names[name]([names["ids"]] * 2)) for name in ("model", "again"))
    assert np.array_equal(model, again)


@pytest.mark.slow
def test_the_page_about_python_trains_records_and_calls_the_model(
    tiny_corpus, tmp_path, monkeypatch
):
    shutil.copy(tiny_corpus / "train.tsv", tmp_path / "pairs.tsv")
    monkeypatch.chdir(tmp_path)
    names = run_page("python-api.md", ("checkpoints/demo", "en-de"), ('": 10', '": 0.2'))
    assert json.loads(json.dumps(names["values"]))["source"] == "A dog."
    assert np.shape(names["logits"])[:2] == (1, 3)


def test_a_summary_shows_the_shapes_of_a_model_that_was_not_called_yet():
    sizes = {"num_layers": 1, "d_model": 32, "num_heads": 2, "dff": 64}
    lines: list[str] = []
    Transformer(sizes, 12, 12, 8, 0, 0).summary(print_fn=lines.append, expand_nested=True)
    assert "?" not in "".join(lines)
    assert "".join(lines).count("(None, None, 32)") == 6
