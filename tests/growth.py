"""How the time of some work grows with its size."""

import time
from collections.abc import Callable


def grows_linearly(work: Callable[[int], object], size: int) -> bool:
    """Whether work of some size takes about four times as long as a quarter of it, not sixteen.

    Both are measured by the processor time of this thread in the same process, so that a slow or
    busy machine changes both.
    """
    quarter = min(_seconds(work, size // 4) for _ in range(2))
    whole = min(_seconds(work, size) for _ in range(2 if quarter < 1 else 1))
    return whole < 9 * quarter + 0.05


def _seconds(work: Callable[[int], object], size: int) -> float:
    start = time.thread_time()
    work(size)
    return time.thread_time() - start
