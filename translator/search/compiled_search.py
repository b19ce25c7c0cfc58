"""Beam search and sampling with the Keras model for one fixed shape, compiled if it saves time.

B slots, M sentences, S and T the most source and target tokens, K beams.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from translator.model.transformer import Transformer
from translator.search.beam_search import beam_search, empty_opening, open_sentences
from translator.search.beam_trace import trace_beam
from translator.search.engine import BATCH_SIZE, SearchOptions, batch_size, forbidden_ids
from translator.search.ranking import layout
from translator.search.sampling import sample
from translator.search.state import (
    Continuation,
    Hypotheses,
    Opening,
    SearchSettings,
    Step,
    StepFunction,
)
from translator.tokenizers.subword import Tokenizer

UNCOMPILED_SLOTS = (1, 8, BATCH_SIZE)  # an uncompiled search has as many sentences as slots
COMPILED_SHAPES = ((1, 1), (8, BATCH_SIZE), (BATCH_SIZE, 8 * BATCH_SIZE))  # slots, sentences
MAX_KEPT_SEARCHES = 64  # each prefix and each length penalty needs a search of its own
MAX_WAITING_TOKENS = 16_384  # source tokens of the sentences that wait for a slot
COMPILE_FROM_SENTENCES = 512  # with fewer, compiling takes longer than it saves
COMPILE_AFTER_SECONDS = 5.0  # spent uncompiled on one shape; about what compiling costs


class LengthBucket(NamedTuple):
    """The lengths that a search is made for; shorter sentences are padded to them.

    Attributes:
        source: S, start and end included.
        target: T, start and end included.
    """

    source: int
    target: int


class SearchShape(NamedTuple):
    """What a search is compiled for.

    Attributes:
        sentences: M; those without a slot wait until one is free.
    """

    slots: int
    sentences: int
    bucket: LengthBucket


class CompilableSearch:
    """Beam search or sampling for at most M sentences at a time, in one shape.

    Attributes:
        is_compiled: whether `compile` was called; the first run compiles.
        seconds_uncompiled: time that other searches took because this one was not compiled.
    """

    def __init__(
        self,
        model: Transformer,
        table: Any,
        shape: SearchShape,
        settings: SearchSettings,
    ) -> None:
        self.model = model
        self.table = table
        self.shape = shape
        self.settings = settings
        self.is_compiled = False
        self.seconds_uncompiled = 0.0
        self._search = self._search_beam if settings.sampling is None else self._sample
        self._run: Callable[..., Hypotheses] = self._search

    def compile(self) -> None:
        """Lets the backend compile the whole search as one function."""
        self.is_compiled = True
        if keras.backend.backend() == "tensorflow":
            import tensorflow as tf

            self._run = tf.function(self._search, jit_compile=True, autograph=False)
        elif keras.backend.backend() == "jax":
            import jax

            self._run = jax.jit(self._search)

    def run(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: np.ndarray,
        draws: np.ndarray | None = None,
    ) -> Hypotheses:
        """Searches. Several threads may call it at once.

        Args:
            sentences: M' sentences of at most S source ids each, M' at most M.
        """
        count, bucket = len(sentences), self.shape.bucket
        ids = np.full((self.shape.sentences, bucket.source), self.model.padding_ids[0], "int32")
        for row, sentence in zip(ids, sentences):
            row[: len(sentence)] = sentence
        limits = np.zeros(self.shape.sentences, "int32")
        limits[:count] = np.minimum(max_lengths, bucket.target)
        arguments = [ops.convert_to_tensor(array, "int32") for array in (ids, limits)]
        if draws is not None:
            more = ((0, self.shape.sentences - count), (0, 0), (0, 0))
            arguments.append(ops.convert_to_tensor(np.pad(draws, more)))
        found = self._run(self.table, *arguments)
        return Hypotheses(*(ops.convert_to_numpy(array)[:count] for array in found))

    def trace(self, sentence: Sequence[int], max_length: int) -> list[Continuation]:
        """Searches for one sentence of at most S ids, uncompiled, and keeps every step."""
        return trace_beam(
            self._make_step(self.table),
            self.model.encode(np.asarray([sentence], "int32")),
            self.model.empty_cache(1, 2),
            self.model.empty_cache(1, self.shape.bucket.target, self.settings.beam_size),
            min(max_length, self.shape.bucket.target),
            self.settings,
        )

    def _make_step(self, table: Any) -> StepFunction:
        def step(arguments: Step) -> tuple[Any, Any]:
            output = self.model.decode_step(
                arguments.ids,
                arguments.positions,
                arguments.slot,
                arguments.visible,
                arguments.cache,
                arguments.memory,
                table,
            )
            return output.logits, output.cache

        return step

    def _sample(self, table: Any, source_ids: Any, max_lengths: Any, draws: Any) -> Hypotheses:
        """Maps (M, S) source ids, (M,) limits and (M, T, K) random numbers to samples."""
        slots, _, bucket = self.shape
        return sample(
            self._make_step(table),
            self.model.encode(source_ids),
            self.model.empty_cache(slots, bucket.target, self.settings.beam_size),
            max_lengths,
            draws,
            self.settings,
        )

    def _search_beam(self, table: Any, source_ids: Any, max_lengths: Any) -> Hypotheses:
        """Maps (M, S) source ids and (M,) limits to hypotheses, with backend operations only."""
        slots, sentences, bucket = self.shape
        step = self._make_step(table)

        def open_some(start: Any) -> Opening:
            """Encodes one sentence for each slot and finds its first token."""
            ids = ops.slice(source_ids, (start, 0), (slots, bucket.source))
            return open_sentences(
                step,
                self.model.encode(ids),
                self.model.empty_cache(slots, 2),  # 1 is enough, but Keras warns of it
                ops.slice(max_lengths, (start,), (slots,)),
                self.settings,
            )

        empty = empty_opening(
            self.model.empty_memory(sentences, bucket.source),
            self.model.empty_cache(sentences, 1),
            sentences,
            self.settings,
        )
        opening = _open_all(open_some, empty, slots, max_lengths)
        cache = self.model.empty_cache(slots, bucket.target, self.settings.beam_size)
        return beam_search(step, opening, cache, max_lengths, self.settings)


def _open_all(
    open_some: Callable[[Any], Opening], empty: Opening, slots: int, max_lengths: Any
) -> Opening:
    """Opens all sentences, a batch at a time; rows of padding stay empty."""
    count = ops.sum(ops.cast(max_lengths > 0, "int32"))

    def open_more(start: Any, opening: Opening) -> tuple[Any, Opening]:
        def write(array: Any, new: Any) -> Any:
            return ops.slice_update(array, (start,) + (0,) * (len(new.shape) - 1), new)

        opened = open_some(start)
        return start + slots, keras.tree.map_structure(write, opening, opened)

    start = ops.convert_to_tensor(0, "int32")
    opened: Opening
    _, opened = ops.while_loop(lambda start, opening: start < count, open_more, (start, empty))
    return opened


class ChosenSearch(NamedTuple):
    """The search to run.

    Attributes:
        search: the fastest that is available.
        preferred: the one that would be fastest if it were compiled; often the same.
    """

    search: CompilableSearch
    preferred: CompilableSearch


class SearchChooser:
    """Chooses the search for some sentences, and keeps those that were used last.

    Args:
        report: called with a line before each compilation.
    """

    def __init__(
        self, model: Transformer, target: Tokenizer, report: Callable[[str], None]
    ) -> None:
        self.model = model
        self.target = target
        self.report = report
        self._searches: dict[tuple[Any, ...], CompilableSearch] = {}

    def choose(self, count: int, bucket: LengthBucket, options: SearchOptions) -> ChosenSearch:
        """Chooses the search that is expected to finish first.

        Returns:
            A compiled search if there are many sentences, if one is compiled already, or if as
            much time was spent uncompiled as compiling takes; otherwise an uncompiled one.
        """
        if options.sampling is not None:
            return self._choose_sampling(count, bucket, options)
        shapes = _compiled_shapes(bucket, options.beam_size)
        searches = [self._search(shape, options) for shape in shapes]
        rank = next((i for i in range(2) if count <= shapes[i].sentences), 2)
        preferred = searches[rank]
        if preferred.is_compiled:
            return ChosenSearch(preferred, preferred)
        if count < COMPILE_FROM_SENTENCES and preferred.seconds_uncompiled < COMPILE_AFTER_SECONDS:
            compiled = [i for i, search in enumerate(searches) if search.is_compiled]
            if compiled:
                return ChosenSearch(searches[min(compiled, key=lambda i: abs(i - rank))], preferred)
            slots = next((slots for slots in UNCOMPILED_SLOTS if slots >= count), BATCH_SIZE)
            slots = min(slots, batch_size(options.beam_size))
            return ChosenSearch(self._search(SearchShape(slots, slots, bucket), options), preferred)
        self._compile(preferred)
        return ChosenSearch(preferred, preferred)

    def uncompiled(self, bucket: LengthBucket, options: SearchOptions) -> CompilableSearch:
        """The search for one sentence."""
        return self._search(SearchShape(1, 1, bucket), options)

    def _choose_sampling(
        self, count: int, bucket: LengthBucket, options: SearchOptions
    ) -> ChosenSearch:
        """Chooses by the number of sentences alone, never by time or by what is compiled already.

        Another shape rounds differently, and a draw that falls between two tokens would then give
        the other one.
        """
        slots, compiled = batch_size(options.n_best), count >= COMPILE_FROM_SENTENCES
        if not compiled:
            slots = min(slots, next((few for few in UNCOMPILED_SLOTS if few >= count), BATCH_SIZE))
        search = self._search(SearchShape(slots, slots, bucket), options, compiled)
        if compiled and not search.is_compiled:
            self._compile(search)
        return ChosenSearch(search, search)

    def _compile(self, search: CompilableSearch) -> None:
        length = search.shape.bucket.source
        self.report(f"compiling the search for sentences of up to {length} tokens, once")
        search.compile()

    def _search(
        self, shape: SearchShape, options: SearchOptions, compiled: bool = False
    ) -> CompilableSearch:
        settings = SearchSettings(
            self.target.start_id,
            self.target.end_id,
            options.open_hypotheses,
            shape.bucket.target,
            options.length_penalty,
            options.min_length,
            options.prefix_ids,
            options.no_repeat_ngram,
            options.sampling,
        )
        key = (shape, settings, compiled)
        search = self._searches.pop(key, None)
        if search is None:
            search = CompilableSearch(self.model, self._table, shape, settings)
        self._searches[key] = search  # moved to the end, as the one used last
        while len(self._searches) > MAX_KEPT_SEARCHES:
            del self._searches[next(iter(self._searches))]
        return search

    @functools.cached_property
    def _table(self) -> Any:
        columns = math.prod(layout(self.target.size))
        return self.model.output_table(forbidden_ids(self.target), columns)


def _compiled_shapes(bucket: LengthBucket, beam_size: int) -> list[SearchShape]:
    """The shapes of compiled searches for one, for some and for many sentences."""
    shapes = []
    for slots, sentences in COMPILED_SHAPES:
        slots = min(slots, batch_size(beam_size))
        turns = max(1, min(sentences, MAX_WAITING_TOKENS // bucket.source) // slots)
        shapes.append(SearchShape(slots, turns * slots, bucket))
    return shapes
