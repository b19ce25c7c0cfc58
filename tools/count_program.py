"""Counts the parts of the program: lines, modules, rooms, commands, options, keys, results.

python tools/count_program.py
"""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from translator.cli.main import COMMANDS, find_command
from translator.config.schema import Config
from translator.config.section import Section

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "translator"
TOOLS = ("scripts", "tools", "benchmarks")


def count_program() -> dict[str, int]:
    """The counts by name. ``--debug`` is not counted, because every command has it."""
    files = sorted(PACKAGE.rglob("*.py"))
    core = [file for file in files if "addons" not in file.relative_to(PACKAGE).parts]
    folders = {file.parent.relative_to(PACKAGE).parts for file in files}
    options = [
        option
        for command in map(find_command, COMMANDS)
        for option in command.params
        if isinstance(option, click.Option) and option.name != "debug"
    ]
    results = (ROOT / "benchmarks" / "results").glob("*.json")
    return {
        "lines": sum(map(_lines, files)),
        "lines of the core": sum(map(_lines, core)),
        "modules": len(files),
        "modules of the core": len(core),
        "rooms": sum(len(parts) == 1 + (parts[:1] == ("addons",)) for parts in folders),
        "commands": len(COMMANDS),
        "options": len(options),
        "keys": len(list(_keys(Config))),
        "lines of tests": sum(map(_lines, (ROOT / "tests").rglob("*.py"))),
        "lines of scripts, tools and benchmarks": sum(
            _lines(file) for folder in TOOLS for file in (ROOT / folder).rglob("*.py")
        ),
        "stored results": sum(len(json.loads(file.read_text("utf-8"))) for file in results),
    }


def _lines(file: Path) -> int:
    return len(file.read_text("utf-8").splitlines())


def _keys(section: type[Section], path: str = "") -> Iterator[str]:
    """The full names of the keys of a section and of the sections in it."""
    for name, field in section.model_fields.items():
        candidates = (field.annotation, *getattr(field.annotation, "__args__", ()))
        inner = [each for each in candidates if isinstance(each, type)]
        sections = [each for each in inner if issubclass(each, Section)]
        if sections:
            yield from _keys(sections[0], f"{path}{name}.")
        else:
            yield f"{path}{name}"


if __name__ == "__main__":
    for name, count in count_program().items():
        print(f"{name:<40} {count:>7,}")
