"""Finds the heads of a trained model whose cross-attention aligns words."""

from collections.abc import Iterator

from translator.data.preparation import TrainingData
from translator.model.transformer import Transformer
from translator.text.word_alignment import AlignmentHeads
from translator.tokenizers.words import words_of
from translator.training.alignment_head_search import PairCrossAttention, find_alignment_heads
from translator.translation.attention_reading import read_attention

SENTENCES = 1000  # of the validation split


def find_heads(data: TrainingData, model: Transformer) -> AlignmentHeads | None:
    """Finds the alignment heads of a trained model on the validation split.

    Args:
        data: what the model was trained on.
        model: with its best weights.

    Returns:
        The heads; None if no word of the split can be aligned.
    """
    return find_alignment_heads(_cross_attention(data, model))


def _cross_attention(data: TrainingData, model: Transformer) -> Iterator[PairCrossAttention]:
    tokenizers = data.tokenizers
    numbers = range(min(SENTENCES, len(data.validation)))
    sources, targets = ([side[i].tolist() for i in numbers] for side in data.validation)
    scores = read_attention(model, tokenizers, sources, targets)
    for source, target, its in zip(sources, targets, scores):
        yield PairCrossAttention(
            words_of(tokenizers.source.pieces(source)),
            words_of(tokenizers.target.pieces(target[1:])),
            its.cross,
        )
