"""Spans of any kind are shown as stand-ins, found again and put back."""

import re

import numpy as np

from translator.text.memo import ShownWord, Span
from translator.text.stand_ins.kind import SpanKind, StandIn
from translator.text.stand_ins.known_names import KnownNames
from translator.text.stand_ins.numbers import NumberKind
from translator.text.stand_ins.registry import SpanSettings, active_kinds
from translator.text.stand_ins.restoring import align_source, lacks_spans, match, restore_spans
from translator.text.stand_ins.showing import show_spans
from translator.text.stand_ins.unseen_names import NameKind


class AddressKind(SpanKind):
    """Web addresses, shown as a word that every model knows."""

    def find(self, text):
        for found in re.finditer(r"https?://\S*[^\s.,]", text):
            yield StandIn(found.start(), found.end(), "it")

    def find_stand_ins(self, word):
        for found in re.finditer(r"\bes\b", word):
            yield Span(found.start(), found.end(), found.group())


def test_a_kind_of_two_methods_is_carried_over():
    kind = AddressKind()
    shown = show_spans("See http://a.de/x, then https://b.de.", [kind])
    assert shown.text == "See it, then it."
    assert [word.given for word in shown.words] == [
        "See", "http://a.de/x,", "then", "https://b.de."
    ]  # fmt: skip
    words = ["Dann", "es,", "sieh", "es!"]
    alignment = np.zeros((4, 4))
    alignment[1, 3] = alignment[3, 1] = 1
    assert restore_spans([kind], words, shown.words, alignment).words == [
        "Dann", "https://b.de,", "sieh", "http://a.de/x!"
    ]  # fmt: skip


def test_several_kinds_are_shown_and_the_first_wins_where_they_overlap():
    kinds = [AddressKind(), NumberKind(("en", "de"))]
    assert show_spans("At 7:30 see http://a.de/1.5 or 1.5", kinds).text == "At 00 see it or 00"
    spans = [
        span.given for word in show_spans("http://a.de/1.5", kinds).words for span in word.spans
    ]
    assert spans == ["http://a.de/1.5"]


def test_a_text_without_spans_is_shown_as_it_is():
    shown = show_spans(" Nothing  here\t. ", [AddressKind()])
    assert shown.text == " Nothing  here\t. "
    assert shown.words == tuple(ShownWord(word, word) for word in ("Nothing", "here", "."))
    assert show_spans("", [AddressKind()]).words == ()


def test_the_registry_gives_the_kinds_that_are_asked_for():
    languages, names = ("en", "de"), KnownNames(frozenset({"a"}), "Tom")
    assert active_kinds(SpanSettings(languages)) == ()
    kinds = active_kinds(SpanSettings(languages, True, names))
    assert [type(kind) for kind in kinds] == [NameKind, NumberKind]
    assert active_kinds(SpanSettings(languages, names=KnownNames(frozenset(), None))) == ()


def test_stand_ins_get_the_best_fits_and_share_spans_only_if_there_are_too_few():
    assert match([[0.9, 0.8], [0.85, 0.1]]) == {0: 0, 1: 1}
    assert match([[0.2], [0.9]]) == {1: 0, 0: 0}
    assert match([[], []]) == {}
    assert match([]) == {}


def test_words_of_the_tokenizer_are_used_if_no_kind_realigns_them():
    shown = show_spans("a b", []).words
    assert [word.given for word in align_source("a b", shown, ["ab"], [])] == ["ab"]
    kind = NumberKind(("en", "de"))
    aligned = align_source("a\u200b 17", shown, ["a", "", "00"], [kind])
    assert [word.given for word in aligned] == ["a", "", "17"]


def test_a_new_short_form_and_the_name_after_it_are_one_name():
    words = ["he", "saw", "works", "for", "now", "has", "a", "smith", "miller", "st", "and"]
    for text, names in [
        ("Dr. Smith saw Prof. Miller.", ["Dr. Smith", "Prof. Miller"]),
        ("He works for (Mrs. Keanu) now.", ["Mrs. Keanu"]),
        ("He has a Zeb. now", ["Zeb"]),
        ("He saw St. Louis and St. Smith.", ["St. Louis"]),
        ("He saw Prof. (Miller).", ["Prof."]),
        ("He has a Smith St. Louis saw.", ["Louis"]),
    ]:
        for by_capital in (True, False):
            kind = NameKind(KnownNames(frozenset(words), "Tom"), ("", ""), by_capital=by_capital)
            assert [text[each.start : each.end] for each in kind.find(text)] == names


def test_a_usual_name_of_the_sentence_and_a_word_that_only_begins_like_one_stand_for_no_other():
    known = KnownNames(frozenset(["saw", "and", "anna", "bern", "monday"]), "Anna", ("Bern",))
    for source, shown, target, points, german in [
        ("Anna saw Keanu", "Anna saw Bern", "Berns sah Anna", [2, 1, 0], "Keanus sah Anna"),
        ("Keanu and Neo", "Anna and Bern", "Bern und Anna", [2, 1, 0], "Neo und Keanu"),
        ("Keanu saw Bern", "Anna saw Bern", "Anna sah Bern", [2, 1, 0], "Keanu sah Bern"),
        ("Monday saw Xaver", "Monday saw Anna", "annabel sah annas", [0, 1, 2],
         "annabel sah Xavers"),
    ]:  # fmt: skip
        kind = NameKind(known, ("en", "fr"))
        text = show_spans(source, [kind])
        assert text.text == shown
        restored = restore_spans([kind], target.split(), text.words, np.eye(3)[points])
        assert " ".join(restored.words) == german


def test_a_lost_name_is_tried_again_with_the_names_in_another_order():
    known = KnownNames(frozenset({"met", "in", "tom"}), "Tom", ("Boston", "London"))
    kind = NameKind(known, ("en", "fr"))
    words = show_spans("Zorblax met Qwertz.", [kind]).words
    assert [word.text for word in words] == ["Tom", "met", "Boston."]
    assert lacks_spans([kind], ["Tom", "traf."], words)
    assert lacks_spans([kind], ["Boston", "traf", "Tim."], words)
    assert not lacks_spans([kind], ["Boston", "traf", "Toms."], words)
    assert lacks_spans([kind], ["traf."], show_spans("met Tom.", [kind]).words)
    other = NameKind(known.in_order(("London", "Tom", "Boston")), ("en", "fr"))
    assert show_spans("Zorblax met Qwertz.", [other]).text == "London met Tom."


def test_a_lost_usual_name_is_tried_again_as_another():
    known = KnownNames(
        frozenset({"dad", "lives", "in", "tom", "boston", "toms"}), "Tom", ("Boston", "London")
    )
    kind = NameKind(known, ("en", "fr"))
    exchanging = NameKind(known, ("en", "fr"), exchanges_usual=True)
    text = "Tom's dad lives in Boston, Toms."
    shown = show_spans(text, [exchanging])
    assert shown.text == "Boston's dad lives in London, Bostons."
    words = ["Bostons", "Papa", "wohnt", "in", "London."]
    restored = restore_spans([kind], words, shown.words, np.zeros((5, 6)))
    assert restored.words == ["Toms", "Papa", "wohnt", "in", "Boston."]
    assert show_spans(text, [kind]).text == text


def test_no_two_names_are_shown_as_the_same_and_places_as_places():
    words = frozenset({"met", "in", "tom", "boston"})
    others = ("Boston", "Mary", "London")
    known = KnownNames(words, "Tom", others, places=("Boston", "London"))
    usual, exchanging = (NameKind(known, ("en", "fr"), exchanges) for exchanges in (False, True))
    for kind, text, shown in [
        (usual, "Krxzy met Zorblax in Qwertz.", "Tom met Mary in Boston."),
        (usual, "Krxzy in Qwertz met Zorblax.", "Tom in Boston met Mary."),
        (usual, "Krxzy met Zorblax.", "Tom met Boston."),
        (usual, "Qwertz, in Zorblax in Krxzy.", "Tom, in Boston in London."),
        (exchanging, "met in Qwertz.", "met in Tom."),
        (exchanging, "Krxzy met Tom in Boston.", "London met Boston in Mary."),
        (exchanging, "Tommy met Tom Krxzy.", "Mary met Boston London."),
    ]:
        assert show_spans(text, [kind]).text == shown
