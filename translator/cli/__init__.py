"""The command line: each command parses, calls one function, and prints.

It may import every other room.
"""

import os

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # searching for plugins takes time

from translator.base.signals import ending_imports

with ending_imports():
    from translator.cli.main import cli, errors_as_one_line, main

__all__ = ["cli", "errors_as_one_line", "main"]
