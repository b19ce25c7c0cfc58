"""Fits the confidence of a run's translations on its validation split."""

import contextlib
import math
import shutil
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from translator.addons.confidence.assessor import judged_words, score_tokens
from translator.addons.confidence.examples import (
    halves,
    learn_source_words,
    right_words,
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
SURE = 0.8  # the confidence of a word from which on it is told apart
FEWEST_WORDS = 10  # in each half
GOOD = 0.9  # a sentence is good where references have at least this share of its words
BAD = 0.5  # it is bad where they have less than this
DOUBTFUL_SHARE = 0.1  # of the good validation sentences counts as doubtful
MOST_DOUBTFUL = 0.75  # no sentence of more confidence is doubtful


class JudgedTranslations(NamedTuple):
    """Translations with what is known of them and what is right, as arrays.

    Attributes:
        sentences: (n, F) features of each sentence.
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
        """(m,) of the tokens of each word together."""
        found: np.ndarray = np.exp(self.words[:, LOG] + self.words[:, LOG_IF_UNSEEN])  # one is 0
        return found


def calibrate_run(run: RunDirectory, report: Callable[[str], None]) -> None:
    """Fits the confidence of a run that was trained before."""
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
    """Copies the model into the run's export, or removes it there if the run has none."""
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
        The model, or why there is none: the translations of the split have too few words, or the
        target language has no spaces between them, so that nothing says which are right.
    """
    if not data.tokenizers.target.writes_spaces:
        return f"{data.tokenizers.target.language} has no spaces between words"
    translator.assessor = None  # of an earlier fit
    known = learn_source_words(data)
    to_fit, to_measure = halves(data)
    fitted, other = (judge(translator, known, pairs) for pairs in (to_fit, to_measure))
    words = min(len(fitted.is_right), len(other.is_right))
    if words < FEWEST_WORDS:
        return (
            f"it needs {FEWEST_WORDS} words in the translations of each half of the validation"
            f" split, found {words}"
        )
    invented = with_invented_words(to_fit, known, data.tokenizers.source.tags)
    both = JudgedTranslations(*map(np.concatenate, zip(fitted, judge(translator, known, invented))))
    word = _fit(both.words, both.is_right, np.ones(len(both.is_right)), WORD_SIGNS)
    sentence = _fit(both.sentences, both.share_right, both.word_counts, SENTENCE_SIGNS)
    usual_support = float(fitted.sentences[:, SENTENCE_FEATURES.index("support")].mean())
    lowest = lowest_of_good(sentence.probabilities(fitted.sentences), fitted.share_right)
    model = ConfidenceModel(
        sentence, word, min(lowest, MOST_DOUBTFUL), usual_support, known, measured={}
    )
    return model._replace(measured=measure(model, other))


def _fit(
    features: np.ndarray, outcomes: np.ndarray, counts: np.ndarray, signs: Sequence[int]
) -> LogisticModel:
    """Fits a regression to outcomes that are drawn a little towards the middle.

    Where all examples are right, the next one may still be wrong: Platt (1999), "Probabilistic
    Outputs for Support Vector Machines", section 2.2.
    """
    right, wrong = float(counts @ outcomes), float(counts @ (1 - outcomes))
    highest, lowest = (right + 1) / (right + 2), 1 / (wrong + 2)
    return fit_logistic(features, lowest + (highest - lowest) * outcomes, counts, signs)


def lowest_of_good(confidence: np.ndarray, share_right: np.ndarray) -> float:
    """The confidence that nine of ten good sentences have; 0 if there are none."""
    good = confidence[share_right >= GOOD]
    return float(np.quantile(good, DOUBTFUL_SHARE)) if len(good) else 0.0


def judge(
    translator: Translator,
    known: SourceWords | None,
    pairs: Sequence[tuple[str, Sequence[str]]],
) -> JudgedTranslations:
    """Translates sentences and compares the words with those of the references.

    Sentences that do not fit the model, or that it gives no words, are left out.
    """
    options = TranslationOptions(split=False)
    lines, references = _read(translator, pairs, options)
    translations = translator.translate_read(lines, options)
    best = [translation.hypotheses[0] for translation in translations]
    sentences = [line.sentences[0] for line in lines]
    tokens = score_tokens(
        translator.engine,
        translator.tokenizers,
        [(sentence.ids, one.ids) for sentence, one in zip(sentences, best)],
    )
    of_sentences, shares, counts, of_words, right = [], [], [], [], []
    for sentence, one, scored, texts in zip(sentences, best, tokens, references):
        printed = one.text.split()
        is_right = right_words(printed, texts)
        judged = [i for i, value in enumerate(is_right) if value is not None]
        if not judged:
            continue
        unseen = known.unseen_share(judged_words(sentence)) if known is not None else 0.0
        given, table = sentence.part.text.split(), translator.words.source
        evidence = compare_words(given, printed, table, unseen)
        support = np.array(one.support or [1.0] * len(one.ids))
        rows = scored._replace(support=support).features(evidence, printed)
        for i in judged:
            if len(rows[i]) == 1:
                of_words.append(rows[i][0])
                right.append(is_right[i])
        mean = float(support.mean())
        of_sentences.append(sentence_features(one.log_probability, len(one.ids), evidence, mean))
        counts.append(len(judged))
        shares.append(sum(bool(is_right[i]) for i in judged) / len(judged))
    return JudgedTranslations(
        np.array(of_sentences, float).reshape(-1, len(SENTENCE_SIGNS)),
        np.array(shares, float),
        np.array(counts, float),
        np.array(of_words, float).reshape(-1, len(WORD_SIGNS)),
        np.array(right, float),
    )


def _read(
    translator: Translator, pairs: Sequence[tuple[str, Sequence[str]]], options: TranslationOptions
) -> tuple[list[SourceLine], list[Sequence[str]]]:
    """The sentences that the model can translate, read, with their references."""
    reader = translator.make_reader(options)
    lines, references = [], []
    for text, its in pairs:
        with contextlib.suppress(InputError):
            line = reader.read(text, "validation")
            if len(line.sentences) == 1 and line.sentences[0].is_spelt:  # none that was cut
                lines.append(line)
                references.append(its)
    return lines, references


def measure(model: ConfidenceModel, judged: JudgedTranslations) -> dict[str, float]:
    """How well confidences say what is right, and how well the token probabilities alone do.

    Returns:
        The figures that are defined, by name: AUROC is not where all words are right.
    """
    right, words = judged.is_right, judged.words
    raw = judged.probabilities
    confidence = model.word.probabilities(words)
    of_sentences = model.sentence.probabilities(judged.sentences)
    good, bad = judged.share_right >= GOOD, judged.share_right < BAD
    marked = of_sentences < model.doubtful_below
    figures = {
        "words": len(right),
        "right": float(right.mean()),
        "right_of_sure": _share(right, confidence >= SURE),
        "right_of_unsure": _share(right, confidence < SURE),
        "auroc": area_under_roc(right, confidence),
        "auroc_of_probabilities": area_under_roc(right, raw),
        "calibration_error": calibration_error(right, confidence),
        "calibration_error_of_probabilities": calibration_error(right, raw),
        "sentences": len(of_sentences),
        "sentence_calibration_error": calibration_error(judged.share_right, of_sentences),
        "sentence_calibration_error_of_probabilities": calibration_error(
            judged.share_right, np.exp(judged.sentences[:, 0])
        ),
        **measure_marks(of_sentences, marked, good, bad),
    }
    return {name: round(value, 4) for name, value in figures.items() if not math.isnan(value)}


def measure_marks(
    confidence: np.ndarray, marked: np.ndarray, good: np.ndarray, bad: np.ndarray
) -> dict[str, float]:
    """How well marks tell bad sentences from good ones; NaN for what is not defined.

    Args:
        bad: (n,) whether it is bad; what is neither counts as marked or not alone.
    """
    lowest = np.quantile(confidence[good], DOUBTFUL_SHARE) if good.any() else math.nan
    return {
        "sentence_auroc": area_under_roc(good[good | bad], confidence[good | bad]),
        "marked": float(marked.mean()),
        "unmarked_of_good": _share(~marked, good),
        "recall": _share(marked, bad),
        "precision": _share(bad[good | bad], marked[good | bad]),
        "recall_at_90": _share(confidence < lowest, bad),
    }


def _share(chosen: np.ndarray, among: np.ndarray) -> float:
    """The share of those ``among`` that are chosen; NaN if there are none."""
    return float(chosen[among].mean()) if among.any() else math.nan


def describe(model: ConfidenceModel) -> str:
    """How good the confidences are, in a line, on sentences that nothing was fitted on."""
    figures = model.measured
    names = {
        "right_of_sure": f"words with a confidence of {SURE} or more were right",
        "right_of_unsure": "others",
    }
    parts = [
        f"{text} in {100 * figures[name]:.0f} of 100"
        for name, text in names.items()
        if name in figures
    ]
    if {"recall", "unmarked_of_good"} <= figures.keys():
        good = 1 - figures["unmarked_of_good"]
        parts.append(
            f"{100 * figures['recall']:.0f} of 100 bad sentences and {100 * good:.0f} of 100 good"
            " ones are marked as doubtful"
        )
    return f"confidence, on the validation split: {'; '.join(parts)}"
