"""Writes the explorer: one HTML file that shows every head of recorded hypotheses; no TensorFlow.

The file needs no network and no other file: it contains the page, its style, its scripts and, as
JSON, the scores. A score s is stored as the 16-bit integer nearest to 65535 s^(1/4). Its error is
less than 0.00004 near 1 and less than one part in 3,000 near 0.0001. So a row can still be scaled
to sum to 1 after start and end are left out.
"""

import base64
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any

import numpy as np

from translator.addons.attention.measures import head_verdicts, measure_heads
from translator.addons.attention.picture_content import head_colour, words_with_ends
from translator.addons.page.offline_page import offline_page
from translator.tokenizers.special_tokens import END, START
from translator.translation.records import KINDS, AttentionRecord

PAGE = resources.files("translator.addons.attention.page")
SCRIPTS = ("data", "state", "colours", "heads", "lines", "map", "picture", "panels", "explorer")


def explorer_html(records: Iterable[AttentionRecord]) -> str:
    """Makes a page that shows attention by layer and head, as maps and as lines between tokens.

    Args:
        records: of any sentences; the hypotheses of a sentence one after the other.

    Returns:
        The HTML document, to be written as UTF-8.
    """
    return _page([{"sentences": _sentences(records)}])


def film_html(film: Mapping[int, Iterable[AttentionRecord]]) -> str:
    """Makes the same page with a slider through a training; it first shows the last frame."""
    return _page(
        [{"update": update, "sentences": _sentences(records)} for update, records in film.items()]
    )


def _page(frames: Sequence[dict[str, Any]]) -> str:
    sentences = itertools.chain.from_iterable(frame["sentences"] for frame in frames)
    heads = max((max(sentence["heads"].values()) for sentence in sentences), default=0)
    colours = [head_colour(i) for i in range(heads)]
    data = {"kinds": KINDS, "ends": [START, END], "colours": colours, "frames": frames}
    return offline_page(
        "Attention",
        PAGE / "explorer.html",
        [PAGE / "explorer.css"],
        [PAGE / f"{name}.js" for name in SCRIPTS],
        data,
    )


def _sentences(records: Iterable[AttentionRecord]) -> list[dict[str, Any]]:
    groups = itertools.groupby(records, lambda one: (one.model, one.sentence, one.source_tokens))
    return [_sentence(list(group)) for _, group in groups]


def _sentence(records: Sequence[AttentionRecord]) -> dict[str, Any]:
    """A sentence: the values that its hypotheses share, and the hypotheses."""
    first = records[0]
    layers = {kind: len(first.maps(kind).scores) for kind in KINDS}
    heads = {kind: first.maps(kind).scores.shape[1] for kind in KINDS}
    return {
        "model": first.model._asdict(),
        "number": first.sentence,
        "text": first.source,
        "layers": layers,
        "heads": heads,
        "source": _labels(first.source_tokens),
        "encoder": _packed(first.encoder),
        "hypotheses": [_hypothesis(record) for record in records],
    }


def _hypothesis(record: AttentionRecord) -> dict[str, Any]:
    return {
        "aligning": record.aligning,
        "verdicts": head_verdicts(measure_heads([record])),
        "rank": record.rank,
        "text": record.hypothesis,
        "score": _finite(record.score),
        "log_probability": _finite(record.log_probability),
        "confidence": record.confidence,
        "words": record.word_confidences,
        "before": _labels(record.maps("decoder").queries),
        "after": _labels(record.maps("cross").queries),
        "decoder": _packed(record.decoder),
        "cross": _packed(record.cross),
    }


def _labels(pieces: Sequence[str]) -> dict[str, Any]:
    """Pieces, their words, and for each piece the number of its word."""
    words = words_with_ends(pieces)
    return {"pieces": pieces, "words": words.texts, "numbers": words.numbers}


def _packed(scores: np.ndarray) -> str:
    """Scores from 0 to 1 as base64 of little-endian 16-bit integers."""
    roots = np.sqrt(np.sqrt(np.clip(scores, 0, 1, dtype="float64")))
    return base64.b64encode(np.rint(65535 * roots).astype("<u2").tobytes()).decode("ascii")


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
