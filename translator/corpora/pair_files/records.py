"""Records with named fields: JSONL, flat or with Hugging Face's ``translation``; Parquet."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from translator.base.errors import InputError
from translator.base.texts import listed, quoted
from translator.corpora.pair_files.opening import Stream
from translator.corpora.pair_files.rows import Row, as_line

NESTED = "translation"  # a field that has the texts by language
BATCH = 1024  # records of Parquet that are read at a time


def read_json_lines(lines: Iterable[str], name: str) -> Iterator[Row]:
    """The fields of JSON objects, one on each line; blank lines are left out."""
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
    """The fields that are texts or numbers, those of a translation among them."""
    found = {}
    nested = record.get(NESTED)
    for key, value in [*record.items(), *(nested.items() if isinstance(nested, dict) else ())]:
        if isinstance(value, str):
            found[key] = as_line(_whole_characters(value))
        elif isinstance(value, (int, float)) or value is None:
            found[key] = "" if value is None else str(value)
    return found


def _whole_characters(text: str) -> str:
    """A text with U+FFFD for lone halves of characters, which JSON can write."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_parquet(stream: Stream) -> Iterator[Row]:
    """The fields of the records of a Parquet file, one group of rows after another.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
    """
    import pyarrow
    from pyarrow import parquet

    if not stream.file.seekable():
        raise InputError(
            f"{stream.name}: expected a Parquet file on the disk, found one packed or in a pipe;"
            " write it to a file"
        )
    try:
        file = parquet.ParquetFile(stream.file)
        fields = list(file.schema_arrow)
        chosen = [field.name for field in fields if "string" in str(field.type)]
        if not chosen:
            raise InputError(
                f"{stream.name}: expected columns of text in the Parquet file, found"
                f" {listed([f'{field.name} ({field.type})' for field in fields])}; name another"
            )
        number = 0
        for batch in file.iter_batches(BATCH, columns=chosen):
            for record in batch.to_pylist():
                number += 1
                yield number, _flat(record)
    except (pyarrow.ArrowException, UnicodeDecodeError, OSError) as error:
        raise InputError(
            f"{stream.name}: expected a whole Parquet file, found a damaged one:"
            f" {' '.join(str(error).split())}; get it again"
        ) from None
