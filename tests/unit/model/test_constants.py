"""The table of sinusoids."""

import numpy as np

from translator.model.constants import POSITIONS, sinusoidal_positions


def test_positions_are_sines_and_cosines_in_pairs_or_in_halves():
    expected = [0.84147098, 0.54030231, 0.38767423, 0.92179645, 0.15782664, 0.98746684]
    assert np.allclose(sinusoidal_positions(3, 20)[1, :6], expected, atol=1e-7)
    table = sinusoidal_positions(3, 20).astype("float64")
    sine, cosine = table[1, 0::2], table[1, 1::2]
    assert np.allclose(table[2, 0::2], 2 * sine * cosine, atol=1e-6)
    assert np.allclose(table[2, 1::2], cosine**2 - sine**2, atol=1e-6)
    assert sinusoidal_positions(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]
    interleaved, halves = (sinusoidal_positions(4, 8, kind) for kind in POSITIONS)
    assert np.array_equal(halves, interleaved[:, [0, 2, 4, 6, 1, 3, 5, 7]])
