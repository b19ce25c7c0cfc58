"""The Keras engine: cached beam search and sampling in a few fixed shapes, on all cores."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from keras import ops

from translator.base.machine import ALL_CORES
from translator.data.batches import pad
from translator.model.transformer import Transformer
from translator.search.compiled_search import ChosenSearch, LengthBucket, SearchChooser
from translator.search.engine import BATCH_SIZE, SearchHypothesis, SearchOptions
from translator.search.ranking import IMPOSSIBLE
from translator.search.sampling import make_draws
from translator.search.state import Continuation, Hypotheses
from translator.text.word_alignment import PointingHeads
from translator.tokenizers.subword import Tokenizers

SMALLEST_BUCKET = 16  # source tokens; each further bucket is twice as long
SEARCH_THREADS = min(ALL_CORES, 4)  # searches that run at the same time


class _Job(NamedTuple):
    """Sentences that are searched together, by their indices."""

    members: list[int]
    choice: ChosenSearch


class KerasEngine:
    """Searches with a Keras model, step by step over cached keys and values.

    Args:
        report: called with a line before each wait.
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
        self.chooser = SearchChooser(model, tokenizers.target, report)
        self.buckets = _length_buckets(model.max_length)

    def __repr__(self) -> str:
        return f"<KerasEngine, sentences of up to {self.model.max_length} tokens>"

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[SearchHypothesis]]:
        """See `Engine.search`.

        Most translations are only a little longer than their sentence. So each is
        first searched for in the smallest bucket for its sentence; those that do
        not fit are searched for again in the next one. A sample that does not fit is drawn again
        with the same random numbers, so it begins with the same tokens.
        """
        found: list[list[SearchHypothesis]] = [[] for _ in sentences]
        waiting: dict[LengthBucket, list[int]] = {bucket: [] for bucket in self.buckets}
        for i in sorted(range(len(sentences)), key=lambda i: -len(sentences[i])):
            waiting[self._smallest_bucket(sentences[i], options)].append(i)

        def run(job: _Job) -> list[int]:
            """Fills in the hypotheses; returns the sentences whose translation did not fit."""
            limits = np.minimum([max_lengths[i] for i in job.members], self.buckets[-1].target)
            search, preferred = job.choice
            began = time.perf_counter()
            draws = None
            if options.sampling is not None:
                length = search.shape.bucket.target
                draws = make_draws(options.seed, job.members, options.n_best, length)
            hypotheses = search.run([sentences[i] for i in job.members], limits, draws)
            if not preferred.is_compiled:
                preferred.seconds_uncompiled += time.perf_counter() - began
            for i, best in zip(job.members, _read(hypotheses, options.n_best)):
                found[i] = best
            length = search.shape.bucket.target
            cut = _are_cut(hypotheses, length, self.tokenizers.target.end_id)
            return [i for i, is_cut in zip(job.members, cut & (limits > length)) if is_cut]

        while any(waiting.values()):
            jobs = self._plan(waiting, options)
            waiting = {bucket: [] for bucket in self.buckets}
            for job, cut in zip(jobs, _run_in_threads(run, jobs)):
                if cut:
                    longer = self.buckets.index(job.choice.search.shape.bucket) + 1
                    waiting[self.buckets[longer]] += cut
        return self._align(sentences, found) if options.return_alignment else found

    def trace(
        self, sentence: Sequence[int], max_length: int, options: SearchOptions
    ) -> list[Continuation]:
        """The steps of a beam search.

        Returns:
            What each step considered; see `translator.search.beam_trace.trace_beam`.
        """
        bucket = LengthBucket(len(sentence), min(max_length, self.buckets[-1].target))
        return self.chooser.uncompiled(bucket, options).trace(sentence, max_length)

    def _smallest_bucket(self, sentence: Sequence[int], options: SearchOptions) -> LengthBucket:
        for bucket in self.buckets:
            if bucket.target >= options.fewest_tokens and bucket.source >= len(sentence):
                return bucket
        return self.buckets[-1]

    def _plan(self, waiting: dict[LengthBucket, list[int]], options: SearchOptions) -> list[_Job]:
        """Divides sentences into jobs; different searches come first, so they compile together."""
        jobs: list[tuple[int, _Job]] = []
        for bucket, members in waiting.items():
            if not members:
                continue
            choice = self.chooser.choose(len(members), bucket, options)
            shape = choice.search.shape
            parts = -(-len(members) // shape.sentences)
            if choice.search.is_compiled and len(members) > shape.slots:
                parts = -(-parts // SEARCH_THREADS) * SEARCH_THREADS
            for number, part in enumerate(np.array_split(members, parts)):
                jobs.append((number, _Job(part.tolist(), choice)))
        return [job for _, job in sorted(jobs, key=lambda numbered: numbered[0])]

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
            chosen = np.take_along_axis(likely, target_ids[:, 1:, None], axis=2)[:, :, 0]
            rows = zip(chosen.astype("float64"), targets[batch])
            scores += [row[: len(target) - 1] for row, target in rows]
        return scores

    def _align(
        self, sentences: Sequence[Sequence[int]], found: list[list[SearchHypothesis]]
    ) -> list[list[SearchHypothesis]]:
        """Adds the attention of the chosen heads, read by one run of the decoder."""
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
            for (i, rank), padded, source, ids in zip(batch, scores, sources, targets):
                alignment = padded[: len(ids), : len(source)]
                aligned[i][rank] = found[i][rank]._replace(alignment=alignment)
        return aligned


def _length_buckets(longest: int) -> list[LengthBucket]:
    """The buckets that searches are made for, the shortest first."""
    lengths = [SMALLEST_BUCKET]
    while lengths[-1] < longest:
        lengths.append(2 * lengths[-1])
    return [
        LengthBucket(min(length, longest), min(length * 5 // 4, longest - 1)) for length in lengths
    ]


def _run_in_threads(run: Callable[[_Job], list[int]], jobs: list[_Job]) -> list[list[int]]:
    """Runs compiled searches in threads; the others hold the interpreter lock anyway."""
    compiled = [job for job in jobs if job.choice.search.is_compiled]
    if len(jobs) <= 1:  # threads would slow a single sentence down
        return list(map(run, jobs))
    with ThreadPoolExecutor(SEARCH_THREADS) as pool:
        futures = {id(job): pool.submit(run, job) for job in compiled}
        return [futures[id(job)].result() if id(job) in futures else run(job) for job in jobs]


def _read(found: Hypotheses, n_best: int) -> list[list[SearchHypothesis]]:
    """Reads the best hypotheses of each sentence from arrays."""
    best = (array[:, :n_best].tolist() for array in found)
    return [
        [
            SearchHypothesis(tuple(ids[:length]), log_probability, score)
            for ids, log_probability, length, score in zip(*of_sentence)
            if score > IMPOSSIBLE
        ]
        for of_sentence in zip(*best)
    ]


def _are_cut(found: Hypotheses, length: int, end_id: int) -> np.ndarray:
    """(M,) whether a hypothesis ended only because the bucket was full."""
    cut = (found.lengths == length) & (found.ids[:, :, -1] != end_id)
    is_cut: np.ndarray = np.any(cut & (found.scores > IMPOSSIBLE), axis=1)
    return is_cut
