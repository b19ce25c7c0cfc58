"""What a model that comes with the program makes of a corpus, before anything is trained."""

import itertools
from collections.abc import Iterator

from translator.base.errors import InputError
from translator.config.schema import Config
from translator.corpora import SentencePairs
from translator.data.encoded_pairs import read_text
from translator.data.preparation import TrainingData
from translator.evaluation.scores import gather_references, score_translations
from translator.runs.choosing import shipped_between
from translator.translation.options import TranslationOptions
from translator.translation.translator import Translator

SENTENCES = 100  # of the held-out ones that are translated, in a second or two


def offer_known_model(config: Config, data: TrainingData) -> Iterator[str]:
    """Says how well a model with the languages of the user's own pairs translates these already.

    Args:
        config: of a training.
        data: its corpus.
    """
    run = shipped_between(config.corpus.languages)
    if run is None or config.training.init is not None or not config.corpus.is_unknown:
        return
    pairs = SentencePairs(*(tuple(read_text(side)) for side in data.validation_text))
    references = dict(itertools.islice(gather_references(pairs).items(), SENTENCES))
    options = TranslationOptions(split=False, errors="replace")
    try:
        translations = Translator(run.path).translate(references, options)
    except InputError:  # a damaged model is no reason not to train
        return
    bleu = score_translations(
        [each.text for each in translations],
        list(references.values()),
        data.tokenizers.target.language,
    ).bleu
    yield (
        f"{run.path.name}, which comes with the program, has BLEU {bleu:.1f} on"
        f" {len(references)} held-out sentences already; to train it further instead of new"
        f" weights: --init {run.path.name}"
    )
