"""Test pairs that an export brings, for machines that do not have the corpus of its run."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from translator.base.errors import InputError
from translator.base.reading import read_file
from translator.config.schema import Config
from translator.corpora import (
    SentencePairs,
    fingerprint,
    is_at_hand,
    known_corpora,
    load_held_out,
)
from translator.runs.directory import RunDirectory

MOST = 500  # pairs, evenly from the first to the last


class HeldOutPairs(NamedTuple):
    """Test pairs of a corpus, with their attribution.

    Attributes:
        corpus: its name.
        licence: of the corpus, with its authors.
        address: where it is from.
        pairs: source and target of each.
    """

    corpus: str
    licence: str
    address: str
    pairs: list[tuple[str, str]]


_READER = TypeAdapter(HeldOutPairs)


def write_held_out(run: RunDirectory, folder: Path) -> None:
    """Writes test pairs of a run into its export: those that it has, or else of its corpus.

    Nothing is written of a corpus that may not be passed on, that everybody has with the program,
    that is not on this machine, or that has changed since the run was trained.
    """
    if run.held_out.is_file():
        shutil.copy(run.held_out, folder)
        return
    config = run.read_config()
    name = config.corpus.name
    known = known_corpora().get(name)
    if known is None or not (known.may_be_passed_on and known.files and is_at_hand(name)):
        return
    if run.read_record().corpus != fingerprint(config.corpus):
        return
    test, _ = load_held_out(config.corpus, "test", config.tokenizer.tags)
    pairs = list(zip(*test)) if test is not None else []
    places = np.linspace(0, len(pairs) - 1, min(MOST, len(pairs))).round().astype(int)
    kept = HeldOutPairs(
        name, known.licence, known.files[0].address, [pairs[place] for place in places]
    )
    text = json.dumps(kept._asdict(), ensure_ascii=False, indent=0)
    (folder / run.held_out.name).write_text(text, "utf-8")


def load_split(
    run: RunDirectory,
    config: Config,
    split: str,
    report: Callable[[str], None],
    instead: str,
) -> tuple[SentencePairs | None, tuple[frozenset[str], ...] | None]:
    """Loads ``validation`` or ``test`` of a run's corpus, or the test pairs that the run brings.

    Args:
        run: the run.
        config: its configuration.
        split: ``validation`` or ``test``.
        report: is given a line where it is not the whole split.
        instead: the options that name other pairs.

    Returns:
        As `load_held_out`.

    Raises:
        InputError: there are no such pairs on this machine, or a file is damaged.
    """
    if split == "test" and run.held_out.is_file() and not is_at_hand(config.corpus.name):
        kept = _read(run.held_out)
        report(
            f"pairs: {len(kept.pairs):,} test pairs of {kept.corpus} that come with the model,"
            f" {kept.licence}"
        )
        return SentencePairs.from_pairs(kept.pairs), None
    try:
        return load_held_out(config.corpus, split, config.tokenizer.tags)
    except InputError as error:
        raise InputError(f"{error}; or name pairs of your own with {instead}") from None


def _read(path: Path) -> HeldOutPairs:
    try:
        return _READER.validate_json(read_file(path))
    except ValidationError:
        raise InputError(
            f"{path}: expected what translator export writes, found something else; export again"
        ) from None
