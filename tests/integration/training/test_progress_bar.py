"""What the bar shows in terminals of several widths."""

import re
import types

import pytest

from translator.config.yaml_file import read_config
from translator.training.callbacks import BAR, ProgressBar
from translator.training.state import Progress
from translator.training.time_left import TimeLeft

FIGURES = {"loss": 12.345678, "accuracy": 0.98765}
TIMES = r"left (\d\d:\d\d|\?), run (\d+:\d\d:\d\d|\?)"


def shown(config, progress: Progress, columns: int | None) -> str:
    """The bar after an update, half full."""
    bar = ProgressBar(progress, 1000, config.training.epochs, TimeLeft(config, progress))
    bar.rate = lambda: 123_456.7
    bar.bar.close()
    bar.bar = types.SimpleNamespace(
        disable=False, format_dict={"ncols": columns}, bar_format=BAR, update=lambda: None
    )
    bar.on_train_batch_end(0, FIGURES)
    return bar.bar.bar_format.format(desc=bar.name, percentage=100, bar="#" * 10)


@pytest.fixture
def config(tiny_corpus):
    """Of a training of 120 epochs."""
    return read_config(tiny_corpus / "config.yaml", ("training.epochs=120",))


@pytest.fixture
def progress() -> Progress:
    """In the 12th of 120 epochs, each of which takes about an hour."""
    times = [
        {"updates": 1000 * epoch, "seconds": 3500.0, "validation_seconds": 60.0}
        for epoch in range(1, 12)
    ]
    return Progress(11, 500, [{"epoch": epoch} for epoch in range(1, 12)], times, 1750.0)


@pytest.mark.parametrize(
    ("columns", "ending"),
    [
        (40, ""),
        (60, TIMES),
        (80, rf"{TIMES} loss 12.346"),
        (90, rf"{TIMES} loss 12.346 123,457 tokens/s"),
        (200, rf"{TIMES} loss 12.346 123,457 tokens/s accuracy 98.8%"),
        (None, rf"{TIMES} loss 12.346 123,457 tokens/s accuracy 98.8%"),
    ],
)
def test_a_narrow_terminal_has_what_matters_most(config, progress, columns, ending):
    line = shown(config, progress, columns)
    assert re.fullmatch(rf"epoch  12/120 100%\|#{{10}}\| {ending}", line), line
    assert len(line) <= (columns or 1000)


def test_what_is_not_known_yet_is_a_question_mark(config):
    assert "| left ?, run ? loss" in shown(config, Progress(), 80)
