"""The bar of a training in a terminal of 80 columns."""

import re

import pytest

from tests.terminal import CONTROL, terminal

BAR = re.compile(
    r"epoch (\d)/3 +(\d+)%\|.{10}\| left (\?|\d\d:\d\d), run (\?|\d\d:\d\d) loss \d+\.\d{3}"
    r" [\d,]+ tokens/s.*"
)


@pytest.mark.slow
def test_the_bar_fits_and_says_what_is_left_of_the_run(tiny_corpus, tmp_path):
    settings = ("training.epochs=3", "data.batch_size=1", "model.num_layers=1")
    options = [part for setting in settings for part in ("--set", setting)]
    run = tmp_path / "run"
    with terminal(tiny_corpus / "config.yaml", "--run", run, *options, command="train") as shown:
        shown.expect("done: ", seconds=300)
        assert shown.end() == 0
    drawn = re.split("[\r\n]+", CONTROL.sub("", shown.seen))
    bars = [line for line in drawn if "tokens/s" in line and "%|" in line]
    assert len(bars) >= 3
    for line in bars:
        assert len(line) <= 80, line
        assert BAR.fullmatch(line), line
    assert any(re.search(r"run \d\d:\d\d", line) for line in bars)
    [first, *_, last] = [line for line in drawn if re.match(r"epoch \d/3  \d+ s ", line)]
    assert re.search(r"  best loss so far  left \d\d:\d\d$", first), first
    assert "  left " not in last
