"""Installs the program into an empty environment, and prints its size and speed.

    python benchmarks/installation.py

It builds the wheel, downloads the packages that it needs, and installs them without the network.
Then it translates a sentence several times with the shipped model, each time in a new process. The
first translation also compiles Python's modules and fills the disk's cache. The processes have no
network if the system can turn it off. Sizes are in millions of bytes; memory is the peak of a
process. With --try nothing is built: the installed program is measured.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

import harness

from translator.base.errors import InputError
from translator.cli import errors_as_one_line

SENTENCE = "Good morning."
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
NO_NETWORK = ("unshare", "--map-root-user", "--net")  # of Linux, where users may use it


def main() -> None:
    """Prints a row for each measurement."""
    parser = harness.Parser(__doc__, rounds=6)
    options = parser.parse(rounds=1)
    with tempfile.TemporaryDirectory() as name:
        folder, rows = Path(name), list[harness.Row]()
        program: Sequence[str] = harness.PROGRAM
        if not options.small:
            program, rows = install(folder)
        rows += measure_use([*program, "translate", SENTENCE], folder, options.rounds)
    title = "What pip install brings, and how soon it answers"
    harness.show(options, "installation", title, ["", ""], rows, "int8")


def install(folder: Path) -> tuple[list[str], list[harness.Row]]:
    """Builds, downloads and installs; returns the program and the rows of the sizes."""
    downloads, environment = folder / "downloads", folder / "environment"
    wheel = build_wheel(copy_sources(folder), folder)
    pip("download", "-d", str(downloads), str(wheel))
    venv.create(environment, with_pip=False)
    binaries = environment / ("Scripts" if sys.platform == "win32" else "bin")
    command = ["--python", str(binaries / "python"), "install", "--no-index", "--find-links"]
    pip(*command, str(downloads), str(wheel))
    [packages] = environment.rglob("site-packages")
    sizes = {"wheel": wheel, "downloads, the wheel included": downloads, "installed": packages}
    return [str(binaries / "translator")], [[what, megabytes(at)] for what, at in sizes.items()]


def measure_use(command: Sequence[str], folder: Path, rounds: int) -> list[harness.Row]:
    """Translates several times, and returns the time and memory of a process."""
    alone = NO_NETWORK if can_unshare() else ()
    first, *later = [harness.watch([*alone, *command], folder) for _ in range(rounds + 1)]
    memory = max(each.peak for each in (first, *later)) / 1e6
    return [
        ["first translation of a sentence", f"{first.seconds:.2f} s"],
        ["afterwards", f"{statistics.median(each.seconds for each in later):.2f} s"],
        ["memory", f"{memory:.1f} MB"],
        ["network", "off" if alone else "on: this system cannot turn it off"],
    ]


def pip(*arguments: str) -> None:
    """Runs pip; pip prints its own errors.

    Raises:
        InputError: it fails.
    """
    code = subprocess.run([*PIP, *arguments]).returncode
    if code:
        command = next(each for each in arguments if each in ("download", "install", "wheel"))
        raise InputError(
            f"pip {command}: expected it to succeed, found exit code {code}; see its output above,"
            " and check the network"
        )


def can_unshare() -> bool:
    """Whether a process can be started without the network."""
    if shutil.which(NO_NETWORK[0]) is None:
        return False
    return subprocess.run([*NO_NETWORK, "true"], capture_output=True).returncode == 0


def copy_sources(folder: Path) -> Path:
    """Copies the sources of a wheel into a folder, because a build leaves files beside them."""
    sources = folder / "sources"
    for name in ("translator", "configs"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(harness.ROOT / name, sources / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(harness.ROOT / name, sources)
    return sources


def build_wheel(sources: Path, folder: Path, *options: str) -> Path:
    """Builds a wheel of a copy of the sources in a folder, with further options of ``pip wheel``.

    Without ``--no-build-isolation`` pip downloads the setuptools that pyproject.toml asks for.
    """
    pip("wheel", "--no-deps", *options, "-w", str(folder), str(sources))
    [wheel] = folder.glob("*.whl")
    return wheel


def megabytes(path: Path) -> str:
    """The size of a file, or of the files in a folder."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return f"{sum(file.stat().st_size for file in files) / 1e6:.1f} MB"


if __name__ == "__main__":
    with errors_as_one_line():
        main()
