"""The command line: each command parses, calls one function, and prints.

It may import every other room.
"""

import os

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # it would look for some at each start

from translator.cli.main import cli, errors_as_one_line, main

__all__ = ["cli", "errors_as_one_line", "main"]
