"""Trains the models that come with the program again, with their teachers; resumable.

    python scripts/train_shipped_models.py

Teachers are trained (configs/tatoeba-teacher.yaml in each direction, and
configs/tatoeba-best.yaml), all translate the training split, and a first model of each direction
learns from the corpus and from these translations. The first models translate the training split
again, and from that and the corpus they learn on, to become the two models (configs/en-de.yaml and
configs/de-en.yaml). Each step that is done already is left out, and an interrupted training is
resumed, so the same command goes on where it stopped.
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
SYNTHETIC_FIRST = RUNS / "synthetic-first"  # one file for each language, for the first models
SYNTHETIC = RUNS / "synthetic"
DIRECTIONS = ("en-de", "de-en")
FIRST = (  # how a first model, which begins as its teacher, is trained otherwise than the last
    "training.epochs=5",
    "training.schedule.learning_rate=1e-3",
    "training.schedule.warmup_steps=1000",
)
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
        seed: of the two models. The teachers and the first models have 1.
    """
    teachers = [RUNS / f"teacher-{direction}" for direction in DIRECTIONS]
    other = RUNS / "tatoeba-best"
    languages = ["corpus.source_language=de", "corpus.target_language=en"]
    yield _training(teachers[0], "tatoeba-teacher", [])
    yield _training(teachers[1], "tatoeba-teacher", languages)
    yield _training(other, "tatoeba-best", [])
    yield _translating(SYNTHETIC_FIRST, [teachers[0], other], teachers[1], [])
    first = [RUNS / f"{direction}-first" for direction in DIRECTIONS]
    for direction, teacher, run_dir in zip(DIRECTIONS, teachers, first):
        source, target = direction.split("-")
        files = [
            f"corpus.synthetic.source={SYNTHETIC_FIRST}.{source}",
            f"corpus.synthetic.target={SYNTHETIC_FIRST}.{target}",
        ]
        yield _training(run_dir, direction, [f"training.init={teacher}", *files, *FIRST])
    yield _translating(SYNTHETIC, first[:1], first[1], ["--keep", "1", "--least-chrf", "50"])
    for direction in DIRECTIONS:
        suffix = "" if seed == 1 else f"-seed-{seed}"
        model = RUNS / f"{direction}{suffix}"
        yield _training(model, direction, [f"training.seed={seed}"])
        out = SHIPPED / direction if seed == 1 else model / "shipped"
        command = ["export", str(model), "--quantization", QUANTIZATION, "--out", str(out)]
        yield Step(out, False, ["-m", "translator.cli", *command])


def _translating(
    out: Path, forward: Sequence[Path], backward: Path, options: Sequence[str]
) -> Step:
    """Makes synthetic pairs by runs from English to German and a run from German to English."""
    runs = [part for run in forward for part in ("--forward", str(run))]
    command = ["scripts/make_synthetic_pairs.py", *runs, "--backward", str(backward)]
    is_done = all(out.with_name(f"{out.name}.{code}").exists() for code in ("en", "de"))
    return Step(out, is_done, [*command, *options, "--out", str(out)])


def _training(run_dir: Path, name: str, settings: list[str]) -> Step:
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
