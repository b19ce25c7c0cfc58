"""Numbers in digits and in words, in a form that languages share."""

import pytest

from translator.text.number_values import NumberReader


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("25 dogs", "fünfundzwanzig Hunde"),
        ("Twenty-five dogs", "25 Hunde"),
        ("two hundred and fifteen", "zweihundertfünfzehn"),
        ("150,000 yen", "hundertfünfzigtausend Yen"),
        ("1,234.5", "1.234,5"),
        ("for 2.00 euros", "für 2 Euro"),
        ("at 1:30 p.m.", "um 13.30 Uhr"),
        ("at 2:30", "um 14.30 Uhr"),
        ("at half past three", "um halb vier"),
        ("one dog", "ein Hund"),
        ("a hundred", "hundert"),
        ("0 errors", "0 Fehler"),
    ],
)
def test_the_same_numbers_are_equal(english, german):
    found = NumberReader("en").find(english), NumberReader("de").find(german)
    assert not (found[0] - found[1] and found[1] - found[0]), found


@pytest.mark.parametrize(
    ("english", "german"),
    [("two dogs", "drei Hunde"), ("7 dogs", "17 Hunde"), ("1.5", "2,5"), ("2 men, 3", "2 oder 4")],
)
def test_other_numbers_differ(english, german):
    found = NumberReader("en").find(english), NumberReader("de").find(german)
    assert found[0] - found[1]
    assert found[1] - found[0]


def test_words_that_contain_numbers_are_none():
    assert not NumberReader("de").find("Die Elfe und der Dreisitzer unter einem Hund")
    assert not NumberReader("en").find("someone often listens to a tenor")


def test_without_number_words_digits_are_found():
    assert NumberReader("xx").find("deux et 3 et 5") == {"3": 1, "5": 1}


def test_thousands_of_digits_are_no_error():
    digits = "9" * 5000
    assert NumberReader("en").find(digits) == {digits: 1}
