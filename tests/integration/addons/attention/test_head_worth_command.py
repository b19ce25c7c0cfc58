"""`translator heads --ablate` and `--prune` as a user types them."""

import json
import re
import shlex

import pytest

import translator
from tests.commands import refused, run
from translator.runs.directory import RunDirectory


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


@pytest.mark.slow
def test_a_pruned_run_is_smaller_and_trains_further_as_advised(capfd, tiny_run, tmp_path):
    out = tmp_path / "pruned"
    code, _, err = run(
        capfd, "heads", tiny_run, "--limit", 8, "--prune-to", 0.5, "--pruned", out
    )  # fmt: skip
    assert code == 0, err
    [(before, after)] = re.findall(r"([\d,]+) parameters before, ([\d,]+) after", err)
    assert int(after.replace(",", "")) < int(before.replace(",", ""))
    assert re.search(r"BLEU \d+\.\d\d before, \d+\.\d\d after", err)
    config = RunDirectory(out).read_config().model
    assert config.num_heads + config.heads_of("decoder") < 4
    [advice] = re.findall(r"to train it a little: translator (.*)", err)
    assert run(capfd, *shlex.split(advice))[0] == 0
    assert translator.load(f"{out}-trained").translate("The cat.")[0].text


def test_bad_options_are_one_line(capfd, tiny_run, tmp_path):
    for options, message in [
        (("--prune-to", 0.5), "--pruned RUN with --prune-to"),
        (("--pruned", "any"), "--pruned RUN with --prune-to"),
        (("--prune-to", 0.9, "--pruned", "{out}", "--limit", 2), "expected at least 2 heads to go"),
        (("--prune-to", 0.5, "--pruned", "{run}"), "name another with --pruned"),
    ]:
        places = {"out": tmp_path / "out", "run": tiny_run}
        options = [each.format(**places) if isinstance(each, str) else each for each in options]
        assert message in refused(capfd, "heads", tiny_run, *options)
        assert not (tmp_path / "out").exists()
