"""The search with a Keras model for one shape, compiled where that pays."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import keras
import numpy as np
from keras import ops

from translator.model.transformer import Transformer
from translator.search.beam_search import beam_search, empty_opening, open_sentences
from translator.search.engine import BATCH_SIZE, SearchOptions, batch_size
from translator.search.ranking import layout
from translator.search.state import Hypotheses, Opening, SearchSettings, Step
from translator.tokenizers.subword import SubwordTokenizer

UNCOMPILED = (1, 8, BATCH_SIZE)  # slots, and sentences: more of them cost no more operations
COMPILED = ((1, 1), (8, BATCH_SIZE), (BATCH_SIZE, 8 * BATCH_SIZE))  # slots and sentences
KEPT = 64  # programs; a prefix or a penalty of each call's own would pile them up
MANY_TOKENS = 16_384  # source positions that are waited with at most
COMPILE_FROM = 512  # fewer sentences are translated sooner without compiling
COMPILE_AFTER = 5.0  # seconds gone by for want of a compiled search, about what compiling costs


class Room(NamedTuple):
    """The most tokens of a sentence and of its translation, start and end included."""

    source: int
    target: int


class Shape(NamedTuple):
    """What a search is compiled for.

    Attributes:
        slots: B.
        sentences: M; those that have no slot wait for their turn.
        room: S and T.
    """

    slots: int
    sentences: int
    room: Room


class Program:
    """Searches for at most M sentences at a time.

    Args:
        model: built, with its weights.
        table: from `Transformer.output_table`.
        shape: of all that it is given and of all that it finds.
        settings: what is searched for.

    Attributes:
        is_compiled: whether it is; compiling itself waits for the first run.
        missed: seconds of searches that it would have been taken for, were it compiled.
    """

    def __init__(
        self,
        model: Transformer,
        table: Any,
        shape: Shape,
        settings: SearchSettings,
    ) -> None:
        self.model = model
        self.table = table
        self.shape = shape
        self.settings = settings
        self.is_compiled = False
        self.missed = 0.0
        self._run: Callable[[Any, Any, Any], Hypotheses] = self._search

    def compile(self) -> None:
        """Has the backend compile the search whole."""
        self.is_compiled = True
        if keras.backend.backend() == "tensorflow":
            import tensorflow as tf

            self._run = tf.function(self._search, jit_compile=True, autograph=False)
        elif keras.backend.backend() == "jax":
            import jax

            self._run = jax.jit(self._search)

    def run(self, sentences: Sequence[Sequence[int]], max_lengths: np.ndarray) -> Hypotheses:
        """Searches; several threads may.

        Args:
            sentences: M' of at most M, of at most S source ids each.
            max_lengths: (M',) the most tokens of their translations.

        Returns:
            NumPy arrays, of these sentences alone.
        """
        count, room = len(sentences), self.shape.room
        ids = np.full((self.shape.sentences, room.source), self.model.padding_ids[0], "int32")
        for row, sentence in zip(ids, sentences):
            row[: len(sentence)] = sentence
        limits = np.zeros(self.shape.sentences, "int32")
        limits[:count] = np.minimum(max_lengths, room.target)
        found = self._run(
            self.table,
            ops.convert_to_tensor(ids, "int32"),
            ops.convert_to_tensor(limits, "int32"),
        )
        return Hypotheses(*(ops.convert_to_numpy(array)[:count] for array in found))

    def _search(self, table: Any, source_ids: Any, max_lengths: Any) -> Hypotheses:
        """From (M, S) source ids and (M,) limits to hypotheses, in backend operations alone."""
        slots, sentences, room = self.shape

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
            ids = ops.slice(source_ids, (start, 0), (slots, room.source))
            return open_sentences(
                step,
                self.model.encode(ids),
                self.model.empty_cache(slots, 2),  # one would do, Keras warns of it
                ops.slice(max_lengths, (start,), (slots,)),
                self.settings,
            )

        nothing = empty_opening(
            self.model.empty_memory(sentences, room.source),
            self.model.empty_cache(sentences, 1),
            sentences,
            self.settings,
        )
        opening = _open_all(open_some, nothing, slots, max_lengths)
        cache = self.model.empty_cache(slots, room.target, self.settings.beam_size)
        return beam_search(step, opening, cache, max_lengths, self.settings)


def _open_all(
    open_some: Callable[[Any], Opening], nothing: Opening, slots: int, max_lengths: Any
) -> Opening:
    """The opening of all sentences, a batch at a time; what only fills up stays empty."""
    count = ops.sum(ops.cast(max_lengths > 0, "int32"))

    def open_more(start: Any, opening: Opening) -> tuple[Any, Opening]:
        def write(array: Any, new: Any) -> Any:
            return ops.slice_update(array, (start,) + (0,) * (len(new.shape) - 1), new)

        opened = open_some(start)
        return start + slots, keras.tree.map_structure(write, opening, opened)

    start = ops.convert_to_tensor(0, "int32")
    return ops.while_loop(lambda start, opening: start < count, open_more, (start, nothing))[1]


class Choice(NamedTuple):
    """A program to run.

    Attributes:
        program: the best that there is.
        wanted: the one that would be sooner, were it compiled; often the same.
    """

    program: Program
    wanted: Program


class Programs:
    """Makes programs, and keeps those that were used last.

    Args:
        model: built, with the weights that it will have.
        target: its target tokenizer.
        report: is told of waits.
    """

    def __init__(
        self, model: Transformer, target: SubwordTokenizer, report: Callable[[str], None]
    ) -> None:
        self.model = model
        self.target = target
        self.report = report
        self._programs: dict[tuple[Shape, SearchSettings, bool], Program] = {}
        self._tables: dict[bool, Any] = {}

    def choose(self, count: int, room: Room, options: SearchOptions) -> Choice:
        """The program that has a number of sentences done soonest, as far as is known.

        Args:
            count: how many sentences wait.
            room: that they are looked for in.
            options: see `SearchOptions`.

        Returns:
            A compiled one where there are many sentences, where one is compiled
            already, or where as much time has gone by without it as compiling costs.
        """
        shapes = _compiled_shapes(room, options.beam_size)
        programs = [self._program(shape, options) for shape in shapes]
        rank = next((i for i in range(2) if count <= shapes[i].sentences), 2)
        wanted = programs[rank]
        if wanted.is_compiled:
            return Choice(wanted, wanted)
        if count < COMPILE_FROM and wanted.missed < COMPILE_AFTER:
            compiled = [i for i, program in enumerate(programs) if program.is_compiled]
            if compiled:
                return Choice(programs[min(compiled, key=lambda i: abs(i - rank))], wanted)
            slots = next((slots for slots in UNCOMPILED if slots >= count), BATCH_SIZE)
            slots = min(slots, batch_size(options.beam_size))
            return Choice(self._program(Shape(slots, slots, room), options), wanted)
        self.report(f"compiling the search for sentences of up to {room.source} tokens, once")
        wanted.compile()
        return Choice(wanted, wanted)

    def _program(self, shape: Shape, options: SearchOptions) -> Program:
        settings = SearchSettings(
            self.target.start_id,
            self.target.end_id,
            options.beam_size,
            shape.room.target,
            options.length_penalty,
            options.min_length,
            options.prefix_ids,
        )
        key = (shape, settings, options.unknown)
        program = self._programs.pop(key, None)
        if program is None:
            program = Program(self.model, self._table(options.unknown), shape, settings)
        self._programs[key] = program  # the last, as it is used
        while len(self._programs) > KEPT:
            del self._programs[next(iter(self._programs))]
        return program

    def _table(self, unknown: bool) -> Any:
        if unknown not in self._tables:
            forbidden = [self.target.start_id, self.target.padding_id, *self.target.control_ids]
            if not unknown:
                forbidden.append(self.target.unknown_id)
            columns = math.prod(layout(self.target.size))
            self._tables[unknown] = self.model.output_table(forbidden, columns)
        return self._tables[unknown]


def _compiled_shapes(room: Room, beam_size: int) -> list[Shape]:
    """Of searches for one sentence, for some and for many."""
    shapes = []
    for slots, sentences in COMPILED:
        slots = min(slots, batch_size(beam_size))
        turns = max(1, min(sentences, MANY_TOKENS // room.source) // slots)
        shapes.append(Shape(slots, turns * slots, room))
    return shapes
