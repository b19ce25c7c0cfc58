"""Pictures of trainings, drawn with matplotlib."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.training.metrics import perplexity
from translator.training.schedules import make_schedule
from translator.training.state import Figures, read_lines

POINTS = 1000
WITH_THOUSANDS = FuncFormatter(lambda value, _: f"{value:,g}")
TRAINING_SIDE = {"linestyle": "--", "alpha": 0.5}


class Panel(NamedTuple):
    """What one row of `plot_curves` shows.

    Attributes:
        name: on its axis.
        training: the figure of the training side, drawn pale; None for none.
        validation: the figure of the validation split, drawn full.
        falls: whether it begins high above where it ends, so that a step up is a factor
            and the first tenth of a run may lie above the panel.
    """

    name: str
    training: str | None
    validation: str | None
    falls: bool = False


PANELS = (
    Panel("loss", "loss", "val_loss", True),
    Panel("perplexity", "perplexity", "val_perplexity", True),
    Panel("BLEU", None, "val_bleu"),
    Panel("learning rate", "learning_rate", None),
    Panel("target tokens a second", "target_tokens_per_second", None),
)


def read_curves(run: RunDirectory) -> list[Figures]:
    """What was measured at each validation of a run, and after how many minutes.

    Raises:
        InputError: the run has no figures, or damaged ones.
    """
    lines, minutes = [], 0.0
    for figures, times in zip(read_lines(run.metrics), read_lines(run.times)):
        minutes += (times["seconds"] + times["validation_seconds"]) / 60
        of_training = {"perplexity": perplexity(figures["cross_entropy"])}
        lines.append({**times, **figures, **of_training, "minutes": minutes})
    return lines


def plot_curves(runs: Mapping[str, Sequence[Figures]]) -> Figure:
    """Draws the figures of runs, over updates and over time, in one colour a run.

    Args:
        runs: from `read_curves`, by the runs' names.

    Returns:
        The figure; `translator.base.figures.save_figure` writes it.
    """
    measured = {name for lines in runs.values() for line in lines for name in line}
    panels = [p for p in PANELS if {p.training, p.validation} & measured]
    figure = Figure(figsize=(11, 2.4 * len(panels) + 0.6), layout="constrained")
    grid = figure.subplots(len(panels), 2, sharex="col", sharey="row", squeeze=False)
    for row, panel in zip(grid, panels):
        for axes, over in zip(row, ("updates", "minutes")):
            for i, lines in enumerate(runs.values()):
                _draw(axes, panel, lines, over, f"C{i}")
            axes.grid(alpha=0.3)
            axes.set_yscale("log" if panel.falls else "linear")
            axes.yaxis.set_major_formatter(WITH_THOUSANDS)
        row[0].set_ylabel(panel.name)
        if panel.falls:
            row[0].set_ylim(*_limits(panel, runs.values()))
            row[0].yaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10)))
            row[0].yaxis.set_minor_locator(NullLocator())
    for axes, name in zip(grid[-1], ("updates", "minutes, validation included")):
        axes.set_xlabel(name)
        axes.xaxis.set_major_formatter(WITH_THOUSANDS)
    shown = [Line2D([], [], color=f"C{i}", label=name) for i, name in enumerate(runs)]
    shown.append(Line2D([], [], color="0.5", label="training side", **TRAINING_SIDE))
    figure.legend(handles=shown, loc="outside upper center", ncols=min(len(shown), 4))
    return figure


def _limits(panel: Panel, runs: Collection[Sequence[Figures]]) -> tuple[float, float]:
    late = [line for lines in runs for line in lines[len(lines) // 10 :]]
    keys = panel.training, panel.validation
    values = [line[key] for line in late for key in keys if np.isfinite(line.get(key, np.inf))]
    return min(values) / 1.03, max(values) * 1.03


def _draw(axes: Axes, panel: Panel, lines: Sequence[Figures], over: str, color: str) -> None:
    looks = {panel.training: TRAINING_SIDE if panel.validation else {}, panel.validation: {}}
    for key, look in looks.items():
        if points := [(line[over], line[key]) for line in lines if key in line]:
            axes.plot(*zip(*points), color=color, marker="." if len(points) < 3 else None, **look)


def plot_schedule(config: Config, updates: int) -> Figure:
    """Draws the learning rate over the updates of a run.

    Args:
        config: the run's.
        updates: how many.

    Returns:
        The figure; `translator.base.figures.save_figure` writes it.
    """
    settings, note = config.training.schedule, ""
    if settings.has_end and settings.total_steps is None:
        total_steps = max(updates, settings.warmup_steps + 1)
        settings = settings.model_copy(update={"total_steps": total_steps})
        note = f"\n(as if the training had {total_steps:,} updates; see --updates)"
    schedule = make_schedule(settings, config.model.d_model)
    steps = np.linspace(0, updates - 1, POINTS).astype(int)
    peak = min(max(settings.warmup_steps, 1), updates) - 1
    steps = np.unique([*steps, peak])
    rates = np.array(schedule(steps))
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(steps + 1, rates)
    highest = int(rates.argmax())
    axes.set_title(
        f"{settings.name}: at most {rates[highest]:.2g}, at update {steps[highest] + 1:,}{note}"
    )
    axes.set_xlabel("update")
    axes.set_ylabel("learning rate")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(WITH_THOUSANDS)
    axes.grid(alpha=0.3)
    return figure


def usual_updates(config: Config) -> int:
    """As many updates as show all of a schedule: to its end, or ten times its warm-up."""
    settings = config.training.schedule
    return settings.total_steps or max(10 * settings.warmup_steps, 100)
