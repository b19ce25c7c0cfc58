"""Trains the models that come with the program again, with their teachers; resumable.

    python scripts/train_shipped_models.py

Teachers are trained (configs/tatoeba-teacher.yaml in each direction, and
configs/tatoeba-best.yaml), all translate the training split, and the two models learn from the
corpus and from these translations (configs/en-de.yaml and configs/de-en.yaml). Each step that is
done already is left out, and an interrupted training is resumed, so the same command goes on
where it stopped.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.runs.directory import RunDirectory

RUNS = Path("checkpoints")
SHIPPED = Path("translator/shipped")
SYNTHETIC = RUNS / "synthetic"  # one file for each language
DIRECTIONS = ("en-de", "de-en")
QUANTIZATION = "int8"
INTERRUPTED = 130  # the exit code of an interrupted training


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
        code = subprocess.run([sys.executable, *step.command]).returncode
        if code == INTERRUPTED:
            raise SystemExit(INTERRUPTED)
        if code:
            raise InputError(f"{step.output}: expected to make it, found exit code {code}")


def steps(seed: int) -> Iterator[Step]:
    """All steps; each is asked for when those before it are done.

    Args:
        seed: of the two models. The teachers have 1.
    """
    forward, backward = (RUNS / f"teacher-{direction}" for direction in DIRECTIONS)
    other = RUNS / "tatoeba-best"
    languages = ["corpus.source_language=de", "corpus.target_language=en"]
    yield _training(forward, "configs/tatoeba-teacher.yaml", [])
    yield _training(backward, "configs/tatoeba-teacher.yaml", languages)
    yield _training(other, "configs/tatoeba-best.yaml", [])
    runs = ["--forward", str(forward), "--forward", str(other), "--backward", str(backward)]
    command = ["scripts/make_synthetic_pairs.py", *runs, "--out", str(SYNTHETIC)]
    is_done = all(SYNTHETIC.with_suffix(f".{language}").exists() for language in ("en", "de"))
    yield Step(SYNTHETIC, is_done, command)
    for direction in DIRECTIONS:
        suffix = "" if seed == 1 else f"-seed-{seed}"
        model = RUNS / f"{direction}{suffix}"
        yield _training(model, f"configs/{direction}.yaml", [f"training.seed={seed}"])
        out = SHIPPED / direction if seed == 1 else model / "shipped"
        command = ["export", str(model), "--quantization", QUANTIZATION, "--out", str(out)]
        yield Step(out, False, ["-m", "translator.cli", *command])


def _training(run_dir: Path, config: str, settings: list[str]) -> Step:
    run = RunDirectory(run_dir)
    changes = [part for setting in settings for part in ("--set", setting)]
    command = ["-m", "translator.cli", "train", config, "--run", str(run_dir), *changes]
    if run.record.exists():
        command.append("--resume")
    return Step(run_dir, run.record.exists() and _is_complete(run), command)


def _is_complete(run: RunDirectory) -> bool:
    """Whether a run has trained for all of its epochs and was finished."""
    lines = run.metrics.read_text("utf-8").splitlines() if run.metrics.is_file() else []
    epochs = json.loads(lines[-1])["epoch"] if lines else 0
    return run.has_finished and epochs >= run.read_config().training.epochs


if __name__ == "__main__":
    with errors_as_one_line():
        main()
