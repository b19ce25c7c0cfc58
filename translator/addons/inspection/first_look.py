"""What a training says of its pairs before it begins: the inspection of the first of them."""

import contextlib
import itertools
from collections.abc import Iterator, Sequence

from translator.addons.inspection.findings import MEANINGS, Reason
from translator.addons.inspection.inspector import inspect_pairs, strange_scripts
from translator.addons.inspection.languages import LanguageIdentifier
from translator.addons.inspection.pair_scores import Pair
from translator.config.schema import CorpusConfig
from translator.corpora.registry import read_corpus

LOOKED_AT = 1000  # pairs
FEWEST = 20  # of them that say anything
MOST = 0.1  # of them that may have a reason against them
DROPPED = (Reason.EMPTY, Reason.DUPLICATE)  # before any training


def look_at(config: CorpusConfig) -> Iterator[str]:
    """Says what is wrong with many of the first pairs of the user's own files, or of OPUS.

    Nothing is said where the extra ``inspect`` is not installed.

    Args:
        config: names the files and the languages.
    """
    if config.is_unknown:
        pairs = list(itertools.islice(read_corpus(config)["train"], LOOKED_AT))
        with contextlib.suppress(ModuleNotFoundError):
            yield from (f"corpus: {line}" for line in strange_in(pairs, config.languages))


def strange_in(pairs: Sequence[Pair], languages: tuple[str, str]) -> Iterator[str]:
    """What is wrong with more than a tenth of some pairs, and scripts that their languages lack.

    Args:
        pairs: any.
        languages: the codes of both sides.
    """
    if len(pairs) < FEWEST:
        return
    found = inspect_pairs(pairs, languages, None, LanguageIdentifier())
    yield from strange_scripts(found.sides)
    for reason, count in found.counts.items():
        if count > MOST * len(pairs) and reason not in DROPPED:
            yield (
                f"{reason} in {count / len(pairs):.0%} of the first {len(pairs):,} pairs:"
                f" {MEANINGS[reason]}; translator inspect shows which"
            )
