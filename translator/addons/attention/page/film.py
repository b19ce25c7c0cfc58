"""Writes a film of heads as one HTML page that needs no network; no TensorFlow."""

import base64
from importlib import resources
from typing import Any

import numpy as np

from translator.addons.attention.film import Film, FilmedSentence
from translator.addons.attention.head_colours import head_colour
from translator.addons.page.offline_page import offline_page
from translator.translation.records import KINDS

PAGE = resources.files("translator.addons.attention.page")


def film_html(film: Film, name: str) -> str:
    """Makes a page with a slider through the training.

    Args:
        film: from `translator.addons.attention.film.load_film`.
        name: of the run.

    Returns:
        The HTML document, to be written as UTF-8. A score s is stored as the 8-bit integer nearest
        to 255 sqrt(s): right within 0.004.
    """
    heads = max(array.shape[2] for each in film.sentences for array in each.scores.values())
    data = {
        "name": name,
        "kinds": KINDS,
        "updates": film.updates.tolist(),
        "colours": [head_colour(i) for i in range(heads)],
        "sentences": [_sentence(each) for each in film.sentences],
    }
    return offline_page(
        "How heads come about",
        PAGE / "film.html",
        [PAGE / "film.css"],
        [PAGE / "colours.js", PAGE / "film.js"],
        data,
    )


def _sentence(sentence: FilmedSentence) -> dict[str, Any]:
    record = sentence.record
    return {
        "source": record.source,
        "target": record.hypothesis,
        "losses": sentence.losses.round(4).tolist(),
        "kinds": {
            kind: {
                "queries": record.maps(kind).queries,
                "keys": record.maps(kind).keys,
                "layers": scores.shape[1],
                "heads": scores.shape[2],
                "scores": _packed(scores),
                "entropies": sentence.entropies[kind].round(3).tolist(),
            }
            for kind, scores in sentence.scores.items()
        },
        "errors": None if sentence.errors is None else sentence.errors.round(3).tolist(),
    }


def _packed(scores: np.ndarray) -> str:
    roots = np.sqrt(np.clip(scores, 0, 1))
    return base64.b64encode(np.rint(255 * roots).astype("u1").tobytes()).decode("ascii")
