"""Pictures of masks and positions: the model's own arrays, labelled, in the right places."""

import itertools

import matplotlib.image
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from tests.figures import inside
from translator.addons.attention.drawing.figure_layout import MAX_WIDTH
from translator.addons.attention.drawing.mask_maps import plot_masks
from translator.addons.attention.drawing.position_maps import plot_positions, wavelengths
from translator.addons.attention.drawing.styles import style_of
from translator.base.errors import InputError
from translator.base.figures import save_figure
from translator.model.constants import sinusoidal_positions


def test_masks_of_many_tokens_are_no_wider_than_a_picture_may_be():
    tokens = [f"▁w{i}" for i in range(100)]
    everything = np.ones((1, 1, 100, 100), bool)
    figure = plot_masks(everything[:, :, :1], everything, everything, tokens, tokens)
    assert figure.get_figwidth() <= MAX_WIDTH
    assert inside(figure)


@pytest.mark.parametrize(("source", "target", "columns"), [(12, 13, 4), (13, 13, 2), (9, 30, 2)])
def test_masks_of_many_tokens_are_in_two_rows(source, target, columns):
    tokens = [f"▁s{i}" for i in range(source)], [f"▁t{i}" for i in range(target)]
    look_ahead = np.tri(target, dtype=bool)[None, None]
    padding = np.arange(source)[None, None, None] < source - 2
    combined = look_ahead & (np.arange(target) < target - 3)
    figure = plot_masks(padding, look_ahead, combined, *tokens)
    places = [axes.get_position() for axes in figure.axes]
    assert len({round(place.x0, 6) for place in places}) == columns
    assert len({round(place.y0, 6) for place in places}) == 4 // columns
    for one, other in itertools.combinations(figure.axes, 2):
        if columns == 2 and one.get_position().x0 == other.get_position().x0:
            keys = [[key.get_text() for key in axes.get_xticklabels()] for axes in (one, other)]
            assert keys[0] == keys[1], "the same keys are below each other"
    shown = {axes.get_xlabel(): axes.images[0].get_array() for axes in figure.axes}
    assert np.array_equal(shown["look-ahead mask"], look_ahead[0, 0])
    assert np.array_equal(shown["decoder: both for the target"], combined[0, 0])
    for name, queries in (("encoder", source), ("cross", target)):
        expected = np.broadcast_to(padding[0, 0], (queries, source))
        assert np.array_equal(shown[f"{name}: padding mask of the source"], expected)
    assert inside(figure)


@pytest.mark.parametrize("dark", [False, True])
def test_positions_are_the_model_s_table(dark, tmp_path):
    figure = plot_positions(30, 64, dark)
    panel, bar = figure.axes
    assert np.array_equal(panel.images[0].get_array(), sinusoidal_positions(30, 64))
    assert panel.images[0].get_clim() == bar.get_ylim() == (-1, 1)
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("dimension", "position")
    assert "30 positions by 64 dimensions" in figure.get_suptitle()
    assert "even dimensions: sine, odd: cosine" in " ".join(figure.get_suptitle().split())
    assert inside(figure)
    save_figure(figure, tmp_path / "positions.png")
    corner = matplotlib.image.imread(tmp_path / "positions.png")[0, 0, :3]
    assert np.allclose(corner, to_rgb(style_of(dark).background), atol=0.01)


def test_positions_and_dimensions_are_whole_numbers():
    figure = plot_positions(2, 2)
    axes = figure.axes[0]
    figure.draw_without_rendering()
    for ticks, limits in (
        (axes.get_xticks(), axes.get_xlim()),
        (axes.get_yticks(), axes.get_ylim()),
    ):
        assert [tick for tick in ticks if min(limits) <= tick <= max(limits)] == [0, 1]


def test_even_dimensions_are_sines_and_wavelengths_are_where_they_are_marked():
    figure = plot_positions()
    table = figure.axes[0].images[0].get_array()
    assert table.shape == (50, 256)
    turned = 2 * np.pi * np.arange(50)[:, None] / wavelengths(256)
    assert np.allclose(table[:, 0::2], np.sin(turned), atol=1e-5)
    assert np.allclose(table[:, 1::2], np.cos(turned), atol=1e-5)
    [above] = figure.axes[0].child_axes
    figure.draw_without_rendering()
    marked = {label.get_text(): label.get_position()[0] for label in above.get_xticklabels()}
    assert list(marked) == ["10", "100", "1,000", "10,000"]
    for words, dimension in marked.items():
        wavelength = float(words.replace(",", ""))
        assert np.interp(dimension, range(0, 256, 2), wavelengths(256)) == pytest.approx(
            wavelength, rel=0.01
        )


def test_sizes_that_cannot_be_drawn_are_refused():
    for length, d_model in ((0, 8), (-1, 8), (10_001, 8), (3, 0), (5, 7), (5, 8_194)):
        with pytest.raises(InputError, match="expected"):
            plot_positions(length, d_model)
