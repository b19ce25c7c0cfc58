"""Writes an inspection: as lines, as files of pairs, and as warnings before a training."""

import contextlib
import gzip
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from translator.addons.inspection.findings import MEANINGS, Inspection, Reason
from translator.addons.inspection.inspector import inspect_pairs
from translator.addons.inspection.languages import LanguageIdentifier
from translator.addons.inspection.pair_scores import Pair
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.texts import printable, quoted
from translator.config.schema import Config
from translator.corpora.registry import read_corpus

MOST_STRETCHES = 10  # that are listed
LEAST = 0.001  # share of a language or script that is listed
MOST_NAMED = 3  # languages or scripts of a side that are listed
EXAMPLES = 2  # pairs that are shown for each reason
EXAMPLE_CHARACTERS = 45  # of each side
BREAKS = re.compile(r"[\t\r\n]+")
COLUMNS = ("line", "reason", "detail", "source", "target")
SAMPLE = 1000  # first pairs that are inspected before a training
FEWEST = 20  # fewer pairs say nothing about a corpus
MOST = 0.1  # share of them; if more have the same reason, there is a warning
DROPPED = (Reason.EMPTY, Reason.DUPLICATE)  # every training drops them


def describe(inspection: Inspection) -> Iterator[str]:
    """Lines about a corpus: its sides, a table of reasons with examples, and stretches."""
    languages = " and ".join(side.language for side in inspection.sides)
    yield f"{len(inspection.pairs):,} pairs, {languages}"
    yield ""
    yield from _describe_sides(inspection)
    yield ""
    yield f"{'reason':<18} {'pairs':>9} {'share':>8}"
    counts = inspection.counts
    for reason in filter(counts.get, Reason):
        share = counts[reason] / len(inspection.pairs)
        yield f"{reason:<18} {counts[reason]:>9,} {share:>8.2%}  {MEANINGS[reason]}"
        yield from _describe_examples(inspection, reason)
    good = len(inspection.pairs) - len(inspection.findings)
    yield f"{'none of these':<18} {good:>9,} {good / len(inspection.pairs):>8.2%}"
    yield from _describe_stretches(inspection)
    yield ""
    yield from inspection.notes


def _describe_sides(inspection: Inspection) -> Iterator[str]:
    rows = [
        ("", [side.language for side in inspection.sides]),
        ("words", [_format_lengths(side.words) for side in inspection.sides]),
        ("characters", [_format_lengths(side.characters) for side in inspection.sides]),
        ("scripts", [_format_shares(side.scripts) for side in inspection.sides]),
        ("languages", [_format_shares(side.languages) for side in inspection.sides]),
    ]
    width = max(len(cells[0]) for _, cells in rows)
    for name, (first, second) in rows:
        yield f"{name:<18} {first:<{width}}   {second}"


def _format_lengths(lengths: np.ndarray) -> str:
    """The median length, and the range of 98 % of the sentences."""
    low, middle, high = np.percentile(lengths, (1, 50, 99)).round().astype(int).tolist()
    return f"{middle:,}, mostly {low:,} to {high:,}"


def _format_shares(counts: Counter[str]) -> str:
    """Scripts or languages with their shares, the most frequent ones first."""
    total = max(counts.total(), 1)
    usual = [(n, count / total) for n, count in counts.most_common() if count >= LEAST * total]
    named = [f"{name} {share:.1%}" for name, share in usual[:MOST_NAMED]]
    return ", ".join([*named, *["…"] * (len(usual) > MOST_NAMED)]) or "unknown"


def _describe_examples(inspection: Inspection, reason: Reason) -> Iterator[str]:
    findings = [finding for finding in inspection.findings if finding.reason is reason]
    step = max(len(findings) // EXAMPLES, 1)
    for finding in findings[::step][:EXAMPLES]:
        detail = f", {finding.detail}" if finding.detail else ""
        source, target = map(_shorten, inspection.pairs[finding.place])
        yield f"    line {inspection.line_of(finding.place):,}{detail}: {source} | {target}"


def _shorten(text: str) -> str:
    cut = text if len(text) <= EXAMPLE_CHARACTERS else f"{text[: EXAMPLE_CHARACTERS - 1]}…"
    return printable(cut)


def _describe_stretches(inspection: Inspection) -> Iterator[str]:
    if not inspection.stretches:
        return
    yield ""
    yield f"misaligned stretches: {len(inspection.stretches):,}"
    longest = sorted(inspection.stretches, key=lambda stretch: stretch.first - stretch.last)
    for stretch in sorted(longest[:MOST_STRETCHES]):
        first, last = inspection.line_of(stretch.first), inspection.line_of(stretch.last)
        yield f"    lines {first:,} to {last:,}"
    if len(inspection.stretches) > MOST_STRETCHES:
        yield f"    and {len(inspection.stretches) - MOST_STRETCHES:,} shorter ones"


def parse_reasons(names: Collection[str]) -> frozenset[Reason]:
    """The reasons that a user names."""
    known = {reason.value: reason for reason in Reason}
    for name in names:
        if name not in known:
            raise InputError(f"--keep: expected one of {', '.join(known)}, found {quoted(name)}")
    return frozenset(known[name] for name in names)


def write_kept(inspection: Inspection, path: Path, ignored: Collection[Reason] = ()) -> int:
    """Writes the pairs without findings as ``source TAB target``, in their order.

    Args:
        path: of the file; one that ends in ``.gz`` is compressed.
    """
    dropped = {finding.place for finding in inspection.findings if finding.reason not in ignored}
    rows = [pair for place, pair in enumerate(inspection.pairs) if place not in dropped]
    if not rows:
        raise InputError(
            f"{path}: expected pairs to keep, found none; use --dropped without --write to see why"
        )
    _write(path, rows)
    return len(rows)


def write_dropped(inspection: Inspection, path: Path, ignored: Collection[Reason] = ()) -> None:
    """Writes the other pairs: the line, the reason, its detail, source and target.

    Args:
        path: of the file; its first line has the names of the columns.
    """
    rows = [
        (str(inspection.line_of(place)), reason, detail, *inspection.pairs[place])
        for place, reason, detail in inspection.findings
        if reason not in ignored
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


def warn_about_pairs(config: Config, *_: object) -> Iterator[str]:
    """Warns if many of the first pairs of the user's own files, or of OPUS, are wrong.

    There are no warnings if the extra ``inspect`` is not installed.
    """
    corpus = config.corpus
    if corpus.is_unknown:
        pairs = list(itertools.islice(read_corpus(corpus)["train"], SAMPLE))
        with contextlib.suppress(ModuleNotFoundError):
            yield from (f"corpus: {line}" for line in describe_faults(pairs, corpus.languages))


def describe_faults(pairs: Sequence[Pair], languages: tuple[str, str]) -> Iterator[str]:
    """A line for each reason that more than a tenth of these pairs have."""
    if len(pairs) < FEWEST:
        return
    inspection = inspect_pairs(pairs, languages, None, LanguageIdentifier())
    for reason, count in inspection.counts.items():
        if count > MOST * len(pairs) and reason not in DROPPED:
            yield (
                f"{reason} in {count / len(pairs):.0%} of the first {len(pairs):,} pairs:"
                f" {MEANINGS[reason]}; translator inspect shows these"
            )
