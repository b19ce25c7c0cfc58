"""Installs what translating needs into an empty environment, and prints how large and quick it is.

    python benchmarks/installation.py
    python benchmarks/installation.py --run checkpoints/demo

Builds the wheel, downloads it with the packages that it needs, installs them without the network,
and translates a sentence in a process of its own, several times: with a run, or else with the model
that comes with the program. The processes have no network where the system can do that. Sizes are
in millions of bytes; memory is the most that a process had at once.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.runs.choosing import find_run

ROOT = Path(__file__).parents[1]
SENTENCE = "Good morning."
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
NO_NETWORK = ("unshare", "--map-root-user", "--net")  # of Linux, where users may use it
TIMES = 7  # translations; the first one also compiles Python's modules and fills the disk's cache


class Measurement(NamedTuple):
    """What a process used.

    Attributes:
        seconds: of wall time.
        megabytes: of resident memory, at most.
    """

    seconds: float
    megabytes: float


def main() -> None:
    """Prints a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--run", help="with an export; or the name of a shipped model")
    run = parser.parse_args().run
    if run is not None:
        find_run(run).read_record()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        downloads = folder / "downloads"
        wheel = build_wheel(copy_sources(folder), folder)
        pip("download", "-d", str(downloads), str(wheel))
        venv.create(folder / "environment", with_pip=False)
        python = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
        install = ["--python", str(python / "python"), "install", "--no-index", "--find-links"]
        pip(*install, str(downloads), str(wheel))
        [packages] = (folder / "environment").rglob("site-packages")
        print(f"wheel       {wheel.stat().st_size / 1e6:6.1f} MB")
        print(f"downloads   {megabytes(downloads):6.1f} MB, the wheel included")
        print(f"installed   {megabytes(packages):6.1f} MB of site-packages")
        command = [str(python / "translator"), "translate", *chosen(run), SENTENCE]
        print_use(command, folder)


def pip(*arguments: str) -> None:
    """Runs pip, which says itself what fails.

    Raises:
        InputError: it fails.
    """
    code = subprocess.run([*PIP, *arguments]).returncode
    if code:
        command = next(each for each in arguments if each in ("download", "install", "wheel"))
        raise InputError(
            f"pip {command}: expected it to succeed, found exit code {code}; see above what it"
            " said, and whether the network can be reached"
        )


def print_use(command: Sequence[str], folder: Path) -> None:
    """Translates several times, and prints what a process used."""
    alone = NO_NETWORK if can_unshare() else ()
    used = [measure([*alone, *command], folder) for _ in range(TIMES)]
    seconds = [each.seconds for each in used]
    print(f"first       {seconds[0]:6.2f} s for one sentence")
    print(f"afterwards  {statistics.median(seconds[1:]):6.2f} s, the median of {TIMES - 1}")
    print(f"memory      {max(each.megabytes for each in used):6.1f} MB, the most of {TIMES}")
    print(f"network        {'off' if alone else 'on: this system cannot turn it off'}")


def chosen(run: str | None) -> list[str]:
    """The arguments that name a run in any folder; a shipped model has the same name in all."""
    if run is None:
        return []
    return ["--run", str(Path(run).resolve()) if Path(run).exists() else run]


def can_unshare() -> bool:
    """Whether a process can be started without the network."""
    if shutil.which(NO_NETWORK[0]) is None:
        return False
    return subprocess.run([*NO_NETWORK, "true"], capture_output=True).returncode == 0


def copy_sources(folder: Path) -> Path:
    """Copies what a wheel is built from into a folder: a build leaves files beside it."""
    sources = folder / "sources"
    for name in ("translator", "configs"):
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, sources)
    return sources


def build_wheel(sources: Path, folder: Path, *options: str) -> Path:
    """Builds a wheel of a copy of the sources in a folder.

    Args:
        sources: what the wheel is built from.
        folder: where the wheel is written.
        options: further ones of ``pip wheel``. Without ``--no-build-isolation`` pip downloads the
            setuptools that pyproject.toml asks for.

    Returns:
        The wheel.
    """
    pip("wheel", "--no-deps", *options, "-w", str(folder), str(sources))
    [wheel] = folder.glob("*.whl")
    return wheel


def megabytes(folder: Path) -> float:
    """Millions of bytes in the files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def measure(command: Sequence[str], folder: Path) -> Measurement:
    """Runs a command in a folder.

    Linux counts the memory of the process that starts another as that one's too. Here it is small.

    Raises:
        InputError: it failed; with the last line of its errors.
    """
    began = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip()
    if process.returncode:
        reason = said.splitlines()[-1] if said else f"exit code {process.returncode}"
        raise InputError(reason.removeprefix("translator: "))
    unit = 1 if sys.platform == "darwin" else 1024  # bytes of ru_maxrss
    return Measurement(seconds, used.ru_maxrss * unit / 1e6)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
