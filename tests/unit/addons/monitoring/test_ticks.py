"""Ticks that reach to both ends of an axis."""

import pytest

from translator.addons.monitoring.ticks import logarithmic_ticks_around, ticks_around, ticks_between


def test_exact_ends_have_ticks_with_space_around():
    assert ticks_between(0, 504, 6) == [0, 100, 200, 300, 400, 504]
    assert ticks_between(0, 990, 5) == [0, 200, 400, 600, 800, 990]
    assert ticks_between(0, 1010, 6) == [0, 200, 400, 600, 800, 1010], "not 1,000 as well"
    assert ticks_between(1, 11_900, 6) == [1, 2000, 4000, 6000, 8000, 10_000, 11_900]
    assert ticks_between(3, 3, 5) == [3]


def test_round_ends_contain_all_values():
    assert ticks_around(0, 0.0037, 5) == pytest.approx([0, 0.001, 0.002, 0.003, 0.004])
    assert ticks_around(1.56, 85.3, 5) == [0, 20, 40, 60, 80, 100]
    assert ticks_around(0, 0, 5)[-1] >= 1
    low, *_, high = ticks_around(7.5, 7.5, 5)
    assert low < 7.5 < high


def test_logarithmic_ticks_are_steps_of_one_two_and_five():
    assert logarithmic_ticks_around(0.08, 4.3) == pytest.approx([0.05, 0.1, 0.2, 0.5, 1, 2, 5])
    assert logarithmic_ticks_around(1, 20) == pytest.approx([1, 2, 5, 10, 20])


def test_a_logarithmic_axis_of_few_values_has_even_ticks():
    assert logarithmic_ticks_around(2.1, 3.9) == pytest.approx([2, 2.5, 3, 3.5, 4])
    assert logarithmic_ticks_around(0.66, 3.2) == pytest.approx([0.5, 1, 1.5, 2, 2.5, 3, 3.5])
    for low in (0.11, 0.2, 0.34, 0.5, 0.77, 1.0):
        ticks = logarithmic_ticks_around(low, 4.99 * low)
        assert 0 < ticks[0] <= low
        assert ticks[-1] >= 4.99 * low


@pytest.mark.parametrize("high", [1e4, 3e6, 1e9, 7e20])
def test_a_range_of_many_powers_of_ten_has_few_ticks(high):
    ticks = logarithmic_ticks_around(1.2, high)
    assert len(ticks) <= 10
    assert ticks[0] <= 1.2
    assert ticks[-1] >= high
    assert ticks == sorted(set(ticks))
