"""NumPy, imported when something of it is first used: most sentences are translated without.

Modules that import it from here have their annotations as text, by ``from __future__``.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any


class LateModule(ModuleType):
    """Stands for a module until something of it is used."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import numpy as np
else:
    np = LateModule("numpy")

__all__ = ["np"]
