"""Pictures of the masks that the model makes."""

import numpy as np
from matplotlib.colors import to_rgb

from tests.figures import inside
from translator.addons.attention.drawing.mask_maps import HIDDEN, SEEN, plot_masks
from translator.model.masks import masks_of

SOURCE = ("<s>", "▁He", "▁$leeps$", ".", "</s>", "<pad>", "<pad>")
TARGET = ("<s>", "▁Er", "▁schläft", ".", "<pad>")


def test_masks_show_what_the_model_s_own_functions_say():
    found = masks_of(*([token == "<pad>" for token in side] for side in (SOURCE, TARGET)))
    figure = plot_masks(*found, SOURCE, TARGET)
    real, triangle = [True] * 5 + [False] * 2, np.tri(5, dtype=bool)
    expected = {
        "encoder: padding mask of the source": (SOURCE, SOURCE, np.tile(real, (7, 1))),
        "look-ahead mask": (TARGET, TARGET, triangle),
        "decoder: both for the target": (TARGET, TARGET, triangle & np.array([True] * 4 + [False])),
        "cross: padding mask of the source": (TARGET, SOURCE, np.tile(real, (5, 1))),
    }
    assert [axes.get_xlabel() for axes in figure.axes] == list(expected)
    for axes, (queries, keys, mask) in zip(figure.axes, expected.values()):
        image = axes.images[0]
        assert np.array_equal(image.get_array(), mask)
        assert tuple(label.get_text() for label in axes.get_xticklabels()) == keys
        assert tuple(label.get_text() for label in axes.get_yticklabels()) == queries
        assert not any(label.get_parse_math() for label in axes.get_xticklabels())
        assert np.allclose(image.cmap(image.norm(1))[:3], to_rgb(SEEN))
        assert np.allclose(image.cmap(image.norm(0))[:3], to_rgb(HIDDEN))
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["may look", "hidden"]
    assert np.allclose(legend.get_patches()[0].get_facecolor()[:3], to_rgb(SEEN))
    assert inside(figure)
