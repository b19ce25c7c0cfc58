"""Light and dark: the colours of a picture."""

import colorsys
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.font_manager import get_font_names

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

# Where matplotlib's own font lacks a letter, it is taken from the first of these that has it.
FALLBACKS = (
    *("Noto Sans CJK SC", "Noto Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei"),
    *("Microsoft YaHei", "Hiragino Sans GB", "Noto Sans CJK JP", "Yu Gothic", "Malgun Gothic"),
    *("Apple SD Gothic Neo", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari"),
    *("Nirmala UI", "Noto Sans Thai", "Leelawadee UI", "Arial Unicode MS"),
)


class Style(NamedTuple):
    """The colours of a picture.

    Attributes:
        background: also the colour of the weight 0.
        text: of all labels that do not have a head's colour.
        rule: of the lines between cells.
        is_dark: whether the background is dark.
    """

    background: str
    text: str
    rule: str
    is_dark: bool

    def settings(self) -> "dict[RcKeyType, Any]":
        """Settings for `matplotlib.rc_context`."""
        installed = set(get_font_names())
        return {
            "font.family": ["sans-serif", *(name for name in FALLBACKS if name in installed)],
            "figure.facecolor": self.background,
            "axes.facecolor": self.background,
            "text.color": self.text,
            "axes.labelcolor": self.text,
            "axes.edgecolor": self.text,
            "xtick.color": self.text,
            "ytick.color": self.text,
        }

    def hue(self, colour: str) -> tuple[float, float, float]:
        """A colour that stands out from the background."""
        if not self.is_dark:
            return to_rgb(colour)
        hue, lightness, saturation = colorsys.rgb_to_hls(*to_rgb(colour))
        return colorsys.hls_to_rgb(hue, max(lightness, 0.66), min(1.0, 1.3 * saturation))

    def colour_map(self, colour: str) -> LinearSegmentedColormap:
        """From the background at 0 to the full colour at 1."""
        ends = [to_rgb(self.background), self.hue(colour)]
        return LinearSegmentedColormap.from_list("weights", ends)


LIGHT = Style("#ffffff", "#000000", "#ebebeb", is_dark=False)
DARK = Style("#121417", "#eceff1", "#2a2e33", is_dark=True)


def style_of(dark: bool) -> Style:
    """The dark or the light style."""
    return DARK if dark else LIGHT
