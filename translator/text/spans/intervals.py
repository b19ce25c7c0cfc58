"""Parts of a text that are taken, by start and end."""

import bisect
from collections.abc import Iterable, Iterator


class Intervals:
    """Intervals that do not overlap."""

    def __init__(self, taken: Iterable[tuple[int, int]] = ()) -> None:
        self._taken: list[tuple[int, int]] = sorted(taken)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._taken)

    def add(self, others: Iterable[tuple[int, int]]) -> None:
        """Adds intervals that do not overlap with those that are there."""
        self._taken = sorted([*self._taken, *others])

    def are_free(self, start: int, end: int) -> bool:
        """Whether nothing from ``start`` to ``end`` is taken."""
        place = bisect.bisect_left(self._taken, (end, end))
        return place == 0 or self._taken[place - 1][1] <= start

    def hold(self, start: int, end: int) -> bool:
        """Whether one of them has all from ``start`` to ``end``."""
        place = bisect.bisect_left(self._taken, (start + 1, start))
        return place > 0 and self._taken[place - 1][1] >= end
