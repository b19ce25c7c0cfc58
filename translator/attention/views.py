"""Which of a record's maps a picture shows, and what it says about them. NumPy only."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from translator.attention.colours import head_colour
from translator.attention.records import KINDS, AttentionMaps, AttentionRecord
from translator.attention.words import hide_ends, merge_words
from translator.base.errors import InputError

REDUCTIONS = {"average": np.mean, "maximum": np.max}
LABELLED_IN_SHEETS = 25  # tokens at most
LONGEST_LABEL = 28  # characters
ALL_HEADS = "#37474f"  # the colour of averages and maxima


class View(NamedTuple):
    """What a picture shows.

    Attributes:
        kind: ``encoder``, ``decoder`` or ``cross``.
        layer: from 1, the one next to the embeddings, as in the paper's figures; None for
            all of them.
        head: from 1; None for all of them; ``average`` or ``maximum`` over the heads.
        words: whether it shows words instead of pieces, by `words.merge_words`.
        hide_ends: whether it leaves out start and end, by `words.hide_ends`, of the words
            where it shows them; heads are averaged after both.
        lines: two sentences with lines between them instead of heat maps.
        dark: light on a dark background.
    """

    kind: str = "cross"
    layer: int | None = None
    head: int | str | None = None
    words: bool = False
    hide_ends: bool = False
    lines: bool = False
    dark: bool = False


class Panel(NamedTuple):
    """One map of a picture.

    Attributes:
        layer: from 1.
        head: from 1; 0 where it is all of them in one.
        name: tells it from the others of its picture.
        scores: (queries, keys), from 0 to 1.
    """

    layer: int
    head: int
    name: str
    scores: np.ndarray

    @property
    def colour(self) -> str | tuple[float, float, float]:
        """The head's, or one that is no head's."""
        return head_colour(self.head - 1) if self.head else ALL_HEADS


class Selection(NamedTuple):
    """All that a picture shows.

    Attributes:
        queries: a label for each row of a map.
        keys: a label for each column.
        panels: layer by layer.
        columns: as many panels as belong beside each other; None where any number do.
        title: paragraphs, with line ends where they are best broken.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    panels: tuple[Panel, ...]
    columns: int | None
    title: tuple[str, ...]

    @property
    def labelled(self) -> bool:
        """Whether tokens stand beside the panels; a sheet has no room for many."""
        return self.columns is None or max(map(len, self[:2])) <= LABELLED_IN_SHEETS


def select(record: AttentionRecord, view: View) -> Selection:
    """Finds what a view shows of a record.

    Raises:
        InputError: there is no such kind, layer or head, or nothing between start and end.
    """
    maps = record.maps(view.kind)
    num_layers, num_heads = maps.scores.shape[:2]
    check_view(view, num_layers, num_heads)
    if view.words:
        maps = merge_words(maps)
    if view.hide_ends:
        maps = hide_ends(maps)
    if not maps.queries or not maps.keys:
        raise InputError("hide_ends: expected tokens between start and end, found none")
    panels = tuple(_panels(maps, view))
    sheet = view.layer is None and view.head is None and len(panels) > 1
    queries, keys = _shorten(maps.queries), _shorten(maps.keys)
    selection = Selection(queries, keys, panels, num_heads if sheet else None, ())
    title = (
        f"{KINDS[view.kind]}, {_what(view, num_layers, num_heads)}",
        _meaning(view) + ";\n" + "; ".join(_notes(view, selection.labelled)),
        " ".join(record.source.split()) + "\n→ " + " ".join(record.hypothesis.split()),
    )
    return selection._replace(title=title)


def check_view(view: View, num_layers: int, num_heads: int) -> None:
    """Refuses what a model has not.

    Raises:
        InputError: it has no such kind, layer or head.
    """
    if view.kind not in KINDS:
        raise InputError(f"kind: expected one of {', '.join(KINDS)}, found {view.kind}")
    if view.layer is not None and view.layer not in range(1, num_layers + 1):
        raise InputError(f"layer: expected 1 to {num_layers}, found {view.layer}")
    if view.head is not None and view.head not in (*range(1, num_heads + 1), *REDUCTIONS):
        raise InputError(f"head: expected 1 to {num_heads}, average or maximum, found {view.head}")


def _shorten(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Labels of one line and of no more than `LONGEST_LABEL` characters."""
    lines = (label if label.isprintable() else " ".join(label.split()) for label in labels)
    return tuple(
        line if len(line) <= LONGEST_LABEL else f"{line[: LONGEST_LABEL - 1]}…" for line in lines
    )


def _panels(maps: AttentionMaps, view: View) -> Iterator[Panel]:
    for layer, of_layer in enumerate(maps.scores, start=1):
        if view.layer not in (None, layer):
            continue
        if view.head in REDUCTIONS:
            yield Panel(layer, 0, f"layer {layer}", REDUCTIONS[view.head](of_layer, axis=0))
            continue
        for head, scores in enumerate(of_layer, start=1):
            if view.head in (None, head):
                name = f"head {head}" if view.head is None else f"layer {layer}"
                yield Panel(layer, head, name, scores)


def _what(view: View, num_layers: int, num_heads: int) -> str:
    if view.layer is None and view.head is None:
        return f"all {num_layers} layers (rows) and {num_heads} heads (columns)"
    every = f"all {num_layers} layers"
    layer = every if view.layer is None else f"layer {view.layer} of {num_layers}"
    if view.head is None:
        return layer
    if view.head in REDUCTIONS:
        return f"{layer}, {view.head} over {num_heads} heads"
    return f"{layer}, head {view.head} of {num_heads}"


def _meaning(view: View) -> str:
    token = "word" if view.words else "token"
    its = "it" if view.lines else f"its {token}"
    looks = (
        f"where the step that writes {its} looks" if view.kind == "cross" else f"where {its} looks"
    )
    if view.lines:
        return f"lines lead from each {token} on the left to {looks}"
    return f"each row shows {looks}"


def _notes(view: View, labelled: bool) -> Iterator[str]:
    if view.head == "maximum":
        sums = "lines from a token" if view.lines else "rows"
        yield f"highest weight of any head: {sums} do not sum to 1"
    if view.words:
        yield "pieces joined to words"
    if view.hide_ends:
        yield "start and end left out and the rest scaled anew"
    if not labelled:
        yield "too many tokens to name them: draw one layer or head for that"
    if view.lines:
        yield "a line is as opaque as its weight"
    else:
        yield f"{'black' if view.dark else 'white'} is 0, full colour is 1"
