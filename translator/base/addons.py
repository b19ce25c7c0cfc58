"""Finds the parts of add-ons. The core asks here, so that it never imports an add-on.

`translator/addons/__init__.py` lists the commands of each add-on and its answers to the hooks of
the core. A module of an add-on is imported when it is needed.
"""

import functools
import importlib
from types import ModuleType
from typing import Any, Generic, TypeVar

PACKAGE = "translator.addons"

Answer = TypeVar("Answer")


def find_addons() -> ModuleType | None:
    """The module that lists all add-ons; None if their folder was removed."""
    try:
        return importlib.import_module(PACKAGE)
    except ModuleNotFoundError:
        return None


class Hook(Generic[Answer]):
    """A question of the core that add-ons answer.

    Args:
        name: the hook's key in ``ANSWERS`` of the add-ons. ``ANSWERS`` lists functions and values:
            the module in the package of add-ons, a colon, and the name in this module.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @functools.cache  # noqa: B019  # hooks exist as long as the program
    def answers(self) -> tuple[Answer, ...]:
        """The answers of all add-ons, in the order of their names."""
        places = getattr(find_addons(), "ANSWERS", {}).get(self.name, ())
        modules = (place.partition(":")[::2] for place in places)
        return tuple(
            getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)
            for module, name in modules
        )

    def ask(self, *arguments: Any) -> list[Any]:
        """Calls all answers, which must be functions; leaves out results that are None."""
        functions: Any = self.answers()
        return [result for ask in functions if (result := ask(*arguments)) is not None]
