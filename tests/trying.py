"""Tries a benchmark, and checks that its results are as the pages of figures read them."""

import datetime
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "benchmarks"
BENCHMARKS = sorted(
    path.stem for path in FOLDER.glob("*.py") if '"__main__"' in path.read_text("utf-8")
)
OF_A_RUN = {  # the option that names a run of one's own corpus
    "decoding": "--run",
    "files": "--run",
    "quantization": "--run",
    "samples": "--run",
}
ON_JAX = "training_speed --gpu"
OWN_PROCESS = (ON_JAX, "compile_step")  # on JAX: Keras has one backend in a process
TAKES_LONG = ["compile_step", "confidence", "decoding", "files", "memory", "quality"]
TAKES_LONG += ["quantization", ON_JAX]
KEYS = ["name", "title", "command", "commit", "machine", "precision", "date", "columns", "rows"]


def call(name: str, arguments: list[str], patch: pytest.MonkeyPatch) -> None:
    patch.setenv("TRANSLATOR_HOME", os.environ["TRANSLATOR_HOME"])  # some change it
    patch.syspath_prepend(str(FOLDER))
    patch.setattr(sys, "argv", [f"benchmarks/{name}.py", *arguments])
    patch.chdir(ROOT)
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")


def results_in(output: str) -> list[dict[str, Any]]:
    """The JSON lines among those that a benchmark prints."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def try_benchmark(
    called: str,
    patch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    run: Path | None = None,
) -> None:
    """Runs a benchmark, by its name with options after it, with tiny sizes, perhaps on a run."""
    name, *options = called.split()
    arguments = ["--try", *options, *([OF_A_RUN[name], str(run)] if run else [])]
    if called in OWN_PROCESS:
        script = [sys.executable, str(FOLDER / f"{name}.py")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment.pop("KERAS_BACKEND", None)
        subprocess.run([*script, *arguments], check=True, cwd=ROOT, env=environment)
    else:
        call(name, arguments, patch)
    found = results_in(capfd.readouterr().out)
    assert found
    for result in found:
        assert list(result) == KEYS
        assert re.fullmatch(r"[a-z0-9-]+", result["name"])
        assert result["command"].startswith(f"python benchmarks/{name}.py --try")
        assert re.fullmatch(r"[0-9a-f]{7,40}", result["commit"])
        assert datetime.date.fromisoformat(result["date"])
        assert result["title"]
        assert result["machine"]
        assert result["precision"]
        assert result["rows"]
        assert {len(row) for row in result["rows"]} == {len(result["columns"])}
