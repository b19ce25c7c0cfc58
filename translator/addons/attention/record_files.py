"""Files of attention records, read and written without TensorFlow.

A file is an ``.npz`` archive, which is a zip of ``.npy`` arrays:

- ``header``, a string of JSON: ``{"format": "translator attention", "version": 1, "records":
  [...]}``, where each record has the keys ``model`` (``name``, ``source_language``,
  ``target_language``), ``sentence``, ``rank``, ``score``, ``log_probability``, ``source``,
  ``hypothesis``, ``source_tokens``, ``target_tokens``, ``confidence`` (a number or null),
  ``word_confidences`` (pairs of a word and a number), ``aligning`` (a layer and a head from 0, or
  null; these three may be missing) and, under
  ``encoder``, ``decoder`` and ``cross``, the name of an array;
- those arrays, (layers, heads, queries, keys), float32 or float16. The hypotheses of a
  sentence share one ``encoder`` array.

So other programs can read it with ``numpy.load`` and ``json.loads`` alone.
"""

import contextlib
import errno
import json
import math
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from translator.base.errors import InputError
from translator.base.files import path_of, whole_file
from translator.base.reading import open_file
from translator.translation.records import KINDS, AttentionRecord, RecordedModel, check_type

RECORD_ENDINGS = (".npz",)
FORMAT, VERSION = "translator attention", 1
MAX_ARRAY_BYTES = 2**30  # more than any model's attention; a file may claim any size
MAX_HEADER_BYTES = 2**26
MAX_RATIO = 300  # of an array's bytes to those in the file, for more than `SMALL_BYTES`
SMALL_BYTES = 2**24

Number = Annotated[float, Field(strict=True)]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]
Count = Annotated[int, Field(ge=1, le=10**15, strict=True)]
Index = Annotated[int, Field(ge=0, le=10**15, strict=True)]


class RecordWriter:
    """Adds records to a file one by one, so that none has to be kept in memory.

    Args:
        file: open for writing.
        half: whether to keep scores in half precision, at half the size; rows then sum to 1
            within 0.001.
    """

    def __init__(self, file: BinaryIO, half: bool = False) -> None:
        self.dtype = np.dtype("float16" if half else "float32")
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._entries: list[dict[str, Any]] = []
        self._hypotheses: set[tuple[Any, ...]] = set()
        self._encoder_name = ""  # of the last encoder array
        self._encoded: tuple[Any, ...] = ()  # the sentence that it belongs to

    @property
    def count(self) -> int:
        """Number of records that the file holds completely."""
        return len(self._entries)

    def add(self, record: AttentionRecord) -> None:
        """Writes a record; add the hypotheses of a sentence one after the other.

        Raises:
            InputError: it is not a record, or the file has one of that hypothesis already.
        """
        check_type(record)
        hypothesis = (record.model, record.source, record.sentence, record.rank)
        if hypothesis in self._hypotheses:
            raise InputError(
                f"records: expected each hypothesis once, found hypothesis {record.rank} of"
                f" sentence {record.sentence} twice; number the sentences differently"
            )
        self._hypotheses.add(hypothesis)
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
        """Writes the header, without which the file is not complete."""
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
    """Opens a file to add records to; it appears once all have been added.

    If an error or Ctrl-C ends the work, the file holds the records added before it. If there
    were none, an earlier file at ``path`` stays as it was.

    Args:
        path: the file.
        half: as in `RecordWriter`.

    Yields:
        The writer.
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
        InputError: ``path`` is not a path, these are not records, or a hypothesis comes twice.
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
    with open_file(path) as file, _damage_as_input_error(path), zipfile.ZipFile(file) as archive:
        header = json.loads(str(_header(archive)))
        if header["format"] != FORMAT:
            raise DamageError("it has another format")
        if header["version"] != VERSION:
            raise InputError(
                f"{path}: expected records of version {VERSION}, found {header['version']}; read"
                " them with the program that wrote them"
            )
        encoder_name, encoder = "", np.empty(0)
        hypotheses = set()
        for number, entry in enumerate(_ENTRIES.validate_python(header["records"]), start=1):
            model = RecordedModel(*(getattr(entry.model, name) for name in RecordedModel._fields))
            hypothesis = (model, entry.source, entry.sentence, entry.rank)
            if hypothesis in hypotheses:
                raise DamageError(f"record {number} is of a hypothesis that an earlier one has")
            hypotheses.add(hypothesis)
            shapes = {kind: _shape(archive, getattr(entry, kind)) for kind in KINDS}
            source, target = len(entry.source_tokens), len(entry.target_tokens) - 1
            layers, heads = shapes["encoder"][0], shapes["cross"][1]
            if shapes != {
                "encoder": (*shapes["encoder"][:2], source, source),
                "decoder": (layers, heads, target, target),
                "cross": (layers, heads, target, source),
            }:
                raise DamageError(f"arrays of record {number} do not fit each other or its tokens")
            if encoder_name != entry.encoder:
                encoder_name, encoder = entry.encoder, _scores(archive, entry.encoder)
            known = {
                "encoder": encoder,
                "decoder": _scores(archive, entry.decoder),
                "cross": _scores(archive, entry.cross),
                "model": model,
                "aligning": entry.aligning or entry.model.aligning,
            }
            yield AttentionRecord(**(vars(entry) | known))


class DamageError(ValueError):
    """What is wrong with a file of records, in words for the user."""


class _Model(BaseModel):
    """A `RecordedModel`."""

    model_config = ConfigDict(extra="forbid")

    name: str = ""
    source_language: str = ""
    target_language: str = ""
    aligning: tuple[Index, Index] | None = None  # of earlier versions, the same for all sentences


class _Entry(BaseModel):
    """What the header says of a record; see `AttentionRecord`. Arrays are named."""

    model_config = ConfigDict(allow_inf_nan=False)

    source: str
    hypothesis: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    encoder: str
    decoder: str
    cross: str
    sentence: Count
    rank: Count
    score: Number
    log_probability: Number
    model: _Model
    confidence: Share | None = None
    word_confidences: tuple[tuple[str, Share], ...] = ()
    aligning: tuple[Index, Index] | None = None


_ENTRIES = TypeAdapter(list[_Entry])


def _claim(archive: zipfile.ZipFile, name: str) -> tuple[tuple[int, ...], str, int]:
    """The shape of an array, the kind of its type and its bytes, without reading it.

    Raises:
        KeyError: there is no such array.
        ValueError: it is damaged.
    """
    form = np.lib.format
    with archive.open(f"{name}.npy") as member:
        if form.read_magic(member) != (1, 0):  # whose own header is short
            raise DamageError(f"the array {name!r:.40} has an unknown version")
        shape, _, dtype = form.read_array_header_1_0(member)
    return shape, dtype.kind, math.prod(shape) * dtype.itemsize


def _most(archive: zipfile.ZipFile, name: str) -> int:
    """The bytes that an array may have, by those that it has in the file."""
    return max(SMALL_BYTES, MAX_RATIO * archive.getinfo(f"{name}.npy").compress_size)


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(f"{name}.npy") as member:
        array: np.ndarray = np.lib.format.read_array(member)
    return array


def _header(archive: zipfile.ZipFile) -> np.ndarray:
    shape, kind, size = _claim(archive, "header")
    if shape or kind != "U" or size > max(MAX_HEADER_BYTES, _most(archive, "header")):
        raise DamageError("its header is not text, or too long")
    return _array(archive, "header")


def _shape(archive: zipfile.ZipFile, name: str) -> tuple[int, ...]:
    shape, kind, size = _claim(archive, name)
    if len(shape) != 4 or kind != "f" or not 0 < size <= MAX_ARRAY_BYTES:
        raise DamageError(f"the array {name!r:.40} has a wrong shape or type")
    if size > _most(archive, name):
        raise DamageError(f"the array {name!r:.40} has far fewer bytes in the file")
    return shape


def _scores(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """(L, N, queries, keys) float32.

    Raises:
        ValueError: it does not hold attention.
    """
    scores = _array(archive, name)
    if not ((scores >= 0).all() and (scores <= 1.01).all()):  # NaN is refused too
        raise DamageError(f"the array {name!r:.40} has numbers outside 0 to 1")
    return scores.astype("float32")


@contextlib.contextmanager
def _damage_as_input_error(path: Path) -> Iterator[None]:
    """Turns whatever a damaged file, or one of another kind, makes NumPy raise into one line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise  # the disk's; the others are of places or compressions that a damaged byte names
        reason = f": {error}" if isinstance(error, DamageError) else ""
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            reason = f": {'.'.join(map(str, first['loc']))!r:.40}: {first['msg']}"
        raise InputError(
            f"{path}: expected what translator attention --save writes, version {VERSION}, found a"
            f" damaged or another file{reason}; write it again"
        ) from None
