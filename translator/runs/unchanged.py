"""Checks that a run still has the configuration and the weights of its training.

The comment of a file of weights names their owner.
"""

import hashlib
import json
import math
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

from translator.base.errors import InputError
from translator.base.files import open_file
from translator.base.gone import ALWAYS, gone_line
from translator.base.texts import listed, shorten
from translator.config.automatic import value_at
from translator.config.comparison import FREE_KEYS
from translator.config.schema import Config, ModelConfig
from translator.config.yaml_file import read_config_of_run, read_values
from translator.runs.record import RunRecord, damaged_value, settings_of


def read_unchanged_config(path: Path, record: RunRecord, origin: Path) -> Config:
    """Reads the configuration of a run. A user may have edited it. ``origin`` is run.json."""
    recorded_model(record, origin)
    config = read_config_of_run(path)
    recorded = {f"model.{key}": value for key, value in record.model.items()} | record.settings
    current = {f"model.{key}": value for key, value in config.model} | settings_of(config)
    check_unchanged(recorded, current, path)
    return config


def recorded_model(record: RunRecord, origin: Path) -> ModelConfig:
    """The section ``model`` of a run's training, without removed keys."""
    known = {key: record.model[key] for key in record.model if key in ModelConfig.model_fields}
    try:
        return ModelConfig.model_validate(known)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        key = ".".join(map(str, ("model", *problem["loc"])))
        raise damaged_value(origin, key, problem["input"]) from None


def check_unchanged(recorded: dict[str, Any], current: dict[str, Any], origin: Path) -> None:
    """Compares the settings that are in both dictionaries, by their dotted keys."""
    for key, value in current.items():
        if recorded.get(key, value) != value:
            raise InputError(
                f"{origin}: {key} was {_as_yaml(recorded[key])} when the run was trained, found"
                f" {_as_yaml(value)}; restore it, or train again"
            )


def check_resumable(path: Path) -> None:
    """Refuses to resume a run with a corpus, or with the value of a key, that was removed."""
    values = read_values(path)
    corpora = (values.get("corpus"), *values.get("corpora", ()))
    names = [value_at(section, ["name"]) for section in corpora]
    gone = [f"corpus {shorten(name)} (removed)" for name in names if gone_line(f"name: {name}")]
    for key, value in ALWAYS.items():
        recorded = value_at(values, key.split("."))
        if key.startswith(("corpus.", "data.", "training.")) and recorded not in (None, value):
            gone.append(f"{key}: {_as_yaml(recorded)} (always {_as_yaml(value)} now)")
    if gone:
        raise InputError(
            f"{path}: the run was trained with {listed(gone)}; resume it with a version before"
            f" 0.3.0, or begin a new run from its weights with --init {path.parent}"
        )


def _as_yaml(value: Any) -> str:
    """Spells a setting as in config.yaml; a long setting is shortened."""
    text = yaml.safe_dump(value, allow_unicode=True, width=math.inf, default_flow_style=True)
    text = text.removesuffix("...\n").rstrip("\n")
    return shorten(text)


class Owner(NamedTuple):
    """The run to which weights belong.

    Attributes:
        run: for the user, the name of the run's folder when the weights were written.
        languages: such as ``en to de``; empty if an earlier version did not record them.
        model: a hash of the settings that decide the meaning of weights. Settings with default
            values do not count. So a later version may have more settings.
    """

    run: str
    languages: str
    tokenizers: str
    model: str

    @classmethod
    def of(cls, record: RunRecord, origin: Path, name: str) -> "Owner":
        """The owner that a run's record describes."""
        keys = ("corpus.source_language", "corpus.target_language")
        model = recorded_model(record, origin)
        settings = model.model_dump(exclude=FREE_KEYS, exclude_defaults=True)
        languages = " to ".join(filter(None, map(record.settings.get, keys)))
        return cls(name, languages, _hash(record.tokenizers), _hash(settings))

    def differences_from(self, owner: "Owner") -> str:
        """Names the differences between two owners, for an error; empty if there are none."""
        names = {"languages": "languages", "tokenizers": "tokenizers", "model": "model settings"}
        values = {key: (getattr(self, key), getattr(owner, key)) for key in names}
        return " and ".join(names[key] for key, (a, b) in values.items() if a and b and a != b)

    def to_comment(self) -> bytes:
        """The owner as the comment of an archive."""
        return json.dumps(self._asdict()).encode()

    def check(self, path: Path) -> None:
        """Checks that a file of weights belongs to this owner, if the file names an owner.

        A missing or damaged file passes, because its readers report this.
        """
        try:
            with open_file(path) as file, zipfile.ZipFile(file) as archive:
                owner = Owner(**json.loads(archive.comment))
        except (OSError, ValueError, TypeError, zipfile.BadZipFile):
            return
        if differences := self.differences_from(owner):
            raise InputError(
                f"{path}: expected the weights of this run, found the weights of"
                f" {shorten(str(owner.run))}, which has other {differences}; restore this run's"
                " file, or train again"
            )


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
