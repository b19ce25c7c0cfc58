"""The mark at the end of a sentence is removed, and a translation has one only like its source."""

import pytest

from translator.text.final_marks import (
    fit_final_mark,
    with_balanced_quotes,
    without_final_mark,
    without_first_comma,
)


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("Run!", "Run"),
        ("Who?!", "Who"),
        ("Well …", "Well"),
        ("好。", "好"),
        ("Tom", "Tom"),
        ("?", ""),
    ],
)
def test_the_final_mark_is_removed(text, shorter):
    assert without_final_mark(text) == shorter


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("I see Tom", "Ich sehe Tom.", "Ich sehe Tom"),
        ("Where is Tom", "Wo ist Tom?", "Wo ist Tom"),
        ("Where is Tom?", "Wo ist Tom?", "Wo ist Tom?"),
        ("He said:", "Er sagte.", "Er sagte."),
        ("He said “no”", "Er sagte „Nein“.", "Er sagte „Nein“."),
        ("the 3rd", "der 3.", "der 3."),
        ("room 3", "Zimmer 3!", "Zimmer 3"),
        ("room 3", "Zimmer 3.", "Zimmer 3"),
        ("Tom", "...", "..."),
        ("I see Tom", "Ich sehe Tom .", "Ich sehe Tom"),
        ("", "Ja.", "Ja."),
        ("I see Tom ", "Ich sehe Tom.", "Ich sehe Tom"),
        ("about 50%", "etwa 50 %.", "etwa 50 %"),
        ("Tom (my friend)", "Tom (mein Freund).", "Tom (mein Freund)"),
        ("It is 00.", "Es ist 00", "Es ist 00."),
        ("Is it Tom?", "Ist es Tom", "Ist es Tom?"),
        ("I came.", "我来了", "我来了"),
        ("He said: “No.”", "Er sagte: „Nein", "Er sagte: „Nein"),
    ],
)
def test_a_translation_has_a_final_mark_only_if_its_source_has_one(source, translation, expected):
    assert " ".join(filter(None, fit_final_mark(source, translation.split()))) == expected


def test_a_translation_that_was_cut_gets_no_mark():
    assert fit_final_mark("I see Tom.", ["Ich", "sehe"], has_ended=False) == ["Ich", "sehe"]


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Auch", ", too", "too"),
        ("Auch", ",too", "too"),
        (", auch", ", too", ", too"),
        ("Auch", ",", ","),
        ("Auch", "", ""),
        ("Auch du, Tom", "You, too , Tom", "You, too , Tom"),
    ],
)
def test_a_translation_begins_with_a_comma_only_if_its_source_does(source, translation, expected):
    words = without_first_comma(source, translation.split())
    assert " ".join(filter(None, words)) == expected


@pytest.mark.parametrize(
    ("source", "words", "fitting"),
    [
        ('"I saw it."', "„Ich sah es.", "„Ich sah es.“"),
        ("'I saw it.'", "„Ich sah es.", "„Ich sah es.“"),
        ("(I saw it.)", "„Ich sah es.", "Ich sah es."),
        ("I saw it.", "Ich „ sah es.", "Ich  sah es."),
        ('It is "so".', "Es ist so“.", "Es ist so."),
        ('It is "so".', "Es ist „so“.", "Es ist „so“."),
        ("It's so.", "„Es ist so.", "Es ist so."),
        ("so", "", ""),
    ],
)
def test_an_open_quotation_is_closed_where_the_source_has_one(source, words, fitting):
    assert " ".join(with_balanced_quotes(source, words.split(" "), ("„", "“"))) == fitting


@pytest.mark.parametrize(
    ("source", "words", "fitting"),
    [
        ("Er sagte „so.“", 'He said "so.', 'He said "so."'),
        ("Er sagte so.", 'He said "so.', "He said so."),
        ("Er sagte „so.“", 'He said "so."', 'He said "so."'),
    ],
)
def test_quotation_marks_that_open_and_close_are_counted(source, words, fitting):
    assert " ".join(with_balanced_quotes(source, words.split(" "), ('"', '"'))) == fitting
