"""What training knows of words, and how much words of two languages are associated."""

import pytest

from tests.builders import translating
from translator.base.errors import InputError
from translator.text.learnt_words import merge_words
from translator.text.word_table import WordTable

ROWS = {"über": {"first": True}, "a": {}, "hund": {"spelt": {"Hund": 2}}, "a'b": {}, "ab": {}}


def test_a_table_that_was_saved_is_read_again(tmp_path):
    path = tmp_path / "source.words"
    assert WordTable.load(path) == WordTable() == {}, "a run without one"
    WordTable().save(path)
    assert not path.exists()
    WordTable.of(ROWS).save(path)
    table = WordTable.load(path)
    assert table == ROWS
    assert all(word in table for word in ROWS)
    rows = {"an": {"new": True}, "bo": {"new": True, "rare": ["Bo"]}, "so": {}}
    assert [*filter(WordTable.of(rows).stands_alone, ["an", "bo", "so", "to"])] == ["bo", "so"]
    assert not any(word in table for word in ("", "hun", "hunde", "ü", "z", "\udc80", "a\t"))
    whole = path.read_bytes()
    for damaged in (b"", b"{}", whole[:-1], whole.replace(b"Hund", b"Rind")):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"source\.words: expected words that training w"):
            WordTable.load(path)


def test_a_later_training_adds_words_and_facts_of_new_words_to_an_earlier_one():
    earlier = {"a": {"first": True}, "b": {"new": True}, "c": {"rare": ["C"]}, "d": {"new": True}}
    later = {"a": {}, "b": {"first": True}, "c": {}, "e": {}}
    joined = WordTable.of(later).joined_with(WordTable.of(earlier))
    assert joined == {**later, "a": earlier["a"], "d": earlier["d"]}
    assert WordTable.of(later).joined_with(WordTable()) == later


def test_what_was_learnt_of_words_apart_is_one_table():
    spellings, names = {"tom": {"spelt": {"Tom": 1}}, "it": {}}, {"it": {}, "e-bike": {}}
    table = merge_words(spellings, names, {"it": {"es": 9}})
    assert table == {
        "tom": {"spelt": {"Tom": 1}, "new": True}, "it": {"to": {"es": 9}}, "e-bike": {"spelt": {}},
    }  # fmt: skip
    assert table.has_spellings
    assert not merge_words({}, {"it": {}}, {}).has_spellings


def test_associations_are_of_words_without_marks_and_the_best_those_of_all():
    table = translating({"dog": {"hund": 0.5, "köter": 0.1}})
    found = table.associations(["„Hund“,", "Tom.", "-"], ["The", "dog", "Tom", "-"])
    assert found.tolist() == [[0, 0.5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert WordTable().associations(["...", "?"], ["...", "!"]).tolist() == [[0, 0], [0, 0]]
    table = translating({"dog": {"hund": 0.5, "köter": 0.1}, "bitch": {"hund": 0.2, "tom": 0.3}})
    targets, sources = ["„Hund“,", "Tom.", "-", "ist"], ["The", "dog", "Tom", "dog", "bitch", "-"]
    found = table.associations(targets, sources)
    rows, columns = table.best(targets, sources)
    assert rows == found.max(axis=1).tolist()
    assert columns == found.max(axis=0).tolist()
    assert table.best([], ["dog"]) == ([], [0])
