"""Trains the models that come with the program again, with their teachers; resumable.

    python scripts/train_shipped_models.py

Two teachers are trained (configs/tatoeba-best.yaml, from English and from German), and both
translate the training split. The model of each direction begins as the teacher of its direction,
and learns from the corpus, from what this teacher made of the sources, and from what the other one
made of the targets (configs/en-de.yaml and configs/de-en.yaml). Each step that is done already is
left out, and an interrupted training is resumed, so the same command goes on where it stopped.
"""

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.config.yaml_file import read_config
from translator.runs.directory import RunDirectory
from translator.runs.exports import find_export

RUNS = Path("checkpoints")
SHIPPED = Path("translator/shipped")
TEACHERS = {"en-de": RUNS / "tatoeba-best", "de-en": RUNS / "teacher-de-en"}
FROM_GERMAN = (  # settings of the second teacher
    "corpus.source_language=de",
    "corpus.target_language=en",
    "training.epochs=12",
)
KEPT = ("--least-chrf", "40", "--margin", "0.25", "--least-score", "-0.35")
QUANTIZATION = "int8"
INTERRUPTED = 130  # the exit code of an interrupted command
ENDS = (INTERRUPTED, -signal.SIGINT, -signal.SIGTERM)  # exit codes of commands that were told to


class Step(NamedTuple):
    """A part of the work.

    Attributes:
        output: what it makes.
        is_done: whether that is there, complete.
        command: the arguments after the interpreter that make it.
    """

    output: Path
    is_done: bool
    command: list[str]


def main() -> None:
    """Does what is not done yet, in order."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the two models (default: 1)")
    options = parser.parse_args()
    for step in steps(options.seed):
        if step.is_done:
            print(f"{step.output}: done already", flush=True)
            continue
        print(f"{step.output}: python {' '.join(step.command)}", flush=True)
        code = run_to_its_end([sys.executable, *step.command])
        if code in ENDS:
            raise SystemExit(INTERRUPTED)
        if code:
            raise InputError(f"{step.output}: expected to make it, found exit code {code}")


def run_to_its_end(command: list[str]) -> int:
    """Runs a command, which may save its work before it ends at a signal.

    The terminal sends Ctrl-C to the command too, which is of the same process group. SIGTERM comes
    to this process alone, and is passed on.

    Returns:
        Its exit code; below 0 if a signal has ended it.
    """
    started: list[subprocess.Popen[bytes]] = []

    def pass_on(number: int, frame: FrameType | None) -> None:
        for process in started if number == signal.SIGTERM else []:
            process.send_signal(number)

    before = {
        number: signal.signal(number, pass_on)
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        started.append(subprocess.Popen(command))
        return started[0].wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def steps(seed: int) -> Iterator[Step]:
    """All steps; each is asked for when those before it are done.

    Args:
        seed: of the two models. The teachers have 1.
    """
    yield _training(TEACHERS["en-de"], "tatoeba-best")
    yield _training(TEACHERS["de-en"], "tatoeba-best", FROM_GERMAN)
    for direction, other in (("en-de", "de-en"), ("de-en", "en-de")):
        yield _translating(direction, TEACHERS[direction], TEACHERS[other])
        yield from _shipping(direction, seed)


def _translating(direction: str, forward: Path, backward: Path) -> Step:
    """Makes the synthetic pairs of a direction."""
    out = RUNS / f"synthetic-{direction}"
    runs = ["--forward", str(forward), "--backward", str(backward)]
    command = ["scripts/make_synthetic_pairs.py", *runs, *KEPT, "--out", str(out)]
    is_done = all(out.with_name(f"{out.name}.{code}").exists() for code in direction.split("-"))
    return Step(out, is_done, command)


def _shipping(direction: str, seed: int) -> Iterator[Step]:
    """Trains the model of a direction and exports it."""
    model = RUNS / (direction if seed == 1 else f"{direction}-seed-{seed}")
    yield _training(model, direction, [f"training.seed={seed}"])
    out = SHIPPED / direction if seed == 1 else model / "shipped"
    command = ["export", str(model), "--quantization", QUANTIZATION, "--out", str(out)]
    yield Step(out, False, ["-m", "translator.cli", *command])


def _training(run_dir: Path, name: str, settings: Sequence[str] = ()) -> Step:
    """Trains the configuration of a name with further settings, or completes its run."""
    run = RunDirectory(run_dir)
    changes = [part for setting in settings for part in ("--set", setting)]
    train = ["-m", "translator.cli", "train", name, "--run", str(run_dir), *changes]
    if not run.record.exists():
        return Step(run_dir, False, train)
    if not _has_trained(run, read_config(name, tuple(settings)).training.epochs):
        return Step(run_dir, False, [*train, "--resume"])
    calibrate = ["-m", "translator.cli", "calibrate", str(run_dir)]
    return Step(run_dir, run.confidence.is_file(), calibrate)


def _has_trained(run: RunDirectory, epochs: int) -> bool:
    """Whether a run has trained for so many epochs to its end, with an export of its weights."""
    if not (run.has_finished and find_export(run)):
        return False
    lines = run.metrics.read_text("utf-8").splitlines() if run.metrics.is_file() else []
    return bool(lines) and json.loads(lines[-1])["epoch"] >= epochs


if __name__ == "__main__":
    with errors_as_one_line():
        main()
