"""The program: its commands, and errors as one line."""

import contextlib
import dataclasses
import difflib
import gc
import os
import re
import shlex
import sys
from collections.abc import Iterator
from typing import Any

import click

from translator.base import keras_startup
from translator.base.addons import addon_modules
from translator.base.errors import InputError
from translator.base.gone import gone_line
from translator.base.machine import check_memory
from translator.base.signals import INTERRUPTED, ending_imports, silence
from translator.base.texts import printable, shorten
from translator.base.version import __version__
from translator.cli.data import corpora, tokenize
from translator.cli.error_lines import one_line
from translator.cli.evaluating import compare, evaluate
from translator.cli.given_lines import with_texts
from translator.cli.options import has_piped_input, report
from translator.cli.scoring import score
from translator.cli.training import export, train
from translator.cli.translating import translate

GROUPS: dict[str, list[click.Command]] = {  # add-ons bring more commands, with their groups
    "Translate": [translate, evaluate, compare, score, export],
    "Look inside": [],
    "Train": [train],
    "Public models": [],
    "Data": [corpora, tokenize],
}
FIRST = [translate, evaluate, train]  # what most people need, likewise; the help describes these
for module in addon_modules("commands"):
    for title, commands in module.COMMANDS.items():
        GROUPS.setdefault(title, []).extend(commands)
    FIRST += getattr(module, "FIRST", [])
START_BYTES = 120 << 20  # of addresses that NumPy takes when it starts, on two cores
COLLECTED_AFTER = 100_000  # new objects; all that a start makes stay, and looking there takes time
GONE_COMMAND = re.compile("[a-z-]+")  # all else that went is written with other signs
LONG = re.compile(r"'[^']{300,}'|\S{300,}")  # a value that is no path of use, in an error
OTHER_WORDS = {"help": "--help", "version": "--version"}  # that people try as commands


class GroupedCommands(click.Group):
    """A program whose help begins with few commands, and that translates all other text."""

    def make_parser(self, ctx: click.Context) -> Any:
        """See `TextCommand`."""
        return with_texts(super().make_parser(ctx))

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Leaves standard input alone, and text after ``--``, such as -5.5, to ``translate``."""
        if not (args or context.resilient_parsing) and has_piped_input():
            args = [str(translate.name)]
        if "--" in args and self.commands.keys().isdisjoint(args[: args.index("--")]):
            args = [str(translate.name), *args]
        return super().parse_args(context, args)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; text that is none is translated."""
        if self.get_command(context, arguments[0]) is not None or context.resilient_parsing:
            return super().resolve_command(context, arguments)
        text = _first_text(arguments)
        line = gone_line(arguments[0]) if GONE_COMMAND.fullmatch(arguments[0]) else None
        if meant := self._resembled_command(text):
            line = line or (
                f"{text}: expected a command, then its options, or a sentence, found a word that"
                f" resembles {meant}"
            )
        if line:
            again = f"translator translate {shlex.join(arguments)}"
            raise click.UsageError(f"{line}; to translate it: {again}")
        return translate.name, translate, arguments

    def _resembled_command(self, text: str) -> str | None:
        """What a word was probably meant to be; None of any other text."""
        word = text.lower()
        if any(map(str.isspace, word)):
            return None
        close = difflib.get_close_matches(word, [*self.commands, *OTHER_WORDS], n=1, cutoff=0.8)
        return OTHER_WORDS.get(close[0], close[0]) if close else None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the name and a short help of `FIRST`, and the names of the others by group."""
        first = [each for commands in GROUPS.values() for each in commands if each in FIRST]
        limit = formatter.width - max(len(str(each.name)) for each in first) - 6
        with formatter.section("Commands that most people need"):
            formatter.write_dl([(str(each.name), each.get_short_help_str(limit)) for each in first])
        others = {
            title: ", ".join(str(each.name) for each in commands if each not in FIRST)
            for title, commands in GROUPS.items()
        }
        with formatter.section("More commands (COMMAND --help says what each does)"):
            formatter.write_dl([(title, names) for title, names in others.items() if names])


def _first_text(arguments: list[str]) -> str:
    """The first argument of ``translate`` that is no option; empty if there is none."""
    context = translate.make_context(None, list(arguments), resilient_parsing=True)
    return next(iter(context.params.get("sentences") or ()), "")


@click.group(
    cls=GroupedCommands,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "ignore_unknown_options": True,  # they are those of translate, before its text
    },
)
@click.version_option(__version__, prog_name="translator")
def cli() -> None:
    """Translate English and German, train a Transformer, see what its heads do.

    translator "Good morning." is short for translator translate "Good morning."
    """


@dataclasses.dataclass
class Invocation:
    """How the command line was called.

    Attributes:
        is_program: whether this process was started for it.
        debug: whether errors are shown with their traceback.
    """

    is_program: bool
    debug: bool = False


def _set_debug(context: click.Context, option: click.Parameter, is_set: bool) -> None:
    invocation = context.find_object(Invocation)
    if is_set and invocation is not None:
        invocation.debug = True


debug_option = click.option(
    "--debug",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_set_debug,
    help="Show the traceback of an error.",
)
debug_option(cli)

for group in GROUPS.values():
    for command in group:
        debug_option(command)
        cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
    invocation = Invocation(is_program=arguments is None)
    if invocation.is_program:
        gc.set_threshold(COLLECTED_AFTER)
        keras_startup.is_program = True
    arguments = sys.argv[1:] if arguments is None else arguments
    guard = ending_imports() if invocation.is_program else contextlib.nullcontext()
    with errors_as_one_line(invocation), guard:
        if sys.stdout is None:
            raise InputError("standard output: expected it open, found it closed")
        try:
            os.getcwd()  # which libraries need
        except FileNotFoundError:
            raise InputError("this folder: expected it, found it deleted; go to another") from None
        check_memory(START_BYTES, "the program")
        code = cli.main(arguments, prog_name="translator", standalone_mode=False, obj=invocation)
        if isinstance(code, int) and code:  # of `click.Context.exit`
            sys.exit(code)


@contextlib.contextmanager
def errors_as_one_line(invocation: Invocation | None = None) -> Iterator[None]:
    """Ends the program with one line and exit code 2 at an error that the user can correct."""
    try:
        yield
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except (click.Abort, KeyboardInterrupt):
        report("translator: interrupted")
        sys.exit(INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except (
        click.ClickException,
        InputError,
        OSError,
        UnicodeEncodeError,
        ImportError,
        MemoryError,
    ) as error:
        line = one_line(error)
        if line is None or (invocation is not None and invocation.debug):
            raise
        if sys.stdout is not None:
            try:
                sys.stdout.flush()
            except OSError:  # it is a full disk; so is what Python has kept for it
                silence(1)
        line = LONG.sub(lambda value: shorten(value[0]), line)
        report(f"translator: {printable(line)}")
        sys.exit(2)
