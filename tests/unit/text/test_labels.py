"""Quoted labels within sentences: shown with a small letter, written with a capital."""

import pytest

from tests.growth import grows_linearly
from tests.letters import Letters
from translator.text.labels import (
    find_labels,
    with_capital_behind_colon,
    with_capitals_of_labels,
    with_plain_labels,
)
from translator.text.line_marks import LineMarks
from translator.text.truecasing import Truecaser

TRUECASER = Truecaser.learn(["I save the file and close it, Tom.", "Now sort it by Tom.", "Go on."])


def test_labels_are_shown_as_within_sentences_or_as_nouns():
    for text, shown in [
        ('Click "Save".', 'Click "save".'),
        ("Click 'Save', then \"Close\".", 'Click "save", then "close".'),
        ('Use "Sort by date" or "Close it".', 'Use "sort by date" or "close it".'),
        ('Ask "Tom" or "Xaver".', 'Ask "Tom" or "Xaver".'),
        ('He said: "Go on" or, "Go".', 'He said: "Go on" or, "Go".'),
        ('"Save" it.', '"Save" it.'),
        ('I "SAVE" a "save" 5" Close"', 'I "SAVE" a "save" 5" Close"'),
        ('I "Save it and close it now".', 'I "Save it and close it now".'),
        ("The boys' Save and the girls' Close", "The boys' Save and the girls' Close"),
    ]:
        assert with_plain_labels(text, TRUECASER, "en") == shown
        assert list(find_labels(text, None, "en")) == []
    for text, shown, labels in [
        ("Auf „Speichern“ und „Hund“, „so“.", "Auf „Speichern“ und „Hund“, „so“.", ["Speichern"]),
        ("Auf 'Speichern'.", "Auf „Speichern“.", ["Speichern"]),
        ("Auf „Hund“.", "Auf „Hund“.", ["Hund"]),
        ("Auf „so“.", "Auf „so“.", []),
    ]:
        truecaser = Truecaser.learn(["Er will es speichern, Tom.", "Der Hund ging."])
        assert with_plain_labels(text, truecaser, "de") == shown
        assert [text[a + 1 : b - 1] for a, b in find_labels(text, truecaser, "de")] == labels


def test_what_stays_as_it_is_keeps_its_capitals_and_may_be_in_a_label():
    text = 'Use {{ a "Save" }} or "Close" and "Sort".'
    parts = ('{{ a "Save" }}', "Close")
    fixed = [(text.index(part), text.index(part) + len(part)) for part in parts]
    shown = 'Use {{ a "Save" }} or "Close" and "sort".'
    assert with_plain_labels(text, TRUECASER, "en", fixed) == shown
    found = [text[a:b] for a, b in find_labels(text, TRUECASER, "en", fixed)]
    assert found == ['"Close"', '"Sort"']
    text = 'click "Save as 7" at http://a.de/"Close"'
    copied = [(text.index("7"), text.index("7") + 1), (text.index("http"), len(text))]
    marks = LineMarks(Letters(), lambda line: copied, truecaser=TRUECASER)
    assert marks.take_out(text).plain == text


def test_a_label_is_written_with_a_capital_where_each_quotation_has_its_own():
    click = 'Click "Save", "so".', 'click "save", "so".'
    for source, shown, translation, text in [
        (*click, "Auf „speichern“ klicken, „so“.", "Auf „Speichern“ klicken, „so“."),
        (*click, "Auf „speichern“ klicken.", "Auf „speichern“ klicken."),
        (*click, "Auf speichern klicken.", "Auf speichern klicken."),
        # emphasis in a quotation makes no label
        ('a "**very** good" idea', 'a "very good" idea', "„sehr gute“ Idee", "„sehr gute“ Idee"),
    ]:
        words = with_capitals_of_labels(translation.split(), source, shown, ("„", "“"))
        assert " ".join(words) == text


def test_what_begins_behind_a_colon_has_a_capital_but_no_noun():
    for source, translation, text in [
        ("Note: The door is open.", "Hinweis: die Tür ist offen.", "Hinweis: Die Tür ist offen."),
        ("**Note:** The door.", "Hinweis: die Tür.", "Hinweis: Die Tür."),
        ("Note: the door.", "Hinweis: die Tür.", "Hinweis: die Tür."),
        ("So. Note: The door.", "So. Hinweis: die Tür.", "So. Hinweis: die Tür."),
        ("Note: The", "Hinweis:", "Hinweis:"),
        ("Note: élan.", "Hinweis: schwung.", "Hinweis: schwung."),
        ("Zutaten: Mehl", "Ingredients: flour", "Ingredients: flour"),
        ("So: Das Mehl", "So: the flour", "So: The flour"),
    ]:
        nouns = frozenset({"Das"} if "Mehl" in source else ())
        assert with_capital_behind_colon(translation.split(), source, nouns) == text.split(), source


@pytest.mark.parametrize("part", ['a "Save ', "a 'Save", '"', "a-a-"])
def test_labels_are_found_in_linear_time(part):
    assert grows_linearly(
        lambda size: list(find_labels((part * size)[:size], TRUECASER, "en")), 5000
    )
