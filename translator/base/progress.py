"""Progress bars on a terminal's standard error, for work of more than a second."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TextIO

DELAY = 1.0  # seconds before a bar is shown
TICK = 0.5  # seconds between two drawings if nothing advances


@contextlib.contextmanager
def progress(
    title: str, total: int | None = None, unit: str = "", stream: TextIO | None = None
) -> Iterator[Callable[[int], object]]:
    """Shows how long some work takes and, if known, how much of it is done.

    Args:
        total: the number of all units; None if it is not known.
        unit: the name of the units, such as `` pairs``.

    Yields:
        A function to call with the number of units that were done.
    """
    stream = stream or sys.stderr
    if stream is None or not stream.isatty():
        yield lambda count: None
        return
    from tqdm import tqdm

    form = None if total is not None or unit else "{desc}: {elapsed}"
    done = threading.Event()
    with tqdm(
        desc=title, total=total, unit=unit, bar_format=form, delay=DELAY, miniters=0, leave=False,
        file=stream, dynamic_ncols=True,
    ) as bar:  # fmt: skip

        def tick() -> None:
            while not done.wait(TICK):
                bar.update(0)

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield bar.update
        finally:
            done.set()
            thread.join()


@contextlib.contextmanager
def bars_aside() -> Iterator[None]:
    """Hides all bars while a line is written to standard error."""
    if "tqdm" not in sys.modules or sys.stderr is None:
        yield
        return
    from tqdm import tqdm

    with tqdm.external_write_mode(file=sys.stderr):
        yield
