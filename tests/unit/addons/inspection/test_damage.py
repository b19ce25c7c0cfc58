"""Damage in the text of pairs."""

import pytest

from translator.addons.inspection.findings import Reason
from translator.addons.inspection.inspector import find_damage


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
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
    ],
)
def test_damage_is_found_with_what_shows_it(source, target, expected):
    assert find_damage((source, target)) == expected
