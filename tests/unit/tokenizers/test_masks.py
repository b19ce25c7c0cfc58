"""Masks have ids of their own in every tokenizer, and no text changes around them."""

import pytest

from tests.tokenizer_corpora import TEXT
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer
from translator.tokenizers.masks import MASKS, NUMBER_MASKS, WORD_MASKS, with_masks, with_names
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer, Tags
from translator.tokenizers.training import train_model, train_stand_in

WORD, OTHER, NUMBER = WORD_MASKS[0], WORD_MASKS[8], NUMBER_MASKS[1]
TEXTS = [
    f"der {WORD} sieht {OTHER}.",
    f"{WORD}",
    f"{WORD}s hund, {NUMBER} bücher und {OTHER}",
    f"{WORD}{OTHER} {NUMBER}",
    f"der hund {NUMBER}",
    "der hund",
]


@pytest.fixture(scope="module", params=["sentencepiece", "bpemb"])
def tokenizer(request, tmp_path_factory) -> SentencePieceTokenizer:
    """Tokenizers with and without bytes for characters that they do not know."""
    train, kind = {
        "sentencepiece": (train_model, SentencePieceTokenizer),
        "bpemb": (train_stand_in, BPEmbTokenizer),
    }[request.param]
    path = tmp_path_factory.mktemp("tokenizer") / "de.model"
    path.write_bytes(train(TEXT, 340 if request.param == "sentencepiece" else 80))
    return kind(path, "de", tags=Tags(("bt",)), has_masks=True)


def test_masks_come_after_all_other_ids(tokenizer):
    without = type(tokenizer)(tokenizer.model_file, "de", tags=Tags(("bt",)))
    assert list(tokenizer.masks) == list(MASKS)
    assert list(tokenizer.masks.values()) == list(range(without.size, tokenizer.size))
    assert tokenizer.fingerprint != without.fingerprint
    assert without.masks == {}


def test_text_with_masks_is_restored(tokenizer):
    encoded = tokenizer.encode(TEXTS)
    assert [tokenizer.decode(ids) for ids in encoded] == TEXTS
    masks = set(tokenizer.masks.values())
    for text, ids in zip(TEXTS, encoded):
        assert [i for i in ids if i in masks] == [tokenizer.masks[c] for c in text if c in MASKS]
        assert tokenizer.piece_ids(tokenizer.pieces(ids)) == ids


def test_an_unknown_character_beside_a_mask_stays_unknown(tokenizer):
    [ids] = tokenizer.encode([f"der {WORD}☃{OTHER} hund"])
    place = ids.index(tokenizer.masks[WORD])
    assert tokenizer.masks[OTHER] in ids[place + 2 :]
    assert tokenizer.unknown_id in ids or "☃" in tokenizer.decode(ids)


def test_readers_see_names_of_masks(tokenizer):
    [ids] = tokenizer.encode([f"{WORD}s {NUMBER}"])
    pieces = [piece for piece in tokenizer.pieces(ids) if piece.startswith("⟨")]
    assert pieces == ["⟨1⟩", "⟨#2⟩"]
    assert with_masks(with_names(f"{WORD}s {NUMBER}")) == f"{WORD}s {NUMBER}"
