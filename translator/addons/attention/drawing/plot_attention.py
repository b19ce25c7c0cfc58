"""Draws the attention of a record with matplotlib; no TensorFlow.

The heat maps follow the figures of Vaswani et al. (2017), "Attention Is All You Need",
https://arxiv.org/abs/1706.03762
"""

from matplotlib import rc_context
from matplotlib.figure import Figure

from translator.addons.attention.drawing.fonts import choose_families
from translator.addons.attention.drawing.heat_maps import draw_heat_maps
from translator.addons.attention.drawing.styles import style_of
from translator.addons.attention.picture_content import (
    PictureOptions,
    choose_content,
    clean_labels,
    clean_text,
)
from translator.addons.attention.word_maps import words_with_ends
from translator.translation.records import AttentionRecord, check_type


def plot_attention(
    record: AttentionRecord,
    kind: str = "cross",
    *,
    layer: int | None = None,
    head: int | str | None = None,
    words: bool = True,
    hide_ends: bool = False,
    dark: bool = False,
    font: str | None = None,
) -> Figure:
    """Draws attention: one map, the heads of a layer, a head in every layer, or all of them.

    Rows are queries and columns are the keys that they attend to. Each head has its own colour.
    The background is 0, full colour is 1.

    Args:
        record: of one hypothesis, from `Translator.attention` or `load_records`.
        kind: ``encoder``, ``decoder`` or ``cross``.
        layer: from 1, the one next to the embeddings; None for all of them.
        head: from 1; None for all of them; ``average`` or ``maximum`` over the heads.
        words: whether to show words; pieces, as the model sees them, if False.
        hide_ends: whether to leave out start and end, and to scale the rest to sum to 1.
        dark: whether to draw light on a dark background.
        font: family name or file of the font for labels; characters that it does not have are
            drawn with an installed font that has them.

    Returns:
        The figure, which notebooks show and `translator.base.figures.save_figure` writes.

    Raises:
        InputError: it is not a record, there is no such kind, layer, head or font, or no token is
            left to show.
    """
    check_type(record)
    options = PictureOptions(kind, layer, head, words, hide_ends, dark)
    content = choose_content(record, options)
    families, _ = choose_families(_texts(record), font)
    style = style_of(dark)
    with rc_context(style.settings(families)):
        return draw_heat_maps(content, style)


def missing_characters(record: AttentionRecord, font: str | None = None) -> set[str]:
    """Characters in a record's labels that no installed font has.

    Raises:
        InputError: there is no such font.
    """
    return choose_families(_texts(record), font)[1]


def _texts(record: AttentionRecord) -> tuple[str, ...]:
    """All text that a picture of a record may hold: pieces, words and the sentences."""
    sides = (record.source_tokens, record.target_tokens)
    pieces = [piece for side in sides for piece in side]
    words = [word for side in sides for word in words_with_ends(side).texts]  # bytes are decoded
    sentences = clean_text(record.source), clean_text(record.hypothesis)
    return (*sentences, "→…", *clean_labels([*pieces, *words]))
