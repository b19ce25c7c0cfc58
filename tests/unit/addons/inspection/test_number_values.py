"""Numbers in digits and in words, in a form that languages share."""

from translator.addons.inspection.inspector import NumberReader


def test_the_same_numbers_are_equal():
    for english, german in [
        ("25 dogs", "fünfundzwanzig Hunde"),
        ("1,234.5", "1.234,5"),
        ("for 2.00 euros", "für 2 Euro"),
        ("at 1:30 p.m.", "um 13.30 Uhr"),
        ("one dog", "ein Hund"),
        ("0 errors", "0 Fehler"),
        ("in 1999 300 people", "1999 waren es 300"),
        ("at 12 a.m.", "um 0 Uhr"),
        ("on 5/6/2012", "am 6.5.2012"),
        ("nineteen twenty-year-olds", "neunzehn Zwanzigjährige"),
        ("from 5 to 7 pm", "von 17.00 bis 19.00 Uhr"),
        ("on 5 June 2012", "am 5.6.2012"),
        ("at -5 degrees", "bei minus fünf Grad"),
        ("a twenty-minute walk in room B2", "zwanzig Minuten in Raum B2"),
    ]:
        found = NumberReader("en").find(english), NumberReader("de").find(german)
        assert not (found[0] - found[1] and found[1] - found[0]), found


def test_other_numbers_differ():
    for english, german in [
        ("two dogs", "drei Hunde"),
        ("7 dogs", "17 Hunde"),
        ("at 3 pm", "um 16 Uhr"),
        ("nineteen ninety-nine", "1998"),
        ("two dozen eggs", "drei Dutzend Eier"),
    ]:
        found = NumberReader("en").find(english), NumberReader("de").find(german)
        assert found[0] - found[1]
        assert found[1] - found[0]


def test_numbers_are_counted():
    for language, text, numbers in [
        ("de", "Die Elfe und der Dreisitzer unter einem Hund", {}),  # no numbers
        ("en", "someone often listens to a tenor", {}),
        ("en", "at eleven thirty", {"11": 1, "30": 1}),  # no year
        ("xx", "deux et 3 et 5", {"3": 1, "5": 1}),  # a language without a table
        ("en", "9" * 5000, {"9" * 5000: 1}),
    ]:
        assert NumberReader(language).find(text) == numbers
