"""sacreBLEU's scores, BLEU, chrF, chrF++ and TER, and its public test sets, such as wmt14."""

import itertools
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sacrebleu
from sacrebleu.dataset import DATASETS
from sacrebleu.utils import SACREBLEU_DIR

from translator.base.errors import InputError
from translator.base.languages import language_facts, script_of
from translator.base.texts import listed
from translator.corpora.pairs import SentencePairs
from translator.tokenizers.sentencepiece_tokenizer import with_zeros

CHINESE = "Han"  # the beginning of the names of Chinese scripts


class Scores(NamedTuple):
    """sacreBLEU's scores, with the signatures to cite.

    Post (2018), "A Call for Clarity in Reporting BLEU Scores",
    https://arxiv.org/abs/1804.08771

    Attributes:
        bleu: BLEU, 0 to 100; higher is better.
        chrf: chrF2, 0 to 100; higher is better.
        length_ratio: words in the translations divided by words in the references of the
            nearest length.
        chrf_with_words: chrF++, 0 to 100. It also counts pairs of words. This score and ``ter``
            are slow, and None if they were not requested.
        ter: translation edit rate in percent; lower is better, and more than 100 is possible.
    """

    sentences: int
    bleu: float
    bleu_signature: str
    chrf: float
    chrf_signature: str
    length_ratio: float
    chrf_with_words: float | None = None
    chrf_with_words_signature: str | None = None
    ter: float | None = None
    ter_signature: str | None = None


def score_translations(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    language: str = "",
    lowercase: bool = False,
    are_all: bool = False,
    tokenized: bool = False,
) -> Scores:
    """Scores translations against one or more references each, with sacreBLEU's defaults."""
    metrics = sacrebleu_metrics(language, lowercase, tokenized)
    streams = list(itertools.zip_longest(*references))
    bleu, chrf = (metrics[name].corpus_score(hypotheses, streams) for name in ("BLEU", "chrF2"))
    scores = Scores(
        len(hypotheses),
        bleu.score,
        str(metrics["BLEU"].get_signature()),
        chrf.score,
        str(metrics["chrF2"].get_signature()),
        bleu.ratio,
    )
    if not are_all:
        return scores
    with_words, ter = (
        metrics[name].corpus_score(hypotheses, streams) for name in ("chrF2++", "TER")
    )
    return scores._replace(
        chrf_with_words=with_words.score,
        chrf_with_words_signature=str(metrics["chrF2++"].get_signature()),
        ter=ter.score,
        ter_signature=str(metrics["TER"].get_signature()),
    )


def sacrebleu_metrics(
    language: str, lowercase: bool = False, tokenized: bool = False
) -> dict[str, Any]:
    """SacreBLEU's metrics by name: BLEU, chrF2, chrF++ and TER.

    chrF++: Popović (2017), "chrF++: words helping character n-grams",
    https://aclanthology.org/W17-4770. TER, the translation edit rate: Snover et al. (2006), "A
    Study of Translation Edit Rate", https://aclanthology.org/2006.amta-papers.25
    BLEU splits Chinese as sacreBLEU does, and other scripts without spaces into characters, because
    sacreBLEU's own choices for Japanese and Korean need MeCab.

    Args:
        language: code of the target language, which decides how words are split.
        tokenized: whether the texts are already tokenized. BLEU then only splits at spaces.
    """
    facts = language_facts(language)
    is_unspaced = not facts.has_spaces
    is_chinese = is_unspaced and script_of(facts.code).startswith(CHINESE)
    bleu_tokenizer = {True: "zh" if is_chinese else "char"}.get(is_unspaced)
    return {
        "BLEU": sacrebleu.BLEU(
            lowercase=lowercase,
            tokenize="none" if tokenized else bleu_tokenizer,
            force=True,  # otherwise sacreBLEU warns about texts that look tokenized
        ),
        "chrF2": sacrebleu.CHRF(lowercase=lowercase),
        "chrF2++": sacrebleu.CHRF(word_order=2, lowercase=lowercase),
        "TER": sacrebleu.TER(
            case_sensitive=not lowercase, asian_support=is_unspaced, normalized=is_unspaced
        ),
    }


def gather_references(pairs: SentencePairs) -> dict[str, list[str]]:
    """Collects the distinct translations of each distinct source sentence, in order."""
    references: dict[str, dict[str, None]] = {}
    for source, target in zip(*pairs):
        references.setdefault(source, {})[target] = None
    return {source: list(targets) for source, targets in references.items()}


def uncased(text: str) -> str:
    """Lowercases text and replaces every digit with 0, as BPEmb's tokenizers do."""
    return with_zeros(text.lower())


class PublicSet(NamedTuple):
    """The files of a test set between two languages.

    Attributes:
        references: files with a translation of each line.
        signature: the part of sacreBLEU's signatures that names the test set.
    """

    source: Path
    references: list[Path]
    signature: str


def fetch_public(name: str, languages: Sequence[str]) -> PublicSet:
    """Fetches a test set, unless it is in the folder ``SACREBLEU``, or ``~/.sacrebleu``."""
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
    except (OSError, SystemExit) as error:  # sacreBLEU ends the program if a checksum is wrong
        problem = "other files" if isinstance(error, SystemExit) else f"none ({error})"
        raise InputError(
            f"--test-set {name}: expected {listed(data.data)}, found {problem}; put its files into"
            f" {Path(SACREBLEU_DIR) / name / 'raw'}, or name your own with --source and --reference"
        ) from None
    return PublicSet(Path(source), list(map(Path, references)), f"test:{name}|lang:{direction}")


def with_set(scores: Scores, test_set: PublicSet) -> Scores:
    """Adds the test set to the signatures, as sacreBLEU's own command does."""
    signatures = {
        key: value.replace("|version:", f"|{test_set.signature}|version:")
        for key, value in scores._asdict().items()
        if key.endswith("_signature") and value is not None
    }
    return scores._replace(**signatures)
