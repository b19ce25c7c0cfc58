"""The picture of an inspection: lengths, scores, and where in the file what was found."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from translator.addons.inspection.findings import Inspection, Reason, Scores
from translator.addons.inspection.inspector import UNLIKELY

WITH_THOUSANDS = FuncFormatter(lambda value, _: f"{value:,g}")
HIGHEST = 99.5  # percentile of the lengths that is shown
BINS = 60
COLOURS = {reason: f"C{number % 10}" for number, reason in enumerate(Reason)}


def plot_inspection(found: Inspection) -> Figure:
    """Draws the lengths of both sides, how well they fit each other, and what is where.

    Args:
        found: the inspection.

    Returns:
        The figure; `translator.base.figures.save_figure` writes it.
    """
    reasons = [reason for reason in Reason if found.counts[reason]]
    height = 4.4 + 0.28 * max(len(reasons), 1)
    figure = Figure(figsize=(11, height), layout="constrained")
    panels = figure.subplot_mosaic(
        [["lengths", "scores"], ["places", "places"]],
        height_ratios=[3.4, 0.6 + 0.28 * max(len(reasons), 1)],
    )
    _draw_lengths(panels["lengths"], found)
    _draw_scores(panels["scores"], found.scores)
    _draw_places(panels["places"], found, reasons)
    return figure


def _draw_lengths(axes: Axes, found: Inspection) -> None:
    """All pairs as a density, and those that were found as points."""
    source, target = (side.characters for side in found.sides)
    ends = [max(float(np.percentile(side, HIGHEST)), 10.0) for side in (source, target)]
    counts, *edges = np.histogram2d(
        source, target, bins=BINS, range=[(0.0, ends[0]), (0.0, ends[1])]
    )
    if counts.any():
        axes.pcolormesh(
            *edges, np.ma.masked_equal(counts.T, 0), cmap="Greys", norm=LogNorm(1, counts.max() * 2)
        )
    places = [each.place for each in found.findings if each.reason is Reason.LENGTH]
    axes.plot(source[places], target[places], "x", color=COLOURS[Reason.LENGTH], clip_on=True)
    axes.set_xlim(0, ends[0])
    axes.set_ylim(0, ends[1])
    axes.set_title("lengths of all pairs (darker: more of them)", fontsize="medium")
    axes.set_xlabel(f"characters, {found.sides[0].language}")
    axes.set_ylabel(f"characters, {found.sides[1].language}")


def _draw_scores(axes: Axes, scores: Scores | None) -> None:
    """How well the sides fit each other, beside sentences put together by chance."""
    axes.set_title("do the sides belong together?", fontsize="medium")
    if scores is None:
        axes.text(0.5, 0.5, "not scored", ha="center", va="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    own = scores.log_odds[~np.isnan(scores.log_odds)]
    low, high = np.percentile([*own, *scores.by_chance], (100 - HIGHEST, HIGHEST)).tolist()
    shown: dict[str, Any] = {"bins": np.linspace(low, high, BINS), "density": True, "alpha": 0.7}
    axes.hist(own, color="C0", label="pairs", **shown)
    axes.hist(scores.by_chance, color="C1", label="the same, put together by chance", **shown)
    axes.axvline(UNLIKELY, color="0.3", linestyle="--", label="unlikely below")
    axes.set_xlabel("log-odds that they do")
    axes.set_yticks([])
    axes.set_ylabel("share of the pairs")
    axes.set_ylim(top=1.25 * axes.get_ylim()[1])  # room for the legend
    axes.legend(fontsize="small", loc="upper center", ncols=3)


def _draw_places(axes: Axes, found: Inspection, reasons: list[Reason]) -> None:
    """A row for each reason, with a mark at each line."""
    counts = found.counts
    for row, reason in enumerate(reasons):
        lines = [finding.place + 1 for finding in found.findings if finding.reason is reason]
        axes.plot(lines, [row] * len(lines), "|", color=COLOURS[reason], markersize=12, alpha=0.5)
    labels = [f"{reason} ({counts[reason]:,})" for reason in reasons]
    axes.set_yticks(range(len(reasons)), labels)
    axes.set_ylim(max(len(reasons), 1) - 0.5, -0.5)
    axes.set_xlim(0, len(found.pairs) + 1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter(WITH_THOUSANDS)
    axes.set_xlabel("line")
    axes.set_title(
        f"what was found where: {len(found.findings):,} of {len(found.pairs):,} pairs",
        fontsize="medium",
    )
