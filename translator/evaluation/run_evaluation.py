"""Evaluates a run: translates sentences, then measures scores, perplexity and speed."""

import functools
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sacrebleu.dataset import DATASETS

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.languages import language_facts
from translator.base.texts import listed, quoted
from translator.corpora.corpus import load_held_out
from translator.corpora.pair_files import ReadOptions, read_pairs, read_side_by_side
from translator.corpora.pairs import SentencePairs
from translator.corpora.registry import known_corpora, known_corpus
from translator.evaluation.scores import (
    Scores,
    fetch_public,
    gather_references,
    score_translations,
    uncased,
    with_set,
)
from translator.runs import held_out
from translator.runs.held_out import LoadedSplit
from translator.text.fitting import Fit, check_fit
from translator.translation.options import TranslationOptions
from translator.translation.results import Translation
from translator.translation.translator import Translator


class Evaluation(NamedTuple):
    """The results of `evaluate_sentences`.

    Attributes:
        scores: the scores of all sentences, each against all of its references.
        uncased: scores of the same text in lower case and with 0 for every digit, on both sides;
            None if the text already has this form.
        unusable: number of sentences that do not fit the model as a whole. Their untranslated text
            is scored.
        perplexity: exp of the mean cross-entropy per target token, the end token included.
        perplexity_pairs: number of pairs from which the perplexity was measured. Pairs with an
            empty or too long side are left out.
        tokens: number of tokens produced, end tokens included.
        phenomena: scores of the sentences of each grammatical phenomenon, if phenomena are known.
        corpus_changed: whether the corpus has changed since the training of the run.
        translations: one per sentence, in order.
    """

    scores: Scores
    uncased: Scores | None
    unusable: int
    perplexity: float
    perplexity_pairs: int
    pairs: int
    seconds: float
    tokens: int
    phenomena: dict[str, Scores]
    corpus_changed: bool
    translations: list[Translation]

    def to_json(self) -> dict[str, Any]:
        """Everything except the translations, as plain values."""
        values = {key: value for key, value in self._asdict().items() if key != "translations"}
        return {
            **values,
            "scores": self.scores._asdict(),
            "uncased": self.uncased and self.uncased._asdict(),
            "phenomena": {label: scores._asdict() for label, scores in self.phenomena.items()},
        }


def evaluate_sentences(
    translator: Translator,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    phenomena: Sequence[frozenset[str]] | None = None,
    options: TranslationOptions | None = None,
) -> Evaluation:
    """Translates sentences and measures the result."""
    pairs = SentencePairs(
        *zip(*((source, text) for source, texts in zip(sources, references) for text in texts))
    )
    perplexity, perplexity_pairs = measure_perplexity(translator, pairs)
    began = time.perf_counter()
    translations = translator.translate(sources, options)
    unusable = sum(translation.is_passed_on for translation in translations)
    seconds = time.perf_counter() - began
    texts = [translation.text for translation in translations]
    measure = functools.partial(
        score_translations,
        language=target_language(translator),
        tokenized=translator.config.corpus.is_tokenized,
    )
    by_label = {}
    for label in sorted(frozenset().union(*phenomena or ())):
        numbers = [i for i, labels in enumerate(phenomena or ()) if label in labels]
        by_label[label] = measure([texts[i] for i in numbers], [references[i] for i in numbers])
    return Evaluation(
        measure(texts, references, are_all=True),
        _score_uncased(measure, texts, references),
        unusable,
        perplexity,
        perplexity_pairs,
        len(pairs),
        seconds,
        sum(len(result.hypotheses[0].ids) for result in translations if result.hypotheses),
        by_label,
        False,
        translations,
    )


def _score_uncased(
    measure: Callable[..., Scores], texts: list[str], references: Sequence[Sequence[str]]
) -> Scores | None:
    """Scores of `uncased` text; None if the text already has this form."""
    plain = [uncased(text) for text in texts]
    plain_references = [[uncased(text) for text in group] for group in references]
    if plain == texts and plain_references == [list(group) for group in references]:
        return None
    return measure(plain, plain_references, lowercase=True, are_all=True)


def target_language(translator: Translator) -> str:
    """The code of a run's target language, without its regional variant."""
    return language_facts(translator.config.corpus.target_language).code


def load_split(translator: Translator, split: str) -> LoadedSplit:
    """Loads the pairs of a split of the run's own corpus, or the split's stored pairs."""
    instead = "--source and --reference"
    return held_out.load_split(translator.run, translator.config, split, translator.report, instead)


def load_test_set(translator: Translator, name: str) -> LoadedSplit:
    """Loads the test split of a known corpus. The run may be trained on another corpus."""
    if name not in (known := known_corpora()):
        raise InputError(
            f"--test-set: expected {listed([*known])}, or one that sacreBLEU knows, such as wmt14,"
            f" found {quoted(name)}; name other sentences with --source and --reference"
        )
    config = known_corpus(translator.config.corpus, name, "--test-set")
    return LoadedSplit(*load_held_out(config, "test"))


def pairs_of(loaded: LoadedSplit) -> SentencePairs:
    """The pairs of a split."""
    if loaded.pairs is None:
        raise InputError(
            "corpus.test: expected test files in the run's configuration, found none; use --source"
            " and --reference, or --split validation"
        )
    return loaded.pairs


def evaluate_split(
    translator: Translator,
    split: str,
    options: TranslationOptions | None = None,
    test_set: str | None = None,
) -> Evaluation:
    """Evaluates ``test`` or ``validation`` of the run's own corpus, or a test set.

    A sentence with several translations is translated once and scored against all of them.

    Args:
        split: ``test`` or ``validation``.
        test_set: is used instead of the split: the test split of a known corpus, or one of
            sacreBLEU's test sets, in which every line counts.
    """
    if test_set is not None and test_set in DATASETS:
        public = fetch_public(test_set, translator.config.corpus.languages)
        measured = evaluate_files(translator, public.source, public.references, options)
        return measured._replace(
            scores=with_set(measured.scores, public),
            uncased=measured.uncased and with_set(measured.uncased, public),
        )
    loaded = load_test_set(translator, test_set) if test_set else load_split(translator, split)
    pairs = pairs_of(loaded)
    references = gather_references(pairs)
    labels: dict[str, frozenset[str]] = {}
    for sentence, phenomena in zip(pairs.sources, loaded.phenomena or ()):
        labels[sentence] = labels.get(sentence, frozenset()) | phenomena
    result = evaluate_sentences(
        translator, list(references), list(references.values()), list(labels.values()), options
    )
    return result._replace(corpus_changed=loaded.has_changed)


def evaluate_files(
    translator: Translator,
    source: Path | None,
    references: Sequence[Path],
    options: TranslationOptions | None = None,
) -> Evaluation:
    """Evaluates a file of sentences against one or more files of translations, or a file of pairs.

    Every line counts, also repeated lines, as in sacreBLEU's own command.

    Args:
        source: one sentence per line; without references, pairs in any form that training reads.
    """
    read_options = ReadOptions(
        translator.config.corpus.languages, errors="replace", report=translator.report
    )
    return evaluate_sentences(
        translator, *read_source_and_references(source, references, read_options), options=options
    )


def read_source_and_references(
    source: Path | None, references: Sequence[Path], read_options: ReadOptions
) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    """Reads sentences and the parallel files of their translations, or a file of pairs."""
    if source is None:
        raise InputError("expected both --source and --reference, found no --source")
    if not references:
        sources, targets = zip(*read_pairs((source,), read_options))
        return sources, [(target,) for target in targets]
    sources, *texts = zip(*read_side_by_side((source, *references), read_options))
    return sources, list(zip(*texts))


def write_translations(path: Path, translations: Sequence[Translation]) -> None:
    """Writes the best translation of each sentence, one per line."""
    with whole_file(path) as file:
        file.writelines(f"{translation.text}\n".encode() for translation in translations)


def measure_perplexity(translator: Translator, pairs: SentencePairs) -> tuple[float, int]:
    """Measures the perplexity of references. Each token is predicted from all earlier tokens.

    Returns:
        exp of the mean -log p per target token, and the number of measured pairs. These are
        the pairs that fit the model.
    """
    tokenizers, longest = translator.tokenizers, translator.config.data.max_length
    shown = translator.codec.show_pairs(*map(list, pairs))
    encoded = zip(*(tokenizer.encode(side) for tokenizer, side in zip(tokenizers, shown)))
    fitting = [
        pair
        for pair in encoded
        if all(check_fit(ids, longest, side) is Fit.FITS for ids, side in zip(pair, tokenizers))
    ]
    if not fitting:
        raise InputError(
            f"evaluation: expected pairs of at most {longest} tokens a side, start and end"
            f" included, found none among {len(pairs):,}"
        )
    fitting.sort(key=lambda pair: len(pair[1]))
    log_probability = sum(row.sum() for row in translator.engine.score(*zip(*fitting)))
    tokens = sum(len(target) - 1 for _, target in fitting)
    return math.exp(-log_probability / tokens), len(fitting)
