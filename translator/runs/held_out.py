"""Held-out pairs that a run keeps, for when its corpus has changed or is not on this machine."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import TypeAdapter, ValidationError

from translator.base.errors import InputError
from translator.base.files import whole_file
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

MOST = 500  # pairs of a split


Pair = tuple[str, str]


class HeldOutPairs(NamedTuple):
    """Pairs that a run was not trained on, with their attribution.

    Attributes:
        corpus: its name.
        licence: of the corpus, with its authors; empty where it may not be passed on.
        address: where it is from.
        pairs: source and target of test pairs.
        validation: the same of validation pairs.
    """

    corpus: str
    licence: str
    address: str
    pairs: list[Pair]
    validation: tuple[Pair, ...] = ()


_READER = TypeAdapter(HeldOutPairs)


def keep_held_out(
    run: RunDirectory, corpus: str, test: Sequence[Pair], validation: Sequence[Pair]
) -> None:
    """Writes held-out pairs into the directory of a run, so that they are there with the run.

    Args:
        run: the run.
        corpus: its name.
        test: the test split; empty if there is none.
        validation: the validation split.
    """
    known = known_corpora().get(corpus)
    shown = ("", "")
    if known is not None and known.may_be_passed_on and known.files:
        shown = (known.licence, known.files[0].address)
    kept = HeldOutPairs(corpus, *shown, _some(test), tuple(_some(validation)))
    text = json.dumps(kept._asdict(), ensure_ascii=False, indent=0)
    with whole_file(run.held_out) as file:
        file.write(text.encode())


def _some(pairs: Sequence[Pair]) -> list[Pair]:
    """At most `MOST` pairs, evenly from the first to the last."""
    places = np.linspace(0, len(pairs) - 1, min(MOST, len(pairs))).round().astype(int)
    return [pairs[place] for place in places]


def write_held_out(run: RunDirectory, folder: Path) -> None:
    """Writes the held-out pairs of a run into its export, if its corpus may be passed on.

    Those of a run that an earlier version trained are taken from the corpus, where it is on this
    machine and has not changed since.
    """
    if not run.held_out.is_file():
        config = run.read_config()
        name = config.corpus.name
        known = known_corpora().get(name)
        if known is None or not (known.may_be_passed_on and known.files and is_at_hand(name)):
            return
        if run.read_record().corpus != fingerprint(config.corpus):
            return
        splits = ("test", "validation")
        tags = config.tokenizer.tags
        found = (load_held_out(config.corpus, split, tags)[0] for split in splits)
        test, validation = (list(zip(*pairs)) if pairs else [] for pairs in found)
        keep_held_out(RunDirectory(folder), name, test, validation)
    elif _read(run.held_out).licence:
        shutil.copy(run.held_out, folder)


def load_split(
    run: RunDirectory,
    config: Config,
    split: str,
    report: Callable[[str], None],
    instead: str,
) -> tuple[SentencePairs | None, tuple[frozenset[str], ...] | None]:
    """Loads ``validation`` or ``test`` of a run's corpus, or the pairs of it that the run has kept.

    These are taken where the corpus is not at hand, and where it has changed since the training.

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
    pairs: Sequence[Pair] = ()
    origin = "that the run has kept"
    if run.held_out.is_file():
        kept = _read(run.held_out)
        pairs = kept.pairs if split == "test" else kept.validation
        if kept.licence:
            origin = f"of {kept.corpus} that come with the model, {kept.licence}"
    try:
        if not pairs or _is_at_hand(run, config):
            return load_held_out(config.corpus, split, config.tokenizer.tags)
    except InputError as error:
        if not pairs:
            raise InputError(f"{error}; or name pairs of your own with {instead}") from None
    report(f"pairs: {len(pairs):,} {split} pairs {origin}")
    return SentencePairs.from_pairs(pairs), None


def _is_at_hand(run: RunDirectory, config: Config) -> bool:
    """Whether the corpus is on this machine, as it was when the run was trained.

    Raises:
        InputError: its files cannot be read.
    """
    if not is_at_hand(config.corpus.name):
        return False
    trained_on = run.read_record().corpus
    return trained_on is None or trained_on == fingerprint(config.corpus)


def _read(path: Path) -> HeldOutPairs:
    try:
        return _READER.validate_json(read_file(path))
    except ValidationError:
        raise InputError(
            f"{path}: expected what training writes, found something else; remove the file"
        ) from None
