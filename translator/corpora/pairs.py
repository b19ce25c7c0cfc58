"""Aligned sentences."""

from collections.abc import Iterable
from typing import NamedTuple


class SentencePairs(NamedTuple):
    """Aligned sentences: ``targets[i]`` is the translation of ``sources[i]``."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]]) -> "SentencePairs":
        """Collects (source, target) tuples, possibly none."""
        sources, targets = [], []
        for source, target in pairs:
            sources.append(source)
            targets.append(target)
        return cls(tuple(sources), tuple(targets))

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.sources)
