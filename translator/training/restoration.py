"""What a run learns when its training ends: which heads point, how words are spelt."""

from collections.abc import Iterator

import numpy as np
from keras import ops

from translator.attention.heads import AlignedSentence, find_alignment_heads
from translator.attention.words import words_of
from translator.config import Config
from translator.corpora import SentencePairs, load_corpus
from translator.dataset import pad
from translator.decoding.names import KnownNames
from translator.decoding.restoration import Restoration
from translator.decoding.truecasing import Truecaser
from translator.model.transformer import Transformer
from translator.tokenizer import Tokenizers

SENTENCES = 1000  # of the validation split, to find the heads by
BATCH_SIZE = 50
NOUNS_WITH_CAPITALS = {"de", "lb"}  # where a capital tells no name


def learn_restoration(config: Config, tokenizers: Tokenizers, model: Transformer) -> Restoration:
    """Learns what puts translations right from a run's own corpus.

    Args:
        config: says which corpus.
        tokenizers: the run's.
        model: trained.

    Raises:
        InputError: the corpus cannot be read any more.
    """
    corpus = load_corpus(config.corpus)
    truecaser = None
    if tokenizers.target.bpemb:
        truecaser = Truecaser.learn(corpus.train.targets)
    names = KnownNames(frozenset(), None)
    if tokenizers.source.language not in NOUNS_WITH_CAPITALS:
        names = KnownNames.learn(*corpus.train)
    sentences = _cross_attention(corpus.validation, tokenizers, model, config.data.max_length)
    return Restoration(find_alignment_heads(sentences), truecaser, names)


def _cross_attention(
    pairs: SentencePairs, tokenizers: Tokenizers, model: Transformer, max_length: int
) -> Iterator[AlignedSentence]:
    sources, targets = (
        tokenizer.encode(side[:SENTENCES]) for tokenizer, side in zip(tokenizers, pairs)
    )
    fitting = [p for p in zip(sources, targets) if max(map(len, p)) <= max_length]
    for first in range(0, len(fitting), BATCH_SIZE):
        batch = fitting[first : first + BATCH_SIZE]
        source_ids, target_ids = (
            pad(side, tokenizer.padding_id) for side, tokenizer in zip(zip(*batch), tokenizers)
        )
        scores = model.forward(source_ids, target_ids[:, :-1]).cross_attention
        for (source, target), its in zip(batch, np.asarray(ops.convert_to_numpy(scores))):
            yield AlignedSentence(
                words_of(tokenizers.source.pieces(source)),
                words_of(tokenizers.target.pieces(target[1:])),
                its[:, :, : len(target) - 1, : len(source)],
            )
