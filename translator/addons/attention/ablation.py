"""Measures the worth of each head: loss and BLEU of a model without that head.

A head is silenced by setting its rows of the attention's output matrix to 0, so that it adds
nothing: Michel et al. (2019), "Are Sixteen Heads Really Better than One?",
https://arxiv.org/abs/1905.10650
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from translator.addons.attention.head_analysis import MeasuredPair, unfit_pairs
from translator.base.errors import InputError
from translator.config.schema import ModelConfig
from translator.evaluation.run_evaluation import target_language
from translator.evaluation.scores import sacrebleu_metrics
from translator.export.ctranslate2 import engine_with
from translator.runs.export_layout import attention_name, places_of_heads
from translator.runs.weights import model_weights
from translator.search.engine import SearchOptions
from translator.search.limits import LengthLimits
from translator.translation.records import KINDS
from translator.translation.translator import Translator

Weights = Mapping[str, np.ndarray]


class Quality(NamedTuple):
    """How good a model is on some pairs.

    Attributes:
        loss: cross-entropy of a target token, in nats.
        bleu: BLEU of greedy search, 0 to 100.
    """

    loss: float
    bleu: float


class KindAblation(NamedTuple):
    """The quality without heads of one kind of attention.

    Attributes:
        layers: [layer], without all heads of that layer.
    """

    heads: list[list[Quality]]
    layers: list[Quality]

    def losses(self, whole: Quality) -> np.ndarray:
        """(L, N), how much the loss rises without each head."""
        return np.array([[quality.loss - whole.loss for quality in layer] for layer in self.heads])

    def bleu(self, whole: Quality) -> np.ndarray:
        """(L, N), how much BLEU rises without each head."""
        return np.array([[quality.bleu - whole.bleu for quality in layer] for layer in self.heads])


class Ablation(NamedTuple):
    """The results of `ablate_heads`.

    Attributes:
        whole: the quality of the whole model.
        kinds: for each of `KINDS`, the results without its heads.
    """

    sentences: int
    whole: Quality
    kinds: dict[str, KindAblation]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "sentences": self.sentences,
            "whole": self.whole._asdict(),
            "kinds": {
                kind: {
                    "heads": [[quality._asdict() for quality in layer] for layer in ablation.heads],
                    "layers": [quality._asdict() for quality in ablation.layers],
                }
                for kind, ablation in self.kinds.items()
            },
        }


def ablate_heads(
    translator: Translator,
    pairs: Sequence[MeasuredPair],
    advance: Callable[[int], object] = lambda count: None,
) -> Ablation:
    """Measures the model without each head, and without all heads of each layer.

    Args:
        advance: called with 1 after each measurement.
    """
    bench = Bench(translator, pairs)
    whole = model_weights(translator.model)
    sizes = translator.config.model

    def measure_without(kind: str, layer: int, heads: Iterable[int]) -> Quality:
        quality = bench.measure(without_heads(whole, sizes, kind, layer, heads))
        advance(1)
        return quality

    kinds = {}
    for kind in KINDS:
        layers, heads = range(sizes.layers_of(kind)), range(sizes.heads_of(kind))
        kinds[kind] = KindAblation(
            [[measure_without(kind, layer, [head]) for head in heads] for layer in layers],
            [measure_without(kind, layer, heads) for layer in layers],
        )
    return Ablation(bench.sentences, bench.measure(whole), kinds)


def without_heads(
    weights: Weights, model: ModelConfig, kind: str, layer: int, heads: Iterable[int]
) -> dict[str, np.ndarray]:
    """The weights of a model in which some heads of a layer add nothing.

    Args:
        weights: of the whole model, by name; they are not changed.
        layer: from 0, like the heads.
    """
    name = f"{attention_name(kind, layer)}/output/kernel"
    kernel = weights[name].copy()
    kernel[places_of_heads(heads, model.head_dim_of(kind))] = 0
    return {**weights, name: kernel}


class Bench:
    """Measures one model on the same pairs several times, each time with other weights.

    Attributes:
        sentences: number of pairs that fit.
    """

    def __init__(self, translator: Translator, pairs: Sequence[MeasuredPair]) -> None:
        unfit = unfit_pairs(translator, pairs)
        fitting = [pair for pair in pairs if pair.number not in unfit]
        if not fitting:
            raise InputError("heads: expected sentence pairs that fit the model, found none")
        self.config, self.tokenizers = translator.config, translator.tokenizers
        self.sentences = len(fitting)
        sides = [pair.source for pair in fitting], [pair.target for pair in fitting]
        sources, targets = translator.codec.show_pairs(*sides)
        self.sources = self.tokenizers.source.encode(sources)
        self.targets = self.tokenizers.target.encode(targets)
        self.references = [self.tokenizers.target.decode(ids) for ids in self.targets]
        self.options = SearchOptions(beam_size=1)
        limits = LengthLimits(self.config.data.max_length - 1, None)
        self.limits = [limits.of(len(ids), self.options) for ids in self.sources]
        tokenized = self.config.corpus.is_tokenized
        self.metric = sacrebleu_metrics(target_language(translator), tokenized=tokenized)["BLEU"]

    def measure(self, weights: Weights) -> Quality:
        """The quality with these weights, by name.

        BLEU compares translations and references, both as their pieces spell them.
        """
        decode = self.tokenizers.target.decode
        with engine_with(self.config, self.tokenizers, weights) as engine:
            scores = np.concatenate(engine.score(self.sources, self.targets))
            hypotheses = engine.search(self.sources, self.limits, self.options)
        texts = [decode(best[0].ids) if best else "" for best in hypotheses]
        bleu = self.metric.corpus_score(texts, [self.references]).score
        return Quality(float(-scores.mean(dtype="float64")), float(bleu))
