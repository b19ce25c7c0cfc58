"""Neighbours of words."""

import numpy as np
import pytest

from translator.addons.explanation.embeddings import Embeddings, neighbours
from translator.base.errors import InputError

PIECES = (
    *("<unk>", "<s>", "</s>", "▁dog", "▁cat", "▁house", "s", "<pad>"),
    *(f"▁w{i}" for i in range(8)),
)


class Cut:
    """A tokenizer of whole words, and of a final s."""

    def encode(self, texts):
        return [[1, *(i for word in text.split() for i in self._word(word)), 2] for text in texts]

    def _word(self, word):
        piece = f"▁{word}"
        if piece in PIECES:
            return [PIECES.index(piece)]
        return [PIECES.index(f"▁{word[:-1]}"), PIECES.index("s")] if word.endswith("s") else [0]


@pytest.fixture
def embeddings():
    draw = np.random.default_rng(1)
    vectors = draw.normal(size=(len(PIECES), 6)).astype("float32")
    vectors[4] = vectors[3] + 0.1 * vectors[4]  # a cat is nearly a dog
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    is_text = np.array([piece not in ("<unk>", "<s>", "</s>", "<pad>") for piece in PIECES])
    return Embeddings(Cut(), PIECES, vectors, is_text)


def test_neighbours_are_sorted_by_cosine_without_the_word_and_special_tokens(embeddings):
    found = neighbours(embeddings, "dog", 20)
    assert found[0].piece == "▁cat"
    assert found[0].cosine > 0.9
    assert [each.cosine for each in found] == sorted((e.cosine for e in found), reverse=True)
    assert {each.piece for each in found} == {
        piece for piece, is_text in zip(PIECES, embeddings.is_text) if is_text
    } - {"▁dog"}


def test_a_word_of_several_pieces_has_their_mean(embeddings):
    found = neighbours(embeddings, "dogs", 3)
    mean = embeddings.vectors[[3, 6]].mean(axis=0)
    expected = embeddings.vectors @ mean / np.linalg.norm(mean)
    for each in found:
        assert each.cosine == pytest.approx(expected[PIECES.index(each.piece)], abs=1e-6)
    assert not {"▁dog", "s"} & {each.piece for each in found}
    with pytest.raises(InputError, match="expected a word that the tokenizer can spell"):
        neighbours(embeddings, "x")
