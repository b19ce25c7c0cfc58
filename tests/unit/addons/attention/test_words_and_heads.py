"""Subword pieces to words, and the heads that point from word to word."""

import numpy as np

from translator.text.word_alignment import PairCrossAttention, find_alignment_heads, word_alignment
from translator.tokenizers.words import words_of


def test_pieces_join_to_words():
    words = words_of(["<s>", "▁in", "▁00", "00", ",", "▁tom", "</s>", "<pad>"])
    assert words.texts == ("in", "0000,", "tom")
    assert words.numbers.tolist() == [-1, 0, 1, 1, 1, 2, -1, -1]


def test_a_lone_space_is_a_word_of_its_own_beginning():
    assert words_of(["▁", "x", "y"]).texts == ("xy",)
    assert words_of(["x", "▁y"]).texts == ("x", "y")
    assert words_of(["<s>", "</s>"]).texts == ()


def test_attention_of_words_is_that_of_their_pieces():
    target, source = words_of(["▁a", "b", "▁c", "</s>"]), words_of(["<s>", "▁x", "▁y", "z", "</s>"])
    scores = np.array(
        [
            [0.1, 0.2, 0.3, 0.4, 0.0],
            [0.0, 0.6, 0.2, 0.2, 0.0],
            [0.5, 0.1, 0.1, 0.1, 0.2],
            [0.2, 0.2, 0.2, 0.2, 0.2],
        ]
    )
    assert np.allclose(word_alignment(scores, target, source), [[0.4, 0.55], [0.1, 0.2]])


def sentence(pointing: dict[tuple[int, int], list[int]], random: np.random.Generator):
    """A pair in which the given heads (layer, head) point as given, and the others at random."""
    source = words_of(["<s>", "▁tom", "▁sees", "▁mar", "ia", "▁now", "</s>"])
    target = words_of(["▁jetzt", "▁sieht", "▁tom", "▁mar", "ia", "</s>"])
    scores = random.dirichlet(np.ones(7), size=(2, 3, 6))
    for (layer, head), places in pointing.items():
        scores[layer, head] = np.eye(7)[places]
    return PairCrossAttention(source, target, scores)


def test_the_head_that_aligns_best_is_found():
    random = np.random.default_rng(1)
    right, wrong = [5, 2, 1, 3, 4, 6], [1, 1, 2, 5, 5, 6]
    found = find_alignment_heads(
        sentence({(1, 2): right, (1, 0): wrong}, random) for _ in range(10)
    )
    assert (found.layer, found.heads, found.accuracy, found.words) == (1, (2,), 1.0, 20)


def test_heads_that_align_only_together_are_found():
    """One head is right about names; the other is unsure there, but right about the second word."""
    random = np.random.default_rng(2)
    sentences = []
    for _ in range(10):
        made = sentence({}, random)
        scores = np.full((2, 3, 6, 7), 1 / 7)
        scores[0, 0, 2] = np.eye(7)[1]  # tom, right
        scores[0, 0, 3:5] = 0.4 * np.eye(7)[2] + 0.6 / 7  # maria, weakly wrong
        scores[0, 1, 2] = 0.4 * np.eye(7)[2] + 0.6 / 7  # tom, weakly wrong
        scores[0, 1, 3:5] = np.eye(7)[3]  # maria, right
        scores[0, 2] = np.eye(7)[[2] * 6]
        sentences.append(made._replace(scores=scores))
    found = find_alignment_heads(sentences)
    assert (found.layer, set(found.heads), found.accuracy) == (0, {0, 1}, 1.0)


def test_without_words_that_stay_the_same_no_heads_are_found():
    made = sentence({}, np.random.default_rng(3))
    other = words_of(["▁er", "▁sieht", "▁sie", "."])
    assert find_alignment_heads([made._replace(target=other, scores=made.scores[:, :, :4])]) is None
