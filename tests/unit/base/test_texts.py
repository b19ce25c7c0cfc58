"""One text or many are taken from the user."""

import io

import pytest

from translator.base.errors import InputError
from translator.base.texts import list_of_texts, listed, printable, quoted, shorten


def test_a_string_is_one_text_and_an_iterable_many():
    assert list_of_texts("ab") == ["ab"]
    assert list_of_texts(text for text in ("a", "b")) == ["a", "b"]
    assert list_of_texts([]) == []
    assert list_of_texts(["a\n"]) == ["a\n"]
    assert list_of_texts(io.StringIO("a\n\nb")) == ["a", "", "b"], "a file's line ends"
    for texts in (None, 1, b"a", bytearray(b"a"), ["a", 1]):
        kind = "int as item 2" if isinstance(texts, list) else type(texts).__name__
        with pytest.raises(InputError, match=f"lines: expected .*strings, found {kind}$"):
            list_of_texts(texts, "lines")


def test_long_numbers_and_texts_are_cut():
    assert (quoted("a"), quoted(2.5)) == ("'a'", "2.5")
    assert shorten("a" * 81) == "a" * 79 + "…"
    for number in (10**400, 10**5000):
        assert len(quoted(number)) <= 80
    assert quoted(10**5000) == "a number that is too long"


def test_many_names_are_not_all_listed_and_bytes_that_are_not_utf_8_are_shown_as_bytes():
    assert listed([]) == "none"
    assert listed(("b", "a")) == "b, a"
    names = [f"t{i}" for i in range(12)]
    assert listed(names[:10]) == "t0, t1, t2, t3, t4, t5, t6, t7, t8, t9"
    assert listed(names) == "t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, and 2 more"
    assert printable("grün\udcff\udcfe\n\ud800") == r"grün\xff\xfe\n\ud800"
