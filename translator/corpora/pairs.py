"""Aligned sentences."""

from typing import NamedTuple


class SentencePairs(NamedTuple):
    """Aligned sentences: ``targets[i]`` translates ``sources[i]``."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.sources)
