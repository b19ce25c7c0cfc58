"""A colour for each head, the same in every picture. Standard library only."""

import colorsys

HEAD_COLOURS = (
    "#1f5fa8", "#c2402f", "#2f7d3b", "#7d4fa0", "#b8720b", "#11808a", "#b0397c", "#5f6b1a",
    "#4a4f9c", "#8a4a2b", "#2b6f66", "#9a3150",
)  # fmt: skip
SEVERAL_HEADS_COLOUR = "#37474f"  # of averages and maxima over heads


def head_colour(head: int) -> str:
    """The colour ``#rrggbb`` of a head, counted from 0: `HEAD_COLOURS` first, then computed."""
    if head < len(HEAD_COLOURS):
        return HEAD_COLOURS[head]
    channels = colorsys.hsv_to_rgb(head * 0.618 % 1, 0.75, 0.62)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
