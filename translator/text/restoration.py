"""What a run knows of alignment, capitals and names; kept in ``restoration.json``."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.corpora import SentencePairs
from translator.text.truecasing import Truecaser, begin_with_capitals
from translator.text.word_alignment import AlignmentHeads
from translator.tokenizers.subword import Tokenizers


class Restoration(NamedTuple):
    """What a run needs to restore capitals, and what its model is not shown, in translations.

    Attributes:
        alignment: the heads whose attention aligns a word with its source; None if no word of
            the validation split could be aligned.
        truecaser: of the target language; None if the tokenizer keeps capitals.
        source_truecaser: of the source language; None if the tokenizer has no capitals, or the
            training split's sentences do not begin with one.
        names: what the run's codec learnt of names, as JSON; empty if that is nothing.
    """

    alignment: AlignmentHeads | None = None
    truecaser: Truecaser | None = None
    source_truecaser: Truecaser | None = None
    names: Mapping[str, Any] = {}

    @classmethod
    def of_corpus(cls, train: SentencePairs, tokenizers: Tokenizers) -> "Restoration":
        """Learns the capitals from the text of the training split."""
        truecaser = Truecaser.learn(train.targets) if tokenizers.target.lowercases else None
        source_truecaser = None
        if not tokenizers.source.lowercases and begin_with_capitals(train.sources):
            source_truecaser = Truecaser.learn(train.sources)
        return cls(None, truecaser, source_truecaser)

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        values = {
            "alignment": self.alignment and self.alignment._asdict(),
            "truecaser": self.truecaser and self.truecaser.to_json(),
            **self.names,
            "source_truecaser": self.source_truecaser and self.source_truecaser.to_json(),
        }
        with whole_file(path) as file:
            file.write(json.dumps(values, ensure_ascii=False).encode())

    @classmethod
    def load(cls, path: Path) -> "Restoration":
        """Reads what `save` wrote; returns an empty one if there is no such file."""
        with damage_reported(path):
            try:
                values = json.loads(read_file(path))
            except FileNotFoundError:
                return cls()
            alignment, truecaser = values.pop("alignment"), values.pop("truecaser")
            source_truecaser = values.pop("source_truecaser", None)
            return cls(
                None if alignment is None else AlignmentHeads.from_json(alignment),
                None if truecaser is None else Truecaser.from_json(truecaser),
                None if source_truecaser is None else Truecaser.from_json(source_truecaser),
                values,
            )


@contextlib.contextmanager
def damage_reported(path: Path) -> Iterator[None]:
    """Reports what cannot be read from a ``restoration.json`` as a damaged file."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(
            f"{path}: expected what training writes, found other text; train again, or"
            " remove the file to translate without it"
        ) from None
