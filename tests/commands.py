"""Runs the command line as a user types it: in this process, or in one of its own."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

from translator.cli import main

SENTENCE = "The man sees the cat."
GERMAN = "Der Mann sieht die Katze."


def run(capfd, *arguments: object) -> tuple[int, str, str]:
    """Runs the command in this process: exit code, standard output, standard error."""
    try:
        main([str(argument) for argument in arguments])
        code = 0
    except SystemExit as end:
        code = end.code or 0
    out, err = capfd.readouterr()
    return code, out, err


def refused(capfd, *arguments: object) -> str:
    """The one line that refuses; exit code 2 and nothing on standard output."""
    code, out, err = run(capfd, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("translator: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err.removeprefix("translator: ").strip()


def shell(
    *arguments: object, text: bytes = b"", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess:
    """Runs the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "translator.cli", *map(str, arguments)],
        input=text, capture_output=True, cwd=cwd, check=False, env={**os.environ, **environment},
    )  # fmt: skip


def python(
    program: str, *arguments: object, code: int = 0, **environment: str
) -> subprocess.CompletedProcess:
    """Runs a program of Python in a process of its own, which must end with an exit code."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done


def captured(*arguments: object) -> tuple[int, str, str]:
    """Like `run`, for fixtures, which may not capture file descriptors."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n"), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code or 0
    out.seek(0)
    return code, out.read(), err.getvalue()
