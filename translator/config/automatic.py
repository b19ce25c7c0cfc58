"""Keys of a configuration whose values the program may choose: their value is ``auto``.

The choice depends on the corpus and the time; see `translator.training.choices`.
"""

import copy
import os
from collections.abc import Mapping
from typing import Any

AUTO = "auto"
AUTOMATIC = (
    "corpus.split.validation",
    "corpus.split.test",
    "tokenizer.vocab_size",
    "tokenizer.shared",
    "data.max_length",
    "data.batch_tokens",
    "model.num_layers",
    "model.d_model",
    "model.num_heads",
    "model.dff",
    "model.dropout_rate",
    "model.normalize_first",
    "model.tied_embeddings",
    "training.epochs",
    "training.label_smoothing",
    "training.r_drop_alpha",
    "training.r_drop_after",
    "training.schedule.name",
    "training.schedule.learning_rate",
    "training.schedule.warmup_steps",
    "validation.every_epochs",
    "validation.every_updates",
    "validation.translate_every",
    "validation.metric",
)
# Keys of ``training`` about how a model learns. If a file sets one, the program chooses none.
LEARNING_KEYS = {
    "epochs",
    "label_smoothing",
    "r_drop_alpha",
    "r_drop_after",
    "schedule",
    "accumulation_steps",
}
# Temporary values of automatic keys whose defaults may not fit the other keys of a file.
PROVISIONAL = {
    "data.batch_tokens": 16_384,
    "training.schedule.name": "linear",
    "training.schedule.learning_rate": 1e-3,
    "training.schedule.warmup_steps": 1,
}


def plain_values(values: Any) -> Any:
    """Turns values of Python into values of YAML: dictionaries, lists, and paths as strings."""
    if isinstance(values, Mapping):
        return {str(key): plain_values(value) for key, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [plain_values(value) for value in values]
    return os.fspath(values) if isinstance(values, os.PathLike) else values


def mark_missing_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """Writes ``auto`` for every key in `AUTOMATIC` that a file does not have.

    If the file sets a key of the model or one of `LEARNING_KEYS`, fewer keys get ``auto``: the keys
    of a section that is ``auto`` itself; ``training.epochs`` if ``training.minutes`` is set; and
    the size of batches, because it has no default.
    """
    sections = copy.deepcopy(dict(values))
    model, training = (values.get(name) for name in ("model", "training"))
    leaves_all = model in (None, AUTO) and (
        training in (None, AUTO)
        or (isinstance(training, dict) and training.keys().isdisjoint(LEARNING_KEYS))
    )
    for name in AUTOMATIC:
        *path, key = name.split(".")
        in_automatic = any(value_at(values, path[:depth]) == AUTO for depth in (1, 2))
        has_minutes = name == "training.epochs" and value_at(values, ["training", "minutes"])
        has_size = value_at(values, ["data", "batch_size"]) is not None
        is_missing = name == "data.batch_tokens" and not has_size
        if leaves_all or in_automatic or has_minutes or is_missing:
            section = _section(sections, path)
            if section is not None:
                section.setdefault(key, AUTO)
    return sections


def take_out_automatic(values: Mapping[str, Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """Removes each key in `AUTOMATIC` whose value is ``auto``, so that it has its default."""
    sections = copy.deepcopy(dict(values))
    taken = {name for name in AUTOMATIC if value_at(sections, name.split(".")) == AUTO}
    has_batch_size = value_at(sections, ["data", "batch_size"]) is not None
    if "data.batch_tokens" in taken and has_batch_size:  # only one of the two is allowed
        del sections["data"]["batch_tokens"]
        taken.remove("data.batch_tokens")
    for name in taken:
        *path, key = name.split(".")
        section = _section(sections, path) or {}
        del section[key]
        if name in PROVISIONAL:
            section[key] = PROVISIONAL[name]
    return sections, frozenset(taken)


def value_at(values: Any, path: list[str]) -> Any:
    """The value at a path of keys; None if there is none."""
    for key in path:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def _section(values: dict[str, Any], path: list[str]) -> dict[str, Any] | None:
    """The section at a path; makes it if it is missing or ``auto``; None for other values."""
    section = values
    for key in path:
        if section.get(key) in (None, AUTO):
            section[key] = {}
        inner = section[key]
        if not isinstance(inner, dict):
            return None
        section = inner
    return section
