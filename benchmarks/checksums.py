"""Prints a checksum of everything that a trained run gives, to compare two versions of the program.

    python benchmarks/checksums.py --run checkpoints/demo --lines english.txt

Run it with each version on the same machine, with the same run and the same lines: equal
checksums are equal bits. Times and file names are left out. The Keras engine
chooses between a compiled and an uncompiled search by measured time, so that the fifth digit of
its scores may differ between two runs of one version: a second checksum of its JSON leaves the
scores out.
"""

import argparse
import hashlib
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PROGRAM = (sys.executable, "-m", "translator.cli")
SEARCHES = {
    "greedy": ("--beam-size", "1"),
    "beam of 4": ("--beam-size", "4"),
    "3 best": ("--beam-size", "4", "--n-best", "3"),
    "3 best as JSON": ("--beam-size", "4", "--n-best", "3", "--json"),
    "unknown names": ("--beam-size", "4", "--replace-unknown"),
}
ENGINES = {  # the Keras engine takes a minute each: its JSON holds the lines of the others
    "ctranslate2": tuple(SEARCHES),
    "keras": ("greedy", "3 best as JSON"),
}


def main() -> None:
    """Prints a line for each output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, type=Path, help="Run directory.")
    parser.add_argument("--lines", required=True, type=Path, help="Lines to translate.")
    parser.add_argument("--records", type=int, default=500, help="Lines whose attention is kept.")
    arguments = parser.parse_args()
    run, lines = arguments.run.resolve(), arguments.lines.resolve()
    show("weights", hash_arrays(run / "weights.npz"))
    for engine, names in ENGINES.items():
        for name in names:
            command = ("translate", "--run", run, "--engine", engine, "--errors", "replace")
            output = call(*command, "--file", lines, *SEARCHES[name])
            show(f"{engine}, {name}", sha256(output))
            if engine == "keras" and "--json" in SEARCHES[name]:
                show(f"{engine}, {name}, without scores", hash_translations(output))
    with tempfile.TemporaryDirectory() as folder:
        few, records = Path(folder) / "few.txt", Path(folder) / "records.npz"
        with open(lines, encoding="utf-8") as file:
            few.write_text("".join(itertools.islice(file, arguments.records)), "utf-8")
        call("attention", "--run", run, "--file", few, "--errors", "replace", "--save", records)
        show(f"attention of {arguments.records} lines", hash_arrays(records))
    show("heads", sha256(call("heads", run, "--json")))
    show("evaluation", hash_json(call("evaluate", "--run", run, "--json"), without=("seconds",)))


def call(*arguments: str | Path) -> bytes:
    """Standard output of the program."""
    result = subprocess.run([*PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, check=True)
    return result.stdout


def show(name: str, checksum: str) -> None:
    """Prints a line."""
    print(f"{checksum[:16]}  {name}", flush=True)


def sha256(content: bytes) -> str:
    """In hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def hash_arrays(path: Path) -> str:
    """A checksum of all arrays of an archive with their names."""
    digest = hashlib.sha256()
    with np.load(path) as arrays:
        for name in sorted(arrays):
            array = arrays[name]
            digest.update(f"{name} {array.dtype} {array.shape}".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()


def hash_translations(content: bytes) -> str:
    """A checksum of the JSON of translations without their scores."""
    digest = hashlib.sha256()
    for line in content.splitlines():
        translation = json.loads(line)
        for hypothesis in translation["hypotheses"]:
            del hypothesis["score"], hypothesis["log_probability"]
        digest.update(json.dumps(translation).encode())
    return digest.hexdigest()


def hash_json(content: bytes, without: tuple[str, ...]) -> str:
    """A checksum of a JSON object without some of its keys."""
    values = json.loads(content)
    kept = {key: value for key, value in values.items() if key not in without}
    return sha256(json.dumps(kept, sort_keys=True).encode())


if __name__ == "__main__":
    main()
