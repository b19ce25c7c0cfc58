"""Work on many parts of something over all cores, in processes of their own.

Python's own pools run a user's script again in each process, or hang when a signal ends one. These
processes read from a pipe, and end when it does.
"""

import contextlib
import itertools
import os
import pickle
import queue
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from translator.base.errors import InputError
from translator.base.machine import ALL_CORES

ALONE = 16  # parts that are done here, before other processes are worth their start
AHEAD = 2  # parts for each process that wait for it
PROGRAM = "from translator.base.parallel import work; work()"

_kept: "list[_Worker] | None" = None  # processes for the next work; None where they end

Part = TypeVar("Part")
Result = TypeVar("Result")


@contextlib.contextmanager
def keeping_processes() -> Iterator[None]:
    """Lets several calls of `over_parts` in the block have the same processes."""
    global _kept
    before, _kept = _kept, []
    try:
        yield
    finally:
        for worker in _kept:
            worker.end()
        _kept = before


def over_parts(function: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """Applies a function to parts, and yields what it returns in their order.

    Args:
        function: can be pickled, with all that it holds; it is pickled once.
        parts: are pickled each, and a few are read ahead, but for the first ones.

    Raises:
        InputError: a process was killed.
    """
    parts = iter(parts)
    yield from map(function, parts if ALL_CORES == 1 else itertools.islice(parts, ALONE))
    first = next(parts, None)
    if first is None:
        return
    idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
    message = pickle.dumps(function)
    workers = [_kept.pop() if _kept else _Worker() for _ in range(ALL_CORES)]
    for worker in workers:
        worker.unsent = message
        idle.put(worker)

    def apply(part: Part) -> Result:
        worker = idle.get()
        try:
            return worker.apply(part)  # type: ignore[no-any-return]
        finally:
            idle.put(worker)

    waiting: deque[Future[Result]] = deque()
    threads = ThreadPoolExecutor(ALL_CORES)
    try:
        for part in itertools.chain([first], parts):
            waiting.append(threads.submit(apply, part))
            if len(waiting) > AHEAD * ALL_CORES:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if _kept is not None:
            _kept.extend(workers)
            workers = []
    finally:
        for worker in workers:
            worker.end()
        threads.shutdown(cancel_futures=True)


class _Worker:
    """A process that applies functions.

    Attributes:
        unsent: the next one, pickled, if it does not have it yet.
    """

    def __init__(self) -> None:
        paths = os.pathsep.join(filter(None, sys.path))
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM],  # imports nothing from the current folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self.unsent: bytes | None = None

    def apply(self, part: Any) -> Any:
        """What the function returns for a part.

        Raises:
            InputError: the process was killed.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            pickle.dump((self.unsent, part), self.process.stdin)
            self.process.stdin.flush()
            self.unsent = None
            is_found, found = pickle.load(self.process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise InputError(
                f"one of {ALL_CORES} processes was killed, as where memory is short; free some, or"
                " use fewer cores, as with taskset -c 0"
            ) from None
        if not is_found:
            raise found
        return found

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what it has not read
                pipe.close()


def work() -> None:
    """Applies the functions that standard input brings to the parts with them, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no result
    function: Callable[[Any], Any] = id
    with contextlib.suppress(EOFError, BrokenPipeError, pickle.UnpicklingError):  # it has ended
        while True:
            given, part = pickle.load(sys.stdin.buffer)
            function = pickle.loads(given) if given is not None else function
            try:
                found = True, function(part)
            except Exception as error:
                found = False, error
            pickle.dump(found, results)
            results.flush()
