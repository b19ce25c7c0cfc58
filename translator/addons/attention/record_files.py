"""Files of attention records. NumPy only.

A file is an ``.npz`` archive, which is a zip of ``.npy`` arrays:

- ``header``, a string of JSON: ``{"format": "translator attention", "version": 1, "records":
  [...]}``, where each record has the keys ``model`` (``name``, ``source_language``,
  ``target_language``, ``aligning``: a layer and a head from 0, or null; it may be missing),
  ``sentence``, ``rank``, ``score``, ``log_probability``, ``source``,
  ``hypothesis``, ``source_tokens``, ``target_tokens``, ``confidence`` (a number or null),
  ``word_confidences`` (pairs of a word and a number; both may be missing) and, under
  ``encoder``, ``decoder`` and ``cross``, the name of an array;
- those arrays, (layers, heads, queries, keys), float32 or float16. The hypotheses of a
  sentence share one ``encoder`` array.

So other programs can read it with ``numpy.load`` and ``json.loads`` alone.
"""

import contextlib
import json
import lzma
import math
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from translator.addons.attention.record_checks import (
    DamageError,
    check_entries,
    check_record,
    model_of,
)
from translator.base.errors import InputError
from translator.base.files import path_of, whole_file
from translator.translation.records import AttentionRecord, check_type

RECORD_ENDINGS = (".npz",)
FORMAT, VERSION = "translator attention", 1
MAX_ARRAY_BYTES = 2**30  # more than any model's attention; a damaged file may claim any size
MAX_HEADER_BYTES = 2**26  # or `MAX_HEADER_RATIO` times what it has in the file
MAX_HEADER_RATIO = 300


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
    with open(path, "rb") as file, _damage_as_input_error(path), zipfile.ZipFile(file) as archive:
        header = _read_header(archive)
        if header["format"] == FORMAT and header["version"] != VERSION:
            raise InputError(
                f"{path}: expected records of version {VERSION}, found {header['version']}; read"
                " them with the program that wrote them"
            )
        if header["format"] != FORMAT:
            raise DamageError("it has another format")
        check_entries(header["records"])
        encoder_name, encoder = "", np.empty(0)
        for number, entry in enumerate(header["records"], start=1):
            source, target = (
                _read_tokens(entry[f"{side}_tokens"]) for side in ("source", "target")
            )
            queries = len(target) - 1
            if encoder_name != entry["encoder"]:
                encoder_name = entry["encoder"]
                encoder = _read_scores(archive, encoder_name, len(source), len(source))
            known = {
                "source_tokens": source,
                "target_tokens": target,
                "encoder": encoder,
                "decoder": _read_scores(archive, entry["decoder"], queries, queries),
                "cross": _read_scores(archive, entry["cross"], queries, len(source)),
                "model": model_of(entry),
                "score": float(entry["score"]),
                "log_probability": float(entry["log_probability"]),
                "word_confidences": tuple(map(tuple, entry.get("word_confidences", ()))),
            }
            record = AttentionRecord(**(entry | known))
            check_record(record, number)
            yield record


@contextlib.contextmanager
def _damage_as_input_error(path: str | Path) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, OverflowError, RuntimeError,
            SyntaxError, OSError, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
            lzma.LZMAError) as error:  # fmt: skip
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the disk's; the others are of compressions that a damaged byte asks for
        reason = ""
        if isinstance(error, DamageError):
            reason = f": {error}"
        elif isinstance(error, zipfile.BadZipFile | zlib.error | EOFError | OSError):
            reason = ": its zip archive cannot be read"
        raise InputError(
            f"{path}: expected what translator attention --save writes, version {VERSION}, found a"
            f" damaged or another file{reason}; write it again"
        ) from None


def _read_array(
    archive: zipfile.ZipFile,
    name: str,
    is_expected: Callable[[tuple[int, ...], np.dtype[Any]], bool],
    max_bytes: int,
) -> np.ndarray:
    """Reads an array if the shape, type and size that it declares are as expected.

    Raises:
        ValueError: they are not, or the array does not hold what it declares.
    """
    if f"{name}.npy" not in archive.NameToInfo:
        raise DamageError(f"the array {name!r:.40} is missing")
    with archive.open(f"{name}.npy") as member:
        version = np.lib.format.read_magic(member)
        if version == (1, 0):
            shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(member)
        elif version == (2, 0):
            shape, is_fortran, dtype = np.lib.format.read_array_header_2_0(member)
        else:
            raise DamageError(f"the array {name!r:.40} has an unknown version")
        if not is_expected(shape, dtype):
            raise DamageError(f"the array {name!r:.40} has a wrong shape or type")
        size = math.prod(shape) * dtype.itemsize
        if size > max_bytes:
            raise DamageError(f"the array {name!r:.40} is too large")
        content = member.read(size)
        if len(content) < size or member.read(1):  # at the end the checksum is compared
            raise DamageError(f"the array {name!r:.40} has a wrong length")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if is_fortran else "C")


def _read_header(archive: zipfile.ZipFile) -> dict[str, Any]:
    """The header, if its size is plausible.

    Raises:
        ValueError: it is not a string of JSON, or too large.
    """
    found = archive.NameToInfo.get("header.npy")
    most = max(MAX_HEADER_BYTES, MAX_HEADER_RATIO * (found.compress_size if found else 0))
    array = _read_array(
        archive, "header", lambda shape, dtype: shape == () and dtype.kind == "U", most
    )
    try:
        header: dict[str, Any] = json.loads(str(array))
    except json.JSONDecodeError:
        raise DamageError("its header is not JSON") from None
    except RecursionError:
        raise DamageError("its header is nested too deep") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise DamageError("a number in its header is too long") from None
    return header


def _read_tokens(tokens: Any) -> tuple[str, ...]:
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise DamageError("the tokens of a record are not a list of texts")
    return tuple(tokens)


def _read_scores(archive: zipfile.ZipFile, name: str, queries: int, keys: int) -> np.ndarray:
    """(L, N, queries, keys) float32.

    Raises:
        ValueError: the array declares another shape or type, or is too large.
    """

    def is_expected(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
        fits = len(shape) == 4 and min(shape[:2]) > 0 and shape[2:] == (queries, keys)
        return fits and dtype.kind == "f"

    return _read_array(archive, name, is_expected, MAX_ARRAY_BYTES).astype("float32")
