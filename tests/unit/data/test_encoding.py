"""Encoding: what is dropped and why, and the encoded corpus on disk."""

import errno
import re
from pathlib import Path

import numpy as np
import pytest

from translator.addons.confidence.examples import learn_source_words
from translator.base.errors import InputError
from translator.config.corpus import FilesConfig, MixedCorpusConfig
from translator.config.yaml_file import validate_config
from translator.corpora.pairs import SentencePairs
from translator.data import preparation
from translator.data.encoded_pairs import EncodedPairs, PairWriter, read_text
from translator.data.encoding import (
    PairRules,
    encode_pairs,
    has_equal_numbers,
    id_types,
    store_text,
)
from translator.data.preparation import prepare
from translator.tokenizers.subword import Tokenizers


class FakeTokenizer:
    """Words of one letter."""

    size, has_start = 100, True

    def encode(self, sentences):
        return [[1, *(ord(c) - 87 for c in sentence), 2] for sentence in sentences]


TOKENIZERS = (FakeTokenizer(), FakeTokenizer())


def encode(folder, pairs, rules, tokenizers=TOKENIZERS, **options):
    """The encoded pairs, memory-mapped, and the report."""
    with PairWriter(folder, "train", id_types(Tokenizers(*tokenizers))) as writer:
        report = encode_pairs(pairs, tokenizers, rules, writer, "train", **options)
    return EncodedPairs.load(folder, "train"), report


def test_pairs_too_long_empty_or_of_unequal_length_are_dropped_and_counted(tmp_path):
    pairs = SentencePairs(("aaa", "aaaaaaaaa", "", "a", "aaaa"), ("bbb", "b", "b", "bb", "b"))
    encoded, report = encode(tmp_path, pairs, PairRules(6, 3.5), dropped={"duplicates": 7})
    assert report.kept == len(encoded) == 2
    assert report.dropped == {
        "duplicates": 7,
        "empty": 1,
        "longer than 6 tokens": 1,
        "longer than 3.5 times the other side": 1,
    }
    assert encoded.source.lengths.tolist() == [5, 3]
    assert encoded.source.ids.tolist() == [1, 10, 10, 10, 2, 1, 10, 2]
    assert len(encode(tmp_path, pairs, PairRules(6))[0]) == 3


def test_an_empty_split_is_refused_with_what_each_rule_dropped(tmp_path):
    pairs = SentencePairs(("aaaaaaaa", ""), ("b", "b"))
    message = "train: all 7 pairs were dropped: 5 duplicates, 1 empty, 1 longer than 6 tokens"
    with pytest.raises(InputError, match=message):
        encode(tmp_path, pairs, PairRules(6), dropped={"duplicates": 5})


def test_chunks_do_not_change_the_files(tmp_path, monkeypatch):
    pairs = SentencePairs(
        tuple("a" * (i % 7) for i in range(50)), tuple("b" * 3 for _ in range(50))
    )
    folders = [tmp_path / name for name in ("whole", "pieces")]
    for folder in folders:
        folder.mkdir()
        encode(folder, pairs, PairRules(7))
        store_text(pairs, folder, "text")
        monkeypatch.setattr("translator.corpora.pairs.CHUNK", 8)
    files = [sorted(folder.iterdir()) for folder in folders]
    assert len(files[0]) == 8
    for whole, pieces in zip(*files):
        assert whole.read_bytes() == pieces.read_bytes()


def test_text_comes_back(tmp_path):
    pairs = SentencePairs(("a", "", "Größe 你好"), ("x", "y\n", ""))
    store_text(pairs, tmp_path, "text")
    assert tuple(map(tuple, map(read_text, EncodedPairs.load(tmp_path, "text")))) == pairs


@pytest.mark.parametrize(("size", "dtype"), [(1 << 16, np.uint16), ((1 << 16) + 1, np.int32)])
def test_ids_have_the_smallest_type_that_fits(size, dtype, tmp_path, monkeypatch):
    monkeypatch.setattr(FakeTokenizer, "size", size)
    encoded, _ = encode(tmp_path, SentencePairs(("a",), ("b",)), PairRules(20))
    assert encoded.source.ids.dtype == dtype


def test_an_encoded_split_is_opened_memory_mapped(tmp_path):
    encoded, _ = encode(tmp_path, SentencePairs(("abc", "d"), ("x", "yz")), PairRules(20))
    assert isinstance(encoded.source.ids, np.memmap)
    assert encoded.source.offsets.tolist() == [0, 5, 8]
    assert encoded.target[1].tolist() == [1, 34, 35, 2]


@pytest.fixture
def config(tmp_path, own_home):
    """200 pairs in a TSV file, to be split."""
    lines = [
        f"The cat number {i} sees {i * 7} dogs.\tDie Katze {i} sieht {i * 7} Hunde.\n"
        for i in range(200)
    ]
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(lines), "utf-8")
    return validate_config(
        {
            "corpus": {"train": {"tsv": str(path)}, "split": {"validation": 0.1}},
            "tokenizer": {"vocab_size": 330},
            "data": {"batch_size": 8},
        },
        "here",
    )


def prepared(config, **options):
    """The data, and what was said."""
    lines = []
    return prepare(config, lines.append, **options), lines


def cached(home) -> list[str]:
    """Kind and files of what is kept."""
    return sorted(f"{p.parent.parent.name}/{p.name}" for p in home.rglob("*") if p.is_file())


def test_a_corpus_is_encoded_once_and_found_again(config, own_home, monkeypatch):
    data, lines = prepared(config)
    assert lines[0].startswith("corpus files: ")
    assert len(cached(own_home)) == 2 + 17

    def fail(*arguments):
        raise AssertionError("read again")

    monkeypatch.setattr(preparation, "load_corpus", fail)
    again, lines_again = prepared(config)
    assert lines_again[:-1] == lines[:-1]
    assert "found encoded" in lines_again[-1]
    assert again.fingerprint == data.fingerprint
    assert again.train_key == data.train_key
    assert again.words == data.words
    assert "cat" in data.words.source
    for side in ("source", "target"):
        one, other = (getattr(d.train, side) for d in (data, again))
        assert np.array_equal(one.ids, other.ids)
        assert isinstance(other.ids, np.memmap)


def test_noisy_copies_phrases_and_tagged_pairs_are_added(config, own_home, tmp_path):
    """Behind the own pairs, which alone decide tokenizers, names and the known words."""
    tokenizer = config.tokenizer.model_copy(update={"tags": ["bt"]})
    config = config.model_copy(update={"tokenizer": tokenizer})
    plain, _ = prepared(config)
    back = tmp_path / "back.tsv"
    back.write_text("A zebra  runs.\tEin Zebra rennt.\nempty\t\n", "utf-8")
    data = config.data.model_copy(update={"noise": 0.5, "word_pairs": True})
    mixed = MixedCorpusConfig(train=FilesConfig(tsv=str(back)), weight=1.0, tag="bt")
    config = config.model_copy(update={"data": data, "corpora": [mixed]})
    data, lines = prepared(config)
    [line] = [line for line in lines if line.startswith("copies: ")]
    added = {name: int(count) for count, name in re.findall(r"(\d+) ([a-z ]+)", line)}
    assert added.keys() == {"noisy copies", "words and phrases"}
    assert 50 < added["noisy copies"] < 150
    texts = [data.tokenizers.source.decode(data.train.source[i]) for i in range(len(data.train))]
    assert len(texts) == len(plain.train) + sum(added.values()) + 1
    assert texts.pop() == "A zebra runs."
    assert not any(text.endswith(".") for text in texts[-added["words and phrases"] :])
    assert (data.fingerprint, data.words) == (plain.fingerprint, plain.words)
    assert data.tokenizers.source.fingerprint == plain.tokenizers.source.fingerprint
    for own, whole in zip(data.written[0], plain.train):
        assert np.array_equal(own.ids, whole.ids)
        assert np.array_equal(own.offsets, whole.offsets)
    known = learn_source_words(data)
    assert known.has_seen("cat")
    assert not known.has_seen("zebra")
    back.write_text("A zebra sleeps.\tEin Zebra schläft.\n", "utf-8")
    assert len({each.train_key for each in (plain, data, prepared(config)[0])}) == 3
    back.unlink()
    with pytest.raises(InputError, match=r"back\.tsv: expected"):
        prepared(config)


def test_pairs_are_trained_on_in_plain_characters_and_references_stay(config, own_home, tmp_path):
    """Those of the corpus, further ones, and validation; not what scores compare with."""
    path, further = Path(config.corpus.train.tsv), tmp_path / "further.tsv"
    text = (
        path.read_text("utf-8").replace("The cat", "The o\ufb03cer’s").replace("Die", "Gru\u0308n’")
    )
    path.write_text(text.replace(".", "…"), "utf-8")
    further.write_text("The o\ufb03cer’s dogs…\tGru\u0308n’ Hunde…\n", "utf-8")
    mixed = MixedCorpusConfig(train=FilesConfig(tsv=str(further)), weight=1.0)
    config = config.model_copy(update={"corpora": [mixed]})
    data, _ = prepared(config)
    for pairs in (data.written[0], data.validation):
        source, target = (
            tokenizer.decode(side[0]) for tokenizer, side in zip(data.tokenizers, pairs)
        )
        assert source.startswith("The officer's number")
        assert target.startswith("Grün' Katze")
        assert source[-3:] == target[-3:] == "..."
    last = len(data.train) - 1
    assert data.tokenizers.source.decode(data.train.source[last]) == "The officer's dogs..."
    assert data.tokenizers.target.decode(data.train.target[last]) == "Grün' Hunde..."
    assert "’" in next(iter(read_text(data.validation_text.source)))
    assert "officer" in data.words.source


def test_with_truecase_sources_begin_as_they_go_on_in_all_pairs(config, own_home):
    data = config.data.model_copy(update={"truecase": True, "noise": 0.5, "word_pairs": True})
    path = Path(config.corpus.train.tsv)
    path.write_text(path.read_text("utf-8").replace("cat", "cat and the man"), "utf-8")
    capitals, _ = prepared(config)
    small, _ = prepared(config.model_copy(update={"data": data}))
    assert small.train_key != capitals.train_key
    sides = [
        [
            found.tokenizers.source.decode(ids)
            for ids in (*found.train.source, *found.validation.source)
        ]
        for found in (capitals, small)
    ]
    assert any(text.startswith("The cat") for text in sides[0])
    assert any(text.startswith("the cat") for text in sides[1])
    assert not any(text.startswith("The ") for text in sides[1])
    targets = [small.tokenizers.target.decode(ids) for ids in small.validation.target]
    assert all(text[:1].isupper() for text in targets)


def test_another_corpus_tokenizer_or_length_is_encoded_again(config, own_home):
    prepared(config)
    count = len(list((own_home / "encoded").iterdir()))
    assert count == 1

    def change(section, **values):
        changed = getattr(config, section).model_copy(update=values)
        return config.model_copy(update={section: changed})

    others = [("data", {"max_length": 32}), ("data", {"noise": 0.5})]
    others += [("data", {"marks": 0.4}), ("data", {"marks": 0.5})]
    for other in (change("tokenizer", vocab_size=340), *(change(s, **v) for s, v in others)):
        prepared(other)
        count += 1
        assert len(list((own_home / "encoded").iterdir())) == count
    path = Path(config.corpus.train.tsv)
    path.write_text(path.read_text("utf-8") + "One more.\tNoch eine.\n", "utf-8")
    prepared(config)
    assert len(list((own_home / "encoded").iterdir())) == count + 1
    prepared(change("data", batch_size=3))  # a matter of the batches
    assert len(list((own_home / "encoded").iterdir())) == count + 1


@pytest.mark.parametrize(
    ("name", "kept"),
    [("train.source.ids.npy", 200), ("train.source.ids.npy", -9), ("report.txt", 0)],
)
def test_a_damaged_encoded_corpus_is_encoded_again(config, own_home, name, kept):
    """Cut short, with four pieces of 65,535, or with a file missing."""
    data, lines = prepared(config)
    expected = np.array(data.train.source.ids)
    [path] = own_home.rglob(name)
    content = path.read_bytes()
    path.write_bytes(content[:kept] + (b"\xff" * 8 + content[-1:] if kept < 0 else b""))
    if not kept:
        path.unlink()
    again, lines_again = prepared(config)
    assert np.array_equal(again.train.source.ids, expected)
    assert lines_again[:-1] == lines[:-1]
    assert "read, cleaned, split and encoded" in lines_again[-1]


def test_a_full_disk_leaves_no_incomplete_corpus_and_keeps_the_tokenizers(
    config, own_home, monkeypatch
):
    def full(self, pairs):
        raise OSError(errno.ENOSPC, "No space left on device")

    append = PairWriter.append
    monkeypatch.setattr(PairWriter, "append", full)
    with pytest.raises(OSError, match="No space left"):
        prepared(config)
    assert cached(own_home) == ["tokenizers/source.model", "tokenizers/target.model"]
    monkeypatch.setattr(PairWriter, "append", append)
    monkeypatch.setattr("translator.tokenizers.training.train_model", None)  # is not trained again
    assert "read, cleaned, split and encoded" in prepared(config)[1][-1]


def test_numbers_are_equal_if_all_digits_are():
    for one, other, expected in [
        ("Hi.", "Hallo.", True),
        ("It costs 1,250.50 dollars.", "Es kostet 1.250,50 Dollar.", True),
        ("In 1989 I had 3.", "Ich hatte 3 im Jahr 1989.", True),
        ("٤٢ days", "42 Tage", True),
        ("We met at 2:30.", "Wir trafen uns um halb drei.", False),
        ("It's already eleven.", "Es ist schon 11 Uhr.", False),
        ("He is 33.", "Er ist 3.", False),
    ]:
        assert has_equal_numbers(one, other) == expected


def test_changes_by_cleaning_are_reported(config, tmp_path):
    lines = [
        "a  b\tA B\n",
        "a b\tA B\n",
        "\tleer\n",
        f"{'long ' * 99}\tlang\n",
        f"cat\t{'Katze ' * 45}\n",
        "At 2:30.\tUm halb drei.\n",
        *(f"The cat number {i} sees a dog.\tKatze {i} sieht einen Hund.\n" for i in range(90)),
    ]
    for name, chosen in (("train", lines), ("validation", lines[-1:])):
        (tmp_path / f"{name}.tsv").write_text("".join(chosen), "utf-8")
    files = {name: {"tsv": str(tmp_path / f"{name}.tsv")} for name in ("train", "validation")}
    tokenizer = {"vocab_size": 330, "zero_digits": True}
    values = config.model_dump(exclude={"corpus"}) | {"corpus": files, "tokenizer": tokenizer}
    _, told = prepared(validate_config(values, "here"))
    assert told[:3] == [
        "corpus files: 90 pairs to train on, 1 to validate",
        "sentences changed: 3 respaced",
        "training pairs dropped: 1 empty, 1 duplicates, 1 held out, 1 longer than 64 tokens,"
        " 1 longer than 9.0 times the other side, 1 with different numbers",
    ]
