"""Attention between words, and which heads point."""

import numpy as np

from tests.builders import translating
from translator.text.word_alignment import (
    PairCrossAttention,
    aligning_head,
    find_alignment_heads,
    word_alignment,
)
from translator.text.word_table import WordTable
from translator.tokenizers.words import words_of


def test_attention_of_words_is_that_of_their_pieces():
    target, source = words_of(["▁a", "b", "▁c", "</s>"]), words_of(["<s>", "▁x", "▁y", "z", "</s>"])
    rows = [0.1, 0.2, 0.3, 0.4, 0], [0, 0.6, 0.2, 0.2, 0], [0.5, 0.1, 0.1, 0.1, 0.2], [0.2] * 5
    assert np.allclose(word_alignment(np.array(rows), target, source), [[0.4, 0.55], [0.1, 0.2]])


def sentence(random: np.random.Generator) -> PairCrossAttention:
    """A pair whose heads look anywhere."""
    source = words_of(["<s>", "▁tom", "▁sees", "▁mar", "ia", "▁now", "</s>"])
    target = words_of(["▁jetzt", "▁sieht", "▁tom", "▁mar", "ia", "</s>"])
    return PairCrossAttention(source, target, random.dirichlet(np.ones(7), size=(2, 3, 6)))


def test_heads_that_align_alone_or_together_are_found():
    random = np.random.default_rng(1)
    sentences = [sentence(random) for _ in range(10)]
    for each in sentences:
        each.scores[1, 2] = np.eye(7)[[5, 2, 1, 3, 4, 6]]
        each.scores[1, 0] = np.eye(7)[[1, 1, 2, 5, 5, 6]]
    found = find_alignment_heads(sentences)
    assert (found.layer, found.heads, found.accuracy, found.words) == (1, (2,), 1.0, 20)
    # one head is right about names; the other is unsure there, but right about the second word
    random = np.random.default_rng(2)
    scores = np.full((2, 3, 6, 7), 1 / 7)
    scores[0, 0, 2] = np.eye(7)[1]  # tom, right
    scores[0, 0, 3:5] = 0.4 * np.eye(7)[2] + 0.6 / 7  # maria, weakly wrong
    scores[0, 1, 2] = 0.4 * np.eye(7)[2] + 0.6 / 7  # tom, weakly wrong
    scores[0, 1, 3:5] = np.eye(7)[3]  # maria, right
    scores[0, 2] = np.eye(7)[[2] * 6]
    found = find_alignment_heads([sentence(random)._replace(scores=scores)] * 10)
    assert (found.layer, set(found.heads), found.accuracy) == (0, {0, 1}, 1.0)


def test_without_words_that_stay_the_same_no_heads_are_found():
    made = sentence(np.random.default_rng(3))
    other = words_of(["▁er", "▁sieht", "▁sie", "."])
    assert find_alignment_heads([made._replace(target=other, scores=made.scores[:, :, :4])]) is None


def test_the_head_of_a_sentence_is_the_one_that_looks_at_translations():
    pair = sentence(np.random.default_rng(5))
    layers, heads = pair.scores.shape[:2]
    words = {"tom": "tom", "sees": "sieht", "now": "jetzt"}
    lexicon = translating({source: {target: 0.9} for source, target in words.items()})
    for layer in range(layers):
        for head in range(heads):
            scores = pair.scores.copy()
            for source, target in words.items():
                row = np.array(pair.target.numbers) == pair.target.texts.index(target)
                column = np.array(pair.source.numbers) == pair.source.texts.index(source)
                scores[layer, head, row] = column / column.sum()
            assert aligning_head(scores, pair.target, pair.source, lexicon) == (layer, head)
    pair = PairCrossAttention(words_of(["▁x"]), words_of(["▁y"]), np.ones((2, 2, 1, 1)))
    assert aligning_head(pair.scores, pair.target, pair.source, WordTable()) is None, "not known"
