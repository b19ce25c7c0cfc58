"""Ticks of an axis that reach to both of its ends."""

import math
from collections.abc import Sequence

from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

WITH_THOUSANDS = FuncFormatter(lambda value, _: f"{value:,.12g}")
STEPS = (1, 2, 5)  # times a power of ten
MOST = 10  # ticks of a logarithmic axis
WIDE = 5.0  # a logarithmic axis over more than this factor has ticks at 1, 2, 5, 10, ...


def ticks_between(low: float, high: float, count: int) -> list[float]:
    """Ticks at exactly ``low`` and ``high``, and at round values between with space around.

    Args:
        low: the axis's beginning.
        high: its end.
        count: of intervals, about.
    """
    if not low < high:
        return [low]
    inner = ticks_around(low, high, count)
    space = 0.6 * (high - low) / count
    return [low, *(tick for tick in inner if low + space < tick < high - space), high]


def ticks_around(low: float, high: float, count: int) -> list[float]:
    """Round ticks, the first not above ``low`` and the last not below ``high``."""
    if not low < high:  # one value alone
        low, high = (low - 0.1 * abs(low), high + 0.1 * abs(high)) if low else (0.0, 1.0)
    return [float(tick) for tick in MaxNLocator(count, steps=(*STEPS, 10)).tick_values(low, high)]


def logarithmic_ticks_around(low: float, high: float) -> list[float]:
    """The same for a logarithmic axis; both values are above 0."""
    if high / low < WIDE:
        ticks = ticks_around(low, high, 5)
        return ticks if ticks[0] > 0 else ticks_around(low, high, 10)
    powers = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = [step * 10.0**power for power in range(powers[0], powers[1] + 1) for step in STEPS]
    first = max(i for i, tick in enumerate(every) if tick <= low * (1 + 1e-9))
    last = min(i for i, tick in enumerate(every) if tick >= high * (1 - 1e-9))
    if last - first < MOST:
        return every[first : last + 1]
    step = -(-(powers[1] - powers[0]) // (MOST - 1))
    return [10.0**power for power in range(powers[0], powers[1] + step, step)]


def set_ticks(axis: Axis, ticks: Sequence[float]) -> None:
    """Gives an axis exactly these ticks."""
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
