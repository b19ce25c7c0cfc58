"""Searches with CTranslate2: starts in a fraction of a second and needs no TensorFlow."""

import contextlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from translator.base.errors import InputError
from translator.base.machine import ALL_CORES
from translator.search.engine import BATCH_SIZE, Found, SearchOptions, batch_size
from translator.tokenizers.subword import Tokenizers

NO_EARLY_EXIT = 1e-9  # as a length penalty; at 0 CTranslate2 would not wait for all n best


class CTranslate2Engine:
    """Searches with an export.

    Args:
        folder: the export.
        tokenizers: those that it was made with.

    Raises:
        InputError: CTranslate2 cannot read it.
    """

    name = "ctranslate2"

    def __init__(self, folder: Path, tokenizers: Tokenizers) -> None:
        self.folder = folder
        self.tokenizers = tokenizers
        self._model = self._open()

    def _open(self) -> Any:
        """The export, a batch on each core; two cores on one would wait for each other."""
        import ctranslate2

        ctranslate2.set_log_level(logging.ERROR)  # export says what the machine cannot compute in
        try:
            return ctranslate2.Translator(
                str(self.folder), inter_threads=ALL_CORES, intra_threads=1
            )
        except (RuntimeError, ValueError, IndexError) as error:
            raise InputError(
                f"{self.folder}: expected an export, found one that CTranslate2 cannot read"
                f" ({str(error).partition(chr(10))[0]}); write it anew with translator export"
            ) from None

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[Found]]:
        """See `Engine.search`. What CTranslate2 translates in one call has one limit."""
        found: list[list[Found]] = [[] for _ in sentences]
        rows: list[Any] = [None] * len(sentences)
        pieces = self._pieces(sentences, 0)
        if options.alignment and options.beam_size > 1 and sentences:
            rows = self._first_rows(pieces)
        waiting = []
        for limit in sorted(set(max_lengths), reverse=True):
            chosen = [i for i, max_length in enumerate(max_lengths) if max_length == limit]
            results = self._begin([pieces[i] for i in chosen], limit, options)
            waiting += zip(chosen, results)
        for i, asynchronous in waiting:
            with self._errors_said_plainly():
                result = asynchronous.result()
            found[i] = [
                self._read(result, rank, options, rows[i]) for rank in range(len(result.hypotheses))
            ]
        return found

    def _begin(self, pieces: list[list[str]], max_length: int, options: SearchOptions) -> list[Any]:
        """Begins to search some sentences; returns what will have the result of each."""
        target = self.tokenizers.target
        forbidden = target.pieces([target.start_id, target.padding_id, *target.control_ids])
        prefix = target.pieces(options.prefix_ids)
        return self._model.translate_batch(
            pieces,
            target_prefix=[prefix] * len(pieces) if prefix else None,
            max_batch_size=min(batch_size(options.beam_size), _share(pieces)),
            asynchronous=True,
            beam_size=options.beam_size,
            num_hypotheses=options.n_best,
            length_penalty=options.length_penalty or NO_EARLY_EXIT,
            disable_unk=not options.unknown,
            suppress_sequences=[[piece] for piece in forbidden],
            return_end_token=True,
            max_input_length=0,
            max_decoding_length=max_length,
            min_decoding_length=options.min_length - 1,  # which counts no end
            return_scores=True,
            return_attention=options.alignment,
        )

    def _first_rows(self, pieces: list[list[str]]) -> list[list[float]]:
        """What the first token of each translation looks at, whichever token it is.

        A beam search in CTranslate2 4.8 gives there what the first token of
        another sentence of the batch looks at.
        """
        with self._errors_said_plainly():
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
    ) -> list[float]:
        """See `Engine.score`."""
        pieces = self._pieces(sentences, 0)
        with self._errors_said_plainly():
            results = self._model.score_batch(
                pieces,
                self._pieces(targets, 1),
                max_batch_size=_share(pieces),
                max_input_length=0,
            )
        return [sum(result.log_probs) for result in results]

    @contextlib.contextmanager
    def _errors_said_plainly(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            raise InputError(
                f"{self.folder}: CTranslate2 ended with {str(error).partition(chr(10))[0]!r}; try a"
                " smaller beam, or --engine keras"
            ) from None

    def _pieces(self, sentences: Sequence[Sequence[int]], side: int) -> list[list[str]]:
        """Sentences as CTranslate2 takes them: it puts start and end there itself."""
        return [self.tokenizers[side].pieces(ids[1:-1]) for ids in sentences]

    def _read(
        self, result: Any, rank: int, options: SearchOptions, first_row: list[float] | None
    ) -> Found:
        ids = tuple(self.tokenizers.target.piece_ids(result.hypotheses[rank]))
        alignment = None
        if options.alignment:
            rows = result.attention[rank]
            if first_row is not None:
                rows = [first_row, *rows[1:]]
            alignment = np.pad(np.array(rows, "float32"), ((0, 0), (1, 1)))  # start and end
        score = result.scores[rank]
        return Found(ids, score * len(ids) ** options.length_penalty, score, alignment)


def _share(sentences: Sequence[Any]) -> int:
    """How many sentences make a batch, so that every core has some."""
    return max(1, min(BATCH_SIZE, -(-len(sentences) // ALL_CORES)))
