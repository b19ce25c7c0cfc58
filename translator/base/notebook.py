"""How values show themselves in a notebook."""

import html
import sys
from typing import Any, TextIO

FRAME_HEIGHT = 900  # pixels


def is_notebook() -> bool:
    """Whether this process runs the cells of a notebook."""
    return "ipykernel" in sys.modules


def bar_file() -> Any:
    """Where tqdm draws a bar: standard error, or one line of a notebook's cell."""
    return OverwrittenLine() if is_notebook() else sys.stderr


def lines_file() -> TextIO:
    """Where lines about a training go; a notebook shows standard error as if it were a failure."""
    return sys.stdout if is_notebook() else sys.stderr


class OverwrittenLine:
    """A line of a notebook's cell, as a file that a bar is drawn into.

    What is drawn replaces what was there before, also where no browser shows the cell meanwhile.
    """

    encoding = "utf-8"

    def __init__(self) -> None:
        self._display: Any = None

    def write(self, text: str) -> None:
        """Shows what follows the last carriage return, unless that is blank."""
        line = text.rpartition("\r")[2].rstrip()
        if not line:
            return
        if self._display is None:
            from IPython import display

            show: Any = display.display  # which has no types
            self._display = show({"text/plain": line}, raw=True, display_id=True)
        else:
            self._display.update({"text/plain": line}, raw=True)

    def flush(self) -> None:
        """Does nothing: a line is shown when it is written."""

    def isatty(self) -> bool:
        """Whether bars are drawn."""
        return True


def framed_page(page: str, height: int = FRAME_HEIGHT) -> str:
    """A whole HTML page in a frame of its own, so that no style of either reaches the other.

    Args:
        page: an HTML document that needs no network.
        height: of the frame, in pixels.
    """
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts allow-downloads"'
        f' style="width: 100%; height: {height}px; border: 0"></iframe>'
    )


def small_table(rows: list[tuple[str, str]], title: str = "") -> str:
    """A table of names and values."""
    cells = "".join(
        f"<tr><th style='text-align: left'>{html.escape(name)}</th>"
        f"<td style='text-align: left'>{html.escape(value)}</td></tr>"
        for name, value in rows
    )
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    return f"<table>{caption}{cells}</table>"
