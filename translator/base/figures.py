"""Saves matplotlib's figures."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from translator.base.files import check_output_path, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE_ENDINGS = (".png", ".svg", ".pdf")


def save_figure(figure: "Figure", path: Path) -> None:
    """Writes a figure as PNG, SVG or PDF by the file's ending; SVG keeps text as text.

    Raises:
        InputError: the ending is unknown or the folder does not exist.
    """
    from matplotlib import rc_context

    check_output_path(path, FILE_ENDINGS)
    with (
        whole_file(path) as file,
        rc_context({"svg.fonttype": "none"}),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a caller reports it
        figure.savefig(file, format=path.suffix[1:].lower(), dpi=150)
