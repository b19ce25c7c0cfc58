"""Searches with the Keras model: cached, in few shapes, compiled where that pays."""

import functools
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from translator.attention.heads import PointingHeads
from translator.dataset import pad
from translator.decoding.engine import BATCH_SIZE, Found, SearchOptions
from translator.decoding.ranking import IMPOSSIBLE, layout
from translator.decoding.search import beam_search, empty_opening, open_sentences
from translator.decoding.search_state import Hypotheses, Opening, SearchSettings, Step
from translator.model.transformer import Transformer
from translator.tokenizer import Tokenizers

FEW = (1, 8, BATCH_SIZE)  # sentences that are searched at once
MANY_TOKENS = 16_384  # source positions of the sentences that wait for a slot
WIDTHS = (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)  # what sentences are padded to
SHORTEST = 12  # steps that every cache has room for
STEP = 8  # of the lengths of caches, so that they are few
COMPILE_FROM = 256  # fewer sentences are translated sooner without compiling
COMPILE_AFTER = 5.0  # seconds that one shape has cost uncompiled, about what compiling costs


class Shape(NamedTuple):
    """What a search is compiled for.

    Attributes:
        slots: B.
        sentences: M; those that have no slot wait for their turn.
        source_length: S.
        length: T.
    """

    slots: int
    sentences: int
    source_length: int
    length: int


Program = tuple[Shape, SearchSettings, bool]  # the last: whether unknown may be produced


class KerasEngine:
    """Searches with a Keras model, step by step over cached keys and values.

    Args:
        model: built, with its weights.
        tokenizers: the model's.
        alignment: whose attention is returned.
        report: is told of waits.
    """

    name = "keras"

    def __init__(
        self,
        model: Transformer,
        tokenizers: Tokenizers,
        alignment: PointingHeads,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.model = model
        self.tokenizers = tokenizers
        self.alignment = alignment
        self.report = report
        self._compiled: dict[Program, Callable[..., Hypotheses]] = {}
        self._seconds: dict[Program, float] = {}

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[Found]]:
        """See `Engine.search`.

        Most translations are little longer than their sentence, so every one is
        looked for in a small cache first. Those that do not fit are searched
        again with room for all that they may be.
        """
        found: list[list[Found]] = [[] for _ in sentences]
        longest = max(max_lengths, default=1)
        longest = min(-(-longest // STEP) * STEP, self.model.max_length - 1)

        def search(chosen: list[int], width: int, length: int) -> list[int]:
            """Fills in what is found; returns those that did not fit."""
            results = self._search_all(
                [sentences[i] for i in chosen],
                [min(max_lengths[i], length) for i in chosen],
                (width, length),
                options,
            )
            for i, hypotheses in zip(chosen, results):
                found[i] = hypotheses
            return [i for i in chosen if self._is_cut(found[i], length, max_lengths[i])]

        cut = []
        for width, members in self._by_width(sentences).items():
            cut += search(members, width, min(max(width, SHORTEST), longest))
        if cut:
            search(cut, max(map(self._width, (sentences[i] for i in cut))), longest)
        found = [hypotheses[: options.n_best] for hypotheses in found]
        return self._align(sentences, found) if options.alignment else found

    def _width(self, sentence: Sequence[int]) -> int:
        """What a sentence is padded to at least."""
        fitting = (width for width in WIDTHS if len(sentence) <= width < self.model.max_length)
        return next(fitting, self.model.max_length)

    def _by_width(self, sentences: Sequence[Sequence[int]]) -> dict[int, list[int]]:
        """The numbers of the sentences by what they are padded to, the longest first.

        Where they are too few to be searched together they join the next width.
        """
        waiting = sorted(range(len(sentences)), key=lambda i: -len(sentences[i]))
        groups: dict[int, list[int]] = {}
        for width in (*(w for w in WIDTHS if w < self.model.max_length), self.model.max_length):
            wider = sum(len(sentences[i]) > width for i in waiting)
            fitting = len(waiting) - wider
            if fitting >= COMPILE_FROM or (fitting and not wider):
                groups[width] = waiting[wider:]
                waiting = waiting[:wider]
        return groups

    def score(
        self, sentences: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> list[float]:
        """See `Engine.score`."""
        scores: list[float] = []
        for first in range(0, len(sentences), BATCH_SIZE):
            batch = slice(first, first + BATCH_SIZE)
            target_ids = pad(targets[batch], self.tokenizers.target.padding_id)
            source_ids = pad(sentences[batch], self.tokenizers.source.padding_id)
            logits = self.model.forward(source_ids, target_ids[:, :-1]).logits
            likely = ops.convert_to_numpy(ops.log_softmax(logits))
            chosen = np.take_along_axis(likely, target_ids[:, 1:, None], axis=2)[:, :, 0]
            chosen[target_ids[:, 1:] == self.tokenizers.target.padding_id] = 0
            scores += chosen.sum(axis=1, dtype="float64").tolist()
        return scores

    def _align(
        self, sentences: Sequence[Sequence[int]], found: list[list[Found]]
    ) -> list[list[Found]]:
        """Adds to each hypothesis what the heads saw, by one run of the decoder over it."""
        pairs = [(i, rank) for i, hypotheses in enumerate(found) for rank in range(len(hypotheses))]
        aligned = [list(hypotheses) for hypotheses in found]
        target = self.tokenizers.target
        for first in range(0, len(pairs), BATCH_SIZE):
            batch = pairs[first : first + BATCH_SIZE]
            sources = [sentences[i] for i, _ in batch]
            targets = [(target.start_id, *found[i][rank].ids[:-1]) for i, rank in batch]
            output = self.model.forward(
                pad(sources, self.tokenizers.source.padding_id), pad(targets, target.padding_id)
            )
            layer = ops.convert_to_numpy(output.cross_attention)[:, self.alignment.layer]
            scores = layer[:, list(self.alignment.heads)].mean(axis=1)  # (B, T, S)
            for (i, rank), its, source, ids in zip(batch, scores, sources, targets):
                alignment = its[: len(ids), : len(source)]
                aligned[i][rank] = found[i][rank]._replace(alignment=alignment)
        return aligned

    def _is_cut(self, hypotheses: list[Found], length: int, max_length: int) -> bool:
        """Whether a hypothesis was ended by the cache's length alone."""
        return length < max_length and any(
            len(h.ids) == length and h.ids[-1] != self.tokenizers.target.end_id for h in hypotheses
        )

    def _search_all(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        lengths: tuple[int, int],
        options: SearchOptions,
    ) -> list[list[Found]]:
        """Searches with one source and one cache length, as many at a time as pays."""
        found: list[list[Found]] = []
        while len(found) < len(sentences):
            rest = len(sentences) - len(found)
            many = rest >= COMPILE_FROM
            slots = min((few for few in FEW if few >= rest), default=BATCH_SIZE)
            together = max(MANY_TOKENS // lengths[0], BATCH_SIZE) if many else slots
            batch = slice(len(found), len(found) + together)
            shape = Shape(slots, together, *lengths)
            found += self._search_batch(sentences[batch], max_lengths[batch], shape, options, many)
        return found

    def _search_batch(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        shape: Shape,
        options: SearchOptions,
        at_once: bool,
    ) -> list[list[Found]]:
        source_ids = np.full(
            (shape.sentences, shape.source_length), self.tokenizers.source.padding_id, "int32"
        )
        limits = np.zeros(shape.sentences, "int32")
        for row, sentence in zip(source_ids, sentences):
            row[: len(sentence)] = sentence
        limits[: len(sentences)] = max_lengths
        target = self.tokenizers.target
        settings = SearchSettings(
            target.start_id,
            target.end_id,
            options.beam_size,
            shape.length,
            options.length_penalty,
            options.min_length,
            options.prefix_ids,
        )
        key = (shape, settings, options.unknown)
        search = self._program(*key, at_once)
        began = time.perf_counter()
        found = search(
            ops.convert_to_tensor(source_ids, "int32"), ops.convert_to_tensor(limits, "int32")
        )
        found = Hypotheses(*map(ops.convert_to_numpy, found))
        self._seconds[key] = self._seconds.get(key, 0.0) + time.perf_counter() - began
        return [_read(found, row) for row in range(len(sentences))]

    def _program(
        self, shape: Shape, settings: SearchSettings, unknown: bool, at_once: bool
    ) -> Callable[[Any, Any], Hypotheses]:
        """The search for a shape, compiled if that pays."""
        key = (shape, settings, unknown)
        if key not in self._compiled:
            search = functools.partial(self._whole_search, *key)
            if not at_once and self._seconds.get(key, 0.0) < COMPILE_AFTER:
                return search
            self.report(
                f"compiling the search for sentences of up to {shape.source_length} tokens:"
                " seconds, once"
            )
            self._compiled[key] = _compile(search)
        return self._compiled[key]

    def _whole_search(
        self,
        shape: Shape,
        settings: SearchSettings,
        unknown: bool,
        source_ids: Any,
        max_lengths: Any,
    ) -> Hypotheses:
        """From (M, S) source ids and (M,) limits to hypotheses, in backend operations alone."""
        target = self.tokenizers.target
        forbidden = [target.start_id, target.padding_id, *target.control_ids]
        table = self.model.output_table(
            forbidden if unknown else [*forbidden, target.unknown_id],
            math.prod(layout(target.size)),
        )

        def step(asked: Step) -> tuple[Any, Any]:
            output = self.model.decode_step(
                asked.ids,
                asked.positions,
                asked.slot,
                asked.visible,
                asked.cache,
                asked.memory,
                table,
            )
            return output.logits, output.cache

        def open_some(start: Any) -> Opening:
            """Encodes as many sentences as there are slots, and takes their first token."""
            ids = ops.slice(source_ids, (start, 0), (shape.slots, shape.source_length))
            return open_sentences(
                step,
                self.model.encode(ids),
                self.model.empty_cache(shape.slots, 2),  # one would do, Keras warns of it
                ops.slice(max_lengths, (start,), (shape.slots,)),
                settings,
            )

        room = empty_opening(
            self.model.empty_memory(shape.sentences, shape.source_length),
            self.model.empty_cache(shape.sentences, 1),
            shape.sentences,
            settings,
        )
        opening = _open_all(open_some, room, shape.slots, max_lengths)
        cache = self.model.empty_cache(shape.slots, shape.length, settings.beam_size)
        return beam_search(step, opening, cache, max_lengths, settings)


def _open_all(
    open_some: Callable[[Any], Opening], room: Opening, slots: int, max_lengths: Any
) -> Opening:
    """The opening of all sentences, a batch at a time; what only fills up stays empty."""
    count = ops.sum(ops.cast(max_lengths > 0, "int32"))

    def open_more(start: Any, opening: Opening) -> tuple[Any, Opening]:
        def write(array: Any, new: Any) -> Any:
            return ops.slice_update(array, (start,) + (0,) * (len(new.shape) - 1), new)

        opened = open_some(start)
        return start + slots, keras.tree.map_structure(write, opening, opened)

    start = ops.convert_to_tensor(0, "int32")
    return ops.while_loop(lambda start, opening: start < count, open_more, (start, room))[1]


def _read(found: Hypotheses, row: int) -> list[Found]:
    hypotheses = []
    for ids, log_probability, length, score in zip(*(array[row] for array in found)):
        if score <= IMPOSSIBLE:
            break
        hypotheses.append(Found(tuple(ids[:length].tolist()), float(log_probability), float(score)))
    return hypotheses


def _compile(search: Callable[[Any, Any], Hypotheses]) -> Callable[[Any, Any], Hypotheses]:
    """Has the backend compile a search whole."""
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        return tf.function(search, jit_compile=True, autograph=False)
    if keras.backend.backend() == "jax":
        import jax

        return jax.jit(search)
    return search
