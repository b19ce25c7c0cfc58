"""Trains the models that come with the program: here, or on a GPU for a few minutes.

    python -m tools.train_shipped_models  # on this machine; continues if it was stopped

    python -m tools.train_shipped_models prepare  # here: writes lent/home.tar.xz
    python -m tools.train_shipped_models train --minutes 9  # there, with lent/: writes back/runs.*
    python -m tools.train_shipped_models unpack  # here, with back/

Both ways train configs/en-de.yaml and configs/de-en.yaml into checkpoints/, and end with exports in
translator/shipped/. The file of `prepare` has the encoded pairs, so that the GPU only computes
updates; JAX trains both directions side by side there. The files of `train` have the best weights
in half precision, in parts of 15 MiB. `--set` changes a setting of both configurations, such as
training.epochs; settings that decide the pairs must be the same in all steps. To train one
direction with another seed, or from a run of `tools/grow_run.py`, use `translator train` with
`--set`.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from translator.addons.confidence.fitting import calibrate_run
from translator.base.cache import home
from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.cli import errors_as_one_line
from translator.cli.terminal import report
from translator.config.schema import CorpusConfig
from translator.config.yaml_file import read_config
from translator.corpora.corpus import load_corpus
from translator.corpora.registry import fetch_corpus
from translator.data.preparation import prepare
from translator.export.ctranslate2 import export_run
from translator.runs.directory import RunDirectory
from translator.training.settings import decide_encoding
from translator.training.start import train

STEPS = ("here", "prepare", "train", "unpack")
DIRECTIONS = ("en-de", "de-en")
RUNS = Path("checkpoints")
SHIPPED = Path("translator/shipped")
ARCHIVE = "b7688f84f99fa33c17397c14d8bd9cef1fdeb2ee0bf50074767023aee8926e28"  # SHA-256
LONGEST_PHRASE = 3  # words
FINAL_MARKS = frozenset("!.?")
ON_GPU = ("data.batch_tokens=12288", "validation.translate_every=0")
MOST_MIB = 60  # of the file that is sent
PART = 15 << 20  # bytes of a file that comes back
FINISHING, PACKING = 60, 20  # seconds, to finish the runs and to write the files that come back
KEPT = ("config.yaml", "*.json", "metrics.jsonl", "*.model", "*.words", "weights.npz")
INTERRUPTED = 130  # the exit code of a training that was stopped


def main() -> None:
    """Trains here, or does one step of a training on another machine's GPU."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("step", choices=STEPS, nargs="?", default=STEPS[0])
    parser.add_argument("--lent", type=Path, default=Path("lent"), help="folder of the sent file")
    parser.add_argument("--back", type=Path, default=Path("back"), help="folder of returned files")
    parser.add_argument("--minutes", type=float, default=9, help="time limit of train (default: 9)")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE, for both runs")
    options = parser.parse_args()
    ends = time.monotonic() + 60 * options.minutes
    if options.step != "unpack":
        for name in DIRECTIONS:
            write_phrases(name, RUNS / f"phrases-{name}.tsv")
    if options.step == "prepare":
        prepare_pairs(options.lent, options.set)
    elif options.step == "train":
        train_there(options.lent, options.back, [*ON_GPU, *options.set], ends)
    elif options.step == "unpack":
        unpack(options.back)
    else:
        train_here(options.set)


def write_phrases(direction: str, path: Path) -> None:
    """Writes the phrases of the phrasebook, such as labels, that a training draws once more.

    Phrases with a final mark are also written without it: "Hello world!", "Hello world".

    Args:
        direction: such as ``en-de``.
        path: of the file, with a pair in each line.
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


def fetch_archives() -> list[Path]:
    """The archive of Tatoeba; warns if the shipped models were trained on another one."""
    archives = list(fetch_corpus("tatoeba"))
    if hashlib.sha256(archives[0].read_bytes()).hexdigest() != ARCHIVE:
        report(
            f"{archives[0]}: not the file of 2018-05-13, on which the models that come with the"
            " program were trained; expect other pairs, another test split and other scores"
        )
    return archives


def train_here(changes: list[str]) -> None:
    """Trains one direction after the other, and exports both; resumes a run that has begun."""
    fetch_archives()
    for name in DIRECTIONS:
        run = RunDirectory(RUNS / name)
        config = read_config(name, tuple(changes))
        result = train(config, run.path, run.record.exists(), report, deterministic=True)
        if not result.finished:
            raise SystemExit(INTERRUPTED)
        ship(run)


def ship(run: RunDirectory) -> None:
    """Exports a run in 8 bits, without its held-out pairs: the program quotes little of Tatoeba."""
    export = RunDirectory(export_run(run, SHIPPED / run.path.name, "int8"))
    record = export.read_record()
    files = dict(record.files or {})
    files.pop(export.held_out.name, None)
    record._replace(files=files).write(export.path)
    export.held_out.unlink(missing_ok=True)
    report(f"{export.path}: the export of {run.path}")


def prepare_pairs(folder: Path, changes: list[str]) -> None:
    """Encodes the pairs of both directions into a separate cache, and packs it."""
    archives = {path.relative_to(home()): path.read_bytes() for path in fetch_archives()}
    folder.mkdir(exist_ok=True)
    packed = folder / "home.tar.xz"
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRANSLATOR_HOME"] = cache
        for path, content in archives.items():
            (Path(cache) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(cache) / path).write_bytes(content)
        for name in DIRECTIONS:
            prepare(decide_encoding(read_config(name, tuple(changes)), None, report), report)
        with tarfile.open(packed, "w:xz") as archive:
            archive.add(cache, "home")
    size = packed.stat().st_size / (1 << 20)
    if size > MOST_MIB:
        raise InputError(f"{packed}: expected at most {MOST_MIB} MiB, found {size:.1f}")
    report(f"{packed}: {size:.1f} MiB")


def train_there(folder: Path, out: Path, changes: list[str], ends: float) -> None:
    """Trains both directions side by side until the time limit, and packs their runs."""
    settings = [part for change in changes for part in ("--set", change)]
    content = io.BytesIO()
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(folder / "home.tar.xz") as archive:
            archive.extractall(work, filter="data")
        shared = {
            "TRANSLATOR_HOME": f"{work}/home",
            "KERAS_BACKEND": "jax",
            "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # both share the GPU
        }
        started = []
        for name in DIRECTIONS:
            command = ["-m", "translator.cli", "train", name, "--run", f"{work}/{name}", *settings]
            started.append(subprocess.Popen([sys.executable, *command], env=os.environ | shared))
        wait_for(started, ends - PACKING - FINISHING)
        for process in started:
            process.terminate()  # a training saves and finishes its run at this signal
        wait_for(started, ends - PACKING)
        for process in started:
            process.kill()  # the best weights so far are in complete files
        with tarfile.open(fileobj=content, mode="w:gz", compresslevel=1) as archive:
            for name in DIRECTIONS:
                rewrite(RunDirectory(Path(work) / name), "float16")
                for path in (path for kind in KEPT for path in sorted(Path(work, name).glob(kind))):
                    archive.add(path, f"{name}/{path.name}")
    out.mkdir(exist_ok=True)
    packed = content.getvalue()
    for number, start in enumerate(range(0, len(packed), PART)):
        (out / f"runs.{number:02}").write_bytes(packed[start : start + PART])


def wait_for(processes: list[subprocess.Popen[bytes]], ends: float) -> None:
    """Waits until all processes have ended, or until a time of the monotonic clock."""
    for process in processes:
        try:
            process.wait(max(0.0, ends - time.monotonic()))
        except subprocess.TimeoutExpired:
            return


def rewrite(run: RunDirectory, precision: str) -> None:
    """Writes the best weights of a run again, in another precision."""
    arrays = run.read_weights(run.weights)
    rounded = {name: array.astype(precision) for name, array in arrays.items()}
    run.write_weights(run.weights, rounded)


def unpack(folder: Path) -> None:
    """Writes the runs that were packed, in single precision again, and exports them."""
    packed = io.BytesIO(b"".join(path.read_bytes() for path in sorted(folder.glob("runs.*"))))
    with tarfile.open(fileobj=packed) as archive:
        archive.extractall(RUNS, filter="data")
    for name in DIRECTIONS:
        run = RunDirectory(RUNS / name)
        rewrite(run, "float32")
        export_run(run)
        if not run.confidence.exists():
            calibrate_run(run, report)
        ship(run)


if __name__ == "__main__":
    with errors_as_one_line():
        main()
