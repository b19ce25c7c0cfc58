"""Trains both directions at the same time on a GPU that is lent for minutes, with JAX.

    python -m tools.train_on_gpu prepare gpu               # here: writes gpu/home.tar.xz
    python -m tools.train_on_gpu train gpu out --minutes 9 # there: writes out/runs.*
    python -m tools.train_on_gpu unpack out checkpoints    # here: writes a run a direction

What is prepared has the encoded pairs, so that only updates take the GPU's time. What comes back
has the best weights in half precision, in parts of 15 MiB: `translator export` and `translator
calibrate` make the rest of a run here. `--set` changes a setting of both configurations, such as
training.epochs; what decides the pairs is the same in all steps.
"""

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from translator.base.cache import home
from translator.base.errors import InputError
from translator.cli import errors_as_one_line
from translator.config.yaml_file import read_config
from translator.corpora import fetch_corpus
from translator.data.preparation import prepare
from translator.runs.directory import RunDirectory

OWN = {"en-de": ("tokenizer.tags=[formal, informal]",), "de-en": ()}  # settings of each direction
SETTINGS = (
    "corpora=[{name: phrasebook, weight: 1.4}]",
    "data.max_length=128",
    "data.batch_tokens=12288",
    "model.num_layers=6",
    "model.decoder_num_layers=2",
    "training.epochs=25",
    "training.init=null",
    "validation.translate_every=0",
    "decoding.channel=null",
)
MOST_MIB = 60  # of what is sent
PART = 15 << 20  # bytes of a file that comes back
PACKING = 40  # seconds that are left to write what comes back
KEPT = ("config.yaml", "run.json", "metrics.jsonl", "held-out.json", "*.model", "*.words", "*.npz")


def main() -> None:
    """Does one of the three steps."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("step", choices=("prepare", "train", "unpack"))
    parser.add_argument("folders", type=Path, nargs="+", help="that it reads, and that it writes")
    parser.add_argument("--minutes", type=float, default=9, help="of training (default: 9)")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE, over both")
    options = parser.parse_args()
    settings = {name: [*SETTINGS, *own, *options.set] for name, own in OWN.items()}
    if options.step == "prepare":
        prepare_pairs(options.folders[0], settings)
    elif options.step == "train":
        folder, out = options.folders
        train(folder, out, settings, options.minutes)
    else:
        unpack(*options.folders)


def prepare_pairs(folder: Path, settings: dict[str, list[str]]) -> None:
    """Encodes the pairs of both directions into a cache of their own, and packs it."""
    archives = [path.relative_to(home()) for path in fetch_corpus("tatoeba")]
    contents = [(home() / path).read_bytes() for path in archives]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRANSLATOR_HOME"] = cache
        for path, content in zip(archives, contents):
            (Path(cache) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(cache) / path).write_bytes(content)
        for name, its in settings.items():
            config = resolve(read_config(Path(f"configs/{name}.yaml"), tuple(its)))
            prepare(complete_for_encoding(config, None, print), print)
        folder.mkdir(exist_ok=True)
        with tarfile.open(folder / "home.tar.xz", "w:xz") as archive:
            archive.add(cache, "home")
    size = (folder / "home.tar.xz").stat().st_size / (1 << 20)
    print(f"{folder / 'home.tar.xz'}: {size:.1f} MiB")
    if size > MOST_MIB:
        raise InputError(f"{folder}: expected at most {MOST_MIB} MiB, found {size:.1f}")


def train(folder: Path, out: Path, settings: dict[str, list[str]], minutes: float) -> None:
    """Trains both directions side by side until the time is over, and packs their runs."""
    ends = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(folder / "home.tar.xz") as archive:
            archive.extractall(work, filter="data")
        shared = {
            "TRANSLATOR_HOME": f"{work}/home",
            "KERAS_BACKEND": "jax",
            "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # both share the GPU
        }
        started = []
        for name, its in settings.items():
            changes = [part for setting in its for part in ("--set", setting)]
            run = ["translator.cli", "train", f"configs/{name}.yaml", "--run", f"{work}/{name}"]
            command = [sys.executable, "-m", *run, *changes]
            started.append(subprocess.Popen(command, env=os.environ | shared))
        for process in started:
            try:
                process.wait(max(0.0, ends - PACKING - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()  # the best weights so far are there, each file whole
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:gz", compresslevel=1) as archive:
            for name in settings:
                rewrite(RunDirectory(Path(work) / name), "float16")
                for pattern in KEPT:
                    for path in sorted((Path(work) / name).glob(pattern)):
                        if path.name not in ("last.npz", "before-last.npz"):
                            archive.add(path, f"{name}/{path.name}")
    out.mkdir(exist_ok=True)
    packed = content.getvalue()
    for number, start in enumerate(range(0, len(packed), PART)):
        (out / f"runs.{number}").write_bytes(packed[start : start + PART])


def rewrite(run: RunDirectory, precision: str) -> None:
    """Writes the best weights of a run anew in another precision."""
    arrays = run.read_weights(run.weights)
    run.write_weights(run.weights, {name: each.astype(precision) for name, each in arrays.items()})


def unpack(folder: Path, runs: Path) -> None:
    """Writes the runs that were packed, in single precision again."""
    parts: Sequence[Path] = sorted(folder.glob("runs.*"), key=lambda path: int(path.suffix[1:]))
    packed = io.BytesIO(b"".join(path.read_bytes() for path in parts))
    with tarfile.open(fileobj=packed) as archive:
        archive.extractall(runs, filter="data")
        names = {Path(name).parts[0] for name in archive.getnames()}
    for name in sorted(names):
        rewrite(RunDirectory(runs / name), "float32")
        print(f"{runs / name}: translator export {runs / name} --quantization int8")


if __name__ == "__main__":
    with errors_as_one_line():
        main()
