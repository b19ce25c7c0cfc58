"""Neighbours of words, and maps of a vocabulary."""

from types import SimpleNamespace

import numpy as np
import pytest

from translator.addons.explanation import piece_uses
from translator.addons.explanation.embedding_map import make_map
from translator.addons.explanation.embeddings import (
    Embeddings,
    nearest_of_all,
    neighbours,
    principal_components,
)
from translator.addons.explanation.piece_uses import load_uses, save_uses
from translator.base.errors import InputError
from translator.data.encoded_pairs import EncodedPairs, TokenArray

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


def test_a_word_that_cannot_be_spelt_is_refused(embeddings):
    with pytest.raises(InputError, match="expected a word that the tokenizer can spell"):
        neighbours(embeddings, "x")


def test_nearest_of_all_equals_a_full_sort(embeddings):
    cosines = embeddings.vectors @ embeddings.vectors.T
    np.fill_diagonal(cosines, -np.inf)
    expected = np.argsort(-cosines, axis=1)[:, :4]
    assert np.array_equal(nearest_of_all(embeddings.vectors, 4), expected)


def test_principal_components_equal_those_of_the_singular_values():
    vectors = np.random.default_rng(2).normal(size=(50, 5)) * [5, 3, 1, 1, 1]
    found, kept = principal_components(vectors)
    centred = vectors - vectors.mean(axis=0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    assert np.allclose(np.abs(found), np.abs(left[:, :2] * values[:2]))
    assert kept == pytest.approx((values[:2] ** 2).sum() / (values**2).sum())


class Counted:
    """A run that a training has counted the pieces for."""

    def __init__(self, folder, is_shared):
        self.piece_uses = folder / "piece-uses.json"
        self.read_config = lambda: SimpleNamespace(tokenizer=SimpleNamespace(shared=is_shared))


@pytest.mark.parametrize("is_shared", [True, False])
def test_uses_are_counted_and_read_again(monkeypatch, tmp_path, is_shared):
    monkeypatch.setattr(piece_uses, "put_into_export", lambda run, path: None)
    run = Counted(tmp_path, is_shared)
    assert load_uses(run, "target", 6) is None
    sides = ([4, 4, 5, 3], [5, 2])
    pairs = EncodedPairs(*(TokenArray.of(np.array(ids), np.array([len(ids)])) for ids in sides))
    save_uses(run, SimpleNamespace(tokenizers=[SimpleNamespace(size=6)] * 2, written=(pairs,)))
    source, target = [0, 0, 0, 1, 2, 1], [0, 0, 1, 0, 0, 1]
    assert load_uses(run, "target", 6).tolist() == [source if is_shared else [0] * 6, target]
    for damage in ("{}", "[]", '{"source": [1], "target": [1]}', '{"source": "x", "target": 1}'):
        run.piece_uses.write_text(damage)
        with pytest.raises(InputError, match="expected what training writes"):
            load_uses(run, "target", 6)


def test_uses_and_places_of_a_map(embeddings):
    uses = np.zeros((2, len(PIECES)), "int64")
    uses[0, [3, 4, 5]] = 2, 1, 1
    uses[1, 4] = 1
    uses[1, 9:16] = 1
    found = make_map(embeddings, uses)
    assert set(found.pieces[:2]) == {"▁dog", "▁cat"}  # the most frequent ones first
    assert "▁w0" not in found.pieces  # never used
    assert np.abs(found.places).max() == pytest.approx(1)
    shares = dict(zip(found.pieces, found.source_shares))
    assert shares["▁dog"] == 1
    assert shares["▁w1"] == 0
    assert 0.5 < shares["▁cat"] < 0.8  # the source side has fewer words
    assert found.nearest.shape == (len(found.pieces), 8)


def test_too_few_pieces_are_refused(embeddings):
    with pytest.raises(InputError, match="expected more than 8 pieces"):
        make_map(embeddings, None, most=8)
