"""What most sentences are translated without: modules and patterns that wait for their first use.

Annotations that name something of such a module are text, by ``from __future__``.
"""

import importlib
import re
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast


class LateModule(ModuleType):
    """Stands for a module, which is imported when something of it is used."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, value)
        return value


class _LatePattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # pickle asks before there is a pattern
            raise AttributeError(name)
        value = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, value)
        return value


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression that is compiled when it is first used."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


if TYPE_CHECKING:
    import ctypes
    import difflib
    import html
    import shlex

    import numpy as np
else:
    ctypes, difflib, html, shlex, np = map(
        LateModule, ("ctypes", "difflib", "html", "shlex", "numpy")
    )

__all__ = ["ctypes", "difflib", "html", "np", "shlex"]
