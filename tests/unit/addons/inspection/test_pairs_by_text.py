"""What is found in the text of pairs alone: copies, scripts, languages, damage."""

import pytest

from translator.addons.inspection.findings import Reason
from translator.addons.inspection.inspector import find_damage, is_copy
from translator.addons.inspection.languages import (
    CERTAIN,
    count_scripts,
    foreign_script,
    is_swapped,
    usual_scripts,
)
from translator.base.errors import InputError


def test_copies():
    for source, target, expected in [
        ("A dog runs.", "a dog runs", True),
        ("A dog runs on the wet sand.", "A dog runs on the sand.", True),
        ("A dog runs.", "Ein Hund läuft.", False),
        ("Tom Jackson", "Tom Jackson", False),
        ("OK!", "OK!", False),
        ("1 2 3 4", "Eins zwei drei vier", False),
        ("Tom lived in Boston.", "Tom lebte in Boston.", False),
        ("犬が浜辺を走っている", "犬が浜辺を走っている", True),
        ("東京", "東京", False),
    ]:
        assert is_copy(source, target) is expected


def test_the_script_of_a_sentence_is_told_from_those_of_its_side():
    usual = usual_scripts(count_scripts("The dog runs. " * 50 + "α"))
    assert usual == {"Latin"}
    assert foreign_script(count_scripts("Собака бежит."), usual) == "Cyrillic"
    assert foreign_script(count_scripts("The letter Ж"), usual) == ""
    assert foreign_script(count_scripts("123 !"), usual) == ""
    japanese = usual_scripts(count_scripts("犬がはしる、テレビ"))
    assert foreign_script(count_scripts("テレビ"), japanese) == ""


def test_a_third_language_and_swapped_sides_are_told(identifier):
    texts = [
        "A man sits on the beach and reads a book.",
        "Ein Mann sitzt am Strand und liest ein Buch.",
        "Un homme est assis sur la plage et lit un livre.",
    ]
    english, german, french = identifier.identify(texts, "en", "de")
    assert (english.language, english.odds) == ("en", 0.0)
    assert german.odds_of_opposite > CERTAIN
    assert french.language == "fr"
    assert french.odds > CERTAIN
    as_german = identifier.identify(texts, "de", "en")
    assert is_swapped(german, as_german[0])
    assert not is_swapped(english, as_german[1])
    assert not is_swapped(english, as_german[0])
    assert not is_swapped(german, as_german[1])
    assert not is_swapped(english, as_german[2])
    texts = ["@@", "", "12345 67890 +++", "Tom!"]
    odds = [found.odds for found in identifier.identify(texts, "en", "de")]
    assert max(odds) <= CERTAIN, odds


def test_the_language_of_a_file_is_found_or_asked_for(identifier):
    german = ["Ein Hund läuft über die Wiese.", "", "Zwei Frauen sitzen im Park."]
    assert identifier.language_of(german, "a.txt") == "de"
    with pytest.raises(InputError, match=r"a.txt: .* found too little text; name the"):
        identifier.language_of(["", " "], "a.txt")
    with pytest.raises(InputError, match=r"found (de, fr|fr, de); name the languages"):
        identifier.language_of([german[0], "Un homme lit un livre sur la plage."], "a.txt")
    names = {code: identifier.name(code) for code in ("de", "deu", "nb", "zh_yue", "xx")}
    assert names == {"de": "de", "deu": "de", "nb": "no", "zh_yue": "yue", "xx": None}


def test_damage_is_found_with_what_shows_it():
    for source, target, expected in [
        ("A dog.", "Ein Hund.", None),
        ('A café, 5 % & more; "so" – it’s', "Öl für Ä, Ö und ß: „ja“ … 5 °C", None),
        ("A dog.", "Ein H\ufffdnd.", (Reason.DAMAGED, "")),
        ("A\x07 dog.", "Ein Hund.", (Reason.CONTROLS, "U+0007")),
        ("A dog.", "Ein schÃ¶ner Hund.", (Reason.MISREAD, "Ein schöner Hund.")),
        ("She said â€œyesâ€\x9d.", "Ja.", (Reason.MISREAD, "She said “yes”.")),
        ("Dogs &amp; cats", "Hunde", (Reason.ENTITIES, "&amp;")),
        ("It&#39;s", "Es ist", (Reason.ENTITIES, "&#39;")),
        ("R&D; Q&A too", "F&E; Fragen", None),
        ("1276", "Ein Hund.", (Reason.WORDLESS, "")),
        ("https://example.com/dog", "Ein Hund.", (Reason.WORDLESS, "")),
        ("1,276", "1.276", None),
        ("See https://example.com", "Siehe https://example.com", None),
    ]:
        assert find_damage((source, target)) == expected, source
