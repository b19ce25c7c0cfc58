"""Which heads of a trained model point from a word to its source."""

from collections.abc import Iterator

import numpy as np
from keras import ops

from translator.attention.heads import AlignedSentence, AlignmentHeads, find_alignment_heads
from translator.attention.words import words_of
from translator.dataset import pad
from translator.model.transformer import Transformer
from translator.preparation import TrainingData

SENTENCES = 1000  # of the validation split
BATCH_SIZE = 50


def find_heads(data: TrainingData, model: Transformer) -> AlignmentHeads | None:
    """Finds them on the validation split; None where no word there could tell."""
    return find_alignment_heads(_cross_attention(data, model))


def _cross_attention(data: TrainingData, model: Transformer) -> Iterator[AlignedSentence]:
    tokenizers = data.tokenizers
    count = min(SENTENCES, len(data.validation))
    for first in range(0, count, BATCH_SIZE):
        numbers = range(first, min(first + BATCH_SIZE, count))
        sources, targets = ([side[i] for i in numbers] for side in data.validation)
        source_ids, target_ids = (
            pad(side, tokenizer.padding_id)
            for side, tokenizer in zip((sources, targets), tokenizers)
        )
        scores = model.forward(source_ids, target_ids[:, :-1]).cross_attention
        for source, target, its in zip(sources, targets, np.asarray(ops.convert_to_numpy(scores))):
            yield AlignedSentence(
                words_of(tokenizers.source.pieces(source)),
                words_of(tokenizers.target.pieces(target[1:])),
                its[:, :, : len(target) - 1, : len(source)],
            )
