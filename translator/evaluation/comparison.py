"""Whether one run translates better than another, or was only lucky with these sentences."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sacrebleu.significance import PairedTest

from translator.base.errors import InputError
from translator.config.schema import CorpusConfig
from translator.evaluation.evaluation import metrics, uncased


class Row(NamedTuple):
    """One metric of both systems.

    Attributes:
        metric: its name.
        signature: sacreBLEU's, to cite.
        scores: of the first system and of the second.
        intervals: half the width of each one's 95 % interval.
        p_value: how likely a difference as large comes of chance alone.
    """

    metric: str
    signature: str
    scores: tuple[float, float]
    intervals: tuple[float, float]
    p_value: float


class Difference(NamedTuple):
    """A sentence that the two translate unequally well; chrF 0 to 100 of each."""

    source: str
    references: tuple[str, ...]
    translations: tuple[str, str]
    chrf: tuple[float, float]


class Comparison(NamedTuple):
    """What `compare` finds.

    Attributes:
        rows: BLEU, chrF and TER.
        differences: all sentences that are translated differently, those first
            of which the second translation is better by most.
    """

    rows: list[Row]
    differences: list[Difference]


def require_same_task(first: tuple[Path, CorpusConfig], second: tuple[Path, CorpusConfig]) -> None:
    """Takes two runs, each a path and its corpus, that translate the same kind of text.

    Raises:
        InputError: they have other languages, or only one takes tokenised text.
    """
    expected, found = (_describe(corpus) for _, corpus in (first, second))
    if expected != found:
        raise InputError(
            f"{second[0]}: expected a run that translates {expected} as {first[0]} does,"
            f" found {found}"
        )


def _describe(corpus: CorpusConfig) -> str:
    """What a run translates."""
    text = "tokenized text" if corpus.is_tokenized else "text"
    return f"{text} from {corpus.source_language} to {corpus.target_language}"


def compare(
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    translations: tuple[Sequence[str], Sequence[str]],
    language: str,
    samples: int = 1000,
    tokenized: bool = False,
    is_uncased: bool = False,
) -> Comparison:
    """Compares two translations of the same sentences by paired bootstrap resampling.

    Koehn (2004), "Statistical Significance Tests for Machine Translation
    Evaluation", https://aclanthology.org/W04-3250, as sacreBLEU does it.

    Args:
        sources: the sentences.
        references: the translations of each, one or more.
        translations: of each, by the first system and by the second.
        language: of the translations, a code.
        samples: how often sentences are drawn.
        tokenized: as in `translator.evaluation.evaluation.metrics`.
        is_uncased: whether both are compared in small letters and with digits as 0.

    Raises:
        InputError: the second translates nothing otherwise than the first.
    """
    if is_uncased:
        references = [list(map(uncased, texts)) for texts in references]
        translations = tuple(list(map(uncased, texts)) for texts in translations)
    first, second = map(list, translations)
    if first == second:
        raise InputError("expected two runs that differ, found the same translation of everything")
    streams = list(itertools.zip_longest(*references))
    chosen = metrics(language, is_uncased, tokenized)
    test = PairedTest([("first", first), ("second", second)], chosen, streams, "bs", samples)
    signatures, found = test()
    rows = [
        Row(
            name,
            str(signatures[name]),
            tuple(float(result.score) for result in results),
            tuple(float(result.ci) for result in results),
            float(results[1].p_value),
        )
        for name, results in found.items()
        if name != "System"
    ]
    chrf = metrics(language)["chrF2"]
    differences = []
    for source, texts, one, other in zip(sources, references, first, second):
        if one != other:
            each = tuple(chrf.sentence_score(text, list(texts)).score for text in (one, other))
            differences.append(Difference(source, tuple(texts), (one, other), each))
    differences.sort(key=lambda difference: difference.chrf[0] - difference.chrf[1])
    return Comparison(rows, differences)
