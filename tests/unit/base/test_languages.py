"""The table of languages, and what is read from it."""

import pytest

from translator.addons.public_models.importing import known_models
from translator.base.errors import InputError
from translator.base.languages import check_language, code_of, language_facts


def test_facts_of_languages_by_any_of_their_names():
    english, german = language_facts("en"), language_facts("de")
    assert (english.decimal_mark, german.decimal_mark) == (".", ",")
    assert (english.capitalizes_nouns, german.capitalizes_nouns) == (False, True)
    assert language_facts("English") == language_facts("eng") == english
    assert language_facts("de-AT") == language_facts("Deutsch") == german
    assert not language_facts("ja").has_spaces
    unknown = language_facts("xx")
    assert (unknown.code, unknown.has_spaces, unknown.decimal_mark) == ("xx", True, None)
    codes = {"eng": "en", "deu": "de", "fra": "fr", "zho": "zh", "spa": "es", "rus": "ru"}
    codes |= {"ita": "it", "nld": "nl", "por": "pt", "swe": "sv", "fin": "fi"}
    assert {code: language_facts(code).code for code in codes} == codes
    known = {code for model in known_models().values() for code in (model.source, model.target)}
    assert known <= set(codes.values())


def test_ordinals_are_written_as_the_language_does():
    for language, numbers in [
        ("en", "1st 2nd 3rd 4th 11th 12th 13th 21st 112th 1,000th"),
        ("de", "1. 2. 3. 4. 11. 12. 13. 21. 112. 1,000."),
        ("fr", "1 2 3 4 11 12 13 21 112 1,000"),
    ]:
        cardinals = ["1", "2", "3", "4", "11", "12", "13", "21", "112", "1,000"]
        assert " ".join(map(language_facts(language).ordinal, cardinals)) == numbers


def test_a_language_is_known_by_its_names_and_another_is_refused_with_the_nearest_one():
    for given, code in [
        ("de-AT", "de"), ("DE_at", "de"), ("ger", "de"), ("Deutsch", "de"), ("japanese", "ja"),
        ("Cantonese", "yue"), ("zh_yue", "yue"), ("zh-Hant", "zh"), ("cmn", "zh"), ("iw", "he"),
        ("Norwegian Bokmål", "nb"), ("x-elvish", "x-elvish"), ("jp", None), ("", None),
        ("xx", None), ("German (Austria)", None),
    ]:  # fmt: skip
        assert code_of(given) == code
        if code is not None:
            assert language_facts(given) == language_facts(code)
            check_language(given, "a")
    for given, meant in [
        ("jp", "did you mean ja (Japanese)? "), ("cn", "did you mean zh (Chinese)? "),
        ("jap", "did you mean ja (Japanese)? "), ("gemran", "did you mean de (German)? "),
        ("dk", "did you mean da (Danish)? "), ("xx", ""), ("us", ""), ("multi", ""),
    ]:  # fmt: skip
        with pytest.raises(InputError) as raised:
            check_language(given, "corpus.target_language")
        assert str(raised.value) == (
            f"corpus.target_language: expected a language such as de or German, found {given!r};"
            f" {meant}x-NAME is for a language without a code"
        )
