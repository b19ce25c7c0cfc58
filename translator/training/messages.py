"""Reports of a training: a bar for each epoch, a line for each validation, and failures."""

import contextlib
import itertools
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tqdm import tqdm

from translator.base.errors import InputError
from translator.config.schema import DataConfig
from translator.data.batches import Batches
from translator.tokenizers.masks import with_names
from translator.tokenizers.subword import Tokenizers
from translator.training.state import STABILITY_ADVICE, Progress

if TYPE_CHECKING:
    from translator.training.backends import Figures

REFRESH_SECONDS = 0.5  # between two drawings of the bar
FIRST = "preparing the first update"
EXAMPLE_PAIRS = 2  # sentence pairs of a batch that a message quotes
BAR = "{desc} {percentage:3.0f}%|{bar:10}| "
METRICS = {"cross_entropy": "loss", "loss": "smoothed loss", "bleu": "BLEU", "chrf": "chrF2"}


class ProgressBar:
    """One tqdm bar for each epoch: time left, loss, tokens per second, accuracy.

    Args:
        count: the epoch's updates.
        compiles: whether the next update is the first update of a compiled step.
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
            disable=None,  # no bar outside a terminal: each validation prints a line
        )

    def advance(
        self, figures: "Figures", tokens_per_second: float, seconds_left: Callable[[], float | None]
    ) -> None:
        """Moves the bar; reads figures only if the bar is drawn again."""
        now = time.perf_counter()
        if not self.bar.disable and now - self.refreshed > REFRESH_SECONDS:
            self.refreshed = now
            shown = {**figures.read(), "target_tokens_per_second": tokens_per_second}
            loss, accuracy, rate = _parts_of_summary(shown)
            times = f"left {{remaining}}, run {_interval(seconds_left())}"
            self.bar.bar_format = f"{BAR}{times} {loss} {rate} {accuracy}"  # tqdm cuts off the end
        self.bar.update()

    def describe_position(self) -> str:
        """The epoch, and how much of the epoch is done."""
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
    """Describes the figures of a validation in a line above the bar.

    Args:
        figures: a line of ``metrics.jsonl``.
        times: a line of ``times.jsonl``.
        best: the name of the metric, if no earlier validation was better.
    """
    line = f"{position}  {times['seconds']:.0f} s  "
    line += " ".join(_parts_of_summary({**figures, **times}))
    line += f"  validation loss {figures['val_cross_entropy']:.3f}"
    line += f" accuracy {figures['val_accuracy']:.1%}"
    if "val_bleu" in figures:
        line += f" BLEU {figures['val_bleu']:.2f} chrF2 {figures['val_chrf']:.2f}"
    if best is not None:
        line += f"  best {METRICS.get(best, best)} so far"
    if seconds_left:
        line += f"  left {_interval(seconds_left)}"
    return line


def report_above_bar(report: Callable[[str], None]) -> Callable[[str], None]:
    """Makes a report function. Its lines appear above a bar on the terminal, not inside the bar."""

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
    """A time such as 02:31 or 1:02:31; a question mark if it is not known."""
    return "?" if seconds is None else str(tqdm.format_interval(seconds))


class FailedUpdate(NamedTuple):
    """An update that failed.

    Attributes:
        earlier: the number of updates of the run before this epoch.
        position: the place of the failed update in its epoch, from 0.
    """

    earlier: int
    batches: Batches
    position: int

    def pairs(self, tokenizers: Tokenizers) -> list[tuple[str, str]]:
        """The sentence pairs of the update, decoded to text."""
        rows = itertools.chain.from_iterable(self.batches.plan[self._batch_slice])
        source, target = tokenizers
        pairs = self.batches.pairs
        return [
            (with_names(source.decode(pairs.source[i])), with_names(target.decode(pairs.target[i])))
            for i in rows
            if i >= 0  # not padding
        ]

    def describe(self) -> str:
        """Names the number of the update and the shapes of its batches."""
        shapes = (
            f"{sentences} sentences of up to {source} source and {target} target tokens"
            for sentences, source, target in self.batches.shapes[self._batch_slice].tolist()
        )
        return f"at update {self.earlier + self.position + 1:,}, {' and '.join(shapes)}"

    @property
    def _batch_slice(self) -> slice:
        count = self.batches.layout.accumulation_steps
        return slice(self.position * count, (self.position + 1) * count)


def non_finite_loss_error(
    loss: str, update: FailedUpdate, pairs: Sequence[tuple[str, str]], file: Path
) -> InputError:
    """The error for a NaN or infinite loss."""
    quoted = ", ".join(f"{source!r} with {target!r}" for source, target in pairs[:EXAMPLE_PAIRS])
    return InputError(
        f"the loss became {loss} {update.describe()}, such as {quoted} (all of them:"
        f" {file}); look there for pairs that are not translations, or"
        f" {STABILITY_ADVICE}"
    )


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error of Python or of a backend means that memory ran out."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"MemoryError", "ResourceExhaustedError"}) or "RESOURCE_EXHAUSTED" in str(
        error
    )


@contextlib.contextmanager
def explaining_lack_of_memory(data: DataConfig, where: Callable[[], str]) -> Iterator[None]:
    """Tells the user what to do if a batch in the block is too large for the machine.

    Args:
        where: returns a text about the step that needed too much memory, and its batch's shape.
    """
    try:
        yield
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        setting = "batch_tokens" if data.batch_tokens else "batch_size"
        raise InputError(
            f"out of memory {where()}; train again with data.{setting} below"
            f" {getattr(data, setting)}, and with training.accumulation_steps=2 or more to keep the"
            " size of the updates; the last checkpoint is kept"
        ) from None
