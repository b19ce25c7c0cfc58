"""Installs what translating needs into an empty environment, and prints how large and quick it is.

    python scripts/measure_installation.py
    python scripts/measure_installation.py --run checkpoints/demo

Builds the wheel, downloads it with the packages that it needs, installs them without the network,
and translates a sentence in a process of its own, several times: with a run, or else with the model
that comes with the program. Sizes are in millions of bytes.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
SENTENCE = "Good morning."
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
TIMES = 7  # translations; the first one also compiles Python's modules and fills the disk's cache


def main() -> None:
    """Prints a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, help="Run directory with its export.")
    run = parser.parse_args().run
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        downloads = folder / "downloads"
        wheel = build_wheel(copy_sources(folder), folder)
        subprocess.run([*PIP, "download", "-d", str(downloads), str(wheel)], check=True)
        venv.create(folder / "environment", with_pip=False)
        python = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
        install = ["--python", str(python / "python"), "install", "--no-index", "--find-links"]
        subprocess.run([*PIP, *install, str(downloads), str(wheel)], check=True)
        [packages] = (folder / "environment").rglob("site-packages")
        print(f"wheel       {wheel.stat().st_size / 1e6:6.1f} MB")
        print(f"downloads   {megabytes(downloads):6.1f} MB, the wheel included")
        print(f"installed   {megabytes(packages):6.1f} MB of site-packages")
        chosen = ["--run", str(run.resolve())] if run else []
        command = [str(python / "translator"), "translate", *chosen, SENTENCE]
        seconds = [seconds_of(command, folder) for _ in range(TIMES)]
        print(f"first       {seconds[0]:6.2f} s for one sentence")
        print(f"afterwards  {statistics.median(seconds[1:]):6.2f} s, the median of {TIMES - 1}")


def copy_sources(folder: Path) -> Path:
    """Copies what a wheel is built from into a folder: a build leaves files beside it."""
    sources = folder / "sources"
    for name in ("translator", "configs"):
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, sources)
    return sources


def build_wheel(sources: Path, folder: Path) -> Path:
    """Builds a wheel of a copy of the sources in a folder."""
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(sources)], check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def megabytes(folder: Path) -> float:
    """Millions of bytes in the files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def seconds_of(command: Sequence[str], folder: Path) -> float:
    """The wall time of a command that must succeed."""
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
