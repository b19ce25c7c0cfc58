"""Compares two translations or two runs: is one really better, or is the difference chance?"""

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from sacrebleu.significance import PairedTest

from translator.base.errors import InputError
from translator.config.schema import CorpusConfig
from translator.corpora.pair_files import ReadOptions
from translator.evaluation.run_evaluation import (
    load_split,
    pairs_of,
    read_source_and_references,
    target_language,
)
from translator.evaluation.scores import gather_references, sacrebleu_metrics
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator


class MetricComparison(NamedTuple):
    """The values of one metric for both systems.

    Attributes:
        scores: the scores of the first and of the second system.
        intervals: half the width of each score's 95 % confidence interval.
        p_value: the probability that chance alone causes a difference of this size.
    """

    metric: str
    signature: str
    scores: tuple[float, float]
    intervals: tuple[float, float]
    p_value: float


class TranslationDifference(NamedTuple):
    """A sentence that the two systems translate differently.

    Attributes:
        translations: the translation of the first and of the second system.
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
        differences: all sentences with different translations. Sentences with the largest gain of
            the second translation come first.
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
) -> Comparison:
    """Compares two translations of the same sentences by paired bootstrap resampling.

    Koehn (2004), "Statistical Significance Tests for Machine Translation
    Evaluation", https://aclanthology.org/W04-3250, in the way of sacreBLEU.

    Args:
        translations: all translations of the first system, and of the second.
    """
    first, second = map(list, translations)
    if first == second:
        raise InputError("expected two runs that differ, found the same translation of everything")
    streams = list(itertools.zip_longest(*references))
    metrics = sacrebleu_metrics(language, tokenized=tokenized)
    test = PairedTest([("first", first), ("second", second)], metrics, streams, "bs", samples)
    signatures, results = test()
    rows = [
        MetricComparison(
            name,
            str(signatures[name]),
            (float(baseline.score), float(system.score)),
            (float(baseline.ci), float(system.ci)),
            float(system.p_value),
        )
        for name, (baseline, system) in ((n, r) for n, r in results.items() if n != "System")
    ]
    chrf = sacrebleu_metrics(language)["chrF2"]
    differences = []
    for source, texts, *pair in zip(sources, references, first, second):
        if pair[0] != pair[1]:
            a, b = (float(chrf.sentence_score(text, list(texts)).score) for text in pair)
            difference = TranslationDifference(source, tuple(texts), (pair[0], pair[1]), (a, b))
            differences.append(difference)
    differences.sort(key=lambda difference: difference.chrf[0] - difference.chrf[1])
    return Comparison(len(first), rows, differences)


def compare_runs(
    first: Translator,
    second: Translator,
    split: str | None = None,
    source: Path | None = None,
    references: Sequence[Path] = (),
    options: TranslationOptions | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Comparison:
    """Translates sentences with two runs and compares the translations.

    Args:
        split: ``test`` or ``validation`` of the second run's own corpus. None takes the test split
            or, if there is none, the validation split.
        source: a file of sentences to use instead of a split; it needs ``references``.
        references: files with a translation of each sentence of ``source``.
        report: called with a line if the sentences are not the test split of both runs.
    """
    _require_same_task(first, second)
    sources: Sequence[str]
    texts: Sequence[Sequence[str]]
    if source or references:
        read_options = ReadOptions(second.config.corpus.languages, errors="replace", report=report)
        sources, texts = read_source_and_references(source, references, read_options)
    else:
        sources, texts = _read_split(first, second, split, report)
    translations = (
        [translation.text for translation in run.translate(sources, options)]
        for run in (first, second)
    )
    return compare_translations(
        sources,
        texts,
        (next(translations), next(translations)),
        target_language(first),
        tokenized=first.config.corpus.is_tokenized,
    )


def _require_same_task(first: Translator, second: Translator) -> None:
    """Refuses runs if their languages differ, or only one takes tokenized text."""
    first_task, second_task = (_describe(run.config.corpus) for run in (first, second))
    if first_task != second_task:
        raise InputError(
            f"{second.run.path}: expected a run that translates {first_task} as {first.run.path}"
            f" does, found {second_task}"
        )


def _describe(corpus: CorpusConfig) -> str:
    """Describes the languages and the text that a run translates, for an error."""
    text = "tokenized text" if corpus.is_tokenized else "text"
    return f"{text} from {corpus.source_language} to {corpus.target_language}"


def _read_split(
    first: Translator, second: Translator, split: str | None, report: Callable[[str], None]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The sentences of a split of the second run's corpus, and the references of each."""
    loaded = load_split(second, split or "test")
    if split is None and loaded.pairs is None:
        loaded = load_split(second, "validation")
        report(
            f"{second.run.path}: has no test pairs, so its validation pairs are used; its weights"
            " were chosen by these, so its scores are a little too high"
        )
    references = gather_references(pairs_of(loaded))
    for run, is_other in ((first, first.corpus != second.corpus), (second, loaded.has_changed)):
        if is_other:
            report(
                f"{run.run.path}: trained on another corpus, which may contain some of these"
                " sentences; to compare on other files, name --source and --reference"
            )
    return list(references), list(references.values())
