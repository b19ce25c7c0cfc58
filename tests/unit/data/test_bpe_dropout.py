"""BPE-dropout: words are merged as by SentencePiece, and the seed decides what is drawn."""

import io
import itertools

import numpy as np
import pytest
import sentencepiece

from translator.base.errors import InputError
from translator.data.bpe_dropout import BPEDropout
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.encoding import encode_flat
from translator.tokenizers.merging import Merger
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer
from translator.tokenizers.subword import Tokenizers

TEXT = (
    "low lower lowest new newer newest wide wider widest",
    "the newest lower tide is wider than the lowest",
    "Größe ist 12 und 345, naïve.",
)


def train(folder, kind: str, size: int, **options) -> SentencePieceTokenizer:
    """A SentencePiece model of a few sentences."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT[:2] * 20), model_writer=model, vocab_size=size,
        model_type=kind, minloglevel=2, pad_id=3, **options,
    )  # fmt: skip
    path = folder / f"{kind}.model"
    path.write_bytes(model.getvalue())
    return SentencePieceTokenizer(path, "en")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory) -> SentencePieceTokenizer:
    """BPE of a few sentences."""
    return train(tmp_path_factory.mktemp("bpe"), "bpe", 60)


def dropout(tokenizer, texts=TEXT, rate=0.3, seed=1, max_length=80) -> BPEDropout:
    """Both sides the same."""
    tokenizers = Tokenizers(tokenizer, tokenizer)
    side = TokenArray.of(*encode_flat(tokenizer, texts))
    return BPEDropout(EncodedPairs(side, side), tokenizers, rate, seed, max_length)


def test_words_with_all_merges_are_split_as_by_sentencepiece(tokenizer):
    merger = tokenizer.merger()
    for word in " ".join(TEXT[:2]).split():
        assert merger.split(f"▁{word}", ())[0] == tokenizer.encode([word])[0][1:-1]


def test_one_merge_left_out_by_hand():
    """Of l o w e r with the merges (l o), (lo w), (e r), (low er), in that order."""
    merger = Merger.__new__(Merger)
    merger.pieces = [*"lower", "lo", "low", "er", "lower"]
    merger.ids = {piece: i for i, piece in enumerate(merger.pieces)}
    merger.scores = {"lo": -1.0, "low": -2.0, "er": -3.0, "lower": -4.0}

    def split(*left_out):
        ids, merges = merger.split("lower", left_out)
        return [merger.pieces[i] for i in ids], merges

    assert split() == (["lower"], 4)
    assert split(0) == (["l", "o", "w", "er"], 2)  # (l o), (e r) come up; nothing goes with o or w
    assert split(1) == (["lo", "w", "er"], 3)
    assert split(2) == (["low", "e", "r"], 3)
    assert split(3) == (["low", "er"], 4)
    assert split(0, 1) == (list("lower"), 2)


def test_an_epoch_depends_only_on_its_number_and_the_seed(tokenizer):
    one, other = dropout(tokenizer), dropout(tokenizer)
    first = one.epoch(0), one.epoch(1)
    again = other.epoch(1), other.epoch(0)  # whatever was drawn before
    for a, b in zip(first, reversed(again)):
        assert all(np.array_equal(x, y) for s, t in zip(a, b) for x, y in zip(s, t))
    assert not np.array_equal(first[0].source.ids, first[1].source.ids)
    assert not np.array_equal(first[0].source.ids, first[0].target.ids), "sides are drawn apart"
    different = dropout(tokenizer, seed=2).epoch(0)
    assert not np.array_equal(first[0].source.ids, different.source.ids)


def test_dropout_does_not_change_the_text(tokenizer):
    drawn = dropout(tokenizer)
    for epoch in range(5):
        for i in range(len(TEXT)):
            assert tokenizer.decode(drawn.epoch(epoch).source[i]) == tokenizer.decode(
                drawn.pairs.source[i]
            )


def test_merges_are_left_out_at_the_rate(tokenizer):
    """Against the sum over everything that can be left out of a word."""
    rate, places = 0.2, range(10)
    drawn = dropout(tokenizer, ("lower",) * 4000, rate).epoch(0).source
    plain = tokenizer.encode(["lower"])[0]
    split = tokenizer.merger().split
    assert max(split("▁lower", left_out)[1] for left_out in subsets(places)) <= len(places)
    expected = sum(
        rate ** len(left_out) * (1 - rate) ** (len(places) - len(left_out))
        for left_out in subsets(places)
        if split("▁lower", left_out)[0] == plain[1:-1]
    )
    share = np.mean([drawn[i].tolist() == plain for i in range(4000)])
    assert 0.1 < expected < 0.9
    assert share == pytest.approx(expected, abs=0.03)


def subsets(items):
    """All of them."""
    sizes = range(len(items) + 1)
    return [chosen for size in sizes for chosen in itertools.combinations(items, size)]


def test_pairs_that_become_too_long_keep_their_usual_pieces(tokenizer):
    longest = len(tokenizer.encode([TEXT[0]])[0])
    drawn = dropout(tokenizer, (TEXT[0],) * 20, rate=0.5, max_length=longest + 3)
    lengths = drawn.epoch(0).source.lengths
    assert lengths.max() <= longest + 3
    assert longest in lengths


def test_a_tokenizer_that_does_not_merge_is_refused(tmp_path):
    for kind, size in (("unigram", 26), ("char", 20)):
        tokenizer = train(tmp_path, kind, size)
        with pytest.raises(InputError, match=f"one that does not \\({kind}.model\\)"):
            dropout(tokenizer)
