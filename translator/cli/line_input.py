"""Lines that are typed in a terminal: editing, and a history that ends with the program."""

import contextlib
import os
from collections.abc import Iterator
from types import ModuleType

from translator.cli.options import report

HEADS = ":heads"  # typed, or its key


class LineInput:
    """Reads lines in a terminal, with Python's own readline where it is installed.

    Args:
        prompt: is shown before each line.
    """

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self._readline = _import_readline()
        if self._readline is not None:
            _set_keys(self._readline)

    def read(self) -> list[str] | None:
        """The lines of the next input: one, or all that were pasted; None at its end.

        Ctrl-C clears what is typed and returns no line.
        """
        try:
            text = input(self.prompt)
        except EOFError:
            return None
        except KeyboardInterrupt:
            print()
            return []
        except UnicodeDecodeError:
            report("expected UTF-8, found other bytes; type the line again")
            return []
        return [line for line in text.splitlines() if line.strip()]

    def remember(self, line: str) -> None:
        """Adds a line to the history."""
        if self._readline is not None:
            self._readline.add_history(line)


@contextlib.contextmanager
def without_echo() -> Iterator[None]:
    """Does not show what is typed meanwhile; it is not lost, the next prompt shows it."""
    try:
        import termios
    except ImportError:  # Windows
        yield
        return
    try:
        settings = termios.tcgetattr(0)
    except termios.error:
        yield
        return
    silent = [*settings[:3], settings[3] & ~termios.ECHO, *settings[4:]]
    termios.tcsetattr(0, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, settings)


def _import_readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # Windows, whose own terminal edits lines
        return None
    return readline


def _set_keys(readline: ModuleType) -> None:
    """Ctrl-T types `HEADS`, and lines that are pasted together are read together."""
    readline.set_auto_history(False)
    if "libedit" in (readline.__doc__ or ""):
        readline.parse_and_bind(f"bind -s ^T ^A^K{HEADS}^M")
    else:
        readline.parse_and_bind(rf'"\C-t": "\C-a\C-k{HEADS}\C-m"')
        if os.environ.get("TERM", "dumb") != "dumb":
            readline.parse_and_bind("set enable-bracketed-paste on")
