"""Checks of the records that a file holds. NumPy only."""

import math
from typing import Any

from translator.translation.records import KINDS, AttentionRecord, RecordedModel

MAX_NUMBER = 10**15  # more sentences or hypotheses than any file has


class DamageError(ValueError):
    """What is wrong with a file of records, in words for the user."""


def check_entries(entries: list[dict[str, Any]]) -> None:
    """Checks the numbers of all records before the first is read.

    Raises:
        ValueError: a number is wrong, or two records are of the same hypothesis.
    """
    found = set()
    for number, entry in enumerate(entries, start=1):
        for key in ("sentence", "rank"):
            if type(entry[key]) is not int or not 1 <= entry[key] <= MAX_NUMBER:
                raise DamageError(f"{key} of record {number} is not a number from 1")
        for key in ("score", "log_probability"):
            if not _is_finite(entry[key]):
                raise DamageError(f"{key} of record {number} is not a finite number")
        _check_confidences(entry, number)
        model = model_of(entry)
        hypothesis = (model, entry["source"], entry["sentence"], entry["rank"])
        if hypothesis in found:
            raise DamageError(
                f"record {number} is hypothesis {entry['rank']} of sentence {entry['sentence']},"
                " which an earlier record has"
            )
        found.add(hypothesis)


def model_of(entry: dict[str, Any]) -> RecordedModel:
    """The model of a record, by what the file says of it.

    Raises:
        ValueError: it names no head where it should.
    """
    values = dict(entry["model"])
    aligning = values.pop("aligning", None)
    if aligning is not None:
        if len(aligning) != 2 or not all(type(each) is int and each >= 0 for each in aligning):
            raise DamageError("aligning is not a layer and a head")
        aligning = (aligning[0], aligning[1])
    return RecordedModel(**values, aligning=aligning)


def _check_confidences(entry: dict[str, Any], number: int) -> None:
    """Checks the confidences of a record, which files of earlier versions do not have."""
    whole, words = entry.get("confidence"), entry.get("word_confidences", [])
    if not (whole is None or _is_share(whole)):
        raise DamageError(f"confidence of record {number} is not a number from 0 to 1")
    if not isinstance(words, list) or not all(map(_is_word_confidence, words)):
        raise DamageError(f"word_confidences of record {number} are not words with numbers")


def _is_word_confidence(pair: Any) -> bool:
    is_pair = isinstance(pair, list) and len(pair) == 2
    return is_pair and isinstance(pair[0], str) and _is_share(pair[1])


def _is_share(value: Any) -> bool:
    return _is_finite(value) and 0 <= value <= 1


def _is_finite(value: Any) -> bool:
    """Whether a value is a number that a float can hold."""
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False


def check_record(record: AttentionRecord, number: int) -> None:
    """Refuses a record that could not be drawn.

    Raises:
        ValueError: its parts do not fit together.
    """
    if not all(
        isinstance(text, str) for text in (record.source, record.hypothesis, *record.model[:3])
    ):
        raise DamageError(f"a sentence or the model of record {number} is not text")
    shapes = {kind: record.maps(kind).scores.shape[:2] for kind in KINDS}
    for kind in KINDS:
        scores = record.maps(kind).scores
        if shapes[kind][0] != shapes["encoder"][0] or shapes["decoder"] != shapes["cross"]:
            raise DamageError(f"the arrays of record {number} differ in layers or heads")
        if not ((scores >= 0).all() and (scores <= 1.01).all()):  # NaN is refused too
            raise DamageError(f"record {number} has {kind} attention outside 0 to 1")
