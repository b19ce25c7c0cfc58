"""Pictures of trainings: their figures over time, and their learning rate."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

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
TRAINING_STYLE: dict[str, Any] = {"linestyle": "--", "alpha": 0.5}


class CurvePanel(NamedTuple):
    """One row of the picture that `plot_curves` draws.

    Attributes:
        name: on its axis.
        training: name of the figure of the training split, drawn pale; None for none.
        validation: name of the figure of the validation split, drawn in full colour.
        falls: whether the figure starts much higher than it ends. Then the axis is
            logarithmic, and values of the first tenth of a run may be cut off.
    """

    name: str
    training: str | None
    validation: str | None
    falls: bool = False


PANELS = (
    CurvePanel("loss", "loss", "val_loss", True),
    CurvePanel("perplexity", "perplexity", "val_perplexity", True),
    CurvePanel("BLEU", None, "val_bleu"),
    CurvePanel("learning rate", "learning_rate", None),
    CurvePanel("target tokens a second", "target_tokens_per_second", None),
)


def read_curves(run: RunDirectory) -> list[Figures]:
    """The figures of each validation of a run, with the minutes until then.

    Raises:
        InputError: the run has no figures, or damaged ones.
    """
    lines, minutes = [], 0.0
    metrics = read_lines(run.metrics, required=("updates", "cross_entropy"))
    durations = read_lines(run.times, required=("seconds", "validation_seconds"))
    for figures, times in zip(metrics, durations):
        minutes += (times["seconds"] + times["validation_seconds"]) / 60
        of_training = {"perplexity": perplexity(figures["cross_entropy"])}
        lines.append({**times, **figures, **of_training, "minutes": minutes})
    return lines


def plot_curves(runs: Mapping[str, Sequence[Figures]]) -> Figure:
    """Draws the figures of runs over updates and over time, each run in its own colour.

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
            row[0].set_ylim(_limits(panel, runs.values()))
            row[0].yaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10)))
            row[0].yaxis.set_minor_locator(NullLocator())
    for axes, name in zip(grid[-1], ("updates", "minutes, validation included")):
        axes.set_xlabel(name)
        axes.xaxis.set_major_formatter(WITH_THOUSANDS)
    handles = [Line2D([], [], color=f"C{i}") for i in range(len(runs))]
    handles.append(Line2D([], [], color="0.5", **TRAINING_STYLE))
    _add_legend(figure, handles, [*runs, "training side"])
    return figure


def _add_legend(figure: Figure, handles: list[Line2D], labels: list[str]) -> None:
    """Adds a legend whose labels are plain text, whatever characters they have.

    matplotlib would leave a label out that begins with an underscore, and read one with dollar
    signs as a formula.
    """
    columns = min(len(handles), 4)
    numbers = [str(i) for i in range(len(handles))]
    legend = figure.legend(handles, numbers, loc="outside upper center", ncols=columns)
    for text, label in zip(legend.get_texts(), labels):
        text.set_parse_math(False)
        text.set_text("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in label))


def _limits(panel: CurvePanel, runs: Collection[Sequence[Figures]]) -> tuple[float, float] | None:
    """The ends of a falling panel's axis; None where no figure is finite."""
    late = [line for lines in runs for line in lines[len(lines) // 10 :]]
    keys = [key for key in (panel.training, panel.validation) if key]
    values = [line[key] for line in late for key in keys if key in line]
    finite = [value for value in values if np.isfinite(value)]
    return (min(finite) / 1.03, max(finite) * 1.03) if finite else None


def _draw(axes: Axes, panel: CurvePanel, lines: Sequence[Figures], over: str, color: str) -> None:
    pale = TRAINING_STYLE if panel.validation else {}
    for key, style in ((panel.training, pale), (panel.validation, {})):
        if points := [(line[over], line[key]) for line in lines if key and key in line]:
            marker = "." if len(points) < 3 else None
            axes.plot(*zip(*points), color=color, marker=marker, **style)


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
        note = f"\n(for a training of {total_steps:,} updates; see --updates)"
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
    """How many updates show a whole schedule: all until its end, or ten times its warm-up."""
    settings = config.training.schedule
    return settings.total_steps or max(10 * settings.warmup_steps, 100)
