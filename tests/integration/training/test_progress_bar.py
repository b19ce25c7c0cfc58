"""What the bar of a training shows."""

import types

import numpy as np

from translator.training.backends import Figures
from translator.training.messages import BAR, ProgressBar
from translator.training.state import Progress

FIGURES = Figures(np.float32([12.345678, 1, 9, 1, 0.98765, 1]))


def test_what_matters_most_comes_first():
    """A narrow terminal cuts off the end."""
    bar = ProgressBar(Progress(11, 0), 1000, 120, compiles=True)
    bar.bar.close()
    bar.bar = types.SimpleNamespace(disable=False, bar_format=BAR, update=lambda: None)
    shown = []
    for left in (None, 108_998.0):
        bar.refreshed = 0
        bar.advance(FIGURES, 123_456.7, lambda left=left: left)
        known = {"desc": bar.name, "percentage": 7, "bar": "##", "remaining": "16:38"}
        shown.append(bar.bar.bar_format.format(**known))
    figures = "loss 12.346 123,457 tokens/s accuracy 98.8%"
    assert shown == [
        f"epoch  12/120   7%|##        | left 16:38, run ? {figures}",
        f"epoch  12/120   7%|##        | left 16:38, run 30:16:38 {figures}",
    ]
