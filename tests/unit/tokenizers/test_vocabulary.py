"""Where tokenizers come from: trained, BPEmb's, or a stand-in."""

import io
import zipfile

import pytest
import sentencepiece

from tests.tokenizer_corpora import TEXT, configure, prepare
from translator.base.errors import InputError
from translator.corpora.pairs import SentencePairs
from translator.tokenizers.bpemb_download import bpemb_tokenizer
from translator.tokenizers.bpemb_tokenizer import BPEmbTokenizer
from translator.tokenizers.opening import load_tokenizers
from translator.tokenizers.sources import find_tokenizers
from translator.tokenizers.special_tokens import BPEMB_IDS, LEARNT_MARKS, TRAINED_IDS
from translator.tokenizers.training import train_bpe, train_stand_in


@pytest.mark.parametrize("shared", [False, True])
def test_models_are_trained_once_on_the_training_split_and_kept(own_home, tmp_path, shared):
    config = configure({"vocab_size": 320, "shared": shared})
    made = prepare(config)
    made.save(tmp_path)
    assert (made.source.files == made.target.files) == shared
    again = load_tokenizers(tmp_path, config)
    assert again.target.encode(TEXT[:2]) == made.target.encode(TEXT[:2])
    assert again.target.decode(again.target.encode(TEXT[:1])[0]) == TEXT[0]
    cached = prepare(config, pairs=None)  # is not looked at
    assert cached.target.files == made.target.files


def test_marks_that_copies_teach_have_pieces_only_if_they_are_asked_for(own_home):
    config = configure({"vocab_size": 360})
    plain = prepare(config)
    marked = prepare(configure({"vocab_size": 360}, data={"batch_size": 4, "marks": 0.1}))
    for before, after in zip(plain, marked):
        assert all(map(before.spells_in_bytes, LEARNT_MARKS))
        assert not any(map(after.spells_in_bytes, LEARNT_MARKS))
        assert before.size == after.size
    assert prepare(config, pairs=None).source.files == plain.source.files
    demo = {"corpus": {"name": "demo"}, "data": {"batch_size": 4}}
    assert find_tokenizers(configure({}, **demo), "demo") is not None
    demo["data"]["marks"] = 0.1  # for which the bundled models have no pieces
    assert find_tokenizers(configure({}, **demo), "demo") is None
    model = sentencepiece.SentencePieceProcessor(model_proto=train_stand_in(TEXT, 110, "(;"))
    assert not {model.piece_to_id("("), model.piece_to_id(";")} & {model.unk_id()}


def test_models_with_zero_digits_know_no_digit_but_0(own_home):
    pairs = SentencePairs(
        tuple(f"{line} 1989" for line in TEXT), tuple(f"{line} 77" for line in TEXT)
    )
    made = prepare(configure({"vocab_size": 320, "zero_digits": True}), pairs)
    pieces = made.source.pieces(range(made.source.size))
    assert any("00" in piece for piece in pieces)
    assert not any(set(piece) & set("123456789") for piece in pieces if not piece.startswith("<"))
    assert made.source.decode(made.source.encode(["1989"])[0]) == "0000"


def test_bpembs_model_is_downloaded_checked_and_cached(bpemb):
    tokenizer = bpemb_tokenizer("English", 10_000)
    assert tokenizer.decode(tokenizer.encode(["Hello 42!"])[0]) == "hello 00!"
    bpemb.stop()
    assert bpemb_tokenizer("en", 10_000).fingerprint == tokenizer.fingerprint


def test_a_bpemb_model_with_other_bytes_is_refused(bpemb):
    bpemb.content["/en/en.wiki.bpe.vs10000.model"] += b" "
    with pytest.raises(InputError, match="expected the file with SHA-256 843d908206b0"):
        bpemb_tokenizer("en", 10_000)
    bpemb.content["/de/de.wiki.bpe.vs3000.model"] = b"<html>no model</html>"
    with pytest.raises(InputError, match="expected a SentencePiece model, found other bytes"):
        bpemb_tokenizer("de", 3_000)


def test_sizes_and_languages_that_bpemb_lacks_are_refused_with_those_it_has():
    with pytest.raises(
        InputError, match=r"BPEmb has 1000, 3000, 5000, 10000, .* for de, found 8000"
    ):
        bpemb_tokenizer("de", 8000)
    with pytest.raises(InputError, match="BPEmb has no models for aa"):
        bpemb_tokenizer("aa", 10_000)
    with pytest.raises(InputError, match="Germann: expected a language of BPEmb"):
        bpemb_tokenizer("Germann", 10_000)


def test_a_stand_in_replaces_a_german_model_that_cannot_be_downloaded(bpemb, shared_data):
    config = configure({"name": "bpemb", "vocab_size": 10_000})
    with pytest.raises(InputError, match=r"answer 404.*--set tokenizer.stand_in=target"):
        prepare(config)
    with zipfile.ZipFile(shared_data / "tatoeba/deu-eng.zip") as archive:
        lines = archive.read("deu.txt").decode().splitlines()[:60_000]
    pairs = SentencePairs(*zip(*(line.split("\t")[:2] for line in lines)))
    stood_in = configure({"name": "bpemb", "vocab_size": 10_000, "stand_in": "target"})
    english, german = prepare(stood_in, pairs)
    name = "en/en.wiki.bpe.vs10000.model"
    assert english.files["model"] == (shared_data / "bpemb" / name).read_bytes()
    assert german.size == english.size == 10_001
    [ids] = german.encode(["Er kam 1989 nach Hause."])
    assert german.decode(ids) == "er kam 0000 nach hause."
    assert len(ids) < 10
    again = prepare(stood_in, None)  # is not trained again
    assert again.target.files == german.files


def test_a_damaged_trained_tokenizer_is_trained_again(own_home):
    config = configure({"vocab_size": 320})
    made = prepare(config)
    [path] = own_home.rglob("target.model")
    path.write_bytes(path.read_bytes()[:100])
    assert prepare(config).target.files == made.target.files


def test_a_stand_in_has_bpembs_settings(tmp_path):
    path = tmp_path / "de.model"
    path.write_bytes(train_stand_in(TEXT, 100))
    tokenizer = BPEmbTokenizer(path, "de")
    assert (tokenizer.unknown_id, tokenizer.start_id, tokenizer.end_id) == (0, 1, 2)
    assert (tokenizer.padding_id, tokenizer.size) == (100, 101)
    [ids] = tokenizer.encode(["Das ÜBEL sieht 19 Bücher"])
    assert tokenizer.decode(ids) == "das übel sieht 00 bücher"
    assert tokenizer.unknown_id in tokenizer.encode(["漢字"])[0]  # no byte fallback


def test_zero_digits_is_refused_for_bpemb():
    with pytest.raises(InputError, match="zero_digits is for name: sentencepiece; BPEmb's"):
        configure({"name": "bpemb", "vocab_size": 1000, "zero_digits": True})


@pytest.mark.parametrize(
    "odd",
    [
        "aa bb aa bb b ab\r",
        "▁aa a▁b▁ ▁ a▁b ab▁",
        "aa ▅ bb",
        "a¨b ¨a \u0308a \u2003 a\u2003b ﬁ ½",
        "  a  b ",
        "a<s>b <s> a</s> b<0x41>",
        "ab " * 1397 + "a",
        "ab " * 1397 + "ab",  # one byte too long
        "ü" * 2096,
        "ü" * 2097,
    ],
)
@pytest.mark.parametrize(
    ("options", "vocab_size"),
    [
        ({**TRAINED_IDS, "byte_fallback": True, "normalization_rule_name": "identity"}, 300),
        ({**BPEMB_IDS, "normalization_rule_name": "nfkc"}, 40),
    ],
)
def test_a_model_is_the_one_that_sentencepiece_trains_on_whole_sentences(odd, options, vocab_size):
    sentences = ["ab cd ef ghi jkl", "aa bb cc dd üü ff mno pqr stu vwx yz", *[odd] * 5] * 9
    expected = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=expected, vocab_size=vocab_size,
        model_type="bpe", character_coverage=0.9995, minloglevel=2, **options,
    )  # fmt: skip
    assert train_bpe(iter(sentences), vocab_size, **options) == expected.getvalue()
