"""The run directory: everything that a training writes and that translating needs.

`docs/getting-started.md` says what each file is.
"""

import functools
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from translator.base.cache import crc32
from translator.base.errors import InputError
from translator.base.files import final_name, path_of, remove_leftovers, whole_file, whole_folder
from translator.base.texts import find_lone_surrogate, printable
from translator.runs.record import RECORD_NAME, RunRecord, read_record
from translator.text.word_table import WORD_TABLES
from translator.tokenizers.opening import load_tokenizers
from translator.tokenizers.subword import FILE_NAMES, VOCABULARY_NAMES, Tokenizers

if TYPE_CHECKING:
    import numpy as np

    from translator.config.schema import Config
    from translator.runs.unchanged import Owner

PUBLIC_MODEL = "opus-mt-"  # the beginning of the names of public models
PUBLIC_MODEL_FILE = "config.json"  # every public model has this file


class RunDirectory:
    """The paths of a run's files, and its configuration and tokenizers, checked."""

    def __init__(self, path: str | Path) -> None:
        self.path = path_of(path, "run")
        if find_lone_surrogate(str(self.path)):  # the file system has bytes that are not UTF-8
            raise InputError(
                f"{printable(str(path))}: expected the path of a run in UTF-8, found other bytes;"
                " rename the folder"
            )
        self.config = self.path / "config.yaml"
        self.record = self.path / RECORD_NAME
        self.weights = self.path / "weights.npz"
        self.last = self.path / "last.npz"
        self.before_last = self.path / "before-last.npz"
        self.snapshots = self.path / "snapshots"
        self.metrics = self.path / "metrics.jsonl"
        self.times = self.path / "times.jsonl"
        self.tensorboard = self.path / "tensorboard"
        self.film = self.path / "film"
        self.failed_batch = self.path / "failed-batch.tsv"
        self.confidence = self.path / "confidence.json"
        self.held_out = self.path / "held-out.json"
        self.export = self.path / "ctranslate2"

    @property
    def learnt(self) -> tuple[Path, ...]:
        """The files with knowledge from text, beside the weights; a run may lack some."""
        return *(self.path / name for name in WORD_TABLES), self.confidence

    def __repr__(self) -> str:
        return f"RunDirectory({str(self.path)!r})"

    def check_free(self, advice: str = "") -> None:
        """Checks that a new run can be written here.

        Args:
            advice: what the user can do instead; if empty, the advice for a training.
        """
        if self.path.is_file():
            raise InputError(f"{self.path}: expected a folder for the run, found a file")
        if self.path.is_dir() and any(self.path.iterdir()):
            is_run = self.record.exists()
            usual = f"{'--resume continues it, ' if is_run else ''}--run DIR trains another run"
            raise InputError(
                f"{self.path}: expected an empty or new folder, found"
                f" {'a run' if is_run else 'other files'} in it already; {advice or usual}"
            )

    def create(
        self,
        config: "Config",
        tokenizers: Tokenizers,
        corpus: str,
        training_pairs: str | None = None,
        **fields: Any,
    ) -> None:
        """Makes the directory with configuration, tokenizers and record. A failure leaves nothing.

        Args:
            **fields: fields of the record.
        """
        from translator.config.yaml_file import config_to_yaml

        try:
            with whole_folder(self.path, replace=False) as partial:
                (partial / self.config.name).write_text(config_to_yaml(config), encoding="utf-8")
                tokenizers.save(partial)
                record = RunRecord.of_training(config, tokenizers, corpus, training_pairs)
                record._replace(**fields).write(partial)
        except OSError:
            self.check_free()
            raise

    @property
    def has_finished(self) -> bool:
        """Whether its training, or the first of several trainings, has finished."""
        return self.read_record().finished

    def mark_finished(self) -> None:
        """Records that its training has finished."""
        self.read_record()._replace(finished=True).write(self.path)

    @property
    def has_begun(self) -> bool:
        """Whether a training has written something here; it may be damaged."""
        written = (self.last, self.before_last, self.weights, self.metrics)
        return any(path.exists() for path in written)

    def snapshot(self, number: int) -> Path:
        """The file with the weights of a validation; ``number`` counts from 1."""
        return self.snapshots / f"{number:06}.npz"

    def remove_leftovers(self) -> None:
        """Removes partial files of a process that was killed while it wrote them."""
        remove_leftovers(self.path)

    def copy_settings(self, folder: Path) -> None:
        """Copies the configuration and the tokenizers into a folder."""
        vocabularies = filter(Path.is_file, (self.path / name for name in VOCABULARY_NAMES))
        models = (self.path / name for name in FILE_NAMES)
        for path in (self.config, *models, *vocabularies):
            shutil.copy(path, folder)

    def write_config(self, config: "Config") -> None:
        """Replaces the configuration, for example when a run is resumed for more epochs."""
        from translator.config.yaml_file import config_to_yaml

        with whole_file(self.config) as file:
            file.write(config_to_yaml(config).encode())

    def read_record(self) -> RunRecord:
        """Reads the record of the run's training."""
        if not self.record.is_file():
            raise InputError(
                f"{self.path}: expected a run directory of translator train, found"
                f" {self._describe_content()}"
            )
        if (self.path / "restoration.json").exists():
            raise InputError(
                f"{self.path}: expected a run of version 0.3.0 or later, found restoration.json of"
                " an earlier version; train again, or translate with version 0.2.0, which reads it"
            )
        return read_record(self.record)

    def _describe_content(self) -> str:
        """Says for an error what a folder is, if it is no run, and what the user can do."""
        if self.path.exists():
            problem = f"no {RECORD_NAME} in it"
            if (self.path / PUBLIC_MODEL_FILE).is_file() and not self.config.exists():
                return f"{problem}; convert it to a run with translator import"
            return f"{problem}; name the folder of a run"
        if str(self.path).startswith(PUBLIC_MODEL):
            command = f"translator models --fetch {self.path}"
            return f"no such folder; if `translator models` lists it, fetch it with {command}"
        problem = "a link that leads nowhere" if self.path.is_symlink() else "no such folder"
        return f"{problem}; train a run first, or name another one"

    def read_config(self) -> "Config":
        """The run's configuration.

        Raises:
            InputError: this is not a run directory, its format is unknown, or its configuration
                does not fit the training any more.
        """
        from translator.runs.unchanged import read_unchanged_config

        return read_unchanged_config(self.config, self.read_record(), self.record)

    def read_settings(self) -> "Config":
        """The settings that translating needs; in an export they are read from the record."""
        record = self.read_record()
        recorded = (record.files or {}).get(self.config.name)
        if self.config.is_file() and crc32(self.config) == recorded:
            return record.settings_for_translating or self.read_config()
        return self.read_config()

    def read_config_to_resume(self) -> "Config":
        """The configuration of a run, checked for further training."""
        if not self.path.exists():
            raise InputError(
                f"{self.path}: expected a run to resume, found no such folder; start it without"
                " --resume"
            )
        if self.read_record().is_export:
            raise InputError(
                f"{self.path}: expected a run to resume, found an export; name the run of this"
                " export"
            )
        self.check_weights()
        config = self.read_config()
        from translator.runs.unchanged import check_resumable

        check_resumable(self.config)
        return config

    def read_tokenizers(self, config: "Config") -> Tokenizers:
        """The run's tokenizers."""
        tokenizers = load_tokenizers(self.path, config)
        recorded = self.read_record().tokenizers
        changed = [
            name
            for name, tokenizer, fingerprint in zip(FILE_NAMES, tokenizers, recorded)
            if tokenizer.fingerprint != fingerprint
        ]
        if changed:
            raise InputError(
                f"{self.path}: expected the {' and '.join(changed)} of its training, found other"
                f" files or settings in {self.config.name}; restore them, or train again"
            )
        return tokenizers

    @functools.cached_property
    def owner(self) -> "Owner":
        """The owner of the weights that are written here."""
        from translator.runs.unchanged import Owner

        return Owner.of(self.read_record(), self.record, final_name(self.path.resolve()))

    def write_weights(
        self, path: Path, arrays: Mapping[str, "np.ndarray"], former: Path | None = None
    ) -> None:
        """Writes a file of the run's weights with their owner; see `save_arrays`."""
        from translator.runs.weights import save_arrays

        save_arrays(path, arrays, former, self.owner.to_comment())

    def read_weights(self, path: Path) -> "dict[str, np.ndarray]":
        """Reads a file of the run's weights."""
        from translator.runs.weights import load_arrays

        self.owner.check(path)
        return load_arrays(path)

    def check_weights(self) -> None:
        """Checks that existing weights and states belong to this run."""
        for path in (self.weights, self.last, self.before_last):
            self.owner.check(path)

    def find_weights(self) -> Path:
        """The file of the best weights."""
        if not self.weights.exists() and self.read_record().is_export:
            raise InputError(
                f"{self.path}: expected a run with its weights, found an export; name the run of"
                " this export"
            )
        return self.weights

    def check_corpus(self, corpus: str) -> None:
        """Checks that the corpus has not changed since the run began."""
        if self.read_record().corpus not in (None, corpus):
            raise InputError(
                f"{self.path}: its corpus has changed since the run began; restore the files, or"
                " train again with --run DIR"
            )

    def check_training_pairs(self, key: str) -> None:
        """Checks that the training pairs, including added pairs, have not changed."""
        if self.read_record().training_pairs not in (None, key):
            raise InputError(
                f"{self.path}: its training pairs have changed since the run began, because files"
                " of corpora or the version of the program changed; restore these, or train again"
                " with --run DIR"
            )
