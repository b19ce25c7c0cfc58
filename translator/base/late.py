"""Loads modules and patterns at their first use, because most sentences need none of them."""

import functools
import importlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast


class _Late:
    """Replaces a module or a pattern, and loads it when an attribute is used."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pickle asks for these before the first use
            raise AttributeError(name)
        value = getattr(self._load(), name)
        setattr(self, name, value)
        return value


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression that is compiled when it is first used."""
    return cast("re.Pattern[str]", _Late(functools.partial(re.compile, pattern, flags)))


if TYPE_CHECKING:
    import ctypes
    import difflib
    import html
    import shlex

    import numpy as np
else:
    names = ("ctypes", "difflib", "html", "shlex", "numpy")
    ctypes, difflib, html, shlex, np = (
        _Late(functools.partial(importlib.import_module, name)) for name in names
    )

__all__ = ["ctypes", "difflib", "html", "np", "shlex"]
