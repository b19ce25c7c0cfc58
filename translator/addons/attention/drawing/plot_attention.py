"""Draws the attention of a record with matplotlib; no TensorFlow.

The heat maps follow the figures of Vaswani et al. (2017), "Attention Is All You Need",
https://arxiv.org/abs/1706.03762
"""

from matplotlib import rc_context
from matplotlib.figure import Figure

from translator.addons.attention.drawing.heat_maps import draw_heat_maps
from translator.addons.attention.drawing.styles import style_of
from translator.addons.attention.picture_content import PictureOptions, choose_content
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

    Returns:
        The figure, which notebooks show and `translator.base.figures.save_figure` writes.

    Raises:
        InputError: it is not a record, there is no such kind, layer or head, or no token is left
            to show.
    """
    check_type(record)
    options = PictureOptions(kind, layer, head, words, hide_ends, dark)
    content = choose_content(record, options)
    style = style_of(dark)
    with rc_context(style.settings()):
        return draw_heat_maps(content, style)
