"""What hypotheses' attention was: every layer and head, with the tokens, kept in files.

NumPy only. A file is an ``.npz`` archive, which is a zip of ``.npy`` arrays:

- ``header``, a string of JSON: ``{"format": "translator attention", "version": 1, "records":
  [...]}``, where each record has the keys ``model`` (``name``, ``source_language``,
  ``target_language``), ``sentence``, ``rank``, ``score``, ``log_probability``, ``source``,
  ``hypothesis``, ``source_tokens``, ``target_tokens`` and, under ``encoder``, ``decoder`` and
  ``cross``, the name of an array;
- those arrays, (layers, heads, queries, keys), float32 or float16. The hypotheses of a
  sentence share one ``encoder`` array.

So ``numpy.load`` and ``json.loads`` are all that another program needs.
"""

import contextlib
import json
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_file

FILE_ENDINGS = (".npz",)
FORMAT, VERSION = "translator attention", 1
KINDS = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}


class RecordedModel(NamedTuple):
    """The model whose attention it was.

    Attributes:
        name: of its run.
        source_language: a code such as ``en``.
        target_language: likewise.
    """

    name: str = ""
    source_language: str = ""
    target_language: str = ""


class AttentionMaps(NamedTuple):
    """Attention of one kind, ready to be drawn.

    Attributes:
        queries: a label for each row.
        keys: a label for each column.
        scores: (L, N, queries, keys), layers and heads; the rows' sums are 1.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    scores: np.ndarray


class AttentionRecord(NamedTuple):
    """The attention of one hypothesis.

    The decoder's queries are the positions whose output is a target token: query
    0 stands on start and produces the first token, the last produces end. So
    ``target_tokens`` begins with start and ends with end, the decoder's queries
    and keys are ``target_tokens[:-1]``, and what query i produces is
    ``target_tokens[i + 1]``. There is no end where a translation was cut at the
    longest length: its last token is then like the others.

    Attributes:
        source: the sentence.
        hypothesis: its translation.
        source_tokens: S pieces, start and end included.
        target_tokens: T + 1 pieces, start included, and end unless it was cut.
        encoder: (L, N, S, S), layers, heads, queries, keys.
        decoder: (L, N, T, T).
        cross: (L, N, T, S).
        sentence: its number among those that were translated together, from 1.
        rank: of the hypothesis among those of its sentence, from 1.
        score: what they rank by.
        log_probability: of the hypothesis.
        model: whose attention it was.
    """

    source: str
    hypothesis: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    encoder: np.ndarray
    decoder: np.ndarray
    cross: np.ndarray
    sentence: int = 1
    rank: int = 1
    score: float = 0.0
    log_probability: float = 0.0
    model: RecordedModel = RecordedModel()

    def maps(self, kind: str) -> AttentionMaps:
        """The scores of a kind, one of `KINDS`, with the tokens of its queries and keys.

        A row of cross-attention is labelled with the token that it produced, a
        row of self-attention with the token that it stands on.

        Raises:
            InputError: there is no such kind.
        """
        source, before, after = self.source_tokens, self.target_tokens[:-1], self.target_tokens[1:]
        if kind == "encoder":
            return AttentionMaps(source, source, self.encoder)
        if kind == "decoder":
            return AttentionMaps(before, before, self.decoder)
        if kind == "cross":
            return AttentionMaps(after, source, self.cross)
        raise InputError(f"kind: expected one of {', '.join(KINDS)}, found {kind}")


class RecordWriter:
    """Adds records to a file one by one, so that none has to be kept in memory.

    Args:
        file: open for writing.
        half: whether scores are kept in half precision, half the size; rows then
            sum to 1 within 0.001.
    """

    def __init__(self, file: BinaryIO, half: bool = False) -> None:
        self.dtype = np.dtype("float16" if half else "float32")
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._entries: list[dict[str, Any]] = []
        self._encoder = ""  # the last array's name, and whose it is
        self._encoded: tuple[Any, ...] = ()

    @property
    def count(self) -> int:
        """Records that are in the file as a whole."""
        return len(self._entries)

    def add(self, record: AttentionRecord) -> None:
        """Writes a record; the hypotheses of a sentence are to follow each other."""
        number = self.count + 1
        encoded = (record.model, record.sentence, record.source_tokens)
        if self._encoded != encoded:
            self._write(f"{number}/encoder", record.encoder.astype(self.dtype))
            self._encoded, self._encoder = encoded, f"{number}/encoder"
        entry: dict[str, Any] = record._asdict() | {"model": record.model._asdict()}
        entry["encoder"] = self._encoder
        for kind in ("decoder", "cross"):
            entry[kind] = f"{number}/{kind}"
            self._write(entry[kind], getattr(record, kind).astype(self.dtype))
        self._entries.append(entry)

    def close(self) -> None:
        """Writes the header, without which the file is not whole."""
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
    """Opens a file to add records to, which is there once all have been added.

    Where bad input, Ctrl-C or anything else ends the work, the file holds the records before it;
    where there are none, what was there before stays.
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


def save_records(path: Path, records: Iterable[AttentionRecord], half: bool = False) -> None:
    """Writes records into a file; arguments as of `RecordWriter`."""
    with record_file(path, half) as writer:
        for record in records:
            writer.add(record)


def load_records(path: Path) -> Iterator[AttentionRecord]:
    """Reads records one by one, scores as float32.

    Raises:
        InputError: the file is no such file, or is damaged.
    """
    with open(path, "rb") as file, _named_errors(path), np.load(file, allow_pickle=False) as arrays:
        header = json.loads(str(arrays["header"]))
        if header["format"] == FORMAT and header["version"] != VERSION:
            raise InputError(
                f"{path}: expected records of version {VERSION}, found {header['version']}; read"
                " them with the program that wrote them"
            )
        if header["format"] != FORMAT:
            raise ValueError
        encoder = ("", np.empty(0))
        for entry in header["records"]:
            if encoder[0] != entry["encoder"]:
                encoder = (entry["encoder"], arrays[entry["encoder"]].astype("float32"))
            scores = {kind: arrays[entry[kind]].astype("float32") for kind in ("decoder", "cross")}
            tokens = {side: tuple(entry[side]) for side in ("source_tokens", "target_tokens")}
            known = {"encoder": encoder[1], "model": RecordedModel(**entry["model"])}
            record = AttentionRecord(**{**entry, **scores, **tokens, **known})
            _check(record)
            yield record


@contextlib.contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, NotImplementedError,
            SyntaxError, tokenize.TokenError, zipfile.BadZipFile, zlib.error):  # fmt: skip
        raise InputError(
            f"{path}: expected what translator attention --save writes, version {VERSION}, found a"
            " damaged or another file; write it again"
        ) from None


def _check(record: AttentionRecord) -> None:
    """Refuses a record that could not be drawn.

    Raises:
        ValueError: its parts do not fit together.
    """
    numbers = (record.sentence, record.rank)
    texts = (record.source, record.hypothesis, *record.model)
    if not all(type(number) is int for number in numbers) or not all(
        isinstance(text, str) for text in (*texts, *record.source_tokens, *record.target_tokens)
    ):
        raise ValueError
    float(record.score), float(record.log_probability)
    heads = record.encoder.shape[:2]
    for kind in KINDS:
        queries, keys, scores = record.maps(kind)
        if scores.shape != (*heads, len(queries), len(keys)):
            raise ValueError
        if not ((scores >= 0).all() and (scores <= 1.01).all()):  # nor are they NaN
            raise ValueError
