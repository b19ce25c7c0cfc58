"""``translator translate`` in a terminal: a prompt, drafts while it searches, and the heads."""

import contextlib
import dataclasses
import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from translator.base.cache import home, make_folder
from translator.base.errors import InputError
from translator.base.languages import Direction
from translator.base.texts import printable
from translator.cli.doubts import DoubtReporter
from translator.cli.error_lines import one_line
from translator.cli.line_input import HEADS, LineInput, without_echo
from translator.cli.options import report
from translator.search.engine import derive_seed
from translator.translation.options import TranslationOptions
from translator.translation.records import RECORD_LINES, RECORD_PAGES

if TYPE_CHECKING:
    from translator.translation.translator import Translator

FROM, TO, SWAP, QUIT, HELP = ":from", ":to", ":swap", ":quit", ":help"
COMMANDS = {
    HEADS: "or Ctrl-T: which words the last translation looked at",
    FROM: "and a language, such as :from de: translates from it",
    TO: "and a language: translates into it",
    SWAP: "translates the other way round",
    QUIT: "or quit, exit, Ctrl-D: ends the program",
    HELP: "lists these commands",
}
WORDS_ALONE = ("quit", "exit")  # with more after them they are text
SAME = {**dict.fromkeys((*WORDS_ALONE, ":exit", ":q"), QUIT), "--from": FROM, "--to": TO}
FAINT, PLAIN, ERASE_BELOW = "\x1b[2m", "\x1b[0m", "\x1b[J"


class Prompt:
    """Translates what is typed, line by line, until the input ends.

    An error that concerns one line does not end the program.

    Args:
        translator: a loaded run.
        options: how to translate.
        doubts: marks doubtful lines.
        load: loads the model for other languages.
    """

    def __init__(
        self,
        translator: "Translator",
        options: TranslationOptions,
        doubts: DoubtReporter,
        load: Callable[[Direction], "Translator"],
    ) -> None:
        self.options, self.doubts, self.load = options, doubts, load
        self.models: dict[Direction, Translator] = {}
        self.drawn = 0
        self.lines = LineInput("")
        self.use(translator)

    def use(self, translator: "Translator") -> None:
        """Goes on with a model.

        Raises:
            InputError: it cannot translate with the options.
        """
        translator.translate_read([], self.options)
        self.translator, self.last = translator, ""
        self.direction = Direction(*(tokenizer.language for tokenizer in translator.tokenizers))
        self.models[self.direction] = translator
        self.lines.prompt = f"{self.direction.source}> "

    def run(self) -> None:
        """Reads lines until the input ends or `QUIT`."""
        source, target = self.direction
        report(
            f"type a line in {source} for its translation into {target}; {HEADS} or Ctrl-T shows"
            f" what the last one looked at, {SWAP} turns the languages round, Ctrl-D ends"
        )
        while (typed := self.lines.read()) is not None:
            for line in typed:
                name, rest = (*line.split(None, 1), "")[:2]
                name = name if rest and name in WORDS_ALONE else SAME.get(name, name)
                if name == QUIT:
                    return
                with _errors_of_a_line():
                    if name in COMMANDS or (_is_misspelt(name) and not rest):
                        self._obey(name, rest.strip())
                    else:
                        self.lines.remember(line)
                        self._translate(line)
        print()

    def _obey(self, name: str, rest: str) -> None:
        if name in (FROM, TO, SWAP):
            self._turn(name, rest)
        elif name == HEADS:
            _show_heads(self.translator, self.last, self.options)
        else:
            if name != HELP:
                report(f"{name}: expected a command, found none of that name")
            for each, what in COMMANDS.items():
                report(f"{each:<7} {what}")

    def _turn(self, name: str, language: str) -> None:
        """Goes on with a model of other languages; one that was used before is used again."""
        if name != SWAP and not language:
            raise InputError(f"{name}: expected a language after it, such as {name} de, found none")
        wanted = Direction(*reversed(self.direction))
        if name != SWAP:
            wanted = Direction(**{{FROM: "source", TO: "target"}[name]: language})
        known = (each for key, each in self.models.items() if wanted.allows(key))
        before = self.direction
        self.use(next(known, None) or self.load(wanted))
        if self.options.glossary and self.direction != before:
            self.options = dataclasses.replace(self.options, glossary=())
            report("the glossary is of the other languages; it is left out from here on")

    def _translate(self, line: str) -> None:
        """Prints a translation; of a line that is typed again another sample."""
        chosen = self.options
        if chosen.sample:
            chosen = dataclasses.replace(chosen, seed=derive_seed(chosen.seed, self.drawn))
            self.drawn += 1
        _translate(self.translator, line, chosen, self.doubts)
        self.last = line


@contextlib.contextmanager
def _errors_of_a_line() -> Iterator[None]:
    """Tells an error in one line, and goes on."""
    try:
        with without_echo():
            yield
    except KeyboardInterrupt:
        click.echo(PLAIN * _draws() + "\n", nl=False)
    except (InputError, OSError, UnicodeEncodeError, ImportError) as error:
        line = one_line(error)
        if line is None:
            raise
        report(printable(line))


def _is_misspelt(command: str) -> bool:
    return command.startswith(":") and command[1:].isalpha()


def _translate(
    translator: "Translator", line: str, options: TranslationOptions, doubts: DoubtReporter
) -> None:
    """Prints the translation, before it a draft of greedy search while the beam is searched."""
    from translator.translation.drafting import draft_line

    read = translator.make_reader(options).read(line, "line")
    draft = ""
    if _draws():
        for text in draft_line(translator, read, options):
            erased, more = "", text.removeprefix(draft)
            if not text.startswith(draft):
                erased, more = _erase(draft), text
            if erased or more:
                _print_now(f"{erased}{FAINT}{more}{PLAIN}")
            draft = text
    [translation] = translator.translate_read([read], options)
    _print_now(_erase(draft) + translation.text + "\n")
    doubts.mark("", translation)


def _draws() -> bool:
    """Whether the terminal can replace text."""
    return os.environ.get("TERM", "dumb" if os.name == "posix" else "") != "dumb"


def _erase(text: str) -> str:
    """What erases a text from the terminal that was printed without a line end."""
    if not text:
        return ""
    columns = shutil.get_terminal_size().columns
    width = sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)
    rows_above = (max(width, 1) - 1) // columns
    return "\r" + f"\x1b[{rows_above}A" * bool(rows_above) + ERASE_BELOW


def _print_now(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _show_heads(translator: "Translator", last: str, options: TranslationOptions) -> None:
    """Prints which words the last line's translation looked at, and writes the explorer."""
    if not last:
        raise InputError(f"{HEADS}: expected a translation before it, found none; type a sentence")
    from translator.text.word_alignment import pointing_heads

    chosen = dataclasses.replace(options, per_sentence=True, word_confidence=True)
    translations = translator.translate(last, chosen)
    records = list(translator.attention(translations))
    heads = pointing_heads(translator.restoration.alignment, translator.config.model)
    for record in records:
        for lines_of in RECORD_LINES.answers():
            for row in lines_of(record, heads):
                print(row)
    for page_of in RECORD_PAGES.answers():
        report(f"explorer: {_write_page(page_of(records))}, open it in a browser")


def _write_page(page: str) -> Path:
    """Writes the page that shows all heads, for its owner's eyes only."""
    path = home() / "explorer.html"
    make_folder(path.parent)
    path.touch(0o600)
    path.chmod(0o600)
    path.write_text(page, "utf-8")
    return path
