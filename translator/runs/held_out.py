"""Loads held-out pairs of a run from its corpus, or from the pairs that the run stored."""

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
        pairs: None if the corpus has no such split.
        phenomena: the labels of each pair, if the corpus has labels.
        are_stored: whether the run stored them.
        has_changed: whether the corpus has changed since the training. Then the run may have been
            trained on these pairs.
    """

    pairs: SentencePairs | None
    phenomena: Sequence[frozenset[str]] | None = None
    are_stored: bool = False
    has_changed: bool = False


def load_split(
    run: RunDirectory,
    config: Config,
    split: str,
    report: Callable[[str], None],
    instead: str,
) -> LoadedSplit:
    """Loads ``validation`` or ``test`` of a run's corpus, or the stored pairs of this split.

    The run's stored pairs are taken if the split cannot be read. They are also taken if the split
    is a part of training pairs that have changed since the training.

    Args:
        split: ``validation`` or ``test``.
        report: called with a line if the stored pairs are taken.
        instead: an option for other pairs, which errors name.
    """
    stored = _stored_pairs(run, split)
    is_changed = has_changed(run, config)
    reason = "the corpus has changed since its training"
    try:
        if not stored or split in config.corpus.split_paths or not is_changed:
            if not stored or is_at_hand(config.corpus):
                pairs, phenomena = load_held_out(config.corpus, split, config.tokenizer.tags)
                return LoadedSplit(pairs, phenomena, has_changed=is_changed)
            reason = "the corpus is not on this machine"
    except InputError as error:
        if not stored:
            raise InputError(f"{error}; or name pairs of your own with {instead}") from None
        reason = str(error).partition("; ")[0]
    licence = HeldOutPairs.read(run.held_out).licence
    origin = f"that come with the model, {licence}" if licence else "that the run stored"
    report(f"pairs: {len(stored):,} {split} pairs {origin}; {reason}")
    return LoadedSplit(SentencePairs.from_pairs(stored), are_stored=True)


def _stored_pairs(run: RunDirectory, split: str) -> Sequence[tuple[str, str]]:
    if not run.held_out.is_file():
        return ()
    stored = HeldOutPairs.read(run.held_out)
    return stored.pairs if split == "test" else stored.validation


def has_changed(run: RunDirectory, config: Config) -> bool:
    """Whether the corpus is known to have changed since the run was trained."""
    trained_on = run.read_record().corpus
    if trained_on is None or not is_at_hand(config.corpus):
        return False
    try:
        return trained_on != fingerprint(config.corpus)
    except InputError:  # some of its files are gone
        return False
