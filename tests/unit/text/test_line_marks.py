"""Marks that open a line are told from its text."""

import pytest

from tests.growth import grows_linearly
from tests.unit.text.test_reading import Letters
from translator.text.read_lines import SourceLine
from translator.text.reading import LineReader
from translator.text.sentences import opening_mark


def test_a_mark_opens_a_line_with_the_spaces_around_it():
    for mark, text in [
        ("- ", "Good morning."),
        ("– ", "Good morning. – How are you?"),
        ("— ", "dog"),
        ("-- ", "Good morning."),
        ("* ", "dog"),
        ("+ ", "dog"),
        ("•\t", "dog"),
        ("•\u00a0", "dog"),
        ("☐ ", "Do it."),
        ("> ", "I am here."),
        (">> > ", "I am here."),
        ("# ", "Title"),
        ("###### ", "Title #"),
        ("[ ] ", "Do it."),
        ("- [x]  ", "Do it."),
        ("  > - ", "Do it."),
        ("\t* ", "<b>Peter</b> is here."),
        ("1. ", "Open the door."),
        ("2) ", "I am tired."),
        ("2.) ", "I am tired."),
        ("(12) ", "I am tired."),
        ("a) ", "Open the door."),
        ("(B) ", "Open the door."),
        ("I) ", "Open the door."),
        ("- ", "5 degrees"),
        ("# ", "5"),
    ]:
        assert opening_mark(mark + text, "en") == mark


def test_other_lines_have_no_mark():
    for line in [
        "Good morning.", "  Good morning.", "", " ", "-", "- ", "* *", "* * *", "> > ", "• ⁂",
        "1.", "2) ", "-5.5 degrees", "--verbose is on.", "-c", "1.5 litres", "2.10.3 is new.",
        "A. Miller is here.", "#now", "#123 is open.", "####### Title", "*Peter* is here.",
        "**Note** it.", "[here] it is.", "[y] it is.", "(I) think so.", "(or) not", "10:00) now",
        ":-) Good morning.", "1989. That was it.", "(1989) That was it.", ">Tom", "-\nTom",
    ]:  # fmt: skip
        assert opening_mark(line, "en") == ""


def test_a_number_with_a_point_may_be_an_ordinal_number():
    for line, language, mark in [
        ("3. Mai ist heute.", "de", ""),
        ("1. Mai", "de", ""),
        ("3. und 4. Stock", "de", ""),
        ("1. Öffne die Tür.", "de", ""),
        ("1. Die Tür ist offen.", "de-AT", "1. "),
        ("- 3. Mai", "de", "- "),
        ("3) Mai", "de", "3) "),
        ("3. maj", "da", ""),
        ("3. Mee", "lb", ""),
        ("3. May", "en", "3. "),
        ('1. "Tom" is here.', "en", "1. "),
    ]:
        assert opening_mark(line, language) == mark


def test_thousands_of_marks_are_found_in_linear_time():
    def find(size: int) -> None:
        assert opening_mark("- " * size + "a", "en") == "- " * size

    assert grows_linearly(find, 10_000)


def read(line: str, split: bool = True, takes_out_marks: bool = True) -> SourceLine:
    reader = LineReader(Letters(), 64, split=split, takes_out_marks=takes_out_marks)
    return reader.read(line, "line 1")


@pytest.mark.parametrize("split", [True, False])
def test_the_rest_of_a_line_is_read_as_if_it_stood_alone(split):
    marked, alone = (read(line, split) for line in ("  > -\tIs it? It is.", "Is it? It is."))
    assert marked == alone._replace(text="  > -\tIs it? It is.", mark="  > -\t")
    assert marked.sentences[0].is_first


def test_a_line_as_it_is_keeps_its_mark_in_its_sentence():
    line = read("- it is", takes_out_marks=False)
    assert (line.mark, [one.shown.text for one in line.sentences]) == ("", ["- it is"])
