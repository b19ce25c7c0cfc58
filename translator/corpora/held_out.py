"""Held-out pairs of a corpus that a run keeps, for when the corpus has changed or is not there."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from translator.base.errors import InputError
from translator.base.files import read_file, whole_file
from translator.corpora.pairs import SentencePairs
from translator.corpora.registry import known_corpora

MOST = 500  # sentences of a split
Pair = tuple[str, str]


class HeldOutPairs(NamedTuple):
    """Pairs that a run was not trained on, with their attribution.

    Attributes:
        licence: of the corpus, with its authors; empty where it may not be passed on.
        pairs: source and target of test pairs.
        validation: the same of validation pairs.
    """

    corpus: str
    licence: str
    address: str
    pairs: list[Pair]
    validation: tuple[Pair, ...] = ()

    @classmethod
    def of(
        cls, corpus: str, test: SentencePairs | None, validation: SentencePairs | None
    ) -> "HeldOutPairs":
        """Chooses sentences evenly from the first to the last, with all of their translations."""
        known = known_corpora().get(corpus)
        shown = ("", "")
        if known is not None and known.may_be_passed_on and known.files:
            shown = (known.licence, known.files[0].address)
        kept = [_some(list(zip(*pairs))) if pairs else [] for pairs in (test, validation)]
        return cls(corpus, *shown, kept[0], tuple(kept[1]))

    @classmethod
    def read(cls, path: Path) -> "HeldOutPairs":
        """Reads what `write` wrote."""
        try:
            return _READER.validate_json(read_file(path))
        except ValidationError:
            raise InputError(
                f"{path}: expected what training writes, found something else; remove the file"
            ) from None

    def write(self, path: Path) -> None:
        """Writes it as JSON, a line for each text."""
        with whole_file(path) as file:
            file.write(json.dumps(self._asdict(), ensure_ascii=False, indent=0).encode())


_READER = TypeAdapter(HeldOutPairs)


def _some(pairs: Sequence[Pair]) -> list[Pair]:
    sources = list(dict.fromkeys(source for source, _ in pairs))
    places = np.linspace(0, len(sources) - 1, min(MOST, len(sources))).round().astype(int)
    chosen = {sources[place] for place in places}
    return [pair for pair in pairs if pair[0] in chosen]


def with_set_aside(pairs: SentencePairs, set_aside: Iterable[Pair]) -> SentencePairs:
    """Held-out pairs with the further translations of their sources that were set aside."""
    sentences = set(pairs.sources)
    more = [pair for pair in set_aside if pair[0] in sentences]
    return SentencePairs.from_pairs([*zip(*pairs), *more])
