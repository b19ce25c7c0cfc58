"""Writes the pairs that are kept, and those that are dropped with their reasons."""

import gzip
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from translator.addons.inspection.findings import Inspection, Reason
from translator.base.errors import InputError
from translator.base.files import whole_file

BREAKS = re.compile(r"[\t\r\n]+")
COLUMNS = ("line", "reason", "detail", "source", "target")


def write_kept(found: Inspection, path: Path, kept: Collection[Reason] = ()) -> int:
    """Writes the pairs without findings as ``source TAB target``, in their order.

    Args:
        found: the inspection.
        path: of the file; one that ends in ``.gz`` is compressed.
        kept: reasons whose pairs are written too.

    Returns:
        How many were written.

    Raises:
        InputError: there is none.
    """
    dropped = {finding.place for finding in found.findings if finding.reason not in kept}
    rows = [pair for place, pair in enumerate(found.pairs) if place not in dropped]
    if not rows:
        raise InputError(
            f"{path}: expected pairs to write, found none that is kept; --dropped without"
            " --write says why"
        )
    _write(path, rows)
    return len(rows)


def write_dropped(found: Inspection, path: Path, kept: Collection[Reason] = ()) -> None:
    """Writes the other pairs: the line, the reason, what was found, source and target.

    Args:
        found: the inspection.
        path: of the file; its first line has the names of the columns.
        kept: reasons whose pairs are left out.
    """
    rows = [
        (str(found.line_of(place)), reason, detail, *found.pairs[place])
        for place, reason, detail in found.findings
        if reason not in kept
    ]
    _write(path, [COLUMNS, *rows])


def _write(path: Path, rows: Iterable[Iterable[str]]) -> None:
    """Writes rows as TSV; a tab or a line end within a field becomes a space."""
    lines = ("\t".join(BREAKS.sub(" ", field) for field in row) + "\n" for row in rows)
    with whole_file(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as compressed:
                compressed.writelines(map(str.encode, lines))
        else:
            file.writelines(map(str.encode, lines))
