"""The file run.json."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.base.texts import quoted
from translator.base.version import __version__
from translator.text.alignment_heads import AlignmentHeads
from translator.tokenizers.subword import Tokenizers

if TYPE_CHECKING:
    from translator.config.schema import Config

RECORD_NAME = "run.json"
FORMAT_VERSION = 1
FIXED_SETTINGS = (  # settings outside of ``model`` that must not change
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
FOR_TRANSLATING = (  # further settings that translating needs
    "tokenizer.masks",
    "data.word_pairs",
    "data.truecase",
    "decoding.beam_size",
    "decoding.length_penalty",
    "decoding.max_length",
)


_KINDS: dict[str, Any] = {  # types of the values in run.json; lists have two entries
    **dict.fromkeys(("model", "settings", "files", "alignment", "schedule", "tags"), dict),
    **dict.fromkeys(("corpus", "weights", "program", "training_pairs"), str),
    **{"tokenizers": list, "known": list, "finished": bool},
}


class RunRecord(NamedTuple):
    """The content of run.json.

    Attributes:
        model: the section ``model`` of the configuration.
        tokenizers: fingerprints of the source and the target tokenizer.
        corpus: the fingerprint of the corpus, if it is known.
        settings: `FIXED_SETTINGS` by their dotted keys; in an export, also `FOR_TRANSLATING`. In
            runs of earlier versions, some or all settings are missing.
        weights: in an export, the fingerprint of the exported weights.
        files: in an export, checksums by file name.
        program: the version that trained the run.
        finished: whether its training has finished.
        alignment: heads whose attention aligns words with their source words; None if no word of
            the validation split could be aligned.
        training_pairs: a key for the encoded training pairs, including added pairs; None if it is
            not known.
        schedule: a ``custom`` schedule of the learning rate, as Keras serializes it.
        tags: how many training pairs have each tag. An empty name counts pairs without a tag. Empty
            if there are no tags, and in runs of earlier versions.
        known: two BLEU scores on held-out pairs: of the model that comes with the program, and of
            the run. It is only set if the model's score was better.
    """

    model: dict[str, Any]
    tokenizers: list[str]
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
    known: list[float] | None = None

    @classmethod
    def of_training(
        cls,
        config: "Config",
        tokenizers: Tokenizers,
        corpus: str | None,
        training_pairs: str | None,
    ) -> "RunRecord":
        """The record of a new run.

        Args:
            corpus: the corpus's fingerprint; None for an imported model.
            training_pairs: a key for the encoded pairs, if it is known.
        """
        return cls(
            config.model.model_dump(),
            [tokenizer.fingerprint for tokenizer in tokenizers],
            corpus,
            settings_of(config),
            training_pairs=training_pairs,
        )

    @property
    def settings_for_translating(self) -> "Config | None":
        """The settings for translating, in sections as in a configuration; None if incomplete."""
        if not {*FIXED_SETTINGS, *FOR_TRANSLATING} <= self.settings.keys():
            return None
        sections: dict[str, Any] = defaultdict(SimpleNamespace)
        for key, value in self.settings.items():
            section, _, name = key.partition(".")
            setattr(sections[section], name, value)
        return cast("Config", SimpleNamespace(**sections))

    @property
    def is_export(self) -> bool:
        """Whether it describes an export instead of a run."""
        return self.weights is not None

    def write(self, folder: Path) -> None:
        """Writes run.json into a folder."""
        fields = {key: value for key, value in self._asdict().items() if value not in (None, {})}
        if self.alignment is not None:
            fields["alignment"] = self.alignment._asdict()
        values = {"format_version": FORMAT_VERSION, "translator": fields.pop("program"), **fields}
        with whole_file(folder / RECORD_NAME) as file:
            file.write(f"{json.dumps(values, indent=1)}\n".encode())


def settings_of(config: "Config", keys: Iterable[str] = FIXED_SETTINGS) -> dict[str, Any]:
    """Values of a configuration by their dotted keys."""
    parts = ((key, *key.split(".")) for key in keys)
    return {key: getattr(getattr(config, section), name) for key, section, name in parts}


def read_record(path: Path) -> RunRecord:
    """Reads run.json."""
    try:
        values = json.loads(read_file(path))
    except (ValueError, RecursionError):
        raise _damaged(path, "JSON", "something else") from None
    if not isinstance(values, dict) or "format_version" not in values:
        raise _damaged(path, "a record of a training", "no format_version in it")
    if values["format_version"] != FORMAT_VERSION:
        raise InputError(
            f"{path.parent}: its format is {quoted(values['format_version'])} and this release"
            f" reads {FORMAT_VERSION}; use the release that its run.json names, or train again"
        )
    fields = {"program" if key == "translator" else key: values[key] for key in values}
    recorded = {key: fields[key] for key in RunRecord._fields if fields.get(key) is not None}
    for key, kind in _KINDS.items():
        value: Any = recorded.get(key)
        is_right = isinstance(value, kind) and (kind is not list or len(value) == 2)
        if not is_right and (key in recorded or key not in RunRecord._field_defaults):
            raise damaged_value(path, "translator" if key == "program" else key, value)
    if alignment := recorded.get("alignment"):
        try:
            heads = tuple(alignment["heads"])
            recorded["alignment"] = AlignmentHeads(**{**alignment, "heads": heads})
        except (KeyError, TypeError):
            raise damaged_value(path, "alignment", alignment) from None
    return RunRecord(**recorded)


def damaged_value(path: Path, key: str, value: Any) -> InputError:
    """The error for a record with a wrong value. The value None means that it is missing."""
    text = "nothing" if value is None else quoted(value)
    return _damaged(path, "a record of a training", f"a wrong value of {key} ({text})")


def _damaged(path: Path, expected: str, problem: str) -> InputError:
    return InputError(
        f"{path}: expected {expected}, found {problem}; restore the file, or train or export again"
    )
