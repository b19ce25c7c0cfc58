"""``translator translate`` in a terminal: a prompt, with editing and a history of its lines."""

import contextlib
import dataclasses
import os
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import click

from translator.base.cache import home, make_folder
from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.base.texts import printable
from translator.cli.doubts import DoubtReporter
from translator.cli.terminal import one_line, report
from translator.search.engine import derive_seed
from translator.translation.options import TranslationOptions

if TYPE_CHECKING:
    from translator.translation.translator import Translator

FROM, SWAP = ":from", ":swap"
QUIT = ("quit", "exit", ":quit", ":exit", ":q")
COMMAND = re.compile(":[a-z]{2,}")  # longer than a smiley
MAX_HISTORY = 1000  # lines that the history keeps


class Prompt:
    """Translates typed lines until the input ends. An error in one line does not end it."""

    def __init__(
        self,
        translator: "Translator",
        options: TranslationOptions,
        doubts: DoubtReporter,
        load: Callable[[Direction], "Translator"],
    ) -> None:
        self.options, self.doubts, self.load = options, doubts, load
        self.samples = 0
        self.readline = _start_readline()
        self.use(translator)

    def use(self, translator: "Translator") -> None:
        """Uses this model from now on."""
        translator.translate_read([], self.options)
        self.translator = translator
        self.direction = Direction(*(tokenizer.language for tokenizer in translator.tokenizers))

    def run(self) -> None:
        """Reads lines until the input ends or a word of `QUIT` is typed."""
        source, target = self.direction
        report(
            f"type a line in {source} to translate it into {target}; {SWAP} swaps the languages,"
            f" {FROM} LANGUAGE chooses another one, Ctrl-D ends"
        )
        while True:
            try:
                typed = input(f"{self.direction.source}> ")
                for line in filter(str.strip, typed.splitlines()):  # pasted text may have several
                    if line.strip() in QUIT:
                        return
                    self._answer(line)
            except EOFError:
                break
            except KeyboardInterrupt:
                print()
            except UnicodeDecodeError:
                report("expected UTF-8, found other bytes; type the line again")
            except (InputError, OSError, UnicodeEncodeError, ImportError) as error:
                message = one_line(error)
                if message is None:
                    raise
                report(printable(message))
        print()

    def _answer(self, line: str) -> None:
        command, _, language = line.strip().partition(" ")
        if command == SWAP:
            self._turn(Direction(*reversed(self.direction)))
        elif command == FROM and language.strip():
            self._turn(Direction(source=language.strip()))
        elif COMMAND.fullmatch(command):
            raise InputError(
                f"{command}: expected {SWAP}, {FROM} LANGUAGE or :quit, found another command"
            )
        else:
            if self.readline is not None:
                self.readline.add_history(line)
                _save_history(self.readline)
            self._translate(line)

    def _turn(self, direction: Direction) -> None:
        """Changes to a model for these languages."""
        before = self.direction
        self.use(self.load(direction))
        if self.options.glossary and self.direction != before:
            self.options = dataclasses.replace(self.options, glossary=())
            report("the glossary is for other languages and is not used from here on")

    def _translate(self, line: str) -> None:
        """Prints a translation; with --sample, a line that is typed again gets another one."""
        options = self.options
        if options.sample:
            options = dataclasses.replace(options, seed=derive_seed(options.seed, self.samples))
            self.samples += 1
        [translation] = self.translator.translate([line], options)
        click.echo(translation.text)
        self.doubts.mark("", translation)


def _start_readline() -> ModuleType | None:
    """Loads readline and the stored history; None on Windows, where the terminal edits lines."""
    try:
        import readline
    except ImportError:
        return None
    readline.set_auto_history(False)
    readline.set_history_length(MAX_HISTORY)
    if "libedit" not in (readline.__doc__ or "") and os.environ.get("TERM", "dumb") != "dumb":
        readline.parse_and_bind("set enable-bracketed-paste on")
    with contextlib.suppress(OSError):
        readline.read_history_file(_history())
    return readline


def _save_history(readline: ModuleType) -> None:
    """Writes the history into a file that only the user can read; ignores errors of the disk."""
    with contextlib.suppress(OSError, InputError):
        path = _history()
        make_folder(path.parent)
        path.touch(0o600)
        path.chmod(0o600)
        readline.write_history_file(path)


def _history() -> Path:
    return home() / "history"
