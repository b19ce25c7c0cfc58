"""Regular expressions that are compiled when they are first used."""

import re
from typing import Any, cast


class _Pattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, compiled)
        return compiled


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression that is compiled when it is first used, as most of a program never are.

    Compiling takes up to milliseconds, and starting the program has many of them.
    """
    return cast("re.Pattern[str]", _Pattern(text, flags))
