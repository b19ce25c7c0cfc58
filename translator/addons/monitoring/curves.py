"""Pictures of trainings: their figures over updates and over time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from translator.config.schema import Config
from translator.model.losses import perplexity
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures, read_lines
from translator.training.optimizer import make_schedule
from translator.training.state import Selection

POINTS = 1000  # of the learning rate
WITH_THOUSANDS = FuncFormatter(lambda value, _: f"{value:,.12g}")
PERCENT = FuncFormatter(lambda value, _: f"{100 * value:g} %")
TRAINING_STYLE: dict[str, Any] = {"linestyle": "--", "alpha": 0.5}
BEST_STYLE: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 7, "fillstyle": "none"}
PANEL_HEIGHT = 2.4  # inches
MARGIN = 1.05  # around the values of a logarithmic axis, as a factor
X_NAMES = {"updates": "updates", "minutes": "minutes, validation included"}


class Curves(NamedTuple):
    """The curves of a run, which `plot_curves` draws.

    Attributes:
        lines: the figures of each validation, with the minutes until then.
        rates: updates (from 1) and the learning rate of each, as two arrays.
        best: the number, from 0, of the best validation; None if none measured the metric.
        best_name: the metric and its best value, for the legend.
    """

    lines: Sequence[Figures]
    rates: tuple[np.ndarray, np.ndarray]
    best: int | None
    best_name: str

    def minutes_at(self, updates: np.ndarray) -> np.ndarray:
        """The minutes until these updates, interpolated between two validations."""
        of_updates, of_minutes = ([0.0, *(line[x] for line in self.lines)] for x in X_NAMES)
        return np.asarray(np.interp(updates, of_updates, of_minutes), float)


class CurvePanel(NamedTuple):
    """One part of the picture that `plot_curves` draws.

    Attributes:
        name: the name on its axis, with the unit.
        training: name of the figure of the training split, drawn pale; None for none.
        validation: name of the figure of the validation split, drawn in full colour.
        falls: whether the figure starts much higher than it ends. Then the axis is
            logarithmic, and values of the first tenth of a run may be cut off.
        labels: writes the values of its axis.
    """

    name: str
    training: str | None
    validation: str | None
    falls: bool = False
    labels: FuncFormatter = WITH_THOUSANDS


PANELS = (
    CurvePanel("loss, nats a token", "loss", "val_loss", True),
    CurvePanel("perplexity", "perplexity", "val_perplexity", True),
    CurvePanel("accuracy of tokens", "accuracy", "val_accuracy", labels=PERCENT),
    CurvePanel("BLEU", None, "val_bleu"),
    CurvePanel("learning rate", "learning_rate", None),
    CurvePanel("target tokens a second", "target_tokens_per_second", None),
)


def read_curves(run: RunDirectory) -> Curves:
    """The figures of each validation of a run, and its learning rate."""
    lines, minutes = [], 0.0
    metrics = read_lines(run.metrics, required=("updates", "cross_entropy"))
    durations = read_lines(run.times, required=("seconds", "validation_seconds"))
    for figures, times in zip(metrics, durations):
        minutes += (times["seconds"] + times["validation_seconds"]) / 60
        derived = {"perplexity": perplexity(figures["cross_entropy"])}
        lines.append({**times, **figures, **derived, "minutes": minutes})
    return make_curves(lines, run.read_config())


def make_curves(lines: Sequence[Figures], config: Config) -> Curves:
    """The curves of a run with these figures."""
    rates = _rates_of(config, lines) if lines else (np.array([]), np.array([]))
    selection = Selection(config.validation)
    ranked = selection.ranked(lines)
    if not ranked:
        return Curves(lines, rates, None, "")
    best = lines[ranked[0] - 1]
    value = best[f"val_{config.validation.metric}"]
    metric = config.validation.metric.replace("_", "-")
    name = f"best {metric}: {value:.4g}, at update {best['updates']:,}"
    return Curves(lines, rates, ranked[0] - 1, name)


def _rates_of(config: Config, lines: Sequence[Figures]) -> tuple[np.ndarray, np.ndarray]:
    """The learning rate over the updates of a run.

    Returns:
        Updates, from 1, and the rate of each. They are all updates, or about `POINTS` that include
        every bend of the schedule. A custom schedule has only the updates of the validations.
    """
    if config.training.schedule.name == "custom":
        points = np.array([[line["updates"], line["learning_rate"]] for line in lines])
        return points[:, 0], points[:, 1]
    updates = int(lines[-1]["updates"])
    schedule = make_schedule(config.training.schedule, config.model.d_model)
    steps = np.linspace(0, updates - 1, POINTS).astype(int)
    kinks = [config.training.schedule.warmup_steps, config.training.schedule.total_steps or 1]
    steps = np.unique([*steps, *(min(max(kink, 1), updates) - 1 for kink in kinks)])
    return steps + 1, np.array(schedule(steps))


def plot_curves(runs: Mapping[str, Curves]) -> Figure:
    """Draws the figures of runs, each run in its own colour.

    Several runs are drawn twice: over updates and over time. A single run is drawn over updates.
    """
    measured = {name for run in runs.values() for line in run.lines for name in line}
    panels = [p for p in PANELS if {p.training, p.validation} & measured]
    x_names = ["updates"] if len(runs) == 1 else list(X_NAMES)
    cells = [(panel, x_name) for panel in panels for x_name in x_names]
    rows = -(-len(cells) // 2)
    size = (11, PANEL_HEIGHT * rows + 0.3 * (2 + len(runs)))
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, 2, squeeze=False).ravel()
    for axes, (panel, x_name) in zip(grid, cells):
        _draw_panel(axes, panel, list(runs.values()), x_name)
    for axes in grid[len(cells) :]:
        axes.remove()
    colors = [f"C{i}" for i in range(len(runs))]
    handles = [Line2D([], [], color=color) for color in colors]
    handles.append(Line2D([], [], color="0.5", **TRAINING_STYLE))
    bests = [BEST_STYLE if run.best is not None else {"linestyle": ""} for run in runs.values()]
    handles += [Line2D([], [], color=color, **style) for color, style in zip(colors, bests)]
    labels = [*runs, "training side", *(run.best_name for run in runs.values())]
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


def _draw_panel(axes: Axes, panel: CurvePanel, runs: Sequence[Curves], x_name: str) -> None:
    """Draws one figure of all runs."""
    axes.grid(alpha=0.3)
    if panel.falls:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_locator(NullLocator())
    for i, run in enumerate(runs):
        _draw(axes, panel, run, x_name, f"C{i}")
    if panel.falls and (late := _late_values(panel, runs)):
        axes.set_ylim(min(late) / MARGIN, max(late) * MARGIN)
    elif panel.validation is None:  # the axis of a rate or a speed begins at 0
        axes.set_ylim(bottom=0)
    axes.set_xlim(0, max(run.lines[-1][x_name] for run in runs))
    axes.set_xlabel(X_NAMES[x_name])
    axes.set_ylabel(panel.name)
    axes.yaxis.set_major_formatter(panel.labels)
    axes.xaxis.set_major_formatter(WITH_THOUSANDS)


def _late_values(panel: CurvePanel, runs: Sequence[Curves]) -> list[float]:
    """The positive, finite values of each run after its first tenth, for a logarithmic axis."""
    late = [line for run in runs for line in run.lines[len(run.lines) // 10 :]]
    values = (
        line[key] for line in late for key in (panel.training, panel.validation) if key in line
    )
    return [value for value in values if 0 < value < float("inf")]


def _points(panel: CurvePanel, run: Curves) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """The curves of a panel: the figure's name, its updates and its values."""
    if panel.training == "learning_rate":
        yield "learning_rate", *run.rates
        return
    for key in (panel.training, panel.validation):
        if points := [(line["updates"], line[key]) for line in run.lines if key in line]:
            updates, values = np.array(points, float).T
            yield str(key), updates, values


def _draw(axes: Axes, panel: CurvePanel, run: Curves, x_name: str, color: str) -> None:
    pale = TRAINING_STYLE if panel.validation else {}
    for key, updates, values in _points(panel, run):
        x = updates if x_name == "updates" else run.minutes_at(updates)
        style = pale if key == panel.training else {}
        axes.plot(x, values, color=color, marker="." if len(x) < 3 else None, **style)
    if run.best is not None and panel.validation in (best := run.lines[run.best]):
        axes.plot(best[x_name], best[panel.validation], color=color, clip_on=False, **BEST_STYLE)
