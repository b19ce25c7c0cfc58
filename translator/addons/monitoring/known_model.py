"""What a model that comes with the program makes of a corpus, before and after a training."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.corpora import SentencePairs
from translator.data.encoded_pairs import read_text
from translator.data.preparation import TrainingData
from translator.evaluation.scores import gather_references, score_translations
from translator.runs.choosing import shipped_between
from translator.runs.directory import RunDirectory
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

SENTENCES = 100  # of the held-out ones that are translated, in a second or two
CLEARLY = 1.0  # BLEU by which one model is better


def offer_known_model(config: Config, data: TrainingData) -> Iterator[str]:
    """Says how well a model with the languages of the user's own pairs translates these already.

    Args:
        config: of a training.
        data: its corpus.
    """
    run = shipped_between(config.corpus.languages)
    if run is None or config.training.init is not None or not config.corpus.is_unknown:
        return
    references = _held_out(data)
    try:
        bleu = _measure(run.path, references, data)
    except InputError:  # a damaged model is no reason not to train
        return
    yield (
        f"{run.path.name}, which comes with the program, has BLEU {bleu:.1f} on"
        f" {len(references)} held-out sentences already; to train it further instead of new"
        f" weights: --init {run.path.name}"
    )


def compare_with_known_model(
    run: RunDirectory, data: TrainingData, report: Callable[[str], None]
) -> None:
    """Says, and keeps in the run, that a model that comes with the program translates better.

    Args:
        run: with its export.
        data: what it was trained on.
        report: is given the line for the user.
    """
    config = run.read_config()
    known = shipped_between(config.corpus.languages)
    if known is None or config.corpus.name == "demo":
        return
    references = _held_out(data)
    try:
        theirs, own = (_measure(each, references, data) for each in (known.path, run.export))
    except InputError:
        return
    is_better = theirs > own + CLEARLY
    figures = [round(theirs, 1), round(own, 1)] if is_better else None
    run.read_record()._replace(known=figures).write(run.path)
    if is_better:
        report(
            f"{known.path.name}, which comes with the program, translates {len(references)}"
            f" held-out sentences better: BLEU {theirs:.1f}, this run {own:.1f}; train it further"
            f" with --init {known.path.name}"
        )


def _held_out(data: TrainingData) -> dict[str, Sequence[str]]:
    """The first validation sentences with their translations."""
    pairs = SentencePairs(*(tuple(read_text(side)) for side in data.validation_text))
    return dict(itertools.islice(gather_references(pairs).items(), SENTENCES))


def _measure(model: Path, references: Mapping[str, Sequence[str]], data: TrainingData) -> float:
    """BLEU of a model."""
    options = TranslationOptions(split=False, errors="replace")
    translations = [each.text for each in Translator(model).translate(references, options)]
    language = data.tokenizers.target.language
    return score_translations(translations, list(references.values()), language).bleu
