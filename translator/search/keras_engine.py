"""The Keras engine, for learning, for looking inside, and for features that CTranslate2 lacks."""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from translator.base.backends import JAX
from translator.data.batches import pad
from translator.model.transformer import Transformer
from translator.search.beam_search import IMPOSSIBLE, BeamSearch, Hypotheses, trace
from translator.search.engine import (
    BATCH_SIZE,
    Continuation,
    SearchHypothesis,
    SearchOptions,
    batch_size,
    forbidden_ids,
)
from translator.text.alignment_heads import PointingHeads
from translator.tokenizers.subword import Tokenizers

ROWS = (1, 8, BATCH_SIZE)  # sentences of a search; few shapes, because each one is compiled
SOURCE_LENGTHS = tuple(2**i for i in range(4, 17))  # tokens, start and end included
TARGET_LENGTHS = tuple(2 * length + 10 for length in SOURCE_LENGTHS)  # the usual length limits


class KerasEngine:
    """Searches with a Keras model, step by step over cached keys and values."""

    name = "keras"

    def __init__(
        self, model: Transformer, tokenizers: Tokenizers, alignment: PointingHeads
    ) -> None:
        self.model = model
        self.tokenizers = tokenizers
        self.alignment = alignment
        self._searches = functools.lru_cache(64)(self._make_search)  # one for each prefix

    def __repr__(self) -> str:
        return f"<KerasEngine, sentences of up to {self.model.max_length} tokens>"

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[SearchHypothesis]]:
        """See `Engine.search`."""
        results: list[list[SearchHypothesis]] = [[] for _ in sentences]
        most = batch_size(options.open_hypotheses)
        order = sorted(range(len(sentences)), key=lambda i: (len(sentences[i]), max_lengths[i]))
        for first in range(0, len(order), most):
            members = order[first : first + most]
            hypotheses = self._run(
                [sentences[i] for i in members], [max_lengths[i] for i in members], members, options
            )
            for i, best in zip(members, _read(hypotheses, options.n_best)):
                results[i] = best
        return self._align(sentences, results) if options.return_alignment else results

    def _run(
        self,
        sentences: list[Sequence[int]],
        max_lengths: list[int],
        numbers: list[int],
        options: SearchOptions,
    ) -> Hypotheses:
        """Searches for a batch, padded to one of a few shapes; ``numbers`` seed the samples."""
        count, longest = len(sentences), self.model.max_length
        rows = min(_size(count, ROWS), batch_size(options.open_hypotheses))
        source = min(_size(max(map(len, sentences)), SOURCE_LENGTHS), longest)
        length = min(_size(max(max_lengths), TARGET_LENGTHS), longest - 1)
        ids = np.full((rows, source), self.tokenizers.source.padding_id, "int32")
        for row, sentence in zip(ids, sentences):
            row[: len(sentence)] = sentence
        limits = np.zeros(rows, "int32")
        limits[:count] = np.minimum(max_lengths, length)
        arrays = [ids, limits]
        if options.sampling is not None:
            draws = make_draws(options.seed, numbers, options.n_best, length)
            arrays.append(np.pad(draws, ((0, rows - count), (0, 0), (0, 0))))
        run = self._searches(length, options._replace(return_alignment=False, seed=1))
        hypotheses = run(self._table, *map(ops.convert_to_tensor, arrays))
        return Hypotheses(*(ops.convert_to_numpy(array)[:count] for array in hypotheses))

    def _make_search(self, length: int, options: SearchOptions) -> Callable[..., Hypotheses]:
        """Makes a search function, compiled once for each shape of its arguments."""

        def run(table: Any, source_ids: Any, limits: Any, draws: Any = None) -> Hypotheses:
            search, cache = self._begin(table, source_ids, limits, length, options, draws)
            return search.run(cache)

        compiled: Callable[..., Hypotheses]
        if keras.backend.backend() == JAX:
            import jax

            compiled = jax.jit(run)
        else:
            import tensorflow as tf

            compiled = tf.function(run, autograph=False)
        return compiled

    def _begin(
        self,
        table: Any,
        source_ids: Any,
        limits: Any,
        length: int,
        options: SearchOptions,
        draws: Any = None,
    ) -> tuple[BeamSearch, Any]:
        """Makes a search and its empty cache."""
        model, target = self.model, self.tokenizers.target
        memory = model.encode(source_ids)

        def step(ids: Any, position: Any, visible: Any, cache: Any) -> tuple[Any, Any]:
            output = model.decode_step(ids, position, visible, cache, memory, table)
            return output.logits, output.cache

        search = BeamSearch(step, limits, length, options, target.start_id, target.end_id, draws)
        return search, model.empty_cache(source_ids.shape[0], length, options.open_hypotheses)

    @functools.cached_property
    def _table(self) -> Any:
        return self.model.output_table(forbidden_ids(self.tokenizers.target))

    def trace(
        self, sentence: Sequence[int], max_length: int, options: SearchOptions
    ) -> list[Continuation]:
        """Records the steps of a beam search; see `translator.search.beam_search.trace`."""
        length = min(max_length, self.model.max_length - 1)
        limits = ops.convert_to_tensor([length], "int32")
        source_ids = np.array([sentence], "int32")
        return trace(*self._begin(self._table, source_ids, limits, length, options))

    def score(
        self, sentences: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> list[np.ndarray]:
        """See `Engine.score`."""
        scores: list[np.ndarray] = []
        for first in range(0, len(sentences), BATCH_SIZE):
            batch = slice(first, first + BATCH_SIZE)
            target_ids = pad(targets[batch], self.tokenizers.target.padding_id)
            source_ids = pad(sentences[batch], self.tokenizers.source.padding_id)
            logits = self.model.forward(source_ids, target_ids[:, :-1]).logits
            likely = ops.convert_to_numpy(ops.log_softmax(logits))
            of_targets = np.take_along_axis(likely, target_ids[:, 1:, None], axis=2)[:, :, 0]
            rows = zip(of_targets.astype("float64"), targets[batch])
            scores += [row[: len(target) - 1] for row, target in rows]
        return scores

    def _align(
        self, sentences: Sequence[Sequence[int]], results: list[list[SearchHypothesis]]
    ) -> list[list[SearchHypothesis]]:
        """Adds the attention of the aligning heads, from one run of the decoder."""
        pairs = [
            (i, rank) for i, hypotheses in enumerate(results) for rank in range(len(hypotheses))
        ]
        pairs.sort(key=lambda pair: len(sentences[pair[0]]))
        aligned = [list(hypotheses) for hypotheses in results]
        target = self.tokenizers.target
        for first in range(0, len(pairs), BATCH_SIZE):
            batch = pairs[first : first + BATCH_SIZE]
            sources = [sentences[i] for i, _ in batch]
            targets = [(target.start_id, *results[i][rank].ids[:-1]) for i, rank in batch]
            output = self.model.forward(
                pad(sources, self.tokenizers.source.padding_id), pad(targets, target.padding_id)
            )
            layer = ops.convert_to_numpy(output.cross_attention)[:, self.alignment.layer]
            scores = layer[:, list(self.alignment.heads)].mean(axis=1)  # (B, T, S)
            for (i, rank), padded, source, ids in zip(batch, scores, sources, targets):
                alignment = padded[: len(ids), : len(source)]
                aligned[i][rank] = results[i][rank]._replace(alignment=alignment)
        return aligned


def _size(needed: int, sizes: Iterable[int]) -> int:
    """The smallest size that is large enough."""
    return next(size for size in sizes if size >= needed)


def _read(hypotheses: Hypotheses, n_best: int) -> list[list[SearchHypothesis]]:
    """Reads the best hypotheses of each sentence from arrays."""
    best = (array[:, :n_best].tolist() for array in hypotheses)
    return [
        [
            SearchHypothesis(tuple(ids[:length]), log_probability, score)
            for ids, log_probability, length, score in zip(*of_sentence)
            if score > IMPOSSIBLE
        ]
        for of_sentence in zip(*best)
    ]


def make_draws(seed: int, numbers: Sequence[int], samples: int, length: int) -> np.ndarray:
    """Random numbers for the tokens of some sentences.

    Args:
        numbers: the numbers of B sentences; each has random numbers of its own.
        length: T; a larger T appends to the numbers of a smaller T.

    Returns:
        (B, T, K) float32, from 0 to below 1.
    """
    draws = np.empty((len(numbers), length, samples), "float32")
    for row, number in zip(draws, numbers):
        row[:] = np.random.default_rng((seed, number)).random((length, samples), "float32")
    return draws
