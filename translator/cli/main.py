"""The program: its commands, and errors as one line."""

import contextlib
import functools
import gc
import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from translator.base import machine
from translator.base.addons import find_addons
from translator.base.errors import InputError
from translator.base.gone import gone_line
from translator.base.late import difflib, late_pattern, shlex
from translator.base.machine import check_memory
from translator.base.signals import INTERRUPTED, ending_imports, silence
from translator.base.texts import printable, shorten
from translator.base.version import __version__
from translator.cli.terminal import has_piped_input, one_line, report, with_texts

GROUPS = {  # the commands by groups, with their summaries
    "Translate": {
        "translate": "Translate sentences, files or standard input.",
        "evaluate": "Measure a run: BLEU, chrF, TER, perplexity and speed.",
        "compare": "Test whether two runs differ by more than chance.",
        "score": "Print the log probability of given translations.",
        "export": "Write an export: the best weights of RUN for CTranslate2.",
    },
    "Look inside": {},
    "Train": {"train": "Train a model as the YAML file CONFIG says."},
    "Public models": {},
    "Data": {
        "corpora": "List the known corpora, and whether they are cached.",
        "tokenize": "Show the pieces and ids of sentences.",
    },
}
MODULES = {  # the commands' modules; a module is imported when one of its commands is called
    "cli.translating": ("translate",),
    "cli.evaluating": ("evaluate", "compare"),
    "cli.scoring": ("score",),
    "cli.training": ("export", "train"),
    "cli.data": ("corpora", "tokenize"),
}
FIRST = ["translate", "evaluate", "train"]  # most people need these; the help describes them
if addons := find_addons():
    for title, summaries in addons.COMMANDS.items():
        GROUPS[title] = {**GROUPS.get(title, {}), **summaries}
    MODULES |= addons.MODULES
    FIRST += addons.FIRST
COMMANDS = {name: text for summaries in GROUPS.values() for name, text in summaries.items()}
START_BYTES = 120 << 20  # address space that NumPy takes at its start, on two cores
COLLECTED_AFTER = 100_000  # new objects; Python's garbage collection takes time at the start
LONG = late_pattern(r"'[^']{300,}'|\S{300,}")  # a long value in an error; no path is so long
OTHER_WORDS = {"help": "--help", "version": "--version"}  # people try them as commands
TRANSLATE = "translate"


@functools.cache
def find_command(name: str) -> click.Command:
    """A command by its name."""
    module = next(module for module, names in MODULES.items() if name in names)
    values = vars(importlib.import_module(f"translator.{module}")).values()
    commands = {value for value in values if isinstance(value, click.Command)}
    [command] = [command for command in commands if command.name == name]
    command.short_help = COMMANDS[name]
    if all(parameter.name != "debug" for parameter in command.params):
        debug_option(command)
    return command


class GroupedCommands(click.Group):
    """A program. Its help begins with few commands, and it translates any other text."""

    def make_parser(self, ctx: click.Context) -> Any:
        """See `TextCommand`."""
        return with_texts(super().make_parser(ctx))

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Passes text after ``--``, such as -5.5, or only standard input to ``translate``."""
        if not (args or context.resilient_parsing) and has_piped_input():
            args = [TRANSLATE]
        if "--" in args and COMMANDS.keys().isdisjoint(args[: args.index("--")]):
            args = [TRANSLATE, *args]
        return super().parse_args(context, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name; None if there is none."""
        return find_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command that is called; other text is translated."""
        if self.get_command(context, arguments[0]) is not None or context.resilient_parsing:
            return super().resolve_command(context, arguments)
        text = _first_text(arguments)
        is_command = arguments[0].replace("-", "").isalpha()  # not a removed option or key
        line = gone_line(arguments[0]) if is_command else None
        if command := self._resembled_command(text):
            line = line or (
                f"{text}: expected a sentence, or a command and its options, found a word that"
                f" resembles {command}"
            )
        if line:
            again = f"translator translate {shlex.join(arguments)}"
            raise click.UsageError(f"{line}; to translate it: {again}")
        return TRANSLATE, find_command(TRANSLATE), arguments

    def _resembled_command(self, text: str) -> str | None:
        """Guesses the command that a user meant with a word; None for other text."""
        word = text.lower()
        if any(map(str.isspace, word)):
            return None
        close = difflib.get_close_matches(word, [*COMMANDS, *OTHER_WORDS], n=1, cutoff=0.8)
        return OTHER_WORDS.get(close[0], close[0]) if close else None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes names and summaries of `FIRST`, and the names of other commands by group."""
        with formatter.section("Commands that most people need"):
            rows = [(name, summary) for name, summary in COMMANDS.items() if name in FIRST]
            formatter.write_dl(rows)
        others = {
            title: ", ".join(name for name in summaries if name not in FIRST)
            for title, summaries in GROUPS.items()
        }
        with formatter.section("More commands (COMMAND --help explains each)"):
            formatter.write_dl([(title, names) for title, names in others.items() if names])


def _first_text(arguments: list[str]) -> str:
    """The first argument of ``translate`` that is no option; empty if there is none."""
    context = find_command(TRANSLATE).make_context(None, list(arguments), resilient_parsing=True)
    return next(iter(context.params.get("sentences") or ()), "")


@click.group(
    cls=GroupedCommands,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "ignore_unknown_options": True,  # options before the text are for translate
    },
)
@click.version_option(__version__, prog_name="translator")
def cli() -> None:
    """Translate English and German, train a Transformer, see what its heads do.

    translator "Good morning." is short for translator translate "Good morning."
    """


def _set_debug(context: click.Context, option: click.Parameter, is_set: bool) -> None:
    if is_set and context.obj is not None:
        context.obj["debug"] = True


debug_option = click.option(
    "--debug",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_set_debug,
    help="Show the traceback of an error.",
)
debug_option(cli)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line."""
    switches: dict[str, bool] = {}
    is_program = arguments is None
    if is_program:
        gc.set_threshold(COLLECTED_AFTER)
        machine.is_program = True
    arguments = sys.argv[1:] if arguments is None else arguments
    guard = ending_imports() if is_program else contextlib.nullcontext()
    with errors_as_one_line(switches), guard:
        if sys.stdout is None:
            raise InputError("standard output: expected an open output, found a closed output")
        try:
            os.getcwd()  # libraries need this folder
        except FileNotFoundError:
            raise InputError("current folder: was deleted; change to another folder") from None
        check_memory(START_BYTES, "the program")
        code = cli.main(arguments, prog_name="translator", standalone_mode=False, obj=switches)
        if isinstance(code, int) and code:  # the code of `click.Context.exit`
            sys.exit(code)


@contextlib.contextmanager
def errors_as_one_line(switches: Mapping[str, bool] = {}) -> Iterator[None]:  # noqa: B006
    """If the user can correct an error, ends the program with one line and exit code 2."""
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
        if line is None or "debug" in switches:
            raise
        if sys.stdout is not None:
            try:
                sys.stdout.flush()
            except OSError:  # the disk is full; the rest of the output would fail, too
                silence(1)
        line = LONG.sub(lambda value: shorten(value[0]), line)
        report(f"translator: {printable(line)}")
        sys.exit(2)
