"""Trains the models that come with the program again, from those that came before; resumable.

    python tools/train_shipped_models.py

The models before are those of a commit of this repository, whose own script trains them from
nothing, and whose code they need. Both translate the training split of Tatoeba. The model of each
direction begins as the one before, with more layers and a vocabulary of its own, and learns from
the corpus, from the phrasebook, whose phrases are drawn once more, from what the model before made
of the sources, and from what the other one made of the targets (configs/en-de.yaml and
configs/de-en.yaml); then four epochs more at lower rates, three of them with more phrases. Every
step goes on where it was stopped, and ends soon where nothing is left to do: the same command goes
on from anywhere.
"""

import argparse
import hashlib
import io
import os
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from translator.base.errors import InputError
from translator.base.files import whole_file, whole_folder
from translator.cli import errors_as_one_line
from translator.config.schema import CorpusConfig
from translator.corpora.corpus import load_corpus
from translator.corpora.registry import fetch_corpus
from translator.runs.directory import RunDirectory

RUNS = Path("checkpoints")
SHIPPED = Path("translator/shipped")
BEFORE = "e48b78b21dd7584523f442bcce43a70c77b36dd3"  # the last commit of the models before
CODE_BEFORE = RUNS / f"code-of-{BEFORE[:7]}"
MODELS_BEFORE = CODE_BEFORE / SHIPPED
KEPT = ("--keep", "1", "--least-chrf", "40", "--margin", "0.25", "--least-score", "-0.35")
LONGEST_PHRASE = 3  # words
FINAL_MARKS = frozenset("!.?")
# One epoch each after the configured ones: its highest rate, and the weight of the phrasebook,
# whose phrases then come more often as well; None where both are as configured
LAST_EPOCHS = {
    "finished": (2e-4, None),
    "last": (4e-4, 2.8),
    "final": (4e-4, 4.0),
    "closing": (2e-4, 4.0),
}
QUANTIZATION = "int8"
ARCHIVE = "b7688f84f99fa33c17397c14d8bd9cef1fdeb2ee0bf50074767023aee8926e28"  # SHA-256
INTERRUPTED = 130  # the exit code of an interrupted command
ENDS = (INTERRUPTED, -signal.SIGINT, -signal.SIGTERM)  # exit codes of commands that were told to


class Step(NamedTuple):
    """A part of the work.

    Attributes:
        output: what it makes.
        command: the arguments after the interpreter that make it.
        path: where the code of the program is; None for the code of today.
    """

    output: Path
    command: list[str]
    path: Path | None = None


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
    fetch_code_before(CODE_BEFORE)
    for direction in ("en-de", "de-en"):
        write_phrases(direction, RUNS / f"phrases-{direction}.tsv")
    for step in steps(options.seed):
        print(f"{step.output}: python {' '.join(step.command)}", flush=True)
        code = run_to_its_end([sys.executable, *step.command], step.path)
        if code in ENDS:
            raise SystemExit(INTERRUPTED)
        if code:
            raise InputError(
                f"{step.output}: expected to make it, found exit code {code}; do what the lines"
                " above say, or move it away to make it again"
            )
        if step.output.parent == SHIPPED:
            leave_out_pairs(RunDirectory(step.output))


def fetch_code_before(folder: Path) -> None:
    """Takes the models before and their code from the history, if they are not there yet.

    Raises:
        InputError: the history does not have them.
    """
    if folder.exists():
        return
    command = ["git", "archive", BEFORE, "translator", "tools"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise InputError(
            f"git: expected commit {BEFORE[:7]}, which has the models to begin with, found none;"
            " clone the repository with its history, or run git fetch --unshallow"
        )
    with whole_folder(folder) as partial, tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(partial, filter="data")


def leave_out_pairs(export: RunDirectory) -> None:
    """Removes the held-out pairs from an export: the program quotes few sentences of Tatoeba."""
    record = export.read_record()
    files = dict(record.files or {})
    files.pop(export.held_out.name, None)
    record._replace(files=files).write(export.path)
    export.held_out.unlink(missing_ok=True)


def write_phrases(direction: str, path: Path) -> None:
    """Writes the phrases of the phrasebook, such as labels, which a training draws once more.

    Those with a final mark stand there without it, too: "Hello world!", "Hello world".

    Args:
        direction: such as ``en-de``.
        path: of the file, a pair a line.
    """
    source, target = direction.split("-")
    config = CorpusConfig(name="phrasebook", source_language=source, target_language=target)
    pairs = zip(*load_corpus(config).train)
    phrases = [pair for pair in pairs if len(pair[0].split()) <= LONGEST_PHRASE]
    bare = [
        (one[:-1], other[:-1])
        for one, other in phrases
        if one[-1:] == other[-1:] in FINAL_MARKS and not one.endswith("..")
    ]
    lines = dict.fromkeys(f"{one}\t{other}\n" for one, other in [*phrases, *bare])
    with whole_file(path) as file:
        file.writelines(map(str.encode, lines))


def run_to_its_end(command: list[str], path: Path | None) -> int:
    """Runs a command, which may save its work before it ends at a signal.

    The terminal sends Ctrl-C to the command too, which is of the same process group. SIGTERM comes
    to this process alone, and is passed on.

    Args:
        command: with its arguments.
        path: see `Step`.

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
        code = {} if path is None else {"PYTHONPATH": str(path)}
        started.append(subprocess.Popen(command, env=os.environ | code))
        return started[0].wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def steps(seed: int) -> Iterator[Step]:
    """All steps; each is asked for when those before it are done.

    Args:
        seed: of the two models.
    """
    for direction, other in (("en-de", "de-en"), ("de-en", "en-de")):
        before = MODELS_BEFORE / direction
        yield _translating(direction, before, MODELS_BEFORE / other)
        grown = RUNS / f"grown-{direction}"
        if not RunDirectory(grown).record.exists():
            config = f"configs/{direction}.yaml"
            command = ["-m", "tools.grow_run", str(before), config, "--out", str(grown)]
            yield Step(grown, command)
        yield from _shipping(direction, seed)


def _translating(direction: str, forward: Path, backward: Path) -> Step:
    """Makes the synthetic pairs of a direction."""
    out = RUNS / f"synthetic-{direction}"
    runs = ["--forward", str(forward), "--backward", str(backward)]
    script = str(CODE_BEFORE / "tools" / "make_synthetic_pairs.py")
    command = [script, *runs, *KEPT, "--out", str(out)]
    return Step(out, command, CODE_BEFORE)  # quick where the models have translated already


def _shipping(direction: str, seed: int) -> Iterator[Step]:
    """Trains the model of a direction and exports it."""
    name = direction if seed == 1 else f"{direction}-seed-{seed}"
    model = RUNS / name
    seeded = [f"training.seed={seed}"]
    yield _training(model, direction, seeded)
    short = [*seeded, "training.epochs=1", "training.schedule.warmup_steps=200"]
    for part, (rate, weight) in LAST_EPOCHS.items():
        before, model = model, RUNS / f"{name}-{part}"
        settings = [f"training.init={before}", f"training.schedule.learning_rate={rate}"]
        if weight is not None:
            settings += [
                "model.dropout_rate=0.1",
                f"corpora.0.weight={weight}",
                "corpora.1.weight=1.6",
            ]
        yield _training(model, direction, [*short, *settings])
    out = SHIPPED / direction if seed == 1 else model / "shipped"
    command = ["export", str(model), "--quantization", QUANTIZATION, "--out", str(out)]
    yield Step(out, ["-m", "translator.cli", *command])


def _training(run_dir: Path, name: str, settings: Sequence[str]) -> Step:
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
