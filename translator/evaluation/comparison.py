"""Compares two translations of the same sentences: is one better, or does chance explain it?"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from sacrebleu.significance import PairedTest

from translator.base.errors import InputError
from translator.evaluation.scores import sacrebleu_metrics, uncased


class MetricComparison(NamedTuple):
    """One metric of both systems.

    Attributes:
        scores: of the first system and of the second.
        intervals: half the width of the 95 % confidence interval of each.
        p_value: how likely chance alone gives a difference this large.
    """

    metric: str
    signature: str
    scores: tuple[float, float]
    intervals: tuple[float, float]
    p_value: float


class TranslationDifference(NamedTuple):
    """A sentence that the two systems translate differently.

    Attributes:
        translations: by the first system and by the second.
        chrf: chrF2 of each translation, 0 to 100.
    """

    source: str
    references: tuple[str, ...]
    translations: tuple[str, str]
    chrf: tuple[float, float]


class Comparison(NamedTuple):
    """The results of `compare_translations`.

    Attributes:
        rows: BLEU, chrF, chrF++ and TER.
        differences: every sentence that is translated differently, sorted by how much better
            the second translation is, the largest gain first.
    """

    sentences: int
    rows: list[MetricComparison]
    differences: list[TranslationDifference]


def compare_translations(
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
        translations: of each sentence, by the first system and by the second.
        is_uncased: whether to lowercase both and replace digits with 0 first.

    Returns:
        The metrics of both systems, and the sentences that they translate differently.
    """
    first, second = map(list, translations)
    if is_uncased:
        references = [list(map(uncased, texts)) for texts in references]
        first, second = (list(map(uncased, texts)) for texts in (first, second))
    if first == second:
        raise InputError("expected two runs that differ, found the same translation of everything")
    streams = list(itertools.zip_longest(*references))
    metrics = sacrebleu_metrics(language, is_uncased, tokenized)
    test = PairedTest([("first", first), ("second", second)], metrics, streams, "bs", samples)
    signatures, results = test()
    rows = [
        MetricComparison(
            name,
            str(signatures[name]),
            (float(one.score), float(other.score)),
            (float(one.ci), float(other.ci)),
            float(other.p_value),
        )
        for name, (one, other) in ((n, r) for n, r in results.items() if n != "System")
    ]
    chrf = sacrebleu_metrics(language)["chrF2"]
    differences = []
    for source, texts, *pair in zip(sources, references, first, second):
        if pair[0] != pair[1]:
            one, other = (float(chrf.sentence_score(text, list(texts)).score) for text in pair)
            differences.append(
                TranslationDifference(source, tuple(texts), (pair[0], pair[1]), (one, other))
            )
    differences.sort(key=lambda difference: difference.chrf[0] - difference.chrf[1])
    return Comparison(len(first), rows, differences)
