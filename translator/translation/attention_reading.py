"""Reads the attention of every head by running the model once over whole sentence pairs."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from keras import ops

from translator.data.batches import pad
from translator.model.transformer import Transformer
from translator.tokenizers.subword import Tokenizers

CHUNK_SIZE = 256  # pairs whose scores are in memory at the same time
BATCH_SIZE = 64


class PairAttention(NamedTuple):
    """All attention scores of a sentence pair.

    Attributes:
        encoder: (L, N, S, S).
        decoder: (L, N, T, T).
        cross: (L, N, T, S).
    """

    encoder: np.ndarray
    decoder: np.ndarray
    cross: np.ndarray


def read_attention(
    model: Transformer,
    tokenizers: Tokenizers,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
) -> Iterator[PairAttention]:
    """Runs encoder and decoder once over each pair (teacher forcing).

    It is exact for any hypothesis of a beam, because the attention in a step of a search
    depends only on the tokens before it.

    Args:
        targets: ids of a translation of each sentence, start and end included. The model writes
            the last id and never reads it.
    """
    for first in range(0, len(sources), CHUNK_SIZE):
        chunk = range(first, min(first + CHUNK_SIZE, len(sources)))
        attention: dict[int, PairAttention] = {}
        by_length = sorted(chunk, key=lambda i: (len(sources[i]), len(targets[i])))
        for start in range(0, len(by_length), BATCH_SIZE):
            members = by_length[start : start + BATCH_SIZE]
            output = model.forward(
                pad([sources[i] for i in members], tokenizers.source.padding_id),
                pad([targets[i][:-1] for i in members], tokenizers.target.padding_id),
            )
            kinds = (output.encoder_attention, output.decoder_attention, output.cross_attention)
            for i, *scores in zip(members, *map(ops.convert_to_numpy, kinds)):
                s, t = len(sources[i]), len(targets[i]) - 1
                encoder, decoder, cross = scores
                attention[i] = PairAttention(
                    encoder[..., :s, :s], decoder[..., :t, :t], cross[..., :t, :s]
                )
        yield from (attention.pop(i) for i in chunk)
