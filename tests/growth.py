"""How the time and the memory of some work grow with its size."""

import gc
import time
import tracemalloc
from collections.abc import Callable
from functools import _lru_cache_wrapper


def grows_linearly(work: Callable[[int], object], size: int) -> bool:
    """Whether work of some size takes about four times as long as a quarter of it, not sixteen.

    Both are measured in turn by the processor time of this thread, so that a slow or busy machine
    changes both. The garbage collector waits: one of its rounds through everything that this
    process has loaded takes longer than the work.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        quarter = whole = float("inf")
        for _ in range(3):
            quarter = min(quarter, _seconds(work, size // 4))
            whole = min(whole, _seconds(work, size))
            if whole < 9 * quarter:
                return True
        return False
    finally:
        if collects:
            gc.enable()


def _seconds(work: Callable[[int], object], size: int) -> float:
    start = time.thread_time()
    work(size)
    return time.thread_time() - start


def bytes_per_item(work: Callable[[int], object], size: int) -> float:
    """By how many bytes the peak memory of some work grows with each item, from a quarter on.

    Memory of Python and NumPy is counted, memory-mapped files are not. Caches are emptied
    first: a table that earlier tests filled may double at any word. A small run does the imports.
    """
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper):
            each.cache_clear()
    work(size // 8)
    peaks = []
    for each in (size // 4, size):
        gc.collect()
        tracemalloc.start()
        work(each)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return (peaks[1] - peaks[0]) / (size - size // 4)
