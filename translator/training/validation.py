"""Measures a model on the validation split during training: loss, and BLEU of translations."""

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from translator.config.schema import Config
from translator.corpora.pairs import SentencePairs
from translator.data.encoded_pairs import read_text
from translator.data.preparation import TrainingData
from translator.evaluation.scores import gather_references, score_translations
from translator.export.ctranslate2 import engine_with
from translator.model.losses import perplexity
from translator.search.engine import SearchOptions
from translator.search.limits import LengthLimits, check_options
from translator.text.codec import make_preprocessor
from translator.text.fitting import Fit, check_fit
from translator.text.repetition import describe_alike
from translator.training.backends import Backend, validation_batches
from translator.training.messages import explaining_lack_of_memory

Report = Callable[[str], None]


class Validation:
    """The validation split of a run."""

    def __init__(self, config: Config, data: TrainingData, report: Report) -> None:
        self.config = config
        self.tokenizers = data.tokenizers
        self.report = report
        self.preprocessor = make_preprocessor(data.tokenizers, data.words, config.data.truecase)
        self.batches = validation_batches(config, data)
        pairs = SentencePairs(*(tuple(read_text(side)) for side in data.validation_text))
        references = gather_references(pairs)
        count = config.validation.max_sentences
        self.references = dict(itertools.islice(references.items(), count))
        self.limits = LengthLimits(config.data.max_length - 1, config.decoding.max_length)
        self.options = SearchOptions(
            beam_size=config.validation.beam_size, length_penalty=config.decoding.length_penalty
        )
        if config.validation.translate_every:
            check_options(self.options, self.limits, data.tokenizers.target.size)

    def measure_loss(self, backend: Backend) -> dict[str, float]:
        """Measures loss, accuracy and perplexity; with moving averages, if there are any.

        Returns:
            Figures whose names begin with ``val_``.
        """
        with explaining_lack_of_memory(self.config.data, self._describe_batches):
            figures = backend.measure(self.batches)
        named = {f"val_{name}": value for name, value in figures.items()}
        return named | {"val_perplexity": perplexity(named["val_cross_entropy"])}

    def _describe_batches(self) -> str:
        sentences, source, target = self.batches.shapes.max(axis=0).tolist()
        where = f"in validation, batches of up to {sentences} sentences, {source} source"
        return f"{where} and {target} target tokens"

    def measure_weights(
        self, backend: Backend, weights: Mapping[str, np.ndarray]
    ) -> dict[str, float]:
        """Measures the loss of weights; the model and its averages then have these weights."""
        backend.set_weights(weights, Path("averages"))
        return self.measure_loss(backend)

    def translate(self, weights: Mapping[str, np.ndarray], number: int = 0) -> dict[str, float]:
        """Measures BLEU and chrF of translations in the form that the tokenizer writes.

        Numbers and capitals are not restored here. If the tokenizer removes them, they are also
        removed from the references.

        Args:
            weights: arrays by name. CTranslate2 translates, because it needs no compilation.

        Returns:
            ``val_bleu`` and ``val_chrf``.
        """
        target, settings = self.tokenizers.target, self.config.validation
        sources = list(self.references)
        hypotheses = self._search(weights, sources)
        references = [[target.plain(text) for text in texts] for texts in self.references.values()]
        tokenized = self.config.corpus.is_tokenized
        scores = score_translations(hypotheses, references, target.language, tokenized=tokenized)
        if alike := describe_alike(dict(zip(sources, hypotheses))):
            self.report(f"warning: {alike}")
        step = max(1, len(sources) // max(1, settings.samples))
        for i in range(number % step, len(sources), step)[: settings.samples]:
            self.report(f"  source      {sources[i]}")
            self.report(f"  hypothesis  {hypotheses[i]}")
            self.report(f"  reference   {references[i][0]}")
        return {"val_bleu": scores.bleu, "val_chrf": scores.chrf}

    def _search(self, weights: Mapping[str, np.ndarray], sources: list[str]) -> list[str]:
        """Translates sentences. If a sentence does not fit the model, its translation is ""."""
        config = self.config
        shown = list(map(self.preprocessor.show_source, sources))
        encoded = self.tokenizers.source.encode([tags + text.text for tags, text in shown])
        fits = config.data.max_length, self.tokenizers.source
        fitting = [i for i, ids in enumerate(encoded) if check_fit(ids, *fits) is Fit.FITS]
        with engine_with(config, self.tokenizers, weights) as engine:
            results = engine.search(
                [encoded[i] for i in fitting],
                [self.limits.of(len(encoded[i]), self.options) for i in fitting],
                self.options,
            )
        hypotheses = [""] * len(sources)
        for i, [best] in zip(fitting, results):
            text = self.tokenizers.target.decode(best.ids)
            hypotheses[i] = self.tokenizers.target.plain(
                text.translate(shown[i][1].texts_of_masks())
            )
        return hypotheses


def describe(figures: Mapping[str, Any]) -> str:
    """The figures of a validation as text."""
    text = f"perplexity {figures['val_perplexity']:.3f}, accuracy {figures['val_accuracy']:.1%}"
    if "val_bleu" in figures:
        text += f", BLEU {figures['val_bleu']:.2f}, chrF2 {figures['val_chrf']:.2f}"
    return text
