"""The CTranslate2 engine: it starts in a fraction of a second and needs no TensorFlow."""

import contextlib
import functools
import importlib.util
import os
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from translator.base.errors import InputError
from translator.base.late import ctypes, np
from translator.base.machine import ALL_CORES
from translator.base.texts import listed
from translator.search.engine import (
    BATCH_SIZE,
    SearchHypothesis,
    SearchOptions,
    batch_size,
    ended_hypotheses,
    forbidden_ids,
)
from translator.tokenizers.subword import Tokenizers

SCORED_TOGETHER = 16  # sentences; more are slower, because their logits take much memory
TINY_LENGTH_PENALTY = 1e-9  # at 0 CTranslate2 stops before it has all n-best hypotheses
_SEEDING = threading.Lock()  # CTranslate2 has one seed for the whole process


class CTranslate2Engine:
    """Searches with a CTranslate2 export."""

    name = "ctranslate2"

    def __init__(self, folder: Path, tokenizers: Tokenizers) -> None:
        self.folder = folder
        self.tokenizers = tokenizers
        self._model = self._open(ALL_CORES, 1)
        os.register_at_fork(after_in_child=functools.partial(_never_free, weakref.ref(self._model)))

    def __repr__(self) -> str:
        return f"<CTranslate2Engine {str(self.folder)!r}>"

    def _open(self, batches: int, cores: int) -> Any:
        """Opens the export, for some batches at a time with some cores each.

        Two cores on one batch wait for each other, so a search has a batch for each core.
        """
        ctranslate2 = _compiled_module()
        with self._plain_errors():  # `export` reports unsupported precisions
            ctranslate2.set_log_level(ctranslate2.LogLevel.Error)
        try:
            return ctranslate2.Translator(
                str(self.folder), inter_threads=batches, intra_threads=cores
            )
        except (RuntimeError, ValueError, IndexError) as error:
            raise InputError(
                f"{self.folder}: expected an export, found one that CTranslate2 cannot read"
                f" ({str(error).partition(chr(10))[0]}); write it again with translator export"
            ) from None

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[SearchHypothesis]]:
        """See `Engine.search`. One call of CTranslate2 has one length limit for all sentences."""
        if options.sampling is not None:
            return self._sample(sentences, max_lengths, options)
        hypotheses: list[list[SearchHypothesis]] = [[] for _ in sentences]
        rows: list[Any] = [None] * len(sentences)
        pieces = self._pieces(sentences, 0)
        if options.return_alignment and options.beam_size > 1 and sentences:
            rows = self._first_rows(pieces)
        for i, result in self._run(self._model, pieces, max_lengths, options):
            hypotheses[i] = [
                self._read(result, rank, options, rows[i]) for rank in range(len(result.hypotheses))
            ]
        return hypotheses

    def _sample(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[SearchHypothesis]]:
        """Draws samples; the same arguments give the same samples.

        Each thread of CTranslate2 has a random generator that takes the seed only at its first use.
        So each call opens a new model with one thread, and its batches depend only on the
        sentences. Each sample is its own sentence there, because CTranslate2 would sort the
        samples of one sentence.
        """
        sources = [i for i in range(len(sentences)) for _ in range(options.n_best)]
        pieces, limits = self._pieces(sentences, 0), list(max_lengths)
        with _SEEDING:
            _compiled_module().set_random_seed(options.seed)
            results = self._run(
                self._open(1, ALL_CORES),
                [pieces[i] for i in sources],
                [limits[i] for i in sources],
                options._replace(beam_size=1, n_best=1),
            )
            drawn = dict(results)
        samples: list[list[SearchHypothesis]] = [[] for _ in sentences]
        for place, i in enumerate(sources):
            samples[i].append(self._read(drawn[place], 0, options, None))
        return samples

    def _run(
        self,
        model: Any,
        pieces: list[list[str]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> Iterator[tuple[int, Any]]:
        """Yields the number of each sentence with its result, after all searches have begun."""
        sampling, target = options.sampling, self.tokenizers.target
        forbidden = target.pieces(forbidden_ids(target))
        prefix = target.pieces(options.prefix_ids)
        drawing: dict[str, Any] = {}
        if sampling is not None:  # draws from the whole vocabulary, unless a sampler narrows it
            drawing = {"sampling_topk": 0, "sampling_temperature": sampling.temperature}
            for sampler in sampling.samplers:
                drawing |= sampler.for_ctranslate2(target.size)
        waiting: list[tuple[int, Any]] = []
        for limit in sorted(set(max_lengths), reverse=True):
            members = [i for i, max_length in enumerate(max_lengths) if max_length == limit]
            most = _share(members) if sampling is None else BATCH_SIZE
            with self._plain_errors():
                results = model.translate_batch(
                    [pieces[i] for i in members],
                    target_prefix=[prefix] * len(members) if prefix else None,
                    max_batch_size=min(batch_size(options.beam_size), most),
                    asynchronous=True,
                    beam_size=options.beam_size,
                    num_hypotheses=options.n_best,
                    length_penalty=options.length_penalty or TINY_LENGTH_PENALTY,
                    patience=ended_hypotheses(options) / options.open_hypotheses,
                    suppress_sequences=[[piece] for piece in forbidden],
                    return_end_token=True,
                    max_input_length=0,
                    max_decoding_length=limit,
                    min_decoding_length=0,
                    return_scores=True,
                    return_attention=options.return_alignment,
                    no_repeat_ngram_size=options.no_repeat_ngram,
                    **drawing,
                )
            waiting += zip(members, results)
        for i, asynchronous in waiting:
            with self._plain_errors():
                result = asynchronous.result()
            yield i, result

    def _first_rows(self, pieces: list[list[str]]) -> list[list[float]]:
        """The attention of the first token of each translation. It does not depend on the token.

        Beam search in CTranslate2 4.8 returns the attention of another sentence of the batch.
        """
        with self._plain_errors():
            results = self._model.translate_batch(
                pieces,
                max_batch_size=_share(pieces),
                beam_size=1,
                max_input_length=0,
                max_decoding_length=1,
                return_attention=True,
            )
        return [result.attention[0][0] for result in results]

    def score(
        self, sentences: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> "list[np.ndarray]":
        """See `Engine.score`."""
        pieces = self._pieces(sentences, 0)
        with self._plain_errors():
            results = self._model.score_batch(
                pieces,
                self._pieces(targets, 1),
                max_batch_size=min(SCORED_TOGETHER, _share(pieces)),
                max_input_length=0,
            )
        return [np.array(result.log_probs) for result in results]

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except (RuntimeError, ValueError) as error:
            settings = [f"{name}={os.environ[name]}" for name in os.environ if name[:4] == "CT2_"]
            advice = f"unset {listed(settings)}" if settings else "try a smaller beam"
            raise InputError(
                f"{self.folder}: CTranslate2 failed with {str(error).partition(chr(10))[0]!r};"
                f" {advice}, or use --engine keras"
            ) from None

    def _pieces(self, sentences: Sequence[Sequence[int]], side: int) -> list[list[str]]:
        """Sentences in the form for CTranslate2, which adds start and end itself."""
        tokenizer = self.tokenizers[side]
        first = 1 if tokenizer.has_start else 0
        return [tokenizer.pieces(ids[first:-1]) for ids in sentences]

    def _read(
        self, result: Any, rank: int, options: SearchOptions, first_row: list[float] | None
    ) -> SearchHypothesis:
        ids = tuple(self.tokenizers.target.piece_ids(result.hypotheses[rank]))
        alignment = None
        if options.return_alignment:
            rows = result.attention[rank]
            if first_row is not None:
                rows = [first_row, *rows[1:]]
            first = 1 if self.tokenizers.source.has_start else 0
            alignment = np.zeros((len(rows), first + len(rows[0]) + 1), "float32")
            alignment[:, first:-1] = rows  # CTranslate2 has no columns for start and end
        score = result.scores[rank]
        return SearchHypothesis(ids, score * len(ids) ** options.length_penalty, score, alignment)


def _compiled_module() -> Any:
    """CTranslate2 without the Python code of its package. That code imports asyncio without need.

    A program that imports the package later gets all of it, with the same compiled module.
    """
    package, name = "ctranslate2", "ctranslate2._ext"
    if name not in sys.modules:
        spec = importlib.util.find_spec(package)
        if spec is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
        sys.modules[package] = importlib.util.module_from_spec(spec)
        try:
            importlib.import_module(name)
        finally:
            del sys.modules[package]
    return sys.modules[name]


def _never_free(model: weakref.ref[Any]) -> None:
    """Does not free a model in a forked process: this would wait for threads that do not exist."""
    if (inherited := model()) is not None:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(inherited))


def _share(sentences: Sequence[Any]) -> int:
    """The number of sentences in a batch so that every core gets some."""
    return max(1, min(BATCH_SIZE, -(-len(sentences) // ALL_CORES)))
