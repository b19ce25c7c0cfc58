"""Writes pages that need no network and no other file, and pictures."""

import base64
import hashlib
import html
import json
import re
import warnings
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from translator.base.files import check_output_path, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:"
PAGE = resources.files("translator.addons.page")
SCRIPTS = ("basics.js", "theme.js")  # of every page


def offline_page(
    title: str,
    body: Traversable,
    styles: Sequence[Traversable],
    scripts: Sequence[Traversable],
    data: dict[str, Any],
    more_policy: str = "",
) -> str:
    """An HTML document with its style, its scripts and its data.

    Args:
        scripts: the page's own scripts, which follow `SCRIPTS`; all share their names.
        more_policy: directives of the content security policy, for a page that a server sends.

    Returns:
        The document, to be written as UTF-8. It runs only scripts and styles that
        its policy names by their hashes, and it loads nothing.
    """
    css = _joined([PAGE / "theme.css", *styles])
    script = _joined([*(PAGE / name for name in SCRIPTS), *scripts])
    policy = f"{POLICY}; style-src {_hash(css)}; script-src {_hash(script)}"
    policy += f"; {more_policy}" * bool(more_policy)
    parts = {
        "TITLE": html.escape(title),
        "BODY": body.read_text("utf-8").rstrip(),
        "POLICY": policy,
        "STYLE": css,
        "SCRIPT": script,
    }
    text = (PAGE / "document.html").read_text("utf-8")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part, 1)
    return text.replace("@DATA@", _json(data), 1)  # last: the data may contain these marks


def _joined(files: Sequence[Traversable]) -> str:
    return "\n".join(file.read_text("utf-8") for file in files)


def _json(data: dict[str, Any]) -> str:
    """JSON in which no text can end the HTML element around it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    """The content security policy's source expression for an inline element."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


FILE_ENDINGS = (".png", ".svg", ".pdf")
NO_GLYPH = r"Glyph (\d+) .*missing from font"  # a warning of matplotlib


def save_figure(figure: "Figure", path: Path) -> str:
    """Writes a figure as PNG, SVG or PDF by the file's ending; SVG keeps text as text.

    Returns:
        The characters that no font has; they are drawn as boxes.
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
