"""What an inspection has found: as lines, as files of pairs, and as warnings before a training."""

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
LOOKED_AT = 1000  # pairs
FEWEST = 20  # of them that say anything
MOST = 0.1  # of them that may have a reason against them
DROPPED = (Reason.EMPTY, Reason.DUPLICATE)  # before any training


def describe(found: Inspection) -> Iterator[str]:
    """Lines about a corpus: its sides, a table of what was found with examples, and stretches."""
    languages = " and ".join(side.language for side in found.sides)
    yield f"{len(found.pairs):,} pairs, {languages}"
    yield ""
    yield from _describe_sides(found)
    yield ""
    yield f"{'reason':<18} {'pairs':>9} {'share':>8}"
    counts = found.counts
    for reason in filter(counts.get, Reason):
        share = counts[reason] / len(found.pairs)
        yield f"{reason:<18} {counts[reason]:>9,} {share:>8.2%}  {MEANINGS[reason]}"
        yield from _examples(found, reason)
    kept = len(found.pairs) - len(found.findings)
    yield f"{'none of these':<18} {kept:>9,} {kept / len(found.pairs):>8.2%}"
    yield from _describe_stretches(found)
    yield ""
    yield from found.notes


def _describe_sides(found: Inspection) -> Iterator[str]:
    rows = [
        ("", [side.language for side in found.sides]),
        ("words", [_span(side.words) for side in found.sides]),
        ("characters", [_span(side.characters) for side in found.sides]),
        ("scripts", [_shares(side.scripts) for side in found.sides]),
        ("languages", [_shares(side.languages) for side in found.sides]),
    ]
    width = max(len(cells[0]) for _, cells in rows)
    for name, (first, second) in rows:
        yield f"{name:<18} {first:<{width}}   {second}"


def _span(lengths: np.ndarray) -> str:
    """The median, and between which lengths 98 % of the sentences are."""
    low, middle, high = np.percentile(lengths, (1, 50, 99)).round().astype(int).tolist()
    return f"{middle:,}, mostly {low:,} to {high:,}"


def _shares(counts: Counter[str]) -> str:
    """Scripts or languages with their shares, the most frequent ones first."""
    total = max(counts.total(), 1)
    usual = [(n, count / total) for n, count in counts.most_common() if count >= LEAST * total]
    named = [f"{name} {share:.1%}" for name, share in usual[:MOST_NAMED]]
    return ", ".join([*named, *["…"] * (len(usual) > MOST_NAMED)]) or "unknown"


def _examples(found: Inspection, reason: Reason) -> Iterator[str]:
    findings = [finding for finding in found.findings if finding.reason is reason]
    step = max(len(findings) // EXAMPLES, 1)
    for finding in findings[::step][:EXAMPLES]:
        detail = f", {finding.detail}" if finding.detail else ""
        source, target = map(_shown, found.pairs[finding.place])
        yield f"    line {found.line_of(finding.place):,}{detail}: {source} | {target}"


def _shown(text: str) -> str:
    cut = text if len(text) <= EXAMPLE_CHARACTERS else f"{text[: EXAMPLE_CHARACTERS - 1]}…"
    return printable(cut)


def _describe_stretches(found: Inspection) -> Iterator[str]:
    if not found.stretches:
        return
    yield ""
    yield f"misaligned stretches: {len(found.stretches):,}"
    longest = sorted(found.stretches, key=lambda each: each.first - each.last)[:MOST_STRETCHES]
    for stretch in sorted(longest):
        first, last = found.line_of(stretch.first), found.line_of(stretch.last)
        yield f"    lines {first:,} to {last:,}"
    if len(found.stretches) > MOST_STRETCHES:
        yield f"    and {len(found.stretches) - MOST_STRETCHES:,} shorter ones"


def parse_reasons(names: Collection[str]) -> frozenset[Reason]:
    """The reasons that a user names."""
    known = {reason.value: reason for reason in Reason}
    for name in names:
        if name not in known:
            raise InputError(f"--keep: expected one of {', '.join(known)}, found {quoted(name)}")
    return frozenset(known[name] for name in names)


def write_kept(found: Inspection, path: Path, kept: Collection[Reason] = ()) -> int:
    """Writes the pairs without findings as ``source TAB target``, in their order.

    Args:
        path: of the file; one that ends in ``.gz`` is compressed.
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
        path: of the file; its first line has the names of the columns.
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


def look_at(config: Config, *_: object) -> Iterator[str]:
    """Says what is wrong with many of the first pairs of the user's own files, or of OPUS.

    Nothing is said where the extra ``inspect`` is not installed.
    """
    corpus = config.corpus
    if corpus.is_unknown:
        pairs = list(itertools.islice(read_corpus(corpus)["train"], LOOKED_AT))
        with contextlib.suppress(ModuleNotFoundError):
            yield from (f"corpus: {line}" for line in strange_in(pairs, corpus.languages))


def strange_in(pairs: Sequence[Pair], languages: tuple[str, str]) -> Iterator[str]:
    """What is wrong with more than a tenth of some pairs."""
    if len(pairs) < FEWEST:
        return
    found = inspect_pairs(pairs, languages, None, LanguageIdentifier())
    for reason, count in found.counts.items():
        if count > MOST * len(pairs) and reason not in DROPPED:
            yield (
                f"{reason} in {count / len(pairs):.0%} of the first {len(pairs):,} pairs:"
                f" {MEANINGS[reason]}; translator inspect shows which"
            )
