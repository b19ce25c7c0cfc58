"""Files of pairs as they come: header rows, quoted fields, CR line ends, blank lines at the end."""

import csv
import re

import pytest

from translator.corpora.files import UnequalFiles
from translator.corpora.pair_files import ReadOptions, is_header, read_numbered_pairs, read_pairs

LANGUAGES = ("en", "de")
PAIRS = [(f"Line {n} is here.", f"Hier ist Zeile {n}.") for n in range(1, 31)]


def write(path, content: str) -> tuple:
    path.write_text(content, "utf-8", newline="")
    return (path,)


def tsv(pairs, end: str = "\n") -> str:
    return "".join(f"{source}\t{target}{end}" for source, target in pairs)


def read(paths, languages=LANGUAGES, **options):
    """The pairs, and what is said about them."""
    told: list[str] = []
    pairs = list(read_pairs(paths, ReadOptions(languages, report=told.append, **options)))
    return pairs, "\n".join(told)


@pytest.mark.parametrize(
    "header", ["en de", "English German", "eng deu", "source target", "en_US text_de"]
)
def test_a_header_row_is_left_out_and_said(tmp_path, header):
    paths = write(tmp_path / "pairs.tsv", tsv([header.split(), *PAIRS]))
    pairs, told = read(paths)
    assert pairs == PAIRS
    assert re.fullmatch(r".*: line 1 is a header row, '.*' and '.*', and is left out", told)


def test_a_header_row_with_the_sides_exchanged_exchanges_them(tmp_path):
    rows = [("German", "English"), *((target, source) for source, target in PAIRS)]
    pairs, told = read(write(tmp_path / "pairs.tsv", tsv(rows)))
    assert pairs == PAIRS
    assert "columns 2 and 1 of 2 are read" in told


def test_short_pairs_are_no_header():
    for pair in (("it", "es"), ("German", "English"), ("Source", "Quelle"), ("Eng.", "Deu.")):
        assert not is_header(pair, LANGUAGES)


def test_a_header_row_of_two_files_is_left_out(tmp_path):
    (tmp_path / "a").write_text("English\nOne.\n", "utf-8")
    (tmp_path / "b").write_text("Deutsch\nEins.\n", "utf-8")
    pairs, told = read((tmp_path / "a", tmp_path / "b"))
    assert pairs == [("One.", "Eins.")]
    assert "a: line 1 is a header row, 'English' and 'Deutsch', and is left out" in told


QUOTED = ('He said "hi".', 'Er sagte "hallo".')


@pytest.mark.parametrize("quoting", [csv.QUOTE_ALL, csv.QUOTE_MINIMAL])
@pytest.mark.parametrize("count", [3, 300])
def test_fields_in_quotation_marks_are_read_without_these(tmp_path, quoting, count):
    path = tmp_path / "pairs.tsv"
    rows = [*(PAIRS * 10)[:count], QUOTED, *PAIRS]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", quoting=quoting).writerows(rows)
    pairs, told = read((path,))
    assert pairs == rows
    assert "fields in quotation marks are read without the marks" in told


def test_a_quoted_field_of_a_tsv_file_may_have_line_ends_and_tabs_inside(tmp_path):
    path = tmp_path / "pairs.tsv"
    rows = [*PAIRS, ("Two\nlines.", "Zwei\r\nZeilen."), PAIRS[0]]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(rows)
    assert read((path,))[0] == [*PAIRS, ("Two lines.", "Zwei Zeilen."), PAIRS[0]]


def test_quotations_are_no_quoted_fields(tmp_path):
    for pairs in [
        [*PAIRS, ('"I came.', "„Ich kam."), ('I saw."', "Ich sah.“"), *PAIRS],
        [QUOTED, *PAIRS, ('"Say ""hi"" to him."', "Grüß ihn."), QUOTED],
        [('"Yes," he said, "no."', '"Ja", sagte er, "nein."')] * 5,
        [('"Wait!"', '"Warte!"')],
        [('"Wait!"', '"Warte!"')] * 5 + [("Go.", "Geh.")],
    ]:
        assert read(write(tmp_path / "pairs.tsv", tsv(pairs))) == (pairs, "")


def test_a_return_within_a_line_is_text(tmp_path):
    paths = write(tmp_path / "pairs.tsv", "One\rmore.\tEins.\r\nTwo.\tZwei.\r\n")
    assert list(read_pairs(paths)) == [("One\rmore.", "Eins."), ("Two.", "Zwei.")]


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n \n\n"])
def test_blank_lines_at_the_end_are_left_out(tmp_path, end):
    paths = write(tmp_path / "pairs.tsv", tsv(PAIRS) + end)
    assert read(paths) == (PAIRS, "")
    for side, name in enumerate("ab"):
        text = "".join(f"{pair[side]}\n" for pair in PAIRS)
        (tmp_path / name).write_text(text + end * (name == "b"), "utf-8")
    assert list(read_pairs((tmp_path / "a", tmp_path / "b"))) == PAIRS
    assert list(read_pairs((tmp_path / "b", tmp_path / "a"))) == [
        (target, source) for source, target in PAIRS
    ]


def test_blank_lines_between_documents_are_left_out_and_counted(tmp_path):
    paths = write(tmp_path / "pairs.tsv", "One.\tEins.\n\n \nTwo.\tZwei.\n")
    assert list(read_numbered_pairs(paths)) == [(1, ("One.", "Eins.")), (4, ("Two.", "Zwei."))]


def test_a_blank_line_of_one_side_alone_is_refused(tmp_path):
    (tmp_path / "a").write_text("One.\n\n\nTwo.\n", "utf-8")
    (tmp_path / "b").write_text("Eins.\n", "utf-8")
    with pytest.raises(UnequalFiles, match="found only 1"):
        list(read_pairs((tmp_path / "a", tmp_path / "b")))
