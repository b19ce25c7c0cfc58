"""The layers are Keras's, which a learner builds with, subclasses, fits and saves."""

import re
from pathlib import Path

import keras
import numpy as np
import pytest

from translator.model.transformer import Transformer

PAGE = Path(__file__).parents[3] / "docs" / "layers.md"


@pytest.mark.filterwarnings("ignore:__array__ implementation")  # of Keras, as it saves
def test_the_page_about_layers_builds_a_model_that_learns_and_comes_back(tmp_path, monkeypatch):
    keras.utils.set_random_seed(1)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for example in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        exec(compile(example, str(PAGE), "exec"), names)
    assert names["losses"][-1] < names["losses"][0] / 2
    model, again = (np.array(names[name]([names["ids"]] * 2)) for name in ("model", "again"))
    assert np.array_equal(model, again)


def test_a_summary_shows_the_shapes_of_a_model_that_was_not_called_yet():
    sizes = {"num_layers": 1, "d_model": 32, "num_heads": 2, "dff": 64}
    lines: list[str] = []
    Transformer(sizes, 12, 12, 8, 0, 0).summary(print_fn=lines.append, expand_nested=True)
    assert "?" not in "".join(lines)
    assert "".join(lines).count("(None, None, 32)") == 6
