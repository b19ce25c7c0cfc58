"""Checks that the command of a figure still exists. Nothing is run. These must exist:

- ``python FILE``: the file and its options
- ``python -m MODULE``: the module
- ``make TARGET``: the target
- ``translator COMMAND``: the command and its options

A configuration of this repository must be valid with the ``--set`` of the command.
"""

import importlib.util
import itertools
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from translator.base.errors import InputError
from translator.cli.main import COMMANDS, find_command
from translator.config.yaml_file import read_config

OTHER_PROGRAMS = {"onmt-main", "sacrebleu"}
BETWEEN = re.compile(r"[|&;]+")


def find_command_mistakes(command: str, root: Path) -> Iterator[str]:
    """What does not exist of a command or of several, one a line.

    Args:
        command: as a shell takes it.
        root: the folder of the repository.
    """
    for words in _programs(command):
        match words:
            case ["python", "-m", module, *_]:
                if importlib.util.find_spec(module) is None:
                    yield f"expected a module that can be imported, found {module}"
            case ["python", script, *arguments]:
                yield from _script_mistakes(script, arguments, root)
            case ["make", target]:
                if not re.search(rf"^{target}:", (root / "Makefile").read_text("utf-8"), re.M):
                    yield f"expected a target of the Makefile, found {target}"
            case ["translator", *arguments]:
                yield from _translator_mistakes(arguments)
            case [program, *_] if program in OTHER_PROGRAMS:
                continue
            case _:
                yield f"expected a command of this repository, found {shlex.join(words)}"
        yield from _config_mistakes(words, root)


def _programs(command: str) -> Iterator[list[str]]:
    """The words of each program, without variables before it, files of its output and comments."""
    for line in command.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
        lexer.whitespace_split = True
        for is_between, group in itertools.groupby(lexer, lambda w: bool(BETWEEN.fullmatch(w))):
            words = list(itertools.takewhile(lambda word: word not in ("<", ">", ">>"), group))
            started = itertools.dropwhile(lambda w: w == "time" or re.match(r"[A-Z_]+=", w), words)
            if not is_between:
                yield list(started)


def _script_mistakes(script: str, arguments: list[str], root: Path) -> Iterator[str]:
    """Of a script: its file, and that it, or what it imports from beside it, names each option."""
    path = root / script
    if not path.is_file():
        yield f"expected a script of this repository, found {script}"
        return
    source = path.read_text("utf-8")
    imported = re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE)
    others = [path.with_name(f"{name}.py") for name in imported]
    source += "".join(other.read_text("utf-8") for other in others if other.is_file())
    for option in arguments:
        if option.startswith("--") and f'"{option}"' not in source:
            yield f"{script} has no option {option}"


def _translator_mistakes(arguments: list[str]) -> Iterator[str]:
    """Of the program: that the command is known, or a sentence, and that its options are."""
    first = arguments[0] if arguments else ""
    if first in COMMANDS:
        command, arguments = find_command(first), arguments[1:]
    elif " " in first:
        command = find_command("translate")
    elif first in ("--help", "--version"):
        return
    else:
        yield f"expected a command of translator or a sentence, found {first or 'nothing'}"
        return
    try:
        command.make_parser(click.Context(command)).parse_args(list(arguments))
    except click.UsageError as error:
        yield f"translator {command.name}: {error.format_message()}"


def _config_mistakes(words: list[str], root: Path) -> Iterator[str]:
    """Of a command that names a configuration: that its file and its settings are valid."""
    settings = [value for option, value in itertools.pairwise(words) if option == "--set"]
    for name in words:
        if re.fullmatch(r"configs/[\w-]+\.yaml", name):
            try:
                read_config(root / name, tuple(settings))
            except InputError as error:
                yield str(error)
