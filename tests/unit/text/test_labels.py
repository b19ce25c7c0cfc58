"""Quoted labels within sentences: shown with a small letter, written with a capital."""

import pytest

from tests.growth import grows_linearly
from translator.text.labels import find_labels, with_capitals_of_labels, with_small_labels
from translator.text.truecasing import Truecaser

TRUECASER = Truecaser.learn(["I save the file and close it, Tom.", "Now sort it by Tom.", "Go on."])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('Click "Save".', 'Click "save".'),
        ("Click 'Save', then \"Close\".", 'Click "save", then "close".'),
        ('Use "Sort by date" or "Close it".', 'Use "sort by date" or "close it".'),
        ('Ask "Tom" or "Xaver".', 'Ask "Tom" or "Xaver".'),
        ('He said: "Go on" or, "Go".', 'He said: "Go on" or, "Go".'),
        ('"Save" it.', '"Save" it.'),
        ('I "SAVE" a "save" 5" Close"', 'I "SAVE" a "save" 5" Close"'),
        ('I "Save it and close it now".', 'I "Save it and close it now".'),
        ("The boys' Save and the girls' Close", "The boys' Save and the girls' Close"),
    ],
)
def test_labels_are_shown_as_within_sentences(text, shown):
    assert with_small_labels(text, TRUECASER) == shown
    assert list(find_labels(text, None)) == []


@pytest.mark.parametrize(
    ("translation", "text"),
    [
        ("Auf „speichern“ klicken, „so“.", "Auf „Speichern“ klicken, „so“."),
        ("Auf „speichern“ klicken.", "Auf „speichern“ klicken."),
        ("Auf speichern klicken.", "Auf speichern klicken."),
    ],
)
def test_a_label_is_written_with_a_capital_where_each_quotation_has_its_own(translation, text):
    source, shown = 'Click "Save", "so".', 'click "save", "so".'
    words = with_capitals_of_labels(translation.split(), source, shown, ("„", "“"))
    assert " ".join(words) == text


@pytest.mark.parametrize("part", ['a "Save ', "a 'Save", '"', "a-a-"])
def test_labels_are_found_in_linear_time(part):
    assert grows_linearly(lambda size: list(find_labels((part * size)[:size], TRUECASER)), 5000)
