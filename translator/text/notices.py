"""What the user is told about lines that were read."""

from typing import NamedTuple

NOTICES = {  # by their kinds, as a summary says them
    "unknown": "with sentences that are passed on, as the model knows none of their characters",
    "bytes": "with bytes that are not UTF-8",
    "tags": "passed on, as the model does not know their tags",
    "markup": "left as they are, as their translations would break the file",
    "cut": "with sentences that are cut, as the model takes no longer ones",
    "target": "without the target token that the model needs",
}
PASSED_ON = (
    "unknown",
    "bytes",
    "tags",
    "markup",
)  # those of lines that are not translated as a whole


class Notice(NamedTuple):
    """What the user is told about a line that was read.

    Attributes:
        kind: of `NOTICES`.
        text: what was found, and what was done.
    """

    kind: str
    text: str
