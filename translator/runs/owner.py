"""Whose weights a file holds: the comment of its archive says it, and loading compares it.

A file without such a comment, as earlier versions wrote them, is taken as it is.
"""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

from translator.base.errors import InputError
from translator.base.reading import open_file
from translator.base.texts import shorten
from translator.config.comparison import FREE_KEYS
from translator.config.schema import ModelConfig
from translator.runs.record import RunRecord


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
