"""The example of training on the page about Python is true."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python-api.md"


@pytest.mark.slow
def test_the_example_trains_records_and_calls_the_model(tiny_corpus, tmp_path, monkeypatch):
    _, example = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    example = example.replace('"minutes": 10', '"minutes": 0.2')
    shutil.copy(tiny_corpus / "train.tsv", tmp_path / "pairs.tsv")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(example, str(PAGE), "exec"), names)
    assert json.loads(json.dumps(names["values"]))["source"] == "A dog."
    assert np.shape(names["logits"])[:2] == (1, 3)
