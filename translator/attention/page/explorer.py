"""Writes the explorer: one HTML file that shows every head of recorded hypotheses; no TensorFlow.

The file needs no network and no other file: it holds the page, its style, its scripts and, as
JSON, the scores. A score s is stored as the 16-bit integer nearest to 65535 s^(1/4). Its error is
less than 0.00004 near 1 and less than one part in 3,000 near 0.0001, so that the rest of a row
without start and end can still be scaled to sum to 1.
"""

import base64
import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

import numpy as np

from translator.attention.head_colours import head_colour
from translator.attention.records import KINDS, AttentionRecord
from translator.attention.word_maps import words_with_ends
from translator.tokenizers.special_tokens import END, START

PAGE = resources.files("translator.attention.page")
SCRIPTS = ("data", "state", "colours", "heads", "lines", "map", "picture", "panels", "explorer")
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:"


def explorer_html(records: Iterable[AttentionRecord]) -> str:
    """Makes a page that shows attention by layer and head, as maps and as lines between tokens.

    Args:
        records: of any sentences; the hypotheses of a sentence one after the other.

    Returns:
        The HTML document, to be written as UTF-8.
    """
    sentences = [_sentence(list(group)) for _, group in itertools.groupby(records, _same_sentence)]
    colours = [head_colour(i) for i in range(max((s["heads"] for s in sentences), default=0))]
    data = {"kinds": KINDS, "ends": [START, END], "colours": colours, "sentences": sentences}
    style = _part("explorer.css")
    script = "\n".join(_part(f"{name}.js") for name in SCRIPTS)
    page = _part("explorer.html")
    policy = f"{POLICY}; style-src {_hash(style)}; script-src {_hash(script)}"
    for name, text in {"POLICY": policy, "STYLE": style, "SCRIPT": script}.items():
        page = page.replace(f"@{name}@", text, 1)
    return page.replace("@DATA@", _json(data), 1)  # last: the data may contain these marks


def _same_sentence(record: AttentionRecord) -> tuple[Any, ...]:
    return record.model, record.sentence, record.source_tokens


def _sentence(records: Sequence[AttentionRecord]) -> dict[str, Any]:
    """A sentence with what its hypotheses share, and the hypotheses."""
    first = records[0]
    layers, heads = first.encoder.shape[:2]
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
    return {"pieces": pieces, "words": words.texts, "numbers": words.numbers.tolist()}


def _packed(scores: np.ndarray) -> str:
    """Scores from 0 to 1 as base64 of little-endian 16-bit integers."""
    roots = np.sqrt(np.sqrt(np.clip(scores, 0, 1, dtype="float64")))
    return base64.b64encode(np.rint(65535 * roots).astype("<u2").tobytes()).decode("ascii")


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _json(data: dict[str, Any]) -> str:
    """JSON in which no text can end the HTML element around it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _part(name: str) -> str:
    return (PAGE / name).read_text("utf-8")


def _hash(text: str) -> str:
    """The content security policy's source expression for an inline element."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
