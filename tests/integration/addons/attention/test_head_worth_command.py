"""`translator heads --ablate` as a user types it."""

import json
import re

import pytest

import translator
from tests.commands import run


def test_the_table_says_what_each_head_is_worth(capfd, tiny_run, tmp_path):
    picture = tmp_path / "worth.png"
    code, out, err = run(
        capfd, "heads", tiny_run, "--limit", 8, "--ablate", "--out", picture
    )  # fmt: skip
    assert code == 0, err
    assert picture.stat().st_size
    sizes = translator.load(tiny_run).config.model
    rows = re.findall(r"^ +\d+ +\d+ .* (-?\d+\.\d{3}) +(-?\d+\.\d\d)  [a-z]", out, re.MULTILINE)
    assert len(rows) == 3 * sizes.num_layers * sizes.num_heads
    layers = re.findall(r"without all heads of layer (\d): loss [+-].*, BLEU [+-]", out)
    assert layers == ["1", "2"] * 3
    [(loss, bleu)] = re.findall(r"whole model: loss (.*) nats a token, BLEU (.*) with", out)

    found = json.loads(
        run(capfd, "heads", tiny_run, "--limit", 8, "--ablate", "--json")[1]
    )["worth"]  # fmt: skip
    assert found["whole"] == pytest.approx({"loss": float(loss), "bleu": float(bleu)}, abs=0.005)
    first = found["kinds"]["cross"]["heads"][0][0]
    assert float(rows[0][0]) == pytest.approx(first["loss"] - found["whole"]["loss"], abs=6e-4)
    assert float(rows[0][1]) == pytest.approx(first["bleu"] - found["whole"]["bleu"], abs=6e-3)
