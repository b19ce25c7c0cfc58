"""Words that are associated with words of the other language."""

import pytest

from translator.base.errors import InputError
from translator.text.lexicon import Lexicon


def test_associations_are_of_words_without_marks_and_the_best_those_of_all():
    lexicon = Lexicon({"dog": {"hund": 0.5, "köter": 0.1}})
    found = lexicon.associations(["„Hund“,", "Tom.", "-"], ["The", "dog", "Tom", "-"])
    assert found.tolist() == [[0, 0.5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert Lexicon({}).associations(["...", "?"], ["...", "!"]).tolist() == [[0, 0], [0, 0]]
    lexicon = Lexicon({"dog": {"hund": 0.5, "köter": 0.1}, "bitch": {"hund": 0.2, "tom": 0.3}})
    targets, sources = ["„Hund“,", "Tom.", "-", "ist"], ["The", "dog", "Tom", "dog", "bitch", "-"]
    found = lexicon.associations(targets, sources)
    rows, columns = lexicon.best(targets, sources)
    assert rows.tolist() == found.max(axis=1).tolist()
    assert columns.tolist() == found.max(axis=0).tolist()
    assert [each.tolist() for each in lexicon.best([], ["dog"])] == [[], [0]]


def test_a_lexicon_that_was_saved_is_read_again(tmp_path):
    assert Lexicon.load(tmp_path / "lexicon.json") == Lexicon({}), "a run without one"
    lexicon = Lexicon({"dog": {"hund": 0.514, "köter": 0.1}, "naïve": {"naiv": 1.0}})
    lexicon.save(tmp_path / "lexicon.json")
    assert Lexicon.load(tmp_path / "lexicon.json").translations == {
        "dog": {"hund": 0.51, "köter": 0.1}, "naïve": {"naiv": 1.0}
    }  # fmt: skip


def test_a_damaged_lexicon_is_one_line(tmp_path):
    for text in (
        "", "[]", "{", '{"a": 1}', '{"a": {"b": "c"}}', '{"a": {"b": 0}}', '{"a": {"b": 101}}',
        '{"a": {"b": 0.5}}', '{"a": {"b": true}}', "[" * 100_000,
    ):  # fmt: skip
        (tmp_path / "lexicon.json").write_text(text, "utf-8")
        with pytest.raises(InputError, match=r"lexicon\.json: expected what training writes"):
            Lexicon.load(tmp_path / "lexicon.json")
