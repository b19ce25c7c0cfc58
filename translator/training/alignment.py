"""Which heads of a trained model point from a word to its source."""

from collections.abc import Iterator

from translator.attention.heads import AlignedSentence, AlignmentHeads, find_alignment_heads
from translator.attention.words import words_of
from translator.decoding.attention import read_attention
from translator.model.transformer import Transformer
from translator.preparation import TrainingData

SENTENCES = 1000  # of the validation split


def find_heads(data: TrainingData, model: Transformer) -> AlignmentHeads | None:
    """Finds them on the validation split; None where no word there could tell."""
    return find_alignment_heads(_cross_attention(data, model))


def _cross_attention(data: TrainingData, model: Transformer) -> Iterator[AlignedSentence]:
    tokenizers = data.tokenizers
    numbers = range(min(SENTENCES, len(data.validation)))
    sources, targets = ([side[i] for i in numbers] for side in data.validation)
    scores = read_attention(model, tokenizers, sources, targets)
    for source, target, its in zip(sources, targets, scores):
        yield AlignedSentence(
            words_of(tokenizers.source.pieces(source)),
            words_of(tokenizers.target.pieces(target[1:])),
            its.cross,
        )
