"""Files of attention records, read and written without TensorFlow.

A file is an ``.npz`` archive, which is a zip of ``.npy`` arrays:

- ``header``, a string of JSON: ``{"format": "translator attention", "version": 1, "records":
  [...]}``, where each record has the keys ``model`` (``name``, ``source_language``,
  ``target_language``), ``sentence``, ``rank``, ``score``, ``log_probability``, ``source``,
  ``hypothesis``, ``source_tokens``, ``target_tokens``, ``confidence`` (a number or null),
  ``word_confidences`` (pairs of a word and a number), ``aligning`` (a layer and a head from 0, or
  null; version 0.1.0 did not write these three) and, under ``encoder``, ``decoder`` and
  ``cross``, the name of an array;
- those arrays, (layers, heads, queries, keys), float32 or float16. The hypotheses of a
  sentence share one ``encoder`` array.

Other programs need only ``numpy.load`` and ``json.loads`` to read it.
"""

import contextlib
import errno
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from pydantic import ConfigDict, TypeAdapter

from translator.base.errors import InputError
from translator.base.files import open_file, path_of, whole_file
from translator.translation.records import AttentionRecord, check_type

RECORD_ENDINGS = (".npz",)
FORMAT, VERSION = "translator attention", 1
_FORM = TypeAdapter(AttentionRecord, config=ConfigDict(arbitrary_types_allowed=True))  # of arrays


class RecordWriter:
    """Adds records to a file one by one, so that none has to stay in memory.

    Args:
        half: whether to keep scores in half precision, at half the size; rows then sum to 1
            within 0.001.
    """

    def __init__(self, file: BinaryIO, half: bool = False) -> None:
        self.dtype = np.dtype("float16" if half else "float32")
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._entries: list[dict[str, Any]] = []
        self._encoder_name = ""  # of the last encoder array
        self._encoded: tuple[Any, ...] = ()  # the sentence that it belongs to

    @property
    def count(self) -> int:
        """Number of records that the file holds completely."""
        return len(self._entries)

    def add(self, record: AttentionRecord) -> None:
        """Writes a record; add the hypotheses of a sentence one after the other."""
        check_type(record)
        number = self.count + 1
        encoded = (record.model, record.sentence, record.source_tokens)
        if self._encoded != encoded:
            self._write(f"{number}/encoder", record.encoder.astype(self.dtype))
            self._encoded, self._encoder_name = encoded, f"{number}/encoder"
        entry: dict[str, Any] = record._asdict() | {"model": record.model._asdict()}
        entry["encoder"] = self._encoder_name
        for kind in ("decoder", "cross"):
            entry[kind] = f"{number}/{kind}"
            self._write(entry[kind], getattr(record, kind).astype(self.dtype))
        self._entries.append(entry)

    def close(self) -> None:
        """Writes the header, which makes the file complete."""
        header = {"format": FORMAT, "version": VERSION, "records": self._entries}
        self._write("header", np.array(json.dumps(header)))
        self._archive.close()

    def abandon(self) -> None:
        """Leaves the file without its header."""
        with contextlib.suppress(OSError, ValueError):
            self._archive.close()

    def _write(self, name: str, array: np.ndarray) -> None:
        with self._archive.open(f"{name}.npy", "w", force_zip64=True) as member:
            np.lib.format.write_array(member, array, allow_pickle=False)


@contextlib.contextmanager
def record_file(path: Path, half: bool = False) -> Iterator[RecordWriter]:
    """Opens a file to add records to; it appears after the last record.

    If an error or Ctrl-C stops the work, the file has the records that were added before. If there
    are none, an earlier file at ``path`` is not changed.
    """
    stopped = None
    with whole_file(path) as file:
        writer = RecordWriter(file, half)
        try:
            yield writer
        except BaseException as error:
            if not writer.count:
                writer.abandon()
                raise
            stopped = error
        writer.close()
    if stopped is not None:
        raise stopped


def save_records(
    path: str | Path, records: AttentionRecord | Iterable[AttentionRecord], half: bool = False
) -> None:
    """Writes records to a file.

    Args:
        path: the file, an ``.npz``.
        records: one record or more, the hypotheses of a sentence one after the other.
        half: whether to keep scores in half precision, at half the size; rows then sum to 1
            within 0.001.

    Raises:
        InputError: ``path`` is not a path, or these are not records.
    """
    if isinstance(records, AttentionRecord):
        records = [records]
    with record_file(path_of(path, "records"), half) as writer:
        for record in records:
            writer.add(record)


def load_records(path: str | Path) -> Iterator[AttentionRecord]:
    """Reads records one by one, with scores in float32.

    Args:
        path: a file that `save_records` or ``translator attention --save`` wrote.

    Yields:
        Each record, in order.

    Raises:
        InputError: ``path`` is not a path, or the file is damaged or is not such a file.
    """
    path = path_of(path, "records")
    with open_file(path) as file, _damage_as_input_error(path), np.load(file) as arrays:
        header = json.loads(str(arrays["header"]))
        if (header["format"], header["version"]) != (FORMAT, VERSION):
            raise ValueError
        encoder_name, encoder = "", np.empty(0)
        for entry in header["records"]:
            if encoder_name != entry["encoder"]:
                encoder_name, encoder = entry["encoder"], _scores(arrays, entry["encoder"])
            scores = {kind: _scores(arrays, entry[kind]) for kind in ("decoder", "cross")}
            yield _record(entry, {"encoder": encoder, **scores})


def load_film(folder: Path) -> dict[int, list[AttentionRecord]]:
    """Reads the attention that a training recorded for the sentences of its key ``film``.

    Args:
        folder: of the run, with a file of records for each frame, named by the update.

    Returns:
        The records by the update after which they were taken.
    """
    paths = sorted(folder.glob("[0-9]" * 8 + ".npz"))
    if not paths:
        raise InputError(
            f"{folder}: expected frames of a training, found none; set the key film, and train"
            " again"
        )
    return {int(path.stem): list(load_records(path)) for path in paths}


def _scores(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """The scores, (L, N, queries, keys) float32.

    Raises:
        ValueError: the array is not attention.
    """
    scores = arrays[name]
    if not ((scores >= 0).all() and (scores <= 1.01).all()):  # NaN is refused too
        raise ValueError
    return scores.astype("float32")


def _record(entry: Mapping[str, Any], scores: Mapping[str, np.ndarray]) -> AttentionRecord:
    """The record of an entry of the header.

    Raises:
        ValueError: a value is of another type, or the scores do not fit each other and the tokens.
    """
    fields = {name: entry[name] for name in AttentionRecord._fields if name in entry}
    record = _FORM.validate_python({**fields, **scores})
    source, target = len(record.source_tokens), len(record.target_tokens) - 1
    layers, heads = record.cross.shape[:2]
    if [array.shape for array in scores.values()] != [
        (*record.encoder.shape[:2], source, source),
        (layers, heads, target, target),
        (layers, heads, target, source),
    ]:
        raise ValueError
    return record


@contextlib.contextmanager
def _damage_as_input_error(path: Path) -> Iterator[None]:
    """Turns any error that NumPy raises on a damaged or wrong file into one line."""
    try:
        yield
    except Exception as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise  # of the disk; damaged bytes raise the others, for a wrong place or compression
        raise InputError(
            f"{path}: expected a file that translator attention --save wrote (version {VERSION}),"
            " found a damaged or wrong file; write it again"
        ) from None
