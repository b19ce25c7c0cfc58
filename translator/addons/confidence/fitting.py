"""Fits the confidence of a run's translations on its validation split."""

import contextlib
import math
import shutil
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from translator.addons.confidence.assessor import score_tokens, select_words
from translator.addons.confidence.examples import (
    check_words,
    learn_source_words,
    split_validation,
    with_invented_words,
)
from translator.addons.confidence.logistic import (
    LogisticModel,
    area_under_roc,
    calibration_error,
    fit_logistic,
)
from translator.addons.confidence.model import (
    SENTENCE_FEATURES,
    SENTENCE_SIGNS,
    WORD_FEATURES,
    WORD_SIGNS,
    ConfidenceModel,
    compare_words,
    sentence_features,
)
from translator.addons.confidence.source_words import SourceWords
from translator.base.cache import crc32
from translator.base.errors import InputError
from translator.base.lock import locked
from translator.corpora.registry import fingerprint
from translator.data.preparation import TrainingData, prepare
from translator.data.training_pairs import without_added_pairs
from translator.runs.directory import RunDirectory
from translator.runs.exports import is_export
from translator.text.read_lines import SourceLine
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

LOG, LOG_IF_UNSEEN = (WORD_FEATURES.index(name) for name in ("log", "log_if_unseen"))
SURE = 0.8  # a word of at least this confidence counts as sure
FEWEST_WORDS = 10  # in each half of the sentences
GOOD = 0.9  # a sentence is good if references have at least this share of its words
BAD = 0.5  # a sentence is bad if references have a smaller share of its words
DOUBTFUL_SHARE = 0.1  # this share of the good validation sentences counts as doubtful
MOST_DOUBTFUL = 0.75  # a sentence with more confidence is never doubtful


class JudgedTranslations(NamedTuple):
    """Features of translations, and which of their words are right.

    Attributes:
        sentences: (n, F) features of each sentence.
        share_right: (n,) the share of its words that are right.
        word_counts: (n,) how many words it has.
        words: (m, F) features of the words of all sentences.
        is_right: (m,) 1.0 if a reference has the word.
    """

    sentences: np.ndarray
    share_right: np.ndarray
    word_counts: np.ndarray
    words: np.ndarray
    is_right: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """(m,), for each word the joint probability of its tokens."""
        probabilities: np.ndarray = np.exp(self.words[:, LOG] + self.words[:, LOG_IF_UNSEEN])
        return probabilities  # one of the two columns is 0


def calibrate_run(run: RunDirectory, report: Callable[[str], None]) -> None:
    """Fits the confidence of a trained run."""
    config = run.read_config()
    run.find_weights()
    tokenizers = run.read_tokenizers(config)
    corpus = fingerprint(config.corpus)
    run.check_corpus(corpus)
    with locked(run.path):
        plain = without_added_pairs(config)
        fit_and_save(run, prepare(plain, lambda line: None, tokenizers, corpus), report)
    if run.confidence.exists():
        report(f"confidence: {run.confidence}")


def fit_and_save(run: RunDirectory, data: TrainingData, report: Callable[[str], None]) -> None:
    """Fits the confidence of a run and writes it into the run and its export."""
    model = fit_confidence(Translator(run), data)
    if isinstance(model, str):
        run.confidence.unlink(missing_ok=True)
        _update_export(run)
        report(f"confidence: not fitted: {model}")
        return
    model.save(run.confidence)
    _update_export(run)
    report(describe(model))


def _update_export(run: RunDirectory) -> None:
    """Copies a run's model into its export, or removes the export's if the run has no model."""
    if not is_export(run.export):
        return
    copy = run.export / run.confidence.name
    record = RunDirectory(run.export).read_record()
    files = {name: checksum for name, checksum in (record.files or {}).items() if name != copy.name}
    if run.confidence.exists():
        shutil.copy(run.confidence, copy)
        files[copy.name] = crc32(copy)
    else:
        copy.unlink(missing_ok=True)
    record._replace(files=files).write(run.export)


def fit_confidence(translator: Translator, data: TrainingData) -> ConfidenceModel | str:
    """Fits on one half of the validation sentences and measures on the other.

    Returns:
        The model, or the reason why there is none: the translations of the split have too few
        words, or the target language has no spaces between words that references could confirm.
    """
    if not data.tokenizers.target.writes_spaces:
        return f"{data.tokenizers.target.language} has no spaces between words"
    translator.assessor = None  # of an earlier fit
    source_words = learn_source_words(data)
    halves = split_validation(data)
    fitted, held_out = (judge(translator, source_words, half) for half in halves)
    count = min(len(fitted.is_right), len(held_out.is_right))
    if count < FEWEST_WORDS:
        return (
            f"expected {FEWEST_WORDS} words in the translations of each half of the validation"
            f" split, found {count}"
        )
    pairs = with_invented_words(halves[0], source_words, data.tokenizers.source.tags)
    invented = judge(translator, source_words, pairs)
    examples = JudgedTranslations(*map(np.concatenate, zip(fitted, invented)))
    word = _fit(examples.words, examples.is_right, np.ones(len(examples.is_right)), WORD_SIGNS)
    sentence = _fit(examples.sentences, examples.share_right, examples.word_counts, SENTENCE_SIGNS)
    usual_support = float(fitted.sentences[:, SENTENCE_FEATURES.index("support")].mean())
    good = sentence.probabilities(fitted.sentences)[fitted.share_right >= GOOD]
    limit = min(_find_limit(good, 0.0), MOST_DOUBTFUL)
    model = ConfidenceModel(sentence, word, limit, usual_support, source_words, measured={})
    return model._replace(measured=measure(model, held_out))


def _fit(
    features: np.ndarray, outcomes: np.ndarray, counts: np.ndarray, signs: Sequence[int]
) -> LogisticModel:
    """Fits a regression to outcomes that are moved a little towards the middle.

    If all examples are right, the next one may still be wrong: Platt (1999), "Probabilistic
    Outputs for Support Vector Machines", section 2.2.
    """
    right, wrong = float(counts @ outcomes), float(counts @ (1 - outcomes))
    highest, lowest = (right + 1) / (right + 2), 1 / (wrong + 2)
    return fit_logistic(features, lowest + (highest - lowest) * outcomes, counts, signs)


def _find_limit(good: np.ndarray, default: float) -> float:
    """The confidence that 90 % of the good sentences reach; a default if no sentence is good."""
    return float(np.quantile(good, DOUBTFUL_SHARE)) if len(good) else default


def judge(
    translator: Translator,
    source_words: SourceWords | None,
    pairs: Sequence[tuple[str, Sequence[str]]],
) -> JudgedTranslations:
    """Translates sentences and compares their words with the references.

    Sentences that do not fit the model, or whose translations have no words, are left out.
    """
    options = TranslationOptions(split=False)
    lines, references = _read(translator, pairs, options)
    translations = translator.translate_read(lines, options)
    best = [translation.hypotheses[0] for translation in translations]
    sentences = [line.sentences[0] for line in lines]
    tokens = score_tokens(
        translator.engine,
        translator.tokenizers,
        [(sentence.ids, hypothesis.ids) for sentence, hypothesis in zip(sentences, best)],
    )
    sentence_rows, shares, counts, word_rows, right = [], [], [], [], []
    for sentence, hypothesis, scored, texts in zip(sentences, best, tokens, references):
        printed = hypothesis.text.split()
        is_right = check_words(printed, texts)
        places = [i for i, value in enumerate(is_right) if value is not None]
        if not places:
            continue
        words = select_words(sentence)
        unseen = source_words.unseen_share(words) if source_words is not None else 0.0
        source, lexicon = sentence.part.text.split(), translator.words.source
        evidence = compare_words(source, printed, lexicon, unseen)
        log_probability, count = hypothesis.log_probability, len(hypothesis.ids)
        support = np.array(hypothesis.support or [1.0] * count)
        features = scored._replace(support=support).features(evidence, printed)
        for i in places:
            if len(features[i]) == 1:
                word_rows.append(features[i][0])
                right.append(is_right[i])
        mean = float(support.mean())
        sentence_rows.append(sentence_features(log_probability, count, evidence, mean))
        counts.append(len(places))
        shares.append(sum(bool(is_right[i]) for i in places) / len(places))
    return JudgedTranslations(
        np.array(sentence_rows, float).reshape(-1, len(SENTENCE_SIGNS)),
        np.array(shares, float),
        np.array(counts, float),
        np.array(word_rows, float).reshape(-1, len(WORD_SIGNS)),
        np.array(right, float),
    )


def _read(
    translator: Translator, pairs: Sequence[tuple[str, Sequence[str]]], options: TranslationOptions
) -> tuple[list[SourceLine], list[Sequence[str]]]:
    """Reads the sentences that the model can translate; returns them with their references."""
    reader = translator.make_reader(options)
    lines, references_of_lines = [], []
    for text, references in pairs:
        with contextlib.suppress(InputError):
            line = reader.read(text, "validation")
            if len(line.sentences) == 1 and line.sentences[0].is_spelt:  # no sentence that was cut
                lines.append(line)
                references_of_lines.append(references)
    return lines, references_of_lines


def measure(model: ConfidenceModel, judged: JudgedTranslations) -> dict[str, float]:
    """Measures how well confidences predict right words, compared with token probabilities alone.

    Returns:
        The figures by name, without undefined ones: there is no AUROC if all words are right.
    """
    right, probabilities = judged.is_right, judged.probabilities
    confidence = model.word.probabilities(judged.words)
    sentence_confidence = model.sentence.probabilities(judged.sentences)
    good, bad = judged.share_right >= GOOD, judged.share_right < BAD
    marked = sentence_confidence < model.doubtful_below
    figures = {
        "words": len(right),
        "right": float(right.mean()),
        "right_of_sure": _share(right, confidence >= SURE),
        "right_of_unsure": _share(right, confidence < SURE),
        "auroc": area_under_roc(right, confidence),
        "auroc_of_probabilities": area_under_roc(right, probabilities),
        "calibration_error": calibration_error(right, confidence),
        "calibration_error_of_probabilities": calibration_error(right, probabilities),
        "sentences": len(sentence_confidence),
        "sentence_calibration_error": calibration_error(judged.share_right, sentence_confidence),
        "sentence_calibration_error_of_probabilities": calibration_error(
            judged.share_right, np.exp(judged.sentences[:, 0])
        ),
        **measure_marks(sentence_confidence, marked, good, bad),
    }
    return {name: round(value, 4) for name, value in figures.items() if not math.isnan(value)}


def measure_marks(
    confidence: np.ndarray, marked: np.ndarray, good: np.ndarray, bad: np.ndarray
) -> dict[str, float]:
    """Measures how well marks tell bad sentences from good ones; undefined figures are NaN.

    Args:
        bad: (n,) whether it is bad; a sentence neither good nor bad counts only in ``marked``.
    """
    limit = _find_limit(confidence[good], math.nan)
    return {
        "sentence_auroc": area_under_roc(good[good | bad], confidence[good | bad]),
        "marked": float(marked.mean()),
        "unmarked_of_good": _share(~marked, good),
        "recall": _share(marked, bad),
        "precision": _share(bad[good | bad], marked[good | bad]),
        "recall_at_90": _share(confidence < limit, bad),
    }


def _share(condition: np.ndarray, among: np.ndarray) -> float:
    """The share of the rows in ``among`` with a condition; NaN if there are no such rows."""
    return float(condition[among].mean()) if among.any() else math.nan


def describe(model: ConfidenceModel) -> str:
    """Describes in a line how good the confidences are on sentences that were not used to fit."""
    figures = model.measured
    names = {
        "right_of_sure": f"words with a confidence of {SURE} or more were right",
        "right_of_unsure": "other words were right",
    }
    parts = [
        f"{100 * figures[name]:.0f} of 100 {text}"
        for name, text in names.items()
        if name in figures
    ]
    if {"recall", "unmarked_of_good"} <= figures.keys():
        good = 1 - figures["unmarked_of_good"]
        parts.append(
            f"{100 * figures['recall']:.0f} of 100 bad sentences and {100 * good:.0f} of 100 good"
            " ones are marked as doubtful"
        )
    return f"confidence on the validation split: {'; '.join(parts)}"
