"""Measures translations: BLEU, chrF, perplexity, speed, and each phenomenon apart."""

import functools
import itertools
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sacrebleu

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.languages import language_facts
from translator.corpora import SentencePairs, fingerprint, load_held_out
from translator.corpora.files import read_lines, read_parallel_files
from translator.text.fitting import Fit, check_fit
from translator.tokenizers.subword import language_code, with_zeros
from translator.translation.results import Translation
from translator.translation.translator import Translator


class Scores(NamedTuple):
    """sacreBLEU's scores of some sentences, 0 to 100, with the signatures to cite.

    Post (2018), "A Call for Clarity in Reporting BLEU Scores",
    https://arxiv.org/abs/1804.08771

    Attributes:
        sentences: how many.
        bleu: more is better; its signature.
        chrf: chrF2, likewise.
        length_ratio: words of the translations to words of the references nearest in length.
        ter: edits to words, less is better, and over 100 where everything is wrong; None
            where it was not asked for, being slow.
    """

    sentences: int
    bleu: float
    bleu_signature: str
    chrf: float
    chrf_signature: str
    length_ratio: float
    ter: float | None = None
    ter_signature: str | None = None


class Evaluation(NamedTuple):
    """What `evaluate` measures.

    Attributes:
        scores: of all sentences, each against all its references.
        uncased: the same of text whose letters are small and whose digits are 0, on both
            sides; None where all of it is so already.
        unusable: sentences that the model cannot take; their translation is empty.
        perplexity: exp of the cross-entropy a target token, the end included.
        perplexity_pairs: of how many pairs; those too long or empty are left out.
        pairs: how many pairs there are.
        seconds: that translating took.
        tokens: that were produced, the ends included.
        phenomena: scores of the sentences that carry each label.
        corpus_changed: whether the corpus is another than the run was trained on.
        translations: in the order of the sentences.
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
        """All but the translations, as plain values."""
        values = {key: value for key, value in self._asdict().items() if key != "translations"}
        return {
            **values,
            "scores": self.scores._asdict(),
            "uncased": self.uncased and self.uncased._asdict(),
            "phenomena": {label: scores._asdict() for label, scores in self.phenomena.items()},
        }


def score(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    language: str = "",
    lowercase: bool = False,
    ter: bool = False,
    tokenized: bool = False,
) -> Scores:
    """Scores translations against one or more references each, by sacreBLEU's defaults.

    Args:
        hypotheses: one a sentence.
        references: of each sentence; some may have more than others.
        language: of both, a code; it decides how BLEU finds words.
        lowercase: whether capitals are ignored.
        ter: whether the edit rate is measured.
        tokenized: as in `metrics`.
    """
    chosen = metrics(language, lowercase, tokenized)
    streams = list(itertools.zip_longest(*references))
    bleu, chrf = (chosen[name].corpus_score(hypotheses, streams) for name in ("BLEU", "chrF2"))
    found = Scores(
        len(hypotheses),
        bleu.score,
        str(chosen["BLEU"].get_signature()),
        chrf.score,
        str(chosen["chrF2"].get_signature()),
        bleu.ratio,
    )
    if not ter:
        return found
    edits = chosen["TER"].corpus_score(hypotheses, streams).score
    return found._replace(ter=edits, ter_signature=str(chosen["TER"].get_signature()))


def metrics(language: str, lowercase: bool = False, tokenized: bool = False) -> dict[str, Any]:
    """The metrics of sacreBLEU by their names: BLEU, chrF2 and TER.

    TER is the edit rate of Snover et al. (2006), "A Study of Translation Edit
    Rate", https://aclanthology.org/2006.amta-papers.25

    Args:
        language: of the translations, a code; it decides how words are found.
        lowercase: whether capitals are ignored.
        tokenized: whether the texts are words with spaces between already, which BLEU
            then takes as they are.
    """
    bleu_tokenizer = language_facts(language).bleu_tokenizer
    characters = bleu_tokenizer is not None  # words stand together
    return {
        "BLEU": sacrebleu.BLEU(
            lowercase=lowercase,
            tokenize="none" if tokenized else bleu_tokenizer,
            force=tokenized,  # or sacreBLEU would warn
        ),
        "chrF2": sacrebleu.CHRF(lowercase=lowercase),
        "TER": sacrebleu.TER(
            case_sensitive=not lowercase, asian_support=characters, normalized=characters
        ),
    }


def gather_references(pairs: SentencePairs) -> dict[str, list[str]]:
    """All different translations of each different source sentence, in their order."""
    found: dict[str, dict[str, None]] = {}
    for source, target in zip(*pairs):
        found.setdefault(source, {})[target] = None
    return {source: list(targets) for source, targets in found.items()}


def evaluate(
    translator: Translator,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    phenomena: Sequence[frozenset[str]] | None = None,
    beam_size: int | None = None,
    length_penalty: float | None = None,
    raw: bool = False,
) -> Evaluation:
    """Translates sentences and measures the result.

    Args:
        translator: a loaded run.
        sources: the sentences.
        references: the translations of each, one or more.
        phenomena: a set of labels for each sentence, where they are known.
        beam_size: as in `Translator.translate`.
        length_penalty: as in `Translator.translate`.
        raw: as in `Translator.translate`.

    Returns:
        Scores of everything and of each label, perplexity and speed.

    Raises:
        InputError: no pair can be measured.
    """
    pairs = SentencePairs(
        *zip(*((source, text) for source, texts in zip(sources, references) for text in texts))
    )
    perplexity, perplexity_pairs = measure_perplexity(translator, pairs)
    began = time.perf_counter()
    translations, unusable = translate_all(
        translator, sources, beam_size=beam_size, length_penalty=length_penalty, raw=raw
    )
    seconds = time.perf_counter() - began
    texts = [translation.text for translation in translations]
    language = target_language(translator)
    tokenized = translator.config.corpus.is_tokenized
    measure = functools.partial(score, language=language, tokenized=tokenized)
    labels = sorted(set().union(*phenomena)) if phenomena else []
    by_label = {}
    for label in labels:
        chosen = [i for i, carried in enumerate(phenomena) if label in carried]
        by_label[label] = measure([texts[i] for i in chosen], [references[i] for i in chosen])
    return Evaluation(
        measure(texts, references, ter=True),
        _score_uncased(measure, texts, references),
        unusable,
        perplexity,
        perplexity_pairs,
        len(pairs),
        seconds,
        sum(len(found.hypotheses[0].ids) for found in translations if found.hypotheses),
        by_label,
        False,
        translations,
    )


def _score_uncased(
    measure: Callable[..., Scores], texts: list[str], references: Sequence[Sequence[str]]
) -> Scores | None:
    plain = [uncased(text) for text in texts]
    plain_references = [[uncased(text) for text in its] for its in references]
    if plain == texts and plain_references == [list(its) for its in references]:
        return None
    return measure(plain, plain_references, lowercase=True, ter=True)


def uncased(text: str) -> str:
    """Small letters, and 0 for every digit, as BPEmb's tokenizers have it."""
    return with_zeros(text.lower())


def target_language(translator: Translator) -> str:
    """The code of the language that a run translates into, without its variant."""
    return language_code(translator.config.corpus.target_language).partition("-")[0]


def translate_all(
    translator: Translator, sources: Sequence[str], **options: Any
) -> tuple[list[Translation], int]:
    """Translates sentences of which the model may not be able to take some.

    Args:
        translator: a loaded run.
        sources: the sentences.
        **options: of `Translator.translate`.

    Returns:
        A translation each, without any hypothesis where the model cannot take
        the sentence, and how many these are.
    """
    usable = [i for i, sentence in enumerate(sources) if _is_usable(translator, sentence)]
    translations = [Translation(sentence, ()) for sentence in sources]
    found = translator.translate([sources[i] for i in usable], **options)
    for i, translation in zip(usable, found):
        translations[i] = translation
    return translations, len(sources) - len(usable)


def _is_usable(translator: Translator, sentence: str) -> bool:
    try:
        translator.check_sentence(sentence)
    except InputError:
        return False
    return True


def load_split(
    translator: Translator, split: str
) -> tuple[SentencePairs, Sequence[frozenset[str]] | None]:
    """The pairs of a run's own split, and the phenomena of each where they are known.

    Raises:
        InputError: the corpus has no such split, or its files cannot be read.
    """
    pairs, phenomena = load_held_out(translator.config.corpus, split)
    if pairs is None:
        raise InputError(
            "corpus.test: the run's configuration names no test files; give --source and"
            " --reference, or --split validation"
        )
    return pairs, phenomena


def evaluate_split(translator: Translator, split: str, **options: Any) -> Evaluation:
    """Evaluates ``test`` or ``validation`` of the corpus that the run names.

    A sentence that stands there with several translations is translated once and
    measured against all of them.

    Raises:
        InputError: the corpus has no such split, or its files cannot be read.
    """
    pairs, phenomena = load_split(translator, split)
    references = gather_references(pairs)
    labels: dict[str, frozenset[str]] = {}
    for sentence, carried in zip(pairs.sources, phenomena or ()):
        labels[sentence] = labels.get(sentence, frozenset()) | carried
    result = evaluate(
        translator, list(references), list(references.values()), list(labels.values()), **options
    )
    changed = translator.corpus not in (None, fingerprint(translator.config.corpus))
    return result._replace(corpus_changed=changed)


def evaluate_files(
    translator: Translator, source: Path | None, references: Sequence[Path], **options: Any
) -> Evaluation:
    """Evaluates a file of sentences against one or more aligned files of translations.

    Every line counts, as in sacreBLEU's own command, also where it stands there twice.

    Raises:
        InputError: one is missing, or they have different numbers of lines.
    """
    return evaluate(translator, *read_files(source, references), **options)


def read_files(
    source: Path | None, references: Sequence[Path]
) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    """A file of sentences, and their translations of one or more aligned files.

    Raises:
        InputError: one is missing, or they have different numbers of lines.
    """
    if source is None or not references:
        raise InputError("expected both --source and --reference")
    texts = [
        [target for _, target in read_parallel_files(source, reference)] for reference in references
    ]
    return read_lines(source), list(zip(*texts))


def write_translations(path: Path, translations: Sequence[Translation]) -> None:
    """Writes the best translation of each sentence, one a line."""
    with whole_file(path) as file:
        file.writelines(f"{translation.text}\n".encode() for translation in translations)


def measure_perplexity(translator: Translator, pairs: SentencePairs) -> tuple[float, int]:
    """Measures how likely the references are, each token given all earlier ones.

    Returns:
        exp of the mean -log p a token, and of how many pairs: the model takes no
        longer ones.

    Raises:
        InputError: there are none.
    """
    tokenizers, longest = translator.tokenizers, translator.config.data.max_length
    encoded = zip(tokenizers.source.encode(pairs.sources), tokenizers.target.encode(pairs.targets))
    kept = [pair for pair in encoded if all(check_fit(ids, longest) is Fit.FITS for ids in pair)]
    if not kept:
        raise InputError(
            f"evaluation: expected pairs of at most {longest} tokens a side, start and end"
            f" included, found none among {len(pairs):,}"
        )
    kept.sort(key=lambda pair: len(pair[1]))
    log_probability = sum(translator.engine.score(*zip(*kept)))
    tokens = sum(len(target) - 1 for _, target in kept)
    return math.exp(-log_probability / tokens), len(kept)
