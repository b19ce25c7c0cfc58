"""How the time of some work grows with its size."""

import gc
import time
from collections.abc import Callable


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
