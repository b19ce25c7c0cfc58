"""Pictures of masks and positions: the model's own arrays, labelled, in the right places."""

import numpy as np
import pytest
from PIL import Image

from tests.figures import inside
from translator.addons.attention.drawing.animations import Animation
from translator.addons.attention.drawing.figure_layout import MAX_WIDTH
from translator.addons.attention.drawing.mask_maps import plot_masks
from translator.addons.attention.drawing.position_maps import plot_positions
from translator.addons.attention.drawing.position_rings import PAIRS, draw_rings
from translator.model.constants import sinusoidal_positions


@pytest.mark.parametrize(
    ("source", "target", "columns"), [(12, 13, 4), (13, 13, 2), (9, 30, 2), (100, 100, 2)]
)
def test_masks_of_many_tokens_are_in_two_rows(source, target, columns):
    tokens = [f"▁s{i}" for i in range(source)], [f"▁t{i}" for i in range(target)]
    look_ahead = np.tri(target, dtype=bool)
    padding = np.arange(source) < source - 2
    combined = look_ahead & (np.arange(target) < target - 3)
    figure = plot_masks(padding, look_ahead, combined, *tokens)
    keys: dict[float, set[int]] = {}  # by the place from the left
    for axes in figure.axes:
        keys.setdefault(round(axes.get_position().x0, 6), set()).add(len(axes.get_xticklabels()))
    assert len(keys) == columns
    assert {axes.get_position().y0 for axes in figure.axes} == {
        axes.get_position().y0 for axes in figure.axes[::columns]
    }
    if columns == 2:
        assert [*keys.values()] == [{source}, {target}]  # the same keys are below each other
    shown = {axes.get_xlabel(): axes.images[0].get_array() for axes in figure.axes}
    assert np.array_equal(shown["look-ahead mask"], look_ahead)
    assert np.array_equal(shown["decoder: both for the target"], combined)
    for name, queries in (("encoder", source), ("cross", target)):
        expected = np.broadcast_to(padding, (queries, source))
        assert np.array_equal(shown[f"{name}: padding mask of the source"], expected)
    assert inside(figure)
    assert figure.get_figwidth() <= MAX_WIDTH


def test_positions_are_the_model_s_table():
    figure = plot_positions(30, 64)
    panel, bar = figure.axes
    assert np.array_equal(panel.images[0].get_array(), sinusoidal_positions(30, 64))
    assert panel.images[0].get_clim() == bar.get_ylim() == (-1, 1)
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("dimension", "position")
    assert "30 positions by 64 dimensions" in figure.get_suptitle()
    assert inside(figure)


def test_wavelengths_are_where_they_are_marked_and_ticks_are_whole_numbers():
    figure = plot_positions()
    [above] = figure.axes[0].child_axes
    figure.draw_without_rendering()
    marked = {label.get_text(): label.get_position()[0] for label in above.get_xticklabels()}
    assert list(marked) == ["10", "100", "1,000", "10,000"]
    for words, dimension in marked.items():
        found = 2 * np.pi * 10000 ** (dimension / 256)
        assert found == pytest.approx(float(words.replace(",", "")), rel=0.01)
    axes = plot_positions(2, 2).axes[0]
    axes.figure.draw_without_rendering()
    for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        ticks = [tick for tick in axis.get_ticklocs() if min(limits) <= tick <= max(limits)]
        assert ticks == [0, 1]


def test_rings_turn_by_the_model_s_table(tmp_path, monkeypatch):
    frames = []

    def keep(animation):
        rings = animation._canvas.figure.axes
        frames.append([axes.collections[0].get_offsets()[-1] for axes in rings])
        return add_frame(animation)

    add_frame = Animation.add_frame
    monkeypatch.setattr(Animation, "add_frame", keep)
    draw_rings(tmp_path / "rings.gif")
    sines_and_cosines = sinusoidal_positions(50, 256).reshape(50, 128, 2)
    assert np.array_equal(frames, sines_and_cosines[:, PAIRS, ::-1])
    with Image.open(tmp_path / "rings.gif") as picture:
        assert picture.n_frames == 50  # type: ignore[attr-defined]
