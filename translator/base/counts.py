"""Counts of what was changed or dropped, by the rule that did it."""

from collections import Counter

Counts = Counter[str]


def describe_counts(counts: Counts) -> str:
    """Counts as a reader sees them, without those of 0: ``12 empty, 3 duplicates``."""
    return ", ".join(f"{count:,} {rule}" for rule, count in counts.items() if count) or "none"
