"""Saves matplotlib's figures."""

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from translator.base.files import check_output_path, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE_ENDINGS = (".png", ".svg", ".pdf")
NO_GLYPH = r"Glyph (\d+) .*missing from font"  # a warning of matplotlib


def save_figure(figure: "Figure", path: Path) -> str:
    """Writes a figure as PNG, SVG or PDF by the file's ending; SVG keeps text as text.

    Returns:
        The characters that no font has, and that are drawn as boxes.

    Raises:
        InputError: the ending is unknown or the folder does not exist.
    """
    from matplotlib import rc_context

    check_output_path(path, FILE_ENDINGS)
    with (
        whole_file(path) as file,
        rc_context({"svg.fonttype": "none"}),
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.filterwarnings("always", NO_GLYPH)
        figure.savefig(file, format=path.suffix[1:].lower(), dpi=150)
    numbers = [re.match(NO_GLYPH, str(warning.message)) for warning in caught]
    return "".join(sorted({chr(int(number[1])) for number in numbers if number}))
