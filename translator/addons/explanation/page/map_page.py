"""Writes the map of a vocabulary as one HTML file that needs no network; no TensorFlow."""

import base64
from importlib import resources

import numpy as np

from translator.addons.explanation.embedding_map import EmbeddingMap
from translator.addons.page.offline_page import offline_page

PAGE = resources.files("translator.addons.explanation.page")
METHODS = {"pca": "principal components", "tsne": "t-SNE"}


def map_html(found: EmbeddingMap, model: str, languages: tuple[str, str]) -> str:
    """Makes a page to zoom, to search, and to see the nearest pieces of each.

    Args:
        found: from `translator.addons.explanation.embedding_map.make_map`.
        model: its name.
        languages: of source and target.

    Returns:
        The HTML document, to be written as UTF-8.
    """
    kept = "" if found.kept is None else f" that keep {found.kept:.0%} of the variance"
    data = {
        "model": model,
        "languages": languages,
        "pieces": found.pieces,
        "places": _packed(found.places, "<f4"),
        "shares": _packed(found.source_shares, "<f4"),
        "uses": found.uses.tolist(),
        "nearest": _packed(found.nearest, "<i4"),
        "method": f"{METHODS[found.method]}{kept}",
    }
    return offline_page(
        "Words as points", PAGE / "map.html", [PAGE / "map.css"], [PAGE / "map.js"], data
    )


def _packed(numbers: np.ndarray, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype=kind).tobytes()).decode("ascii")
