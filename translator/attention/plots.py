"""Heat maps of attention, drawn with matplotlib from records; no TensorFlow."""

import math
import textwrap

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure

from translator.attention.colours import head_colour
from translator.attention.fonts import choose_families
from translator.attention.records import KINDS, AttentionRecord
from translator.errors import InputError

MAX_COLUMNS = 4
CELL = 0.24  # inches a token


def plot_heads(record: AttentionRecord, kind: str, layer: int, font: str | None = None) -> Figure:
    """Draws every head of a layer, a panel each, each in a colour of its own.

    Rows are queries, columns the keys they look at; white is 0, full colour 1.

    Args:
        record: of one hypothesis.
        kind: ``encoder``, ``decoder`` or ``cross``.
        layer: from 1, the one next to the embeddings, as in the paper's figures.
        font: of the labels, a family's name or a font's file; where it or None
            lacks a character, an installed font that has it is found.

    Returns:
        The figure; `translator.pictures.save_figure` writes it.

    Raises:
        InputError: there is no such layer, kind or font.
    """
    scores = record.maps(kind).scores
    if not 1 <= layer <= len(scores):
        raise InputError(f"layer: expected 1 to {len(scores)}, found {layer}")
    heads = scores[layer - 1]  # (N, queries, keys)
    families, _ = choose_families(_texts(record), font)
    with rc_context({"font.family": families}):
        return _draw_heads(record, kind, heads, f"layer {layer} of {len(scores)}")


def _draw_heads(record: AttentionRecord, kind: str, heads: np.ndarray, name: str) -> Figure:
    columns = min(MAX_COLUMNS, len(heads))
    rows = math.ceil(len(heads) / columns)
    queries, keys, _ = record.maps(kind)
    width, height = _panel_size(queries, keys)
    figure = Figure(figsize=(columns * width + 0.3, rows * height + 1.0), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for head, (panel, head_scores) in enumerate(zip(panels, heads)):
        _draw_head(panel, head_scores, head, queries, keys)
    for panel in panels[len(heads) :]:
        panel.set_axis_off()
    sentences = f"{record.source}  →  {record.hypothesis}"
    characters = max(30, int(12 * figure.get_figwidth()))  # that fit beside each other
    figure.suptitle(
        f"{KINDS[kind]}, {name}: each row shows where its token looks\n"
        + textwrap.fill(sentences, characters),
        fontsize=10,
        parse_math=False,
    )
    return figure


def missing_characters(record: AttentionRecord, font: str | None = None) -> set[str]:
    """Characters of a record's labels that no installed font has.

    Raises:
        InputError: there is no such font.
    """
    return choose_families(_texts(record), font)[1]


def _texts(record: AttentionRecord) -> tuple[str, ...]:
    return (record.source, record.hypothesis, *record.source_tokens, *record.target_tokens)


def _panel_size(queries: tuple[str, ...], keys: tuple[str, ...]) -> tuple[float, float]:
    """Inches of a panel with its labels: 0.075 a character of the longest."""
    beside, above = (0.075 * max(map(len, labels)) for labels in (queries, keys))
    return max(1.6, CELL * len(keys)) + beside + 0.15, max(1.2, CELL * len(queries)) + above + 0.45


def _draw_head(
    panel: Axes, scores: np.ndarray, head: int, queries: tuple[str, ...], keys: tuple[str, ...]
) -> None:
    hue = head_colour(head)
    colours = LinearSegmentedColormap.from_list(f"head {head + 1}", ["white", hue])
    panel.imshow(scores, cmap=colours, vmin=0, vmax=1, aspect="equal")
    panel.set_xticks(range(len(keys)), keys, rotation=90, fontsize=7, parse_math=False)
    panel.set_yticks(range(len(queries)), queries, fontsize=7, parse_math=False)
    panel.xaxis.tick_top()
    panel.tick_params(length=0, pad=2)
    panel.set_xticks(np.arange(len(keys) + 1) - 0.5, minor=True)
    panel.set_yticks(np.arange(len(queries) + 1) - 0.5, minor=True)
    panel.grid(which="minor", color="0.92", linewidth=0.4)
    panel.tick_params(which="minor", length=0)
    for spine in panel.spines.values():
        spine.set_edgecolor(to_rgb(hue))
    panel.set_xlabel(f"head {head + 1}", fontsize=9, color=hue)
