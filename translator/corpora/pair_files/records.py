"""Reads records with named fields: Parquet; JSONL, flat or with Hugging Face's ``translation``."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from translator.base.errors import InputError
from translator.base.texts import listed, quoted
from translator.corpora.pair_files.opening import Stream
from translator.corpora.pair_files.rows import Row, as_line

NESTED = "translation"  # a field with the texts by language
BATCH = 1024  # records of Parquet that are read at a time


def read_json_lines(lines: Iterable[str], name: str) -> Iterator[Row]:
    """Reads the fields of JSON objects, one on each line; skips blank lines."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise InputError(
                f"{name}, line {number}: expected a JSON object, as on the lines before, found"
                f" {quoted(line)}; correct the line or remove it"
            )
        yield number, _flat(record)


def _flat(record: Mapping[str, Any]) -> dict[str, str]:
    """The fields with text or a number, including the fields of a nested translation."""
    fields = {}
    nested = record.get(NESTED)
    for key, value in [*record.items(), *(nested.items() if isinstance(nested, dict) else ())]:
        if isinstance(value, str):
            fields[key] = as_line(_whole_characters(value))
        elif isinstance(value, (int, float)) or value is None:
            fields[key] = "" if value is None else str(value)
    return fields


def _whole_characters(text: str) -> str:
    """Replaces lone surrogates of a text with U+FFFD. JSON allows lone surrogates."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_parquet(stream: Stream) -> Iterator[Row]:
    """Reads the fields of the records of a Parquet file, one group of rows after another.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
    """
    import pyarrow
    from pyarrow import parquet

    if not stream.file.seekable():
        raise InputError(
            f"{stream.name}: expected a Parquet file on the disk, found a packed file or a pipe;"
            " unpack it into a file"
        )
    try:
        file = parquet.ParquetFile(stream.file)
        fields = list(file.schema_arrow)
        text_columns = [field.name for field in fields if "string" in str(field.type)]
        if not text_columns:
            raise InputError(
                f"{stream.name}: expected a Parquet file with columns of text, found"
                f" {listed([f'{field.name} ({field.type})' for field in fields])}; name another"
            )
        number = 0
        for batch in file.iter_batches(BATCH, columns=text_columns):
            for record in batch.to_pylist():
                number += 1
                yield number, _flat(record)
    except (pyarrow.ArrowException, UnicodeDecodeError, OSError) as error:
        raise InputError(
            f"{stream.name}: expected a whole Parquet file, found a damaged one:"
            f" {' '.join(str(error).split())}; get it again"
        ) from None
