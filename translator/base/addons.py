"""Finds what add-ons bring: the core asks here, so that it never imports one of them.

`translator/addons/__init__.py` names it all: the commands that each add-on brings to the program,
and its answers to the hooks of the core. A module of an add-on is imported when it is needed.
"""

import functools
import importlib
from types import ModuleType
from typing import Any, Generic, TypeVar

PACKAGE = "translator.addons"

Answer = TypeVar("Answer")


def find_addons() -> ModuleType | None:
    """What names all that add-ons bring; None where their folder has been taken away."""
    try:
        return importlib.import_module(PACKAGE)
    except ModuleNotFoundError:
        return None


class Hook(Generic[Answer]):
    """A question of the core that add-ons answer.

    Args:
        name: by which ``ANSWERS`` of the add-ons has what answers it: functions and values, each
            as the name of its module in the package of add-ons, a colon, and its own name.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @functools.cache  # noqa: B019  # hooks are as old as the program
    def answers(self) -> tuple[Answer, ...]:
        """Those of all add-ons, in the order of their names."""
        places = getattr(find_addons(), "ANSWERS", {}).get(self.name, ())
        modules = (place.partition(":")[::2] for place in places)
        return tuple(
            getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)
            for module, name in modules
        )

    def ask(self, *arguments: Any) -> list[Any]:
        """What the answers of all add-ons, which are functions, return; without None."""
        functions: Any = self.answers()
        return [found for ask in functions if (found := ask(*arguments)) is not None]
