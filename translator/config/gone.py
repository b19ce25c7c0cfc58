"""The configuration of a run without what went since: a user's file that has it is refused.

A run was trained already, so what went says nothing that translating with it needs.
"""

from typing import Any

from translator.base.gone import gone_line

NAMES = ("corpus.name.", "corpora.name.")


def without_gone(values: Any, place: str = "") -> Any:
    """What the configuration of a run says, without the keys and corpora that went.

    Args:
        values: of a section, of a list of sections, or of a key.
        place: the full name of the section or key with a dot after it; empty for the whole.
    """
    if isinstance(values, list):
        return [without_gone(entry, place) for entry in values]
    if isinstance(values, dict):
        return {
            key: without_gone(value, f"{place}{key}.")
            for key, value in values.items()
            if gone_line(f"{place}{key}") is None
        }
    return "none" if place in NAMES and gone_line(f"name: {values}") else values
