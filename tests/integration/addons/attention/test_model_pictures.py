"""Pictures of the masks that the model makes."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from tests.figures import inside
from translator.addons.attention.drawing.mask_maps import plot_masks
from translator.addons.attention.drawing.styles import DARK, LIGHT
from translator.addons.attention.head_colours import HEAD_COLOURS
from translator.base.errors import InputError
from translator.model import masks

SOURCE = ("<s>", "▁He", "▁$leeps$", ".", "</s>", "<pad>", "<pad>")
TARGET = ("<s>", "▁Er", "▁schläft", ".", "<pad>")


def model_masks() -> list[np.ndarray]:
    """The model's masks of ids in which 0 is padding."""
    source, target = (
        np.array([[int(token != "<pad>") for token in side]]) for side in (SOURCE, TARGET)
    )
    found = masks.padding_mask(source, 0), masks.look_ahead_mask(5), masks.target_mask(target, 0)
    return [np.asarray(mask) for mask in found]


@pytest.mark.parametrize("dark", [False, True])
def test_masks_show_what_the_model_s_own_functions_say(dark):
    figure = plot_masks(*model_masks(), SOURCE, TARGET, dark=dark)  # type: ignore[call-arg]
    padding, look_ahead, combined, cross = (axes.images[0].get_array() for axes in figure.axes)
    real = np.array([True] * 5 + [False] * 2)
    assert np.array_equal(padding, np.tile(real, (7, 1)))
    assert np.array_equal(look_ahead, np.tril(np.ones((5, 5), bool)))
    expected = np.tril(np.ones((5, 5), bool))
    expected[4, 4] = False
    assert np.array_equal(combined, expected)
    assert np.array_equal(cross, np.tile(real, (5, 1)))
    rows, columns = (SOURCE, TARGET, TARGET, TARGET), (SOURCE, TARGET, TARGET, SOURCE)
    for axes, queries, keys in zip(figure.axes, rows, columns):
        assert tuple(label.get_text() for label in axes.get_xticklabels()) == keys
        assert tuple(label.get_text() for label in axes.get_yticklabels()) == queries
        assert not any(label.get_parse_math() for label in axes.get_xticklabels())
        image, style = axes.images[0], DARK if dark else LIGHT
        assert np.allclose(image.cmap(image.norm(1))[:3], style.hue(HEAD_COLOURS[0]))
        assert np.allclose(image.cmap(image.norm(0))[:3], to_rgb(style.rule))
    assert [axes.get_xlabel() for axes in figure.axes] == [
        "encoder: padding mask of the source",
        "look-ahead mask",
        "decoder: both for the target",
        "cross: padding mask of the source",
    ]
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["may look", "hidden"]
    assert np.allclose(legend.get_patches()[0].get_facecolor()[:3], style.hue(HEAD_COLOURS[0]))
    assert inside(figure)


def test_masks_that_do_not_fit_their_tokens_are_refused():
    padding, look_ahead, combined = model_masks()
    with pytest.raises(InputError, match="look-ahead mask: expected a mask of one sentence over 5"):
        plot_masks(padding, look_ahead[..., :4], combined, SOURCE, TARGET)
    with pytest.raises(InputError, match="padding mask of the source: .* over 7 tokens"):
        plot_masks(np.repeat(padding, 2, axis=0), look_ahead, combined, SOURCE, TARGET)
