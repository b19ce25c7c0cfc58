"""Searches with CTranslate2: starts in a fraction of a second and needs no TensorFlow."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from translator.decoding.engine import BATCH_SIZE, Found, SearchOptions
from translator.errors import InputError
from translator.tokenizer import ALL_CORES, Tokenizers

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
        import ctranslate2

        try:
            self.model = ctranslate2.Translator(str(folder), intra_threads=ALL_CORES)
        except (RuntimeError, ValueError, IndexError) as error:
            raise InputError(
                f"{folder}: expected an export, found one that CTranslate2 cannot read"
                f" ({str(error).partition(chr(10))[0]}); write it anew with translator export"
            ) from None
        self.tokenizers = tokenizers

    def search(
        self,
        sentences: Sequence[Sequence[int]],
        max_lengths: Sequence[int],
        options: SearchOptions,
    ) -> list[list[Found]]:
        """See `Engine.search`. What CTranslate2 translates at once has one limit."""
        found: list[list[Found]] = [[] for _ in sentences]
        for limit in sorted(set(max_lengths)):
            chosen = [i for i, max_length in enumerate(max_lengths) if max_length == limit]
            results = self._search([sentences[i] for i in chosen], limit, options)
            for i, hypotheses in zip(chosen, results):
                found[i] = hypotheses
        return found

    def _search(
        self, sentences: Sequence[Sequence[int]], max_length: int, options: SearchOptions
    ) -> list[list[Found]]:
        target = self.tokenizers.target
        forbidden = target.pieces([target.start_id, target.padding_id, *target.control_ids])
        prefix = target.pieces(options.prefix_ids)
        results = self.model.translate_batch(
            self._pieces(sentences, 0),
            target_prefix=[prefix] * len(sentences) if prefix else None,
            max_batch_size=BATCH_SIZE,
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
        first_rows = self._first_rows(sentences) if options.alignment else [None] * len(sentences)
        return [
            [self._read(result, rank, options, row) for rank in range(len(result.hypotheses))]
            for result, row in zip(results, first_rows)
        ]

    def _first_rows(self, sentences: Sequence[Sequence[int]]) -> list[list[float]]:
        """What the first token of each translation looks at, whichever token it is.

        A beam search in CTranslate2 4.8 gives there what the first token of
        another sentence of the batch looks at.
        """
        results = self.model.translate_batch(
            self._pieces(sentences, 0),
            max_batch_size=BATCH_SIZE,
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
        results = self.model.score_batch(
            self._pieces(sentences, 0),
            self._pieces(targets, 1),
            max_batch_size=BATCH_SIZE,
            max_input_length=0,
        )
        return [sum(result.log_probs) for result in results]

    def _pieces(self, sentences: Sequence[Sequence[int]], side: int) -> list[list[str]]:
        """Sentences as CTranslate2 takes them: it puts start and end there itself."""
        return [self.tokenizers[side].pieces(ids[1:-1]) for ids in sentences]

    def _read(
        self, result: Any, rank: int, options: SearchOptions, first_row: list[float] | None
    ) -> Found:
        ids = tuple(self.tokenizers.target.piece_ids(result.hypotheses[rank]))
        alignment = None
        if first_row is not None:
            rows = [first_row, *result.attention[rank][1:]]
            alignment = np.pad(np.array(rows, "float32"), ((0, 0), (1, 1)))  # start and end
        score = result.scores[rank]
        return Found(ids, score * len(ids) ** options.length_penalty, score, alignment)
