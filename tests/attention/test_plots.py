"""Heat maps: a panel a head, a colour a head, the right cells in the right places."""

import matplotlib.image
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from translator.attention.colours import HUES
from translator.attention.plots import plot_heads
from translator.attention.records import AttentionRecord
from translator.errors import InputError
from translator.pictures import save_figure


@pytest.fixture
def record() -> AttentionRecord:
    """Three layers, five heads, 4 source and 3 target tokens, with odd characters."""
    random = np.random.default_rng(0)
    source, target = ("<s>", "▁$x_1$", "▁B", "</s>"), ("<s>", "▁Ä", "▁<b>", "</s>")
    shapes = [(3, 5, 4, 4), (3, 5, 3, 3), (3, 5, 3, 4)]
    scores = [random.dirichlet(np.ones(shape[-1]), shape[:-1]) for shape in shapes]
    return AttentionRecord("$x_1$ B", "Ä <b>", source, target, *scores)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_a_panel_a_head_with_the_head_s_scores_and_colour(record, kind):
    figure = plot_heads(record, kind, layer=2)
    panels = [axes for axes in figure.axes if axes.images]
    assert len(panels) == 5
    queries, keys, scores = record.maps(kind)
    colours = set()
    for head, panel in enumerate(panels):
        image = panel.images[0]
        assert np.allclose(image.get_array(), scores[1, head])
        assert image.get_clim() == (0, 1)
        assert [label.get_text() for label in panel.get_xticklabels()] == list(keys)
        assert [label.get_text() for label in panel.get_yticklabels()] == list(queries)
        colours.add(image.cmap(1.0)[:3])
        assert np.allclose(image.cmap(1.0)[:3], to_rgb(HUES[head]), atol=0.01)
    assert len(colours) == 5


@pytest.mark.parametrize(
    ("ending", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_the_file_s_ending_decides_its_format(record, tmp_path, ending, magic):
    path = tmp_path / f"maps.{ending}"
    save_figure(plot_heads(record, "cross", 1), path)
    assert path.read_bytes().startswith(magic)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_picture_shows_dark_cells_where_scores_are_high(tmp_path):
    """One head that looks straight along the diagonal."""
    eye = np.eye(6)[None, None]
    tokens = tuple("abcdef")
    record = AttentionRecord("", "", tokens, ("", *tokens), eye, eye, eye)
    save_figure(plot_heads(record, "cross", 1), tmp_path / "eye.png")
    pixels = matplotlib.image.imread(tmp_path / "eye.png")[..., :3]
    hue = np.all(np.abs(pixels - to_rgb(HUES[0])) < 0.02, axis=-1)
    rows, columns = np.nonzero(hue)
    assert hue.sum() > 500
    assert np.corrcoef(rows, columns)[0, 1] > 0.9


@pytest.mark.parametrize("layer", [0, 4, -1])
def test_a_layer_that_does_not_exist_is_refused(record, layer):
    with pytest.raises(InputError, match=f"layer: expected 1 to 3, found {layer}"):
        plot_heads(record, "cross", layer)


def test_unknown_kind_ending_and_folder_are_refused(record, tmp_path):
    with pytest.raises(
        InputError, match="kind: expected one of encoder, decoder, cross, found self"
    ):
        plot_heads(record, "self", 1)
    figure = plot_heads(record, "cross", 1)
    with pytest.raises(InputError, match="ends in .png, .svg, .pdf"):
        save_figure(figure, tmp_path / "maps.gif")
    with pytest.raises(InputError, match="expected an existing folder, found none"):
        save_figure(figure, tmp_path / "none" / "maps.png")
