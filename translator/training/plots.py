"""Pictures of a training, drawn with matplotlib."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from translator.config import Config
from translator.training.schedules import make_schedule

POINTS = 1000


def plot_schedule(config: Config, updates: int) -> Figure:
    """Draws the learning rate over the updates of a run.

    Args:
        config: the run's.
        updates: how many.

    Returns:
        The figure; `translator.pictures.save_figure` writes it.
    """
    settings = config.training.schedule
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
        f"{settings.name}: at most {rates[highest]:.2g}, at update {steps[highest] + 1:,}"
    )
    axes.set_xlabel("update")
    axes.set_ylabel("learning rate")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.grid(alpha=0.3)
    return figure


def usual_updates(config: Config) -> int:
    """As many updates as show all of a schedule: to its end, or ten times its warm-up."""
    settings = config.training.schedule
    return settings.total_steps or max(10 * settings.warmup_steps, 100)
