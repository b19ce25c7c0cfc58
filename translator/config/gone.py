"""What earlier versions had in a configuration: a user's file is told, a run's is read without.

A run was trained already, so what went says nothing that translating with it needs.
"""

from typing import Any

# Keys that went, and what serves instead; those of a list's entries without a number.
GONE_KEYS = {
    "decoding.replace_unknown": "went in 0.2.0; masks do it",
    "data.bpe_dropout": "went in 0.3.0; raise model.dropout_rate instead",
}
GONE_CORPORA = {  # beginnings of their names
    "cldr": "went in 0.3.0; phrasebook has these names",
    "mtdata:": "went in 0.3.0; write its pairs with mtdata echo ID > pairs.tsv instead, and name"
    " that file with train",
}
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
            if f"{place}{key}" not in GONE_KEYS
        }
    is_gone = place in NAMES and advice_on_corpus(str(values)) is not None
    return "none" if is_gone else values


def advice_on_corpus(name: str) -> str | None:
    """What to do without a corpus that went; None of another one."""
    return next((GONE_CORPORA[start] for start in GONE_CORPORA if name.startswith(start)), None)
