"""Finds what add-ons bring: the core asks here, so that it never imports one of them.

An add-on is a package in `translator/addons/`. Its module `commands`, if there is one, has the
commands that it brings to the program. Its module `registration` fills the hooks of the core.
"""

import functools
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

FOLDER = Path(__file__).parents[1] / "addons"
PACKAGE = "translator.addons"

Answer = TypeVar("Answer")


def addon_modules(name: str) -> Iterator[ModuleType]:
    """Imports one module of every add-on that has it, in the order of their names.

    There are none where the folder of add-ons has been taken away.
    """
    for folder in sorted(FOLDER.iterdir()) if FOLDER.is_dir() else ():
        if (folder / f"{name}.py").exists() or (folder / name / "__init__.py").exists():
            yield importlib.import_module(f"{PACKAGE}.{folder.name}.{name}")


@functools.cache
def _register_all() -> None:
    for _ in addon_modules("registration"):
        pass


class Hook(Generic[Answer]):
    """A question of the core that add-ons answer.

    The core declares it and calls the answers; the modules `registration` of add-ons, which are
    imported when the first hook is asked, add them.
    """

    def __init__(self) -> None:
        self._answers: list[Answer] = []

    def register(self, answer: Answer) -> None:
        """Adds the answer of an add-on."""
        self._answers.append(answer)

    def answers(self) -> tuple[Answer, ...]:
        """Those of all add-ons."""
        _register_all()
        return tuple(self._answers)

    def ask(self, *arguments: Any) -> list[Any]:
        """What the answers of all add-ons, which are functions, return; without None."""
        functions: Any = self.answers()
        return [found for ask in functions if (found := ask(*arguments)) is not None]
