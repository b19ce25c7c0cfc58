"""What the benchmark of translations holds them to."""

import itertools
import random

import pytest
from quality import KINDS, NUMBER, Texts, has, has_quantity, in_24_hours
from translating import SENTENCES

from translator.text.quantities import QuantityReader, write


@pytest.mark.parametrize(("source", "target"), [("en", "de"), ("de", "en")])
def test_quantities_are_right_where_a_translation_writes_those_of_its_source(source, target):
    readers = QuantityReader(source), QuantityReader(target)
    side = ("en", "de").index(source)
    for row in (row for rows in SENTENCES["quantities"].values() for row in rows):
        text = row[1 - side]
        given = readers[0].find(row[side])
        replaced = readers[1].find(text)
        for quantity, old in reversed(list(zip(given, replaced, strict=True))):
            text = text[: old.start] + write(quantity, target) + text[old.end :]
        assert has_quantity(row[3 - side], text), text
        assert has_quantity(row[2 + side], row[side]), row
        assert not has_quantity(row[3 - side], f"{text} 5"), text
        lacking = text.replace(write(given[0], target), "")
        assert not has_quantity(row[3 - side], lacking), lacking


def test_numbers_are_right_as_often_as_the_source_has_them():
    for text, is_right in [
        ("Um 7:30 Uhr waren es 1.250.", True),
        ("Um 7:30 Uhr waren es 1,250.", False),
        ("Um 7:30 Uhr waren es 1.250, davon 3.", False),
        ("Um 7:30 Uhr waren es viele.", False),
    ]:
        assert has(NUMBER, ["1.250", "7:30"])(text, ()) is is_right, text
    assert in_24_hours("At 7:30 pm, 12:05 a.m. or 7:30") == "At 19:30, 0:05. or 7:30"


def test_each_kind_is_written_with_its_mark_and_knows_right_translations():
    texts = Texts("de", "en", ["Aa é fließt, weil er ruft."] * 30, random.Random(1))
    word, line = "a word in brackets, quoted, emphasised", "a line likewise; what opens or ends it"
    cells, span = "cells of a table", "addresses, placeholders, numbers, emoji"
    for kind, number, source, right, wrong in [
        ("names", 3, "Weißt du, dass Ulrike krank ist?", "Is Ulrike ill?",
         ["Is he ill?", "Ulrike, is Ulrike ill?", "Is Ulrike ill, Tom?"]),
        ("names and a place", 4, "Pforzheim wohnt in Hrothgar.", "Pforzheim lives in Hrothgar.",
         ["Hrothgar lives in Pforzheim."]),
        ("names with titles", 2, "Wo ist Frau Dagobert?", "Where is Ms. Dagobert?",
         ["Where is Dagobert?", "Where is Ms. Tom?"]),
        ("terms of a glossary", 1, "Wo ist das Büro?", "In our headquarters.", ["In our office."]),
        (span, 1, "Aa é fließt, tom.smith@example.com weil er ruft.", "At tom.smith@example.com.",
         ["At tom.smith@example.", "tom.smith@example.com, tom.smith@example.com"]),
        ("tags", 1, "<b><i>Aa é</i></b> fließt, weil er ruft.", "Bb <b><i>cc</i></b> aa",
         ["Bb cc aa.", "Bb <i><b>cc</b></i> aa.", "Bb <b><i>cc</i></b> aa</b>."]),
        ("words and parts of sentences", 0, "é", "Zug der Zeit", ["Zug-Zug-Zug", "1 Zug Zug Zug"]),
        (word, 0, "Aa (é) fließt, weil er ruft.", "(Bb cc) aa.", ["Bb cc aa.", "(Bb) (cc) aa."]),
        (word, 2, "Aa é fließt, weil er **ruft**.", "Bb cc **aa**.", ["*Bb cc aa*.", "**Bb** aa."]),
        (word, 5, '"Aa" é fließt, weil er ruft.', 'Bb "cc" aa.', ["Bb „cc“ aa.", 'Bb "cc aa.']),
        (line, 0, "(Aa é fließt, weil er ruft.)", "(Bb cc aa).", ["Bb (cc aa.)", "Bb cc aa."]),
        (line, 3, "- Aa é fließt, weil er ruft.", "- Bb cc aa.", ["Bb cc aa.", "Bb - cc aa."]),
        (line, 6, "1) Aa é fließt, weil er ruft.", "1) Bb cc aa.", ["Bb 1) cc aa.", "1) Bb cc."]),
        (line, 7, "Aa é fließt, weil er ruft;", "Bb cc aa;", ["Bb; cc aa", "Bb cc aa."]),
        ("a clause in brackets", 0, "Aa é fließt (weil er ruft).", "Bb (cc aa).", ["Bb cc aa."]),
        ("an aside in brackets", 0, "Aa é (wie immer) fließt, weil er ruft.", "Bb (as ever) cc aa.",
         ["Bb as ever cc aa.", "Bb (as) (ever) cc aa.", "Bb (as ever) cc."]),
        (cells, 0, f"| {texts.sentences[0]} | {texts.sentences[1]} |", "| Bb. | cc aa. |",
         ["| Bb cc aa |"]),
        ("letters and accents apart", 0, "Aa e\u0301 fließt, weil er ruft.", "Bb cc aa.", ["Bb."]),
        ("ligatures", 0, "Aa é ﬂießt, weil er ruft.", "Bb cc aa.", ["Bb aa cc."]),
        ("in capitals", 0, "AA É FLIESST, WEIL ER RUFT.", "BB CC AA.", ["BB AA."]),
        ("each word with a capital", 0, "Aa É Fließt, Weil Er Ruft.", "Bb cc aa.", ["Bb aa."]),
    ]:  # fmt: skip
        texts.draw.seed(1)
        case = next(itertools.islice(KINDS[kind](texts), number, None))
        assert case.source == source
        plain = ["Bb.", "cc aa."] if kind == cells else ["Bb cc aa."]
        assert case.holds(right, plain), right
        assert [text for text in wrong if case.holds(text, plain)] == [], kind
