"""Trains the models that come with the program again, with their teachers; resumable.

    python tools/train_shipped_models.py

Two teachers are trained (configs/tatoeba-best.yaml, from English and from German), and both
translate the training split. The model of each direction begins as the teacher of its direction,
and learns from the corpus, from what this teacher made of the sources, and from what the other one
made of the targets (configs/en-de.yaml and configs/de-en.yaml). Every step goes on where it was
stopped, and ends soon where nothing is left to do, so the same command goes on from anywhere.
"""

import argparse
import hashlib
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.corpora import fetch_corpus
from translator.runs.directory import RunDirectory

RUNS = Path("checkpoints")
SHIPPED = Path("translator/shipped")
TEACHERS = {"en-de": RUNS / "tatoeba-best", "de-en": RUNS / "teacher-de-en"}
FROM_GERMAN = (  # settings of the second teacher
    "corpus.source_language=de",
    "corpus.target_language=en",
    "training.epochs=9",
)
KEPT = ("--least-chrf", "40", "--margin", "0.25", "--least-score", "-0.35")
QUANTIZATION = "int8"
ARCHIVE = "b7688f84f99fa33c17397c14d8bd9cef1fdeb2ee0bf50074767023aee8926e28"  # SHA-256
INTERRUPTED = 130  # the exit code of an interrupted command
ENDS = (INTERRUPTED, -signal.SIGINT, -signal.SIGTERM)  # exit codes of commands that were told to


class Step(NamedTuple):
    """A part of the work.

    Attributes:
        output: what it makes.
        command: the arguments after the interpreter that make it.
    """

    output: Path
    command: list[str]


def main() -> None:
    """Does all steps in order."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the two models (default: 1)")
    options = parser.parse_args()
    [archive] = fetch_corpus("tatoeba")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != ARCHIVE:
        print(
            f"{archive}: not the file of 2018-05-13, which the models that come with the program"
            " were trained on; expect other pairs, another test split and other scores",
            flush=True,
        )
    for step in steps(options.seed):
        print(f"{step.output}: python {' '.join(step.command)}", flush=True)
        code = run_to_its_end([sys.executable, *step.command])
        if code in ENDS:
            raise SystemExit(INTERRUPTED)
        if code:
            raise InputError(
                f"{step.output}: expected to make it, found exit code {code}; do what the lines"
                " above say, or move it away to make it again"
            )


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
    """Makes the synthetic pairs of a direction, of the teachers as they are now."""
    out = RUNS / f"synthetic-{direction}"
    runs = ["--forward", str(forward), "--backward", str(backward)]
    command = ["tools/make_synthetic_pairs.py", *runs, *KEPT, "--out", str(out)]
    return Step(out, command)  # quick where the teachers have translated already


def _shipping(direction: str, seed: int) -> Iterator[Step]:
    """Trains the model of a direction and exports it."""
    model = RUNS / (direction if seed == 1 else f"{direction}-seed-{seed}")
    yield _training(model, direction, [f"training.seed={seed}"])
    out = SHIPPED / direction if seed == 1 else model / "shipped"
    command = ["export", str(model), "--quantization", QUANTIZATION, "--out", str(out)]
    yield Step(out, ["-m", "translator.cli", *command])


def _training(run_dir: Path, name: str, settings: Sequence[str] = ()) -> Step:
    """Trains the configuration of a name with further settings.

    A run that is there is resumed, which refuses other settings and other training pairs, and
    ends at once where nothing is left to do.
    """
    changes = [part for setting in settings for part in ("--set", setting)]
    train = ["-m", "translator.cli", "train", name, "--run", str(run_dir), *changes]
    has_begun = RunDirectory(run_dir).record.exists()
    return Step(run_dir, [*train, "--resume"] if has_begun else train)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
