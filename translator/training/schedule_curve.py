"""The learning rate of a run over its updates, and a picture of it."""

import numpy as np
from matplotlib.figure import Figure

from translator.config.schema import Config
from translator.training.schedules import make_schedule
from translator.training.ticks import WITH_THOUSANDS, set_ticks, ticks_around, ticks_between

POINTS = 1000
INTERVALS = 6  # of an axis, about


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
        training = config.training.model_copy(update={"schedule": settings})
        config = config.model_copy(update={"training": training})
    steps, rates = rates_of(config, updates)
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(steps, rates)
    highest = int(rates.argmax())
    axes.set_title(
        f"{settings.name}: at most {rates[highest]:.2g}, at update {steps[highest]:,}{note}"
    )
    axes.set_xlabel("update")
    axes.set_ylabel("learning rate")
    axes.set_xlim(1, max(2, updates))
    set_ticks(axes.xaxis, ticks_between(1, max(2, updates), INTERVALS))
    ticks = ticks_around(0, float(rates.max()), INTERVALS)
    set_ticks(axes.yaxis, ticks)
    axes.set_ylim(ticks[0], ticks[-1])
    axes.xaxis.set_major_formatter(WITH_THOUSANDS)
    axes.yaxis.set_major_formatter(WITH_THOUSANDS)
    axes.grid(alpha=0.3)
    return figure


def usual_updates(config: Config) -> int:
    """How many updates show a whole schedule: all until its end, or ten times its warm-up."""
    settings = config.training.schedule
    return settings.total_steps or max(10 * settings.warmup_steps, 100)


def rates_of(config: Config, updates: int) -> tuple[np.ndarray, np.ndarray]:
    """The learning rate over the updates of a run.

    Args:
        config: the run's, with the end of its schedule.
        updates: how many.

    Returns:
        Updates from 1, all of them or about `POINTS` with every bend of the schedule among
        them; and the rate of each.
    """
    schedule = make_schedule(config.training.schedule, config.model.d_model)
    steps = np.linspace(0, updates - 1, POINTS).astype(int)
    kinks = [config.training.schedule.warmup_steps, config.training.schedule.total_steps or 1]
    steps = np.unique([*steps, *(min(max(kink, 1), updates) - 1 for kink in kinks)])
    return steps + 1, np.array(schedule(steps))
