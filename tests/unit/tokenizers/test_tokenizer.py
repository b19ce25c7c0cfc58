"""Tokenizers: four special ids, and decoding that restores the text."""

import pytest

from translator.base.errors import InputError
from translator.config.schema import TokenizerConfig
from translator.search.engine import forbidden_ids
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer, bpemb_language
from translator.tokenizers.opening import open_tokenizers
from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer, Tags
from translator.tokenizers.special_tokens import TRAINED_IDS
from translator.tokenizers.training import train_bpe, train_model

TEXT = [
    f"Der Hund Nummer {i} sieht die große Katze, das Übel und {i * 7} Bücher." for i in range(60)
]


@pytest.fixture(scope="module")
def german(tmp_path_factory) -> SentencePieceTokenizer:
    """A tokenizer trained on a few German sentences."""
    path = tmp_path_factory.mktemp("tokenizer") / "de.model"
    path.write_bytes(train_model(TEXT, 340))
    return SentencePieceTokenizer(path, "de")


def special_ids(tokenizer: SentencePieceTokenizer) -> set[int]:
    """Padding, unknown, start and end."""
    return {tokenizer.padding_id, tokenizer.unknown_id, tokenizer.start_id, tokenizer.end_id}


def test_the_four_special_ids_are_different(german):
    assert len(special_ids(german)) == 4
    assert german.size == 340


def test_decoding_restores_capitals_digits_and_unseen_characters(german):
    for sentence in (*TEXT[:3], "Ein Zebra für 19,80 € – 你好，！", "WEIẞ", "½ m² … ﬁn™"):
        [ids] = german.encode([sentence])
        assert (ids[0], ids[-1]) == (german.start_id, german.end_id)
        assert german.padding_id not in ids
        assert german.decode(ids) == sentence


def test_with_zero_digits_every_digit_is_0_and_the_rest_unchanged(german):
    zeros = SentencePieceTokenizer(german.model_file, "de", zero_digits=True)
    [ids] = zeros.encode(["Ein Zebra für 19,80 € – ٣"])
    assert (
        zeros.decode(ids) == zeros.plain("Ein Zebra für 19,80 € – ٣") == "Ein Zebra für 00,00 € – 0"
    )
    assert (german.masks_digits, zeros.masks_digits) == (False, True)
    assert zeros.fingerprint != german.fingerprint


def test_pieces_name_the_special_ids(german):
    [ids] = german.encode(["Der Hund"])
    pieces = german.pieces([*ids, german.padding_id])
    assert (pieces[0], *pieces[-2:]) == ("<s>", "</s>", "<pad>")
    assert "".join(pieces[1:-2]) == "▁Der▁Hund"


def test_what_has_no_piece_is_spelt_in_bytes_and_these_alone_are_not_spelt(german):
    for text, is_spelt, has_bytes in [
        ("Der Hund.", True, False), ("", False, False), ("Der (Hund)", True, True),
        ("–", False, True), ("<0x41>", True, True), ("你好 你", False, True),
        ("Hund 你", True, True),
    ]:  # fmt: skip
        assert german.spells(german.encode(text)[0]) == is_spelt, text
        assert german.spells_in_bytes(text) == has_bytes, text


def test_bpemb_model_has_different_ids_for_unknown_and_padding(shared_data):
    tokenizer = SentencePieceTokenizer(shared_data / "bpemb/en/en.wiki.bpe.vs10000.model", "en")
    assert (tokenizer.unknown_id, tokenizer.start_id, tokenizer.end_id) == (0, 1, 2)
    assert (tokenizer.padding_id, tokenizer.size) == (10_000, 10_001)
    [ids] = tokenizer.encode(["漢字"])
    assert not tokenizer.spells(ids)


def test_a_file_that_is_not_a_model_is_refused(tmp_path, german):
    word = "\x04▁".encode()  # begins a piece with one letter more, of which two become alike
    damaged = german.model_bytes.replace(word + b"d", word + b"\xc1")
    damaged = damaged.replace(word + b"s", word + b"\xc1")
    for content in (b"no model", damaged):
        (tmp_path / "text.model").write_bytes(content)
        with pytest.raises(InputError, match="expected a SentencePiece model, found other bytes"):
            SentencePieceTokenizer(tmp_path / "text.model", "en")
    with pytest.raises(InputError, match="found no such file"):
        SentencePieceTokenizer(tmp_path / "none.model", "en")


def test_bpemb_text_is_lower_case_with_digits_as_0_and_comes_back_so(shared_data):
    tokenizer = BPEmbTokenizer(shared_data / "bpemb/en/en.wiki.bpe.vs10000.model", "en")
    many = ["In 1989 The Director was 42."] * 100
    for sentences in (many[:1], many):  # on one core, and on all
        for ids in tokenizer.encode(sentences):
            assert tokenizer.unknown_id not in ids
            assert tokenizer.decode(ids) == "in 0000 the director was 00."
    plain = SentencePieceTokenizer(tokenizer.model_file, "en")
    assert plain.unknown_id in plain.encode(many[:1])[0]
    assert plain.fingerprint != tokenizer.fingerprint


def test_many_sentences_are_encoded_as_each_alone(german):
    assert german.encode(TEXT * 3) == [german.encode([line])[0] for line in TEXT] * 3


def test_ids_are_read_back_and_others_refused(german):
    [ids] = german.encode(["Der Hund"])
    assert german.parse_ids(" ".join(map(str, ids))) == ids
    for word in ("340", "-1", "x", "1.0", "²"):
        with pytest.raises(InputError, match=f"expected ids from 0 to 339, found '{word}'"):
            german.parse_ids(f"1 {word}")


def test_ids_of_thousands_of_digits_are_refused_and_quoted_briefly(german):
    with pytest.raises(InputError, match="line 2: expected ids from 0 to 339, found '999") as error:
        german.parse_ids("9" * 5000, "line 2")
    assert len(str(error.value)) < 200


def test_languages_are_known_by_code_and_name():
    for language, code in [("de", "de"), ("deu", "de"), ("German", "de"), ("multi", "multi")]:
        assert bpemb_language(language) == code


def test_unknown_language_is_refused():
    with pytest.raises(InputError, match="Germann: expected a language of BPEmb, such as en, de"):
        bpemb_language("Germann")


def test_vocabulary_that_the_text_cannot_fill_is_refused():
    with pytest.raises(InputError, match="found 9000; use at most 573"):
        train_model(TEXT, 9000)
    with pytest.raises(InputError, match=r"found 270; use at least \d+"):
        train_model(TEXT, 270)


def test_a_sentence_that_is_not_text_is_refused(german):
    with pytest.raises(InputError, match="expected UTF-8, found other bytes"):
        german.encode(["a\udce4b"])
    with pytest.raises(InputError, match="expected UTF-8, found other bytes"):
        german.encode(["a", "a\udce4b"] * 100)
    for wrong, found in ((None, "NoneType"), ([None], "NoneType as item 1"), (b"a", "bytes")):
        with pytest.raises(InputError, match=f"text: expected .*, found {found}$"):
            german.encode(wrong)


def test_a_tag_at_the_beginning_is_one_id_behind_those_of_the_model(german):
    tagged = SentencePieceTokenizer(german.model_file, "de", tags=Tags(("bt", "news")))
    assert (tagged.size, tagged.tag_ids) == (german.size + 2, (german.size, german.size + 1))
    plain, both, inside = tagged.encode(
        ["Der Hund", "<bt> <news> Der Hund", "Der <bt> Hund <news> "]
    )
    assert plain == german.encode("Der Hund")[0]
    assert both == [plain[0], german.size, german.size + 1, *plain[1:]]
    assert inside == german.encode("Der <bt> Hund <news> ")[0]
    assert tagged.encode("<bt> Der", reads_tags=False) == german.encode("<bt> Der")
    assert tagged.pieces(both)[:4] == ["<s>", "<bt>", "<news>", "▁Der"]
    assert tagged.piece_ids(tagged.pieces(both)) == both
    assert tagged.decode(both) == "Der Hund"
    assert not tagged.spells(both[:3])
    assert tagged.parse_ids(str(german.size + 1)) == [german.size + 1]
    many = tagged.encode(["<bt> Der Hund", "Der Hund"] * 50)
    assert many == [[plain[0], german.size, *plain[1:]], plain] * 50


def test_fingerprints_depend_on_tags_and_their_order_and_stay_without_any(german):
    def fingerprint(*names: str) -> str:
        return SentencePieceTokenizer(german.model_file, "de", tags=Tags(names)).fingerprint

    assert fingerprint() == german.fingerprint
    assert len({fingerprint(), fingerprint("a", "b"), fingerprint("b", "a"), fingerprint("a")}) == 4


def test_a_model_that_pads_with_an_id_of_its_own_has_tags_behind_it(shared_data):
    path = shared_data / "bpemb/en/en.wiki.bpe.vs10000.model"
    tokenizer = SentencePieceTokenizer(path, "en", tags=Tags(("bt",)))
    assert (tokenizer.padding_id, tokenizer.tag_ids, tokenizer.size) == (10_000, (10_001,), 10_002)


def test_a_piece_of_the_model_of_the_name_of_a_tag_keeps_its_id(tmp_path):
    path = tmp_path / "own.model"
    path.write_bytes(train_bpe(TEXT, 120, **TRAINED_IDS, user_defined_symbols=["<bt>"]))
    tokenizer = SentencePieceTokenizer(path, "de", tags=Tags(("news", "bt")))
    assert tokenizer.size == 121
    assert tokenizer.tag_ids == (120, tokenizer.model.piece_to_id("<bt>"))
    [ids] = tokenizer.encode("<bt> Der Hund")
    assert tokenizer.pieces(ids)[:3] == ["<s>", "<bt>", "▁Der"]


@pytest.mark.parametrize("shared", [False, True])
def test_the_target_reads_no_tags_and_never_writes_one(german, shared):
    path = german.model_file
    settings = TokenizerConfig(
        source_model=str(path), target_model=str(path), shared=shared, tags=["bt"]
    )
    source, target = open_tokenizers((path, path), None, settings, ("en", "de"))
    assert source.tags == ("bt",)
    assert target.tags == ()
    assert target.encode("<bt> Der Hund") == german.encode("<bt> Der Hund")
    assert target.size == source.size - (not shared)
    assert (german.size in forbidden_ids(target)) == shared
