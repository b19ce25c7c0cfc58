"""Marks doubtful lines on standard error."""

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from translator.base.texts import printable
from translator.cli.options import report

if TYPE_CHECKING:
    from translator.runs.directory import RunDirectory
    from translator.translation.results import Translation

LOOKED_AT = 1000  # lines whose translations may be alike
MOST_MARKED = 20  # lines that are marked one by one; further ones are counted,
# but for those that were not translated as a whole


def say_that_confidence_is_missing(run: "RunDirectory") -> None:
    """Tells that a run has no confidence, where it was asked for."""
    report(
        f"{run.confidence}: expected a confidence model, found none, so confidence is null;"
        f" translator calibrate {run.path} writes it"
    )


class DoubtReporter:
    """Tells the user which lines are doubtful, and why.

    Args:
        kinds: of doubts that are told; None for all.

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
        """Tells why a line is doubtful, unless many were before it.

        Args:
            place: names the line, such as ``line 3``; empty where there is only one.
        """
        self._lines += 1
        self.passed_on += translation.is_passed_on
        if len(self._texts) < LOOKED_AT:
            self._texts.setdefault(translation.source, translation.text)
        kinds = self.kinds
        doubts = [each for each in translation.doubts if kinds is None or each.kind in kinds]
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
        """Tells how many lines were doubtful, if some were only counted or not translated.

        Before that it tells if nearly all have the same translation.
        """
        from translator.text.repetition import describe_alike

        if (alike := describe_alike(self._texts)) and not self.is_quiet:
            report(f"warning: {alike}")
        is_short = self._doubtful <= MOST_MARKED and (self._lines == 1 or not self.passed_on)
        if is_short or self.is_quiet:
            return
        from translator.text.agreement import KINDS
        from translator.text.read_lines import NOTICES
        from translator.translation.assessor import DOUBTS

        known = [each for kinds in (NOTICES, *DOUBTS.answers(), KINDS) for each in kinds.items()]
        kinds = ", ".join(
            f"{self._kinds[kind]:,} {text}" for kind, text in known if self._kinds[kind]
        )
        report(f"{self._doubtful:,} of {self._lines:,} lines are doubtful: {kinds}")
