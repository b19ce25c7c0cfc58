"""What a training says while it runs: a bar for each epoch, a line for each validation."""

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from tqdm import tqdm

from translator.training.backends import Figures
from translator.training.clock import Remaining
from translator.training.state import Progress

REFRESH_SECONDS = 0.5  # between two drawings of the bar
FIRST = "preparing the first update"
BAR = "{desc} {percentage:3.0f}%|{bar:10}| "


class ProgressBar:
    """One tqdm bar for each epoch: time left, loss, tokens per second, accuracy.

    Args:
        count: of the epoch's updates.
        compiles: whether the next update is the first one of a compiled step.
    """

    def __init__(self, progress: Progress, count: int, epochs: int, compiles: bool) -> None:
        self.progress = progress
        self.count = count
        self.name = f"epoch {progress.epoch + 1:>{len(str(epochs))}}/{epochs}"
        self.refreshed = 0.0
        self.bar = tqdm(
            total=count,
            initial=progress.batch,
            desc=self.name,
            bar_format=BAR + FIRST * compiles,
            mininterval=REFRESH_SECONDS,
            leave=False,
            dynamic_ncols=True,
            file=sys.stderr,
            disable=None,  # elsewhere each validation prints a line
        )

    def advance(
        self, figures: Figures, tokens_per_second: float, left: Callable[[], Remaining]
    ) -> None:
        """Moves the bar; figures are read only for a bar that is drawn again."""
        now = time.perf_counter()
        if not self.bar.disable and now - self.refreshed > REFRESH_SECONDS:
            self.refreshed, seconds = now, left()
            shown = {**figures.read(), "target_tokens_per_second": tokens_per_second}
            loss, accuracy, rate = _parts_of_summary(shown)
            times = f"left {_interval(seconds.epoch)}, run {_interval(seconds.run)}"
            self.bar.bar_format = f"{BAR}{times} {loss} {rate} {accuracy}"  # tqdm cuts off the end
        self.bar.update()

    def describe_position(self) -> str:
        """The epoch, and how much of it is done."""
        if self.progress.batch == self.count:
            return self.name
        return f"{self.name} {self.progress.batch / self.count:3.0%}"

    def close(self) -> None:
        """Removes the bar."""
        self.bar.close()


def describe_validation(
    position: str,
    figures: Mapping[str, Any],
    times: Mapping[str, Any],
    seconds_left: float | None,
    best: str | None = None,
) -> str:
    """The figures of a validation as the line above the bar.

    Args:
        figures: a line of ``metrics.jsonl``.
        times: a line of ``times.jsonl``.
        best: the name of the metric where no validation before was better.
    """
    line = f"{position}  {times['seconds']:.0f} s  "
    line += " ".join(_parts_of_summary({**figures, **times}))
    line += f"  validation loss {figures['val_cross_entropy']:.3f}"
    line += f" accuracy {figures['val_accuracy']:.1%}"
    if "val_bleu" in figures:
        line += f" BLEU {figures['val_bleu']:.2f} chrF2 {figures['val_chrf']:.2f}"
    if best is not None:
        line += f"  best {best} so far"
    if seconds_left:
        line += f"  left {_interval(seconds_left)}"
    return line


def report_above_bar(report: Callable[[str], None]) -> Callable[[str], None]:
    """A report function whose lines appear above a bar on the terminal, not inside it."""

    def report_line(line: str) -> None:
        with tqdm.external_write_mode(file=sys.stderr):
            report(line)

    return report_line


def _parts_of_summary(figures: Mapping[str, Any]) -> tuple[str, str, str]:
    loss, accuracy, rate = (
        float(figures[name]) for name in ("loss", "accuracy", "target_tokens_per_second")
    )
    return f"loss {loss:.3f}", f"accuracy {accuracy:.1%}", f"{rate:,.0f} tokens/s"


def _interval(seconds: float | None) -> str:
    """Such as 02:31 or 1:02:31; a question mark where it is not known."""
    return "?" if seconds is None else str(tqdm.format_interval(seconds))
