"""The file run.json, and whose weights a file holds: its archive's comment says it."""

import hashlib
import json
import math
import zipfile
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import yaml
from pydantic import Field, TypeAdapter, ValidationError

from translator.base.errors import InputError
from translator.base.files import open_file, read_file, whole_file
from translator.base.gone import ALWAYS, gone_line
from translator.base.texts import listed, quoted, shorten
from translator.base.version import __version__
from translator.config.automatic import value_at
from translator.config.comparison import FREE_KEYS
from translator.config.schema import Config, ModelConfig
from translator.config.yaml_file import read_values
from translator.text.word_alignment import AlignmentHeads
from translator.tokenizers.subword import Tokenizers

RECORD_NAME = "run.json"
FORMAT_VERSION = 1
FIXED_SETTINGS = (  # those outside ``model`` that must not change
    "corpus.source_language",
    "corpus.target_language",
    "corpus.tokenized",
    "tokenizer.name",
    "tokenizer.vocab_size",
    "tokenizer.shared",
    "tokenizer.zero_digits",
    "tokenizer.tags",
    "tokenizer.source_start",
    "data.max_length",
)
OF_TRAINING = ("corpus.", "data.", "training.")  # keys that decide how a training goes on


class RunRecord(NamedTuple):
    """What run.json says.

    Attributes:
        model: the section ``model`` of the configuration.
        tokenizers: fingerprints of the source and the target tokenizer.
        corpus: the fingerprint of the corpus, where it is known.
        settings: `FIXED_SETTINGS` by their dotted keys; some or all are missing in runs of
            earlier versions.
        weights: of an export, the fingerprint of the weights that it was made from.
        files: of an export, checksums by file name.
        program: the version that trained the run.
        finished: whether its training has come to an end.
        alignment: the heads whose attention aligns a word with its source; None if no word of
            the validation split could be aligned.
        training_pairs: a key for the encoded training pairs, with those that are added to the
            corpus; None where it is not known.
        schedule: of the learning rate as Keras serializes it, where the configuration names it
            ``custom``.
        tags: how many training pairs have each tag, and under an empty name how many have none;
            empty where there are no tags, or in runs of earlier versions.
        known: BLEU of the model that comes with the program on held-out pairs, and of the run,
            where the former was found to be better.
    """

    model: dict[str, Any]
    tokenizers: Annotated[list[str], Field(min_length=2, max_length=2)]
    corpus: str | None = None
    settings: dict[str, Any] = {}
    weights: str | None = None
    files: dict[str, int] | None = None
    program: str = __version__
    finished: bool = False
    alignment: AlignmentHeads | None = None
    training_pairs: str | None = None
    schedule: dict[str, Any] | None = None
    tags: dict[str, int] = {}
    known: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None

    @classmethod
    def of_training(
        cls, config: Config, tokenizers: Tokenizers, corpus: str | None, training_pairs: str | None
    ) -> "RunRecord":
        """The record of a new run.

        Args:
            corpus: the corpus's fingerprint; None of a model that was imported.
            training_pairs: a key for the encoded pairs, where it is known.
        """
        return cls(
            config.model.model_dump(),
            [tokenizer.fingerprint for tokenizer in tokenizers],
            corpus,
            fixed_settings(config),
            training_pairs=training_pairs,
        )

    @property
    def is_export(self) -> bool:
        """Whether this describes an export instead of the run itself."""
        return self.weights is not None

    def write(self, folder: Path) -> None:
        """Writes run.json into a folder."""
        fields = {key: value for key, value in self._asdict().items() if value not in (None, {})}
        if self.alignment is not None:
            fields["alignment"] = self.alignment._asdict()
        values = {"format_version": FORMAT_VERSION, "translator": fields.pop("program"), **fields}
        with whole_file(folder / RECORD_NAME) as file:
            file.write(f"{json.dumps(values, indent=1)}\n".encode())

    def check_config(self, config: Config, origin: Path) -> None:
        """Checks a run's configuration, which may have been edited since, against the record."""
        recorded = {f"model.{key}": value for key, value in self.model.items()} | self.settings
        current = {f"model.{key}": value for key, value in config.model} | fixed_settings(config)
        check_unchanged(recorded, current, origin)


def fixed_settings(config: Config) -> dict[str, Any]:
    """The values of `FIXED_SETTINGS` by their dotted keys."""
    settings = {}
    for key in FIXED_SETTINGS:
        section, _, name = key.partition(".")
        settings[key] = getattr(getattr(config, section), name)
    return settings


def check_unchanged(recorded: dict[str, Any], current: dict[str, Any], origin: Path) -> None:
    """Compares settings by their dotted keys, where both have them."""
    for key, value in current.items():
        if recorded.get(key, value) != value:
            raise InputError(
                f"{origin}: {key} was {_as_yaml(recorded[key])} when the run was trained, found"
                f" {_as_yaml(value)}; put it back, or train again"
            )


def check_resumable(path: Path) -> None:
    """Refuses to resume a run that was trained with a corpus, or a key's value, that went."""
    values = read_values(path)
    corpora = (values.get("corpus"), *values.get("corpora", ()))
    names = [value_at(section, ["name"]) for section in corpora]
    went = [f"corpus {shorten(name)} (it went)" for name in names if gone_line(f"name: {name}")]
    for key, value in ALWAYS.items():
        recorded = value_at(values, key.split("."))
        if key.startswith(OF_TRAINING) and recorded not in (None, value):
            went.append(f"{key}: {_as_yaml(recorded)} (always {_as_yaml(value)} now)")
    if went:
        raise InputError(
            f"{path}: the run was trained with {listed(went)}; resume it with a version before"
            f" 0.3.0, or begin a new run from its weights with --init {path.parent}"
        )


_FORM = TypeAdapter(RunRecord)


def read_record(path: Path) -> RunRecord:
    """Reads run.json."""
    try:
        values = json.loads(read_file(path))
    except (ValueError, RecursionError):
        raise _damaged(path, "JSON", "something else") from None
    if not isinstance(values, dict) or "format_version" not in values:
        raise _damaged(path, "what a training writes", "no format_version in it")
    if values["format_version"] != FORMAT_VERSION:
        raise InputError(
            f"{path.parent}: its format is {quoted(values['format_version'])} and this release"
            f" reads {FORMAT_VERSION}; use the release that is named in its run.json, or train"
            " again"
        )
    fields = {"program" if key == "translator" else key: values[key] for key in values}
    known = {key: fields[key] for key in RunRecord._fields if fields.get(key) is not None}
    section: tuple[str, ...] = ()
    try:
        record = _FORM.validate_python(known, strict=True)
        section = ("model",)
        model = {key: record.model[key] for key in record.model if key in ModelConfig.model_fields}
        ModelConfig.model_validate(model)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        key = ".".join((*section, *map(str, problem["loc"])))
        key = "translator" if key == "program" else key
        found = "nothing" if problem["type"] == "missing" else quoted(problem["input"])
        wrong = f"a wrong value of {key} ({found})"
        raise _damaged(path, "what a training writes", wrong) from None
    return record


def _damaged(path: Path, expected: str, found: str) -> InputError:
    return InputError(
        f"{path}: expected {expected}, found {found}; restore the file, or train or export again"
    )


def _as_yaml(value: Any) -> str:
    """A setting as config.yaml spells it, cut where it is long."""
    text = yaml.safe_dump(value, allow_unicode=True, width=math.inf, default_flow_style=True)
    text = text.removesuffix("...\n").rstrip("\n")
    return shorten(text)


class Owner(NamedTuple):
    """The run that weights belong to.

    Attributes:
        run: the name of its folder when they were written, for the user.
        languages: such as ``en to de``; empty where an earlier version did not record them.
        model: a hash of the settings that decide what weights mean; those with their default do
            not count, so that a later version may have more of them.
    """

    run: str
    languages: str
    tokenizers: str
    model: str

    @classmethod
    def of(cls, record: RunRecord, name: str) -> "Owner":
        """The owner that a run's record describes."""
        keys = ("corpus.source_language", "corpus.target_language")
        known = {key: record.model[key] for key in record.model if key in ModelConfig.model_fields}
        model = ModelConfig.model_validate(known)
        settings = model.model_dump(exclude=FREE_KEYS, exclude_defaults=True)
        languages = " to ".join(filter(None, map(record.settings.get, keys)))
        return cls(name, languages, _hash(record.tokenizers), _hash(settings))

    def other_than(self, other: "Owner") -> str:
        """What the other one has that is not the same, for an error; empty if it is the same."""
        names = {"languages": "languages", "tokenizers": "tokenizers", "model": "model settings"}
        values = {key: (getattr(self, key), getattr(other, key)) for key in names}
        return " and ".join(names[key] for key, (a, b) in values.items() if a and b and a != b)

    def to_comment(self) -> bytes:
        """As the comment of an archive."""
        return json.dumps(self._asdict()).encode()

    def check(self, path: Path) -> None:
        """Checks that a file of weights is this owner's, if it says so at all.

        A file that is missing or damaged passes: it is for those who read it.
        """
        try:
            with open_file(path) as file, zipfile.ZipFile(file) as archive:
                found = Owner(**json.loads(archive.comment))
        except (OSError, ValueError, TypeError, zipfile.BadZipFile):
            return
        if other := self.other_than(found):
            raise InputError(
                f"{path}: expected the weights of this run, found those of"
                f" {shorten(str(found.run))}, which has other {other}; put its own file back, or"
                " train again"
            )


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
