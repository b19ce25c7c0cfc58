"""How values show themselves in a notebook."""

import html
import sys

FRAME_HEIGHT = 900  # pixels


def bars_disabled() -> bool | None:
    """What tqdm is told: bars are drawn in a notebook and in a terminal, and nowhere else."""
    return False if "ipykernel" in sys.modules else None


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
