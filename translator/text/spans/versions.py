"""Versions such as v2.10.3, and other numbers of several parts such as 192.168.0.1."""

import re
from collections.abc import Collection

from translator.base.languages import language_facts
from translator.text.spans.kind import StandIn
from translator.text.spans.stand_ins import StandIns
from translator.text.spans.verbatim import VerbatimKind

STAGE = r"(?:[-+.]?(?:alpha|beta|rc|dev|post|pre|snapshot|final|a|b)[.\d]*)?"

BYTE = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
IP_ADDRESS = re.compile(rf"{BYTE}(?:\.{BYTE}){{3}}")


class VersionKind(VerbatimKind):
    """Versions: with a v before them, or of at least three numbers.

    Args:
        stand_ins: what the run's model can be shown.
        source_language: its code; 1.234.567 is a number where points separate thousands, but
            192.168.100.200 is an IP address.
    """

    pattern = re.compile(
        rf"(?<![\w.,:/-])(?:v\.?\d+(?:\.\d+)*|\d+(?:\.\d+){{2,}}){STAGE}(?!\w)(?!\.\d)",
        re.IGNORECASE,
    )

    def __init__(self, stand_ins: StandIns, source_language: str) -> None:
        super().__init__(stand_ins)
        self.group_mark = language_facts(source_language).group_mark

    def end_of(self, text: str, start: int, end: int) -> int:
        """See `VerbatimKind.end_of`."""
        end -= text[end - 1] == "."
        given = text[start:end]
        is_number = self.group_mark == "." and re.fullmatch(r"\d{1,3}(\.\d{3})+", given)
        return start if is_number and not IP_ADDRESS.fullmatch(given) else end

    def show(self, given: str, stand_in: StandIn, used: Collection[str]) -> str:
        """A number, as in Python 3."""
        return self.stand_ins.number(used)
