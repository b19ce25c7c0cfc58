"""Held-out pairs of a run: those of its corpus, or those that it has kept."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.corpora.corpus import HeldOutPairs, load_held_out
from translator.corpora.pairs import SentencePairs
from translator.corpora.registry import fingerprint, is_at_hand
from translator.runs.directory import RunDirectory


class LoadedSplit(NamedTuple):
    """Pairs of a split.

    Attributes:
        pairs: None where the corpus has no such split.
        phenomena: the labels of each pair, if the corpus has labels.
        are_kept: whether they are those that the run has kept.
        has_changed: whether the corpus is another one than that which the run was trained on, so
            that it may have been trained on these pairs.
    """

    pairs: SentencePairs | None
    phenomena: Sequence[frozenset[str]] | None = None
    are_kept: bool = False
    has_changed: bool = False


def load_split(
    run: RunDirectory,
    config: Config,
    split: str,
    report: Callable[[str], None],
    instead: str,
) -> LoadedSplit:
    """Loads ``validation`` or ``test`` of a run's corpus, or the pairs of it that the run has kept.

    These are taken where the split cannot be read, and where it is a part of training pairs that
    have changed since the training.

    Args:
        split: ``validation`` or ``test``.
        report: is given a line where it is not the whole split.
    """
    kept = _kept_pairs(run, split)
    is_other = has_changed(run, config)
    reason = "the corpus has changed since its training"
    try:
        if not kept or split in config.corpus.split_paths or not is_other:
            if not kept or is_at_hand(config.corpus):
                found = load_held_out(config.corpus, split, config.tokenizer.tags)
                return LoadedSplit(*found, has_changed=is_other)
            reason = "the corpus is not on this machine"
    except InputError as error:
        if not kept:
            raise InputError(f"{error}; or name pairs of your own with {instead}") from None
        reason = str(error).partition("; ")[0]
    licence = HeldOutPairs.read(run.held_out).licence
    origin = f"that come with the model, {licence}" if licence else "that the run has kept"
    report(f"pairs: {len(kept):,} {split} pairs {origin}; {reason}")
    return LoadedSplit(SentencePairs.from_pairs(kept), are_kept=True)


def _kept_pairs(run: RunDirectory, split: str) -> Sequence[tuple[str, str]]:
    if not run.held_out.is_file():
        return ()
    found = HeldOutPairs.read(run.held_out)
    return found.pairs if split == "test" else found.validation


def has_changed(run: RunDirectory, config: Config) -> bool:
    """Whether the corpus is another one than that which the run was trained on; no where that is
    not known, or where the corpus cannot be read.
    """
    trained_on = run.read_record().corpus
    if trained_on is None or not is_at_hand(config.corpus):
        return False
    try:
        return trained_on != fingerprint(config.corpus)
    except InputError:  # some of its files are gone
        return False
