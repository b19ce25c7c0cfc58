"""Measures translations: BLEU, chrF, perplexity, speed, and each phenomenon apart."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sacrebleu

from translator.config import FilesConfig
from translator.corpora import SentencePairs, load_split
from translator.corpora.files import read_pairs
from translator.dataset import Batches, encode_pairs
from translator.decoding.translate import Translation, Translator
from translator.errors import InputError
from translator.writing import whole_file


class Scores(NamedTuple):
    """sacreBLEU's scores of some sentences, 0 to 100, with the signatures to cite.

    Post (2018), "A Call for Clarity in Reporting BLEU Scores",
    https://arxiv.org/abs/1804.08771
    """

    sentences: int
    bleu: float
    bleu_signature: str
    chrf: float
    chrf_signature: str


class Evaluation(NamedTuple):
    """What `evaluate` measures.

    Attributes:
        scores: of all sentences.
        perplexity: exp of the cross-entropy a target token, the end included.
        perplexity_pairs: of how many pairs; those too long or empty are left out.
        seconds: that translating took.
        tokens: that were produced, the ends included.
        phenomena: scores of the sentences that carry each label.
        translations: in the order of the sentences.
    """

    scores: Scores
    perplexity: float
    perplexity_pairs: int
    seconds: float
    tokens: int
    phenomena: dict[str, Scores]
    translations: list[Translation]


def score(hypotheses: Sequence[str], references: Sequence[str]) -> Scores:
    """Scores translations against one reference each, cased, by sacreBLEU's defaults."""
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    bleu_score = bleu.corpus_score(hypotheses, [references])
    chrf_score = chrf.corpus_score(hypotheses, [references])
    return Scores(
        len(hypotheses),
        bleu_score.score,
        str(bleu.get_signature()),
        chrf_score.score,
        str(chrf.get_signature()),
    )


def evaluate(
    translator: Translator,
    pairs: SentencePairs,
    phenomena: Sequence[frozenset[str]] | None = None,
    beam_size: int | None = None,
    length_penalty: float | None = None,
) -> Evaluation:
    """Translates a split and measures the result.

    Args:
        translator: a loaded run.
        pairs: sentences with one reference each.
        phenomena: a set of labels for each pair, where they are known.
        beam_size: as in `Translator.translate`.
        length_penalty: as in `Translator.translate`.

    Returns:
        Scores of everything and of each label, perplexity and speed.

    Raises:
        InputError: a sentence cannot be translated.
    """
    perplexity, perplexity_pairs = measure_perplexity(translator, pairs)
    began = time.perf_counter()
    translations = translator.translate(
        pairs.sources, beam_size=beam_size, length_penalty=length_penalty
    )
    seconds = time.perf_counter() - began
    texts = [translation.text for translation in translations]
    labels = sorted(set().union(*phenomena)) if phenomena else []
    by_label = {}
    for label in labels:
        chosen = [i for i, carried in enumerate(phenomena) if label in carried]
        by_label[label] = score([texts[i] for i in chosen], [pairs.targets[i] for i in chosen])
    return Evaluation(
        score(texts, pairs.targets),
        perplexity,
        perplexity_pairs,
        seconds,
        sum(len(found.hypotheses[0].ids) for found in translations if found.hypotheses),
        by_label,
        translations,
    )


def evaluate_split(translator: Translator, split: str, **options: Any) -> Evaluation:
    """Evaluates ``test`` or ``validation`` of the corpus that the run names.

    Raises:
        InputError: the corpus has no such split, or its files cannot be read.
    """
    pairs, phenomena = load_split(translator.config.corpus, split)
    if pairs is None:
        raise InputError(
            "corpus.test: the run's configuration names no test files; give --source and"
            " --reference, or --split validation"
        )
    return evaluate(translator, pairs, phenomena, **options)


def evaluate_files(
    translator: Translator, source: Path | None, reference: Path | None, **options: Any
) -> Evaluation:
    """Evaluates two aligned files.

    Raises:
        InputError: one is missing, or they have different numbers of lines.
    """
    if source is None or reference is None:
        raise InputError("expected both --source and --reference")
    pairs = read_pairs(FilesConfig(source=str(source), target=str(reference)))
    return evaluate(translator, SentencePairs(*pairs), **options)


def write_translations(path: Path, translations: Sequence[Translation]) -> None:
    """Writes the best translation of each sentence, one a line."""
    with whole_file(path) as file:
        file.writelines(f"{translation.text}\n".encode() for translation in translations)


def measure_perplexity(translator: Translator, pairs: SentencePairs) -> tuple[float, int]:
    """Measures how likely the references are, each token given all earlier ones.

    Returns:
        exp of the mean -log p a token, and of how many pairs: the model takes no
        longer ones.
    """
    from translator.training.losses import MaskedCrossEntropy
    from translator.training.metrics import TokenCrossEntropy, perplexity

    config = translator.config
    encoded, report = encode_pairs(
        pairs, translator.tokenizers, config.data.max_length, "evaluation"
    )
    model = translator.model
    padding_id = model.padding_ids[1]
    model.compile(
        loss=MaskedCrossEntropy(padding_id),
        metrics=[TokenCrossEntropy(padding_id)],
        jit_compile=False,
    )
    batches = Batches(encoded, config.data, translator.tokenizers)
    results = model.evaluate(batches.dataset(), verbose=0, return_dict=True)
    return perplexity(results["cross_entropy"]), report.kept
