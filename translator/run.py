"""The run directory: everything that a training leaves and that using it needs.

config.yaml       the resolved configuration
run.json          the format's version and the program's
source.model      the tokenizers, as SentencePiece models
target.model
weights.npz       the best weights by validation, one array a variable
last.npz          the latest weights with the optimiser's state and the position
metrics.jsonl     one line an epoch
"""

import json
from pathlib import Path

import translator
from translator.config import Config, config_to_yaml, read_config
from translator.errors import InputError

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
        self.metrics = self.path / "metrics.jsonl"

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

    def create(self, config: Config) -> None:
        """Makes the directory and writes configuration and format version."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.config.write_text(config_to_yaml(config), encoding="utf-8")
        versions = {"format_version": FORMAT_VERSION, "translator": translator.__version__}
        self.marker.write_text(json.dumps(versions) + "\n", encoding="utf-8")

    def read_config(self) -> Config:
        """The run's configuration.

        Raises:
            InputError: this is no run directory, or one of a format that this
                release does not know.
        """
        if not self.marker.is_file():
            found = "no such folder" if not self.path.exists() else "no run.json in it"
            raise InputError(
                f"{self.path}: expected a run directory of translator train, found {found}"
            )
        try:
            version = json.loads(self.marker.read_text(encoding="utf-8"))["format_version"]
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{self.marker}: expected a format_version, found none") from None
        if version != FORMAT_VERSION:
            raise InputError(
                f"{self.path}: its format is {version} and this release reads {FORMAT_VERSION};"
                " use the release that is named in its run.json, or train again"
            )
        return read_config(self.config)


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
