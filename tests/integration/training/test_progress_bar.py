"""What the bar of a training shows."""

import types

from translator.config.yaml_file import read_config
from translator.training.callbacks import BAR, ProgressBar
from translator.training.state import Progress
from translator.training.time_left import TimeLeft

FIGURES = {"loss": 12.345678, "accuracy": 0.98765}


def test_what_matters_most_comes_first_and_how_long_it_takes_is_told_once(tiny_corpus):
    """A narrow terminal cuts off the end."""
    config = read_config(tiny_corpus / "config.yaml", ("training.epochs=120",))
    progress, told = Progress(11, 0), list[str]()
    bar = ProgressBar(progress, 1000, 120, TimeLeft(config, progress), told.append)
    bar.rate = lambda: 123_456.7
    bar.bar.close()
    bar.bar = types.SimpleNamespace(disable=False, bar_format=BAR, update=lambda: None)
    shown = []
    for _ in range(2):
        progress.batch += 1
        progress.seconds += 1
        bar.refreshed = 0
        bar.on_train_batch_end(0, FIGURES)
        shown.append(bar.bar.bar_format.format(desc=bar.name, percentage=7, bar="##"))
    figures = "loss 12.346 123,457 tokens/s accuracy 98.8%"
    assert shown == [
        f"epoch  12/120   7%|##        | left ?, run ? {figures}",
        f"epoch  12/120   7%|##        | left 16:38, run 30:16:38 {figures}",
    ]
    assert told == []
    for _ in range(60):
        progress.batch += 1
        progress.seconds += 1
        bar.on_train_batch_end(0, FIGURES)
    [line] = told
    assert line.startswith("at the speed of its first updates training takes 30.3 h")
