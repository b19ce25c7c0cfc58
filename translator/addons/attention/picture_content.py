"""The content of a picture of attention: words or pieces, maps, colours, title. NumPy only."""

import colorsys
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.text.word_alignment import word_alignment
from translator.tokenizers.special_tokens import END, START
from translator.tokenizers.words import Words, words_of
from translator.translation.records import KINDS, AttentionMaps, AttentionRecord

HEAD_COLOURS = (
    "#1f5fa8", "#c2402f", "#2f7d3b", "#7d4fa0", "#b8720b", "#11808a", "#b0397c", "#5f6b1a",
    "#4a4f9c", "#8a4a2b", "#2b6f66", "#9a3150",
)  # fmt: skip
SEVERAL_HEADS_COLOUR = "#37474f"  # of averages and maxima over heads


def head_colour(head: int) -> str:
    """The colour ``#rrggbb`` of a head, counted from 0: `HEAD_COLOURS` first, then computed."""
    if head < len(HEAD_COLOURS):
        return HEAD_COLOURS[head]
    channels = colorsys.hsv_to_rgb(head * 0.618 % 1, 0.75, 0.62)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)


def words_with_ends(pieces: Sequence[str]) -> Words:
    """Joins pieces to words; punctuation, tags, start and end are separate words."""
    inner = words_of(pieces, marks_apart=True)
    texts: list[str] = []
    numbers: list[int] = []
    previous = -1
    for piece, number in zip(pieces, inner.numbers):
        if number < 0 or not numbers or number != previous:
            texts.append(piece if number < 0 else inner.texts[number])
        numbers.append(len(texts) - 1)
        previous = number
    return Words(tuple(texts), tuple(numbers))


def merge_words(maps: AttentionMaps) -> AttentionMaps:
    """Turns attention between pieces into attention between words.

    The weights to the pieces of a word are summed and the weights from them are averaged, so
    that a row still sums to 1: Clark et al. (2019), "What Does BERT Look At?", section
    4.1, https://arxiv.org/abs/1906.04341
    """
    queries, keys = words_with_ends(maps.queries), words_with_ends(maps.keys)
    return AttentionMaps(queries.texts, keys.texts, word_alignment(maps.scores, queries, keys))


def hide_ends(maps: AttentionMaps) -> AttentionMaps:
    """Removes start and end, and scales the rest of each row to sum to 1.

    A row that attended to nothing else stays all 0.
    """
    rows, columns = (
        [i for i in range(len(labels)) if not _is_end(labels, i)]
        for labels in (maps.queries, maps.keys)
    )
    scores = maps.scores[:, :, rows][:, :, :, columns]
    total = scores.sum(axis=-1, keepdims=True)
    shares = np.divide(scores, total, out=np.zeros_like(scores), where=total > 0)
    return AttentionMaps(
        tuple(maps.queries[i] for i in rows), tuple(maps.keys[i] for i in columns), shares
    )


def _is_end(labels: Sequence[str], i: int) -> bool:
    """Whether a label is the start or end token, and not a word of the text that looks like it."""
    return labels[i] == START and i == 0 or labels[i] == END and i == len(labels) - 1


REDUCTIONS = ("average", "maximum")  # over heads
MAX_LABELLED_TOKENS = 25  # of a side, in a sheet of all layers and heads
MAX_LABEL_LENGTH = 28  # characters
MAX_TEXT_LENGTH = 2000  # characters of a sentence in the title
FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # by XML


class PictureOptions(NamedTuple):
    """The options of a picture.

    Attributes:
        kind: ``encoder``, ``decoder`` or ``cross``.
        layer: from 1 for the layer after the embeddings, as in the paper's figures; None for
            all layers.
        head: from 1; None for all heads; ``average`` or ``maximum`` over the heads.
        words: whether to show words instead of pieces, by `merge_words`.
        hide_ends: whether to leave out start and end, by `hide_ends`, after merging
            words and before averaging heads.
        dark: whether to draw light on a dark background.
    """

    kind: str = "cross"
    layer: int | None = None
    head: int | str | None = None
    words: bool = True
    hide_ends: bool = False
    dark: bool = False


class HeadMap(NamedTuple):
    """One map of a picture: the map of a head, or of all heads of a layer together.

    Attributes:
        layer: from 1.
        head: from 1; 0 for a reduction over all heads.
        name: a name that differs from those of the other maps in its picture.
        scores: (queries, keys), from 0 to 1.
    """

    layer: int
    head: int
    name: str
    scores: np.ndarray

    @property
    def colour(self) -> str:
        """The colour of the head, or of a reduction."""
        return head_colour(self.head - 1) if self.head else SEVERAL_HEADS_COLOUR


class PictureContent(NamedTuple):
    """Everything that a picture shows.

    Attributes:
        queries: a label for each row of a map.
        keys: a label for each column.
        is_sheet: whether the maps are all heads of all layers.
        is_labelled: whether the maps have token labels; a sheet has no space for many.
        title: paragraphs, with line ends where they are best broken.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    maps: tuple[HeadMap, ...]
    is_sheet: bool
    is_labelled: bool
    title: tuple[str, ...]


def choose_content(record: AttentionRecord, options: PictureOptions) -> PictureContent:
    """Takes the content of a picture from a record."""
    maps = record.maps(options.kind)
    num_layers, num_heads = maps.scores.shape[:2]
    check_picture_options(options, num_layers, num_heads)
    if options.words:
        maps = merge_words(maps)
    if options.hide_ends:
        maps = hide_ends(maps)
    if not maps.queries or not maps.keys:
        raise InputError("hide_ends: expected tokens between start and end, found none")
    head_maps = tuple(_head_maps(maps, options))
    is_sheet = options.layer is None and options.head is None and len(head_maps) > 1
    is_labelled = not is_sheet or max(maps.scores.shape[2:]) <= MAX_LABELLED_TOKENS
    title = (
        f"{KINDS[options.kind]}, {_describe_heads(options, num_layers, num_heads)}",
        _describe_rows(options) + ";\n" + "; ".join(_notes(options, is_labelled)),
        "\n→ ".join(_cut(text, MAX_TEXT_LENGTH) for text in (record.source, record.hypothesis)),
    )
    queries, keys = (
        tuple(_cut(label, MAX_LABEL_LENGTH) for label in labels)
        for labels in (maps.queries, maps.keys)
    )
    return PictureContent(queries, keys, head_maps, is_sheet, is_labelled, title)


def check_picture_options(options: PictureOptions, num_layers: int, num_heads: int) -> None:
    """Checks that the model has the kind, layer and head."""
    if options.kind not in KINDS:
        raise InputError(f"kind: expected one of {', '.join(KINDS)}, found {options.kind}")
    if options.layer is not None and options.layer not in range(1, num_layers + 1):
        raise InputError(f"layer: expected 1 to {num_layers}, found {options.layer}")
    if options.head is not None and options.head not in (*range(1, num_heads + 1), *REDUCTIONS):
        raise InputError(f"head: expected 1 to {num_heads}, found {options.head}")


def clean_text(text: str) -> str:
    """Text on one line, without characters that a picture format cannot contain."""
    return FORBIDDEN.sub("\ufffd", " ".join(text.split()))


def _cut(text: str, most: int) -> str:
    text = clean_text(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _head_maps(maps: AttentionMaps, options: PictureOptions) -> Iterator[HeadMap]:
    for layer, heads in enumerate(maps.scores, start=1):
        if options.layer not in (None, layer):
            continue
        if options.head in REDUCTIONS:
            reduced = heads.mean(axis=0) if options.head == "average" else heads.max(axis=0)
            yield HeadMap(layer, 0, f"layer {layer}", reduced)
            continue
        for head, scores in enumerate(heads, start=1):
            if options.head in (None, head):
                names = f"layer {layer}", f"head {head}"
                is_named = (options.layer is None, options.head is None)
                name = ", ".join(itertools.compress(names, is_named))
                yield HeadMap(layer, head, name, scores)


def _describe_heads(options: PictureOptions, num_layers: int, num_heads: int) -> str:
    if options.layer is None and options.head is None:
        return f"all {num_layers} layers and {num_heads} heads"
    layers = f"all {num_layers} layers"
    layer = layers if options.layer is None else f"layer {options.layer} of {num_layers}"
    if options.head is None:
        return layer
    if options.head in REDUCTIONS:
        return f"{layer}, {options.head} over {num_heads} heads"
    return f"{layer}, head {options.head} of {num_heads}"


def _describe_rows(options: PictureOptions) -> str:
    token = "word" if options.words else "token"
    step = "the step that writes " if options.kind == "cross" else ""
    return f"each row shows where {step}its {token} looks"


def _notes(options: PictureOptions, is_labelled: bool) -> Iterator[str]:
    if options.head == "maximum":
        yield "highest weight of any head: rows do not sum to 1"
    if options.words:
        yield "pieces joined to words"
    if options.hide_ends:
        yield "start and end left out and the rest scaled to sum to 1"
    if not is_labelled:
        yield "too many tokens for labels: draw one layer or head to see them"
    yield f"{'black' if options.dark else 'white'} is 0, full colour is 1"
