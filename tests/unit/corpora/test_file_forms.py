"""Files of pairs as they come: header rows, quoted fields, CR line ends, blank lines at the end."""

import csv

import pytest

from translator.base.errors import InputError
from translator.corpora.pair_files import Wanted, is_header, read_pairs
from translator.corpora.pair_files.tables import are_quoted
from translator.corpora.files import UnequalFiles

LANGUAGES = ("en", "de")
PAIRS = [(f"Line {n} is here.", f"Hier ist Zeile {n}.") for n in range(1, 31)]


def write(path, content: str) -> tuple:
    path.write_text(content, "utf-8", newline="")
    return (path,)


def tsv(pairs, end: str = "\n") -> str:
    return "".join(f"{source}\t{target}{end}" for source, target in pairs)


@pytest.mark.parametrize(
    "header",
    [("en", "de"), ("English", "German"), ("eng", "deu"), ("source", "target"), ('"en"', '"de"')],
)
def test_a_header_row_is_refused_and_named(tmp_path, header):
    paths = write(tmp_path / "pairs.tsv", tsv([header, *PAIRS]))
    with pytest.raises(InputError, match=r"line 1: expected a pair of sentences, found a header"):
        list(read_pairs(paths, LANGUAGES))
    assert len(list(read_pairs(paths))) == len(PAIRS) + 1


@pytest.mark.parametrize("pair", [("it", "es"), ("German", "English"), ("Source", "Quelle")])
def test_short_pairs_are_no_header(pair):
    assert not is_header(pair, LANGUAGES)


def test_a_header_row_of_two_files_is_refused(tmp_path):
    (tmp_path / "a").write_text("English\nOne.\n", "utf-8")
    (tmp_path / "b").write_text("Deutsch\nEins.\n", "utf-8")
    with pytest.raises(InputError, match="found a header row, 'English' and 'Deutsch'"):
        list(read_pairs((tmp_path / "a", tmp_path / "b"), LANGUAGES))


@pytest.mark.parametrize("quoting", [csv.QUOTE_ALL, csv.QUOTE_MINIMAL])
def test_a_quoted_file_is_refused_and_says_what_writes_a_plain_one(tmp_path, quoting):
    path = tmp_path / "pairs.tsv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = [*PAIRS[:3], ('He said "hi".', 'Er sagte "hallo".')]
        csv.writer(file, delimiter="\t", quoting=quoting).writerows(rows)
    with pytest.raises(InputError, match=r"in quotation marks.*inspect .*--write clean.tsv"):
        list(read_pairs((path,), LANGUAGES))


def test_fields_that_alone_are_quoted_are_found_wherever_they_are(tmp_path):
    path = tmp_path / "pairs.tsv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = [*PAIRS, ('He said "hi".', 'Er sagte "hallo".')]
        csv.writer(file, delimiter="\t").writerows(rows)
    with pytest.raises(InputError, match=r"line 31: .*in quotation marks.*inspect .*--write clean"):
        list(read_pairs((path,), LANGUAGES))


def test_a_file_of_plain_marks_may_have_doubled_ones(tmp_path):
    quotation = ('He said "hi".', 'Er sagte "hallo".')
    pairs = [quotation, *PAIRS, ('"Say ""hi"" to him."', "Grüß ihn."), quotation]
    assert list(read_pairs(write(tmp_path / "pairs.tsv", tsv(pairs)), LANGUAGES)) == pairs
    assert not are_quoted(pairs)


def test_quotations_are_no_quoted_fields():
    for pairs in [
        [('"Yes," he said, "no."', '"Ja", sagte er, "nein."')] * 5,
        [('"Wait!"', '"Warte!"')],
        [('""""', "''")],
        [('"Wait!"', '"Warte!"')] * 5 + [("Go.", "Geh.")],
        [("", ""), ("", "")],
        [],
    ]:
        assert not are_quoted(pairs)


def test_quoted_fields_lose_their_marks_and_doubled_ones_become_single():
    assert unquoted('"He said ""hi""."') == 'He said "hi".'
    assert unquoted('"Yes," he said, "no."') == '"Yes," he said, "no."'


@pytest.mark.parametrize("with_end", [True, False])
def test_bare_carriage_returns_are_named(tmp_path, with_end):
    paths = write(tmp_path / "pairs.tsv", tsv(PAIRS, "\r").removesuffix("" if with_end else "\r"))
    with pytest.raises(InputError, match="CR line ends alone"):
        list(read_pairs(paths))
    (tmp_path / "b").write_text("One.\nTwo.\n", "utf-8")
    with pytest.raises(InputError, match="pairs.tsv: expected lines that end with LF or CRLF"):
        list(read_pairs((*paths, tmp_path / "b")))  # type: ignore[call-arg]


def test_a_return_within_a_line_is_text(tmp_path):
    paths = write(tmp_path / "pairs.tsv", "One\rmore.\tEins.\r\nTwo.\tZwei.\r\n")
    assert list(read_pairs(paths)) == [("One\rmore.", "Eins."), ("Two.", "Zwei.")]


def test_a_large_file_of_bare_returns_is_named_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("translator.corpora.files.MAX_LINE_BYTES", 100)
    paths = write(tmp_path / "pairs.tsv", tsv(PAIRS, "\r"))
    with pytest.raises(InputError, match="CR line ends alone"):
        list(read_pairs(paths))


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n \n\n"])
def test_blank_lines_at_the_end_are_left_out(tmp_path, end):
    paths = write(tmp_path / "pairs.tsv", tsv(PAIRS) + end)
    assert list(read_pairs(paths, LANGUAGES)) == PAIRS
    for side, name in enumerate("ab"):
        text = "".join(f"{pair[side]}\n" for pair in PAIRS)
        (tmp_path / name).write_text(text + end * (name == "b"), "utf-8")
    assert list(read_pairs((tmp_path / "a", tmp_path / "b"))) == PAIRS
    assert list(read_pairs((tmp_path / "b", tmp_path / "a"))) == [
        (target, source) for source, target in PAIRS
    ]


def test_a_blank_line_before_others_is_refused(tmp_path):
    paths = write(tmp_path / "pairs.tsv", "One.\tEins.\n\nTwo.\tZwei.\n")
    with pytest.raises(InputError, match="line 2: expected source TAB target, found no tab in ''"):
        list(read_pairs(paths))
    (tmp_path / "a").write_text("One.\n\n\nTwo.\n", "utf-8")
    (tmp_path / "b").write_text("Eins.\n", "utf-8")
    with pytest.raises(UnequalFiles, match="found only 1"):
        list(read_pairs((tmp_path / "a", tmp_path / "b")))
