"""Prints a checksum of everything that a trained run gives, to compare two versions of the program.

    python benchmarks/checksums.py --run checkpoints/demo --lines english.txt

Run it with each version on the same machine, with the same run and the same lines: equal
checksums are equal bits. Times and file names are left out. The Keras engine
chooses between a compiled and an uncompiled search by measured time, so that the fifth digit of
its scores may differ between two runs of one version: a second checksum of its JSON leaves the
scores out. With --try the Keras engine is left out.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import harness
import numpy as np
from translating import read_split

import translator
from translator.cli import errors_as_one_line

SEARCHES = {
    "greedy": ("--beam-size", "1"),
    "beam of 4": ("--beam-size", "4"),
    "3 best": ("--beam-size", "4", "--n-best", "3"),
    "3 best as JSON": ("--beam-size", "4", "--n-best", "3", "--json"),
}
ENGINES = {  # the Keras engine takes a minute each: its JSON holds the lines of the others
    "ctranslate2": tuple(SEARCHES),
    "keras": ("greedy", "3 best as JSON"),
}


def main() -> None:
    """Prints a line for each output."""
    parser = harness.Parser(__doc__)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--lines", type=Path, help="to translate (default: test sentences)")
    parser.add_argument("--records", type=int, default=500, help="lines whose attention is kept")
    options = parser.parse(records=2)
    with harness.folder_and_run(options) as (folder, run):
        lines = options.lines or folder / "lines.txt"
        if options.lines is None:
            sentences = list(read_split(translator.load(run), "test"))[
                : 5 if options.small else None
            ]
            lines.write_text("".join(f"{sentence}\n" for sentence in sentences), "utf-8")
        arguments = (run.resolve(), lines.resolve(), folder, options.records, options.small)
        rows = [[checksum[:16], name] for name, checksum in checksums(*arguments)]
    harness.show(options, "checksums", f"Checksums of {run}", ["", ""], rows, "as the run has it")


def checksums(
    run: Path, lines: Path, folder: Path, records: int, small: bool
) -> Iterator[tuple[str, str]]:
    """Yields the name and the checksum of each output."""
    call = harness.run_here if small else call_program
    yield "weights", hash_arrays(run / "weights.npz")
    for engine, names in ENGINES.items():
        for name in names if engine == "ctranslate2" or not small else ():
            command = ("translate", "--run", str(run), "--engine", engine, "--errors", "replace")
            output = call(*command, "--file", str(lines), *SEARCHES[name])
            yield f"{engine}, {name}", sha256(output)
            if engine == "keras" and "--json" in SEARCHES[name]:
                yield f"{engine}, {name}, without scores", hash_translations(output)
    few, saved = folder / "few.txt", folder / "records.npz"
    few.write_text("".join(lines.read_text("utf-8").splitlines(True)[:records]), "utf-8")
    command = ("attention", "--run", str(run), "--file", str(few), "--errors", "replace")
    call(*command, "--save", str(saved))
    yield f"attention of {records} lines", hash_arrays(saved)
    yield "heads", sha256(call("heads", str(run), "--json"))
    values = json.loads(call("evaluate", "--run", str(run), "--json"))
    values.pop("seconds")
    yield "evaluation", sha256(json.dumps(values, sort_keys=True).encode())


def call_program(*arguments: str) -> bytes:
    """Standard output of the program."""
    return subprocess.run([*harness.PROGRAM, *arguments], stdout=subprocess.PIPE, check=True).stdout


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


if __name__ == "__main__":
    with errors_as_one_line():
        main()
