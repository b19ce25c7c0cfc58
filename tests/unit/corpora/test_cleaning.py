"""Cleaning and splitting: every rule is counted, and no sentence is in two splits."""

import pytest

from translator.base.errors import InputError
from translator.base.texts import Counts
from translator.config.corpus import CleaningConfig, CorpusConfig
from translator.corpora.cleaning import (
    drop_empty_and_duplicates,
    drop_held_out,
    normalize,
    normalized_key,
    split_by_hash,
)
from translator.corpora.corpus import load_corpus, load_held_out
from translator.corpora.pairs import SentencePairs


def pairs(*lines: tuple[str, str]) -> SentencePairs:
    """Pairs as they stand in a file."""
    return SentencePairs(*zip(*lines))


def source_of(pair):
    """Of a pair."""
    return pair[0]


def test_key_ignores_case_punctuation_spacing_and_composition_and_no_more():
    for one, other, are_equal in [
        ("Hi!", "hi .", True),
        ("It's  O.K.", "it s o k", True),
        ("Straße", "STRASSE", True),
        ("ﬁne", "fine", True),
        ("ｆｉｎｅ", "fine", True),  # full-width letters
        ("Cafe\u0301", "café", True),
        ("你好。", "你好！", True),
        ("I see 2.", "I see 3.", False),
        ("कि", "की", False),
        ("?", "!", False),
        ("a b", "ab", False),
    ]:
        assert (normalized_key(one) == normalized_key(other)) == are_equal, one


def test_composition_and_white_space_are_normalised_and_counted():
    given = pairs(("Cafe\u0301\u00a0 au lait ", "Kaffee"), ("fine", "gut\u2028so"))
    counts = Counts()
    assert normalize(zip(*given), counts) == (("Café au lait", "fine"), ("Kaffee", "gut so"))
    assert counts == {"composed": 1, "respaced": 2}


def test_empty_and_equal_pairs_are_dropped_and_counted():
    given = pairs(("a", "A"), ("", "B"), ("c", " "), ("a", "A"), ("a", "AA"), ("a", "A"))
    counts = Counts()
    assert drop_empty_and_duplicates(given, CleaningConfig(), counts) == (("a", "a"), ("A", "AA"))
    assert counts == {"empty": 2, "duplicates": 2}
    off = CleaningConfig(drop_duplicates=False)
    assert len(drop_empty_and_duplicates(given, off, Counts())) == 4


def test_pairs_of_a_key_stay_in_one_split_when_pairs_are_added():
    sentences = [f"sentence {i // 3}" for i in range(3000)]
    given = SentencePairs(tuple(sentences), tuple(f"Satz {i}" for i in range(3000)))
    shares = {"validation": 0.1, "test": 0.2}
    split = split_by_hash(given, source_of, shares)
    sides = {name: set(part.sources) for name, part in split.items()}
    assert sum(map(len, split.values())) == 3000
    assert sum(map(len, sides.values())) == 1000  # no sentence on two sides
    assert 70 < len(sides["validation"]) < 130
    assert 150 < len(sides["test"]) < 250
    newer = split_by_hash(
        pairs(*((f"new {i}", "neu") for i in range(50)), *zip(*given)), source_of, shares
    )
    for name, side in sides.items():
        assert side <= set(newer[name].sources)


def test_split_is_the_same_on_every_machine():
    given = SentencePairs(tuple("abcdefghij"), tuple("ABCDEFGHIJ"))
    split = split_by_hash(given, source_of, {"validation": 0.3})
    assert split["validation"].sources == ("b", "c", "d", "e", "f", "j")


def test_training_pairs_with_a_held_out_side_are_dropped():
    train = pairs(("Hi!", "Servus"), ("Bye", "Tschüss."), ("Go", "Geh"), ("Run", "Lauf"))
    held_out = [pairs(("hi", "hallo")), pairs(("so long", "tschüss"))]
    counts = Counts()
    kept, dropped = drop_held_out(train, held_out, counts)
    assert (kept.sources, dropped.sources) == (("Go", "Run"), ("Hi!", "Bye"))
    assert counts == {"held out": 2}


def write_tsv(path, lines) -> dict:
    """The configuration of a TSV file with these pairs."""
    path.write_text("".join(f"{s}\t{t}\n" for s, t in lines), "utf-8")
    return {"train": {"tsv": str(path)}}


def test_one_file_is_split_without_leaks_and_not_changed(tmp_path):
    lines = [(f" The sentence {i // 2}.", f"Satz {i % 700}") for i in range(2000)]
    config = CorpusConfig(
        **write_tsv(tmp_path / "all.tsv", lines), split={"validation": 0.1, "test": 0.1}
    )
    before = (tmp_path / "all.tsv").read_bytes()
    corpus = load_corpus(config)
    assert (tmp_path / "all.tsv").read_bytes() == before
    for side in (0, 1):
        train = {normalized_key(sentence) for sentence in corpus.train[side]}
        for held_out in (corpus.validation, corpus.test):
            assert not train & {normalized_key(sentence) for sentence in held_out[side]}
    held = len(corpus.validation) + len(corpus.test)
    assert len(corpus.train) + held + corpus.dropped["held out"] == 2000
    assert corpus.dropped["held out"] > 100
    assert corpus.changed["respaced"] == 2000


def test_the_split_follows_english_in_both_directions(tmp_path):
    lines = [(f"sentence {i}", f"Satz {i}") for i in range(500)]
    forth = load_corpus(CorpusConfig(**write_tsv(tmp_path / "forth.tsv", lines)))
    back = load_corpus(
        CorpusConfig(
            source_language="de",
            target_language="en",
            **write_tsv(tmp_path / "back.tsv", [line[::-1] for line in lines]),
        )
    )
    assert set(forth.validation.sources) == set(back.validation.targets) != set()


def test_all_translations_of_a_held_out_sentence_are_references_in_both_directions(tmp_path):
    lines = [(f"Satz {i % 200}", f"sentence {i}") for i in range(1000)]
    config = CorpusConfig(
        source_language="de", target_language="en", **write_tsv(tmp_path / "a.tsv", lines)
    )
    for split in ("validation", "test"):
        pairs, _ = load_held_out(config, split)
        expected = {line for line in lines if line[0] in set(pairs.sources)}
        other = load_held_out(config, "test" if split == "validation" else "validation")[0]
        assert set(zip(*pairs)) | set(zip(*other)) >= expected
        assert len(pairs) > len(getattr(load_corpus(config), split))


def test_validation_holds_no_sentence_of_a_given_test_split(tmp_path):
    lines = [(f"sentence {i}", f"Satz {i}") for i in range(1000)]
    files = write_tsv(tmp_path / "train.tsv", lines)
    test = write_tsv(tmp_path / "test.tsv", lines[:600])["train"]
    corpus = load_corpus(CorpusConfig(**files, test=test, split={"validation": 0.1}))
    assert not set(corpus.validation.sources) & set(corpus.test.sources)
    assert len(corpus.train) + len(corpus.validation) == 400
    assert corpus.dropped["held out"] == 600
    given, _ = load_held_out(CorpusConfig(**files, test=test, split={"validation": 0.1}), "test")
    assert given == corpus.test


def test_no_pairs_are_dropped_from_given_splits(tmp_path):
    files = {
        name: write_tsv(tmp_path / f"{name}.tsv", lines)["train"]
        for name, lines in (
            ("train", [("a", "A"), ("a", "A"), ("b", "B"), ("d", "D")]),
            ("validation", [("b", "B"), ("b", "B")]),
            ("test", [("c ", "C"), ("c", "C"), ("d", "X")]),
        )
    }
    corpus = load_corpus(CorpusConfig(**files))
    assert corpus.train.sources == ("a",)
    assert corpus.validation.sources == ("b", "b")
    assert corpus.test.sources == ("c", "c", "d")
    assert corpus.dropped == {"empty": 0, "duplicates": 1, "held out": 2}


def test_an_empty_corpus_names_what_each_rule_dropped(tmp_path):
    lines = [("a", ""), ("b", "B"), ("b", "B")]
    files = write_tsv(tmp_path / "train.tsv", lines)
    held_out = write_tsv(tmp_path / "validation.tsv", [("b", "x")])["train"]
    with pytest.raises(InputError) as error:
        load_corpus(CorpusConfig(**files, validation=held_out))
    assert str(error.value) == (
        "corpus: expected pairs to train on, found none left of 3; dropped: 1 empty, 1 duplicates,"
        " 1 held out; validation and test: 1; give corpus.validation and corpus.test other"
        " sentences than corpus.train"
    )


def test_a_corpus_too_small_to_hold_out_any_says_what_to_raise(tmp_path):
    files = write_tsv(tmp_path / "train.tsv", [("a", "A"), ("b", "B")])
    with pytest.raises(InputError, match=r"corpus.split.validation: expected pairs to hold out"):
        load_corpus(CorpusConfig(**files))
