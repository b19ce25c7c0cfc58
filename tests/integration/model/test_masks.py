"""Masks: who may look at whom."""

import numpy as np

from translator.model.masks import look_ahead_mask, padding_mask, target_mask


def test_look_ahead_mask_of_three():
    hidden = 1 - np.array(look_ahead_mask(3), dtype=int)[0, 0]
    assert hidden.tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_padding_mask_hides_padding_and_nothing_else():
    ids = np.array([[5, 0, 3], [4, 3, 3]])
    mask = np.array(padding_mask(ids, padding_id=3))
    assert mask.shape == (2, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[True, True, False], [True, False, False]]


def test_target_mask_is_look_ahead_and_padding():
    mask = np.array(target_mask(np.array([[5, 6, 3]]), padding_id=3))[0, 0]
    assert mask.tolist() == [[True, False, False], [True, True, False], [True, True, False]]
