"""Applies a function to many parts, in one process for each core."""

import contextlib
import functools
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import ModuleType
from typing import Any, TypeVar

from translator.base.errors import InputError
from translator.base.machine import ALL_CORES

ALONE = 16  # parts that are done in this process, because starting others takes longer
AHEAD = 2  # parts that are read ahead for each process

_pool: ProcessPoolExecutor | None = None  # shared in a block of keeping_processes

Part = TypeVar("Part")
Result = TypeVar("Result")


@contextlib.contextmanager
def keeping_processes() -> Iterator[ProcessPoolExecutor]:
    """Lets several calls of `over_parts` in the block share processes."""
    global _pool
    if _pool is not None:
        yield _pool
        return
    spawn = multiprocessing.get_context("spawn")
    _pool = ProcessPoolExecutor(ALL_CORES, spawn, _begin)
    try:
        yield _pool
    finally:
        _pool.shutdown(cancel_futures=True)
        _pool = None


def over_parts(function: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """Applies a function to parts, and yields the results in order.

    Args:
        function: a function that can be pickled; it is pickled once.
        parts: each part is pickled, except the first `ALONE`; a few parts are read ahead.
    """
    parts = iter(parts)
    yield from map(function, parts if ALL_CORES == 1 else itertools.islice(parts, ALONE))
    first = next(parts, None)
    if first is None:
        return
    message = pickle.dumps(function)
    waiting: deque[Future[Result]] = deque()
    try:
        with keeping_processes() as processes:
            for part in itertools.chain([first], parts):
                with _starting_processes():
                    waiting.append(processes.submit(_apply, message, part))
                if len(waiting) > AHEAD * ALL_CORES:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
    except BrokenProcessPool:
        raise InputError(
            f"one of {ALL_CORES} processes was killed, probably because memory is short; free"
            " some memory, or use fewer cores, for example with taskset -c 0"
        ) from None
    finally:
        for future in waiting:
            future.cancel()


@contextlib.contextmanager
def _starting_processes() -> Iterator[None]:
    """Processes that the block starts neither run the user's script nor receive Ctrl-C."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        sys.modules["__main__"] = script


def _begin() -> None:
    """Makes a new process end together with the process that started it."""
    os.dup2(2, 1)  # printed text must not mix with results
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _apply(message: bytes, part: Any) -> Any:
    return _function(message)(part)


@functools.lru_cache(1)
def _function(message: bytes) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = pickle.loads(message)
    return function
