"""Searches with the Keras model: cached, in few shapes, on all cores."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from keras import ops

from translator.base.machine import ALL_CORES
from translator.data.batches import pad
from translator.model.transformer import Transformer
from translator.search.compiled import Choice, Programs, Room
from translator.search.engine import BATCH_SIZE, Found, SearchOptions
from translator.search.ranking import IMPOSSIBLE
from translator.search.state import Hypotheses
from translator.text.word_alignment import PointingHeads
from translator.tokenizers.subword import Tokenizers

NARROWEST = 16  # source tokens; every further room is twice as wide
WORKERS = min(ALL_CORES, 4)  # searches side by side


class _Job(NamedTuple):
    """Sentences that are searched together, by their numbers."""

    members: list[int]
    choice: Choice


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
        self.programs = Programs(model, tokenizers.target, report)
        self.rooms = _rooms(model.max_length)

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[Found]]:
        """See `Engine.search`.

        Most translations are little longer than their sentence, so every one is
        looked for in the narrowest room for its sentence first. Those that do
        not fit go on to the next.
        """
        found: list[list[Found]] = [[] for _ in sentences]
        waiting = {room: [] for room in self.rooms}
        for i in sorted(range(len(sentences)), key=lambda i: -len(sentences[i])):
            waiting[self._narrowest(sentences[i], options)].append(i)

        def run(job: _Job) -> list[int]:
            """Fills in what is found; returns what did not fit."""
            limits = np.minimum([max_lengths[i] for i in job.members], self.rooms[-1].target)
            program, wanted = job.choice
            began = time.perf_counter()
            hypotheses = program.run([sentences[i] for i in job.members], limits)
            wanted.missed += (time.perf_counter() - began) * (not wanted.is_compiled)
            for i, its in zip(job.members, _read(hypotheses, options.n_best)):
                found[i] = its
            length = program.shape.room.target
            cut = _are_cut(hypotheses, length, self.tokenizers.target.end_id)
            return [i for i, is_cut in zip(job.members, cut & (limits > length)) if is_cut]

        while any(waiting.values()):
            jobs = self._plan(waiting, options)
            waiting = {room: [] for room in self.rooms}
            for job, cut in zip(jobs, _side_by_side(run, jobs)):
                if cut:
                    wider = self.rooms.index(job.choice.program.shape.room) + 1
                    waiting[self.rooms[wider]] += cut
        return self._align(sentences, found) if options.alignment else found

    def _narrowest(self, sentence: Sequence[int], options: SearchOptions) -> Room:
        fewest = max(options.min_length, len(options.prefix_ids) + 1)
        roomy = (room for room in self.rooms if room.target >= fewest)
        return next((room for room in roomy if len(sentence) <= room.source), self.rooms[-1])

    def _plan(self, waiting: dict[Room, list[int]], options: SearchOptions) -> list[_Job]:
        """Shares sentences out; different programs come first, to be compiled side by side."""
        jobs = []
        for room, members in waiting.items():
            if not members:
                continue
            choice = self.programs.choose(len(members), room, options)
            shape = choice.program.shape
            parts = -(-len(members) // shape.sentences)
            if choice.program.is_compiled and len(members) > shape.slots:
                parts = -(-parts // WORKERS) * WORKERS
            for number, part in enumerate(np.array_split(members, parts)):
                jobs.append((number, _Job(part.tolist(), choice)))
        return [job for _, job in sorted(jobs, key=lambda numbered: numbered[0])]

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
        pairs.sort(key=lambda pair: len(sentences[pair[0]]))
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


def _rooms(longest: int) -> list[Room]:
    """What sentences and translations are given room for, the narrowest first."""
    widths = [NARROWEST]
    while widths[-1] < longest:
        widths.append(2 * widths[-1])
    return [Room(min(width, longest), min(width * 5 // 4, longest - 1)) for width in widths]


def _side_by_side(run: Callable[[_Job], list[int]], jobs: list[_Job]) -> list[list[int]]:
    """Runs what is compiled on threads; what is not is Python and would only queue up there."""
    compiled = [job for job in jobs if job.choice.program.is_compiled]
    if len(jobs) <= 1:  # threads would cost a single sentence dearly
        return list(map(run, jobs))
    with ThreadPoolExecutor(WORKERS) as pool:
        futures = {id(job): pool.submit(run, job) for job in compiled}
        return [futures[id(job)].result() if id(job) in futures else run(job) for job in jobs]


def _read(found: Hypotheses, n_best: int) -> list[list[Found]]:
    """The best hypotheses of each sentence, from arrays."""
    best = (array[:, :n_best].tolist() for array in found)
    return [
        [
            Found(tuple(ids[:length]), log_probability, score)
            for ids, log_probability, length, score in zip(*its)
            if score > IMPOSSIBLE
        ]
        for its in zip(*best)
    ]


def _are_cut(found: Hypotheses, length: int, end_id: int) -> np.ndarray:
    """(M,) whether a hypothesis was ended by the room's length alone."""
    cut = (found.lengths == length) & (found.ids[:, :, -1] != end_id)
    return np.any(cut & (found.scores > IMPOSSIBLE), axis=1)
