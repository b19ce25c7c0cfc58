"""The command line: each command parses, calls one function, and prints.

It may import every other room.
"""

from translator.cli.main import cli, errors_as_one_line, main

__all__ = ["cli", "errors_as_one_line", "main"]
