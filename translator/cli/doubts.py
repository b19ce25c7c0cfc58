"""Marks doubtful lines on standard error."""

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from translator.base.texts import printable
from translator.cli.terminal import report

if TYPE_CHECKING:
    from translator.runs.directory import RunDirectory
    from translator.translation.results import Translation

COMPARED = 1000  # lines that are compared, to find equal translations
MOST_MARKED = 20  # lines that are marked one by one; further lines are only counted. But a line
# that was not translated as a whole is always marked


def report_missing_confidence(run: "RunDirectory") -> None:
    """Reports that a run has no confidence, if a user requested confidence."""
    report(
        f"{run.confidence}: expected a confidence model, found none, so confidence is null;"
        f" translator calibrate {run.path} writes it"
    )


class DoubtReporter:
    """Reports which lines are doubtful, and why.

    Args:
        kinds: the kinds of doubts to report; None for all.

    Attributes:
        passed_on: how many lines were not translated as a whole.
    """

    def __init__(self, is_quiet: bool, kinds: Collection[str] | None = None) -> None:
        self.is_quiet = is_quiet
        self.kinds = kinds
        self._lines = 0
        self._doubtful = 0
        self._says_fewer = False
        self.passed_on = 0
        self._kinds: Counter[str] = Counter()
        self._texts: dict[str, str] = {}  # translations of the first different lines

    def mark(self, place: str, translation: "Translation") -> None:
        """Reports why a line is doubtful; many doubtful lines are only counted.

        Args:
            place: names the line, such as ``line 3``; empty for a single line.
        """
        self._lines += 1
        self.passed_on += translation.is_passed_on
        if len(self._texts) < COMPARED:
            self._texts.setdefault(translation.source, translation.text)
        kinds = self.kinds
        doubts = [doubt for doubt in translation.doubts if kinds is None or doubt.kind in kinds]
        if self.is_quiet or not doubts:
            return
        self._doubtful += 1
        self._kinds.update(doubt.kind for doubt in doubts)
        if place and self._doubtful > MOST_MARKED and not translation.is_passed_on:
            if not self._says_fewer:
                report("further doubtful lines are only counted")
            self._says_fewer = True
            return
        reasons = printable("; ".join(doubt.text for doubt in doubts))
        report(f"{place}: {reasons}" if place else reasons)

    def summarize(self) -> None:
        """Reports how many lines were doubtful, if some were only counted or not translated.

        First it warns if nearly all lines have the same translation.
        """
        from translator.text.repetition import describe_alike

        if (alike := describe_alike(self._texts)) and not self.is_quiet:
            report(f"warning: {alike}")
        is_short = self._doubtful <= MOST_MARKED and (self._lines == 1 or not self.passed_on)
        if is_short or self.is_quiet:
            return
        from translator.text.agreement import KINDS
        from translator.text.read_lines import NOTICES
        from translator.translation.results import DOUBTS

        tables = (NOTICES, *DOUBTS.answers(), KINDS)
        texts = [(kind, text) for table in tables for kind, text in table.items()]
        counts = ", ".join(
            f"{self._kinds[kind]:,} {text}" for kind, text in texts if self._kinds[kind]
        )
        report(f"{self._doubtful:,} of {self._lines:,} lines are doubtful: {counts}")
