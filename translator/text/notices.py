"""What the user is told about lines that were read."""

from typing import NamedTuple

NOTICES = {  # by their kinds, as a summary says them
    "unknown": "with sentences that are passed on, as the model knows none of their characters",
    "bytes": "with bytes that are not UTF-8",
    "long": "with brackets that are passed on, as the model takes no longer ones",
    "tags": "passed on, as the model does not know their tags",
    "markup": "left as they are, as their translations would break the file",
    "cut": "with sentences that are cut, as the model takes no longer ones",
    "target": "without the target token that the model needs",
    "tag": "without a tag that the model has learnt",
}
NOT_WHOLE = ("unknown", "bytes", "long", "tags", "markup")  # of lines of which a part is lacking


class Notice(NamedTuple):
    """What the user is told about a line that was read.

    Attributes:
        text: what was found, and what was done.
    """

    kind: str
    text: str
