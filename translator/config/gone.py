"""What earlier versions had in a configuration: a user's file is told, a run's is read without.

A run was trained already, so what went says nothing that translating with it needs.
"""

from typing import Any

# Keys that went, and what serves instead; those of a list's entries without a number.
GONE_KEYS = {
    "decoding.replace_unknown": "went in 0.2.0; masks do it",
    "data.bpe_dropout": "went in 0.3.0; raise model.dropout_rate instead",
}


def without_gone(values: Any, place: str = "") -> Any:
    """What the configuration of a run says, without the keys that went.

    Args:
        values: of a section, of a list of sections, or of a key.
        place: the full name of the section with a dot after it; empty for the whole.
    """
    if isinstance(values, list):
        return [without_gone(entry, place) for entry in values]
    if not isinstance(values, dict):
        return values
    return {
        key: without_gone(value, f"{place}{key}.")
        for key, value in values.items()
        if f"{place}{key}" not in GONE_KEYS
    }
