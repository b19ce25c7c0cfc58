"""The run directory: everything that a training leaves and that using it needs.

config.yaml       the resolved configuration
run.json          the format's version and the program's
source.model      the tokenizers, as SentencePiece models
target.model
weights.npz       the best weights by validation, one array a variable
last.npz          the latest weights with all that going on needs
before-last.npz   the same of the checkpoint before, should the last be damaged
snapshots/        weights of the latest or the best validations, where they are kept
restoration.json  what puts translations right: heads that point, spellings, known words and names
ctranslate2/      the best weights as CTranslate2 has them, with the files above but the weights
metrics.jsonl     what was measured, one line a validation
times.jsonl       how long that took, likewise
tensorboard/      the same figures for TensorBoard, where they are asked for
failed-batch.tsv  the sentences at which the loss became no number, where it did
lock              locked by the process that trains here, while it does
locked-by         that process, while it trains
"""

import json
import shutil
import zlib
from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.base.files import remove_leftovers, whole_file, whole_folder
from translator.base.version import __version__
from translator.config.schema import Config
from translator.config.yaml_file import config_to_yaml, read_config
from translator.runs.weights import weights_fingerprint
from translator.tokenizers.opening import load_tokenizers
from translator.tokenizers.subword import FILE_NAMES, Tokenizers

FORMAT_VERSION = 1


class RunDirectory:
    """Names the files of a run.

    Args:
        path: the directory.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.config = self.path / "config.yaml"
        self.marker = self.path / "run.json"
        self.weights = self.path / "weights.npz"
        self.last = self.path / "last.npz"
        self.before_last = self.path / "before-last.npz"
        self.snapshots = self.path / "snapshots"
        self.metrics = self.path / "metrics.jsonl"
        self.times = self.path / "times.jsonl"
        self.tensorboard = self.path / "tensorboard"
        self.failed_batch = self.path / "failed-batch.tsv"
        self.restoration = self.path / "restoration.json"
        self.export = self.path / "ctranslate2"

    def check_free(self) -> None:
        """Refuses a place where a new run would meet something.

        Raises:
            InputError: something is there already.
        """
        if self.path.is_file():
            raise InputError(f"{self.path}: expected a folder for the run, found a file")
        if self.path.is_dir() and any(self.path.iterdir()):
            what, advice = "other files", ""
            if self.marker.exists():
                what, advice = "a run", "--resume goes on with it, "
            raise InputError(
                f"{self.path}: expected an empty or new folder, found {what} in it already;"
                f" {advice}--run DIR trains elsewhere"
            )

    def create(self, config: Config, tokenizers: Tokenizers, corpus: str) -> None:
        """Makes the directory, whole or not at all: configuration, tokenizers, versions.

        Args:
            config: the resolved one.
            tokenizers: of both sides.
            corpus: the fingerprint of what it is trained on.

        Raises:
            InputError: another process was quicker.
            OSError: it cannot be written.
        """
        marker = {
            "format_version": FORMAT_VERSION,
            "translator": __version__,
            "model": config.model.model_dump(),
            "tokenizers": [tokenizer.fingerprint for tokenizer in tokenizers],
            "corpus": corpus,
        }
        try:
            with whole_folder(self.path, replace=False) as partial:
                (partial / "config.yaml").write_text(config_to_yaml(config), encoding="utf-8")
                tokenizers.save(partial)
                _write_marker(partial, marker)
        except OSError:
            self.check_free()
            raise

    @property
    def has_begun(self) -> bool:
        """Whether a training has left anything here, be it damaged."""
        left = (self.last, self.before_last, self.weights, self.metrics)
        return any(path.exists() for path in left)

    def snapshot(self, number: int) -> Path:
        """Where the weights of a validation are, by its number from 1."""
        return self.snapshots / f"{number:06}.npz"

    def remove_leftovers(self) -> None:
        """Removes what a process that was killed while it wrote has left."""
        remove_leftovers(self.path)

    def write_config(self, config: Config) -> None:
        """Replaces the configuration, as for a run that is to go on for longer."""
        with whole_file(self.config) as file:
            file.write(config_to_yaml(config).encode())

    def read_config(self) -> Config:
        """The run's configuration.

        Raises:
            InputError: this is no run directory, one of a format that this release
                does not know, or one whose model settings were changed.
        """
        if not self.marker.is_file():
            found = "no such folder" if not self.path.exists() else "no run.json in it"
            raise InputError(
                f"{self.path}: expected a run directory of translator train, found {found}"
            )
        marker = self._read_marker()
        config = read_config(self.config)
        trained = marker.get("model", {})
        changed = [k for k, v in config.model.model_dump().items() if trained.get(k, v) != v]
        if changed:
            raise InputError(
                f"{self.config}: model.{changed[0]} was {trained[changed[0]]} when the run was"
                f" trained, found {getattr(config.model, changed[0])}; put it back, or train again"
            )
        return config

    def read_tokenizers(self, config: Config) -> Tokenizers:
        """The run's tokenizers.

        Raises:
            InputError: they are not those that the run was trained with.
        """
        tokenizers = load_tokenizers(self.path, config)
        hashes = [tokenizer.fingerprint for tokenizer in tokenizers]
        if hashes != self._read_marker().get("tokenizers", hashes):
            raise InputError(
                f"{self.path}: its source.model, target.model, tokenizer.name or"
                " tokenizer.zero_digits is not what it was trained with; put it back, or train"
                " again"
            )
        return tokenizers

    def read_corpus(self) -> str | None:
        """The fingerprint of the corpus that the run is trained on, where it is known."""
        return self._read_marker().get("corpus")

    def find_weights(self) -> Path:
        """The file of the best weights.

        Raises:
            InputError: this is an export, which has none.
        """
        if not self.weights.exists() and "weights" in self._read_marker():
            raise InputError(
                f"{self.path}: expected a run with its weights, found an export; name the run that"
                " it was made from"
            )
        return self.weights

    def find_export(self) -> Path | None:
        """The run's export, or the directory itself if it is one; None where there is none.

        Raises:
            InputError: it was made from other weights or other tokenizers than the run's.
        """
        folder = next((f for f in (self.path, self.export) if (f / "model.bin").is_file()), None)
        if folder == self.export:
            export = RunDirectory(folder)
            marker = export._read_marker() if export.marker.is_file() else {}
            what = None
            if marker.get("tokenizers") != self._read_marker().get("tokenizers"):
                what = "other tokenizers"
            elif marker.get("weights") != weights_fingerprint(self.weights):
                what = "other weights"
            if what:
                raise InputError(
                    f"{folder}: expected an export of this run, found one of {what}; write it anew"
                    f" with translator export {self.path}, or take --engine keras"
                )
        if folder is not None:
            RunDirectory(folder)._check_export_files()
        return folder

    def _check_export_files(self) -> None:
        for name, checksum in self._read_marker().get("files", {"run.json": 0}).items():
            if not (self.path / name).is_file() or _crc32(self.path / name) != checksum:
                raise InputError(
                    f"{self.path}: expected an export as it was written, found another {name};"
                    " write it anew with translator export"
                )

    def describe_export(self, folder: Path, weights: str) -> None:
        """Writes into an export what it is an export of: all but the weights.

        Args:
            folder: the export, with what CTranslate2 reads in it.
            weights: the fingerprint of those that it was made from.

        Raises:
            OSError: it cannot be written.
        """
        files = {file.name: _crc32(file) for file in sorted(folder.iterdir())}
        shutil.copy(self.config, folder)
        for name in FILE_NAMES:
            shutil.copy(self.path / name, folder)
        if self.restoration.exists():
            shutil.copy(self.restoration, folder)
        _write_marker(folder, {**self._read_marker(), "weights": weights, "files": files})

    def check_corpus(self, corpus: str) -> None:
        """Refuses to go on with a run on another corpus than it was begun with.

        Raises:
            InputError: the fingerprints differ.
        """
        if self.read_corpus() not in (None, corpus):
            raise InputError(
                f"{self.path}: its corpus has changed since the run was begun; put the files back,"
                " or train anew with --run DIR"
            )

    def _read_marker(self) -> dict[str, Any]:
        try:
            marker = json.loads(self.marker.read_text(encoding="utf-8"))
            version = marker["format_version"]
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{self.marker}: expected what a training writes, found no format_version in it;"
                " train or export again"
            ) from None
        if version != FORMAT_VERSION:
            raise InputError(
                f"{self.path}: its format is {version} and this release reads {FORMAT_VERSION};"
                " use the release that is named in its run.json, or train again"
            )
        return marker


def _crc32(path: Path) -> int:
    """A checksum that takes a fraction of the time that reading the file by CTranslate2 does."""
    return zlib.crc32(path.read_bytes())


def _write_marker(folder: Path, marker: dict[str, Any]) -> None:
    (folder / "run.json").write_text(json.dumps(marker, indent=1) + "\n", "utf-8")


def newest_run(folder: str | Path = "checkpoints") -> Path:
    """The run under ``folder`` whose weights were written last.

    Raises:
        InputError: there is none.
    """
    runs = [RunDirectory(marker.parent) for marker in Path(folder).glob("*/run.json")]
    trained = [run for run in runs if run.weights.is_file()]
    if not trained:
        raise InputError(
            f"{folder}: expected a trained run in it, found none; train one with"
            " 'translator train configs/demo.yaml' or name one with --run DIR"
        )
    return max(trained, key=lambda run: run.weights.stat().st_mtime).path
