"""The table of languages, and what is read from it."""

from translator.addons.public_models.table import known_models
from translator.base.languages import is_known_language, language_facts


def test_facts_of_languages_by_any_of_their_names():
    english, german = language_facts("en"), language_facts("de")
    assert (english.decimal_mark, german.decimal_mark) == (".", ",")
    assert (english.capitalizes_nouns, german.capitalizes_nouns) == (False, True)
    assert language_facts("English") == language_facts("eng") == english
    assert language_facts("de-AT") == language_facts("Deutsch") == german
    assert not language_facts("ja").has_spaces
    unknown = language_facts("xx")
    assert (unknown.code, unknown.has_spaces, unknown.decimal_mark) == ("xx", True, None)


def test_codes_of_three_letters_are_other_names():
    codes = {"eng": "en", "deu": "de", "fra": "fr", "zho": "zh", "spa": "es", "rus": "ru"}
    codes |= {"ita": "it", "nld": "nl", "por": "pt", "swe": "sv", "fin": "fi"}
    assert {code: language_facts(code).code for code in codes} == codes
    known = {code for model in known_models().values() for code in (model.source, model.target)}
    assert known <= set(codes.values())
    assert all(map(is_known_language, (*codes, *known, "de-AT")))
    assert not is_known_language("xx")


def test_ordinals_are_written_as_the_language_does():
    for language, numbers in [
        ("en", "1st 2nd 3rd 4th 11th 12th 13th 21st 112th 1,000th"),
        ("de", "1. 2. 3. 4. 11. 12. 13. 21. 112. 1,000."),
        ("fr", "1 2 3 4 11 12 13 21 112 1,000"),
    ]:
        cardinals = ["1", "2", "3", "4", "11", "12", "13", "21", "112", "1,000"]
        assert " ".join(map(language_facts(language).ordinal, cardinals)) == numbers
