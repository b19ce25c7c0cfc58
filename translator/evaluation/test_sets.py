"""The public test sets that sacreBLEU knows, such as wmt14: fetched once, with their signatures."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sacrebleu.dataset import DATASETS
from sacrebleu.utils import SACREBLEU_DIR

from translator.base.errors import InputError
from translator.base.languages import language_facts
from translator.base.texts import listed
from translator.evaluation.scores import Scores


class PublicSet(NamedTuple):
    """The files of a test set between two languages.

    Attributes:
        references: files with a translation of each line.
        signature: what sacreBLEU's signatures have of it.
    """

    source: Path
    references: list[Path]
    signature: str


def is_public(name: str) -> bool:
    """Whether sacreBLEU knows a test set."""
    return name in DATASETS


def fetch_public(name: str, languages: Sequence[str]) -> PublicSet:
    """Fetches a test set, unless it is in the folder ``SACREBLEU``, or ``~/.sacrebleu``.

    Args:
        name: such as ``wmt14``, of those that sacreBLEU knows.

    Raises:
        InputError: it does not have these languages, or cannot be fetched.
    """
    data = DATASETS[name]
    direction = "-".join(language_facts(language).code for language in languages)
    if direction not in data.langpairs:
        raise InputError(
            f"--test-set {name}: expected one of its directions, {listed([*data.langpairs])}, found"
            f" a run from {' to '.join(languages)}"
        )
    logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)
    try:
        source, references = data.get_source_file(direction), data.get_reference_files(direction)
    except (OSError, SystemExit) as error:  # sacreBLEU ends the program where a sum is wrong
        found = "other files" if isinstance(error, SystemExit) else f"none ({error})"
        raise InputError(
            f"--test-set {name}: expected {listed(data.data)}, found {found}; put its files into"
            f" {Path(SACREBLEU_DIR) / name / 'raw'}, or name your own with --source and --reference"
        ) from None
    return PublicSet(Path(source), list(map(Path, references)), f"test:{name}|lang:{direction}")


def with_set(scores: Scores, found: PublicSet) -> Scores:
    """Scores whose signatures name the test set, as those of sacreBLEU's own command do."""
    signatures = {
        key: value.replace("|version:", f"|{found.signature}|version:")
        for key, value in scores._asdict().items()
        if key.endswith("_signature") and value is not None
    }
    return scores._replace(**signatures)
