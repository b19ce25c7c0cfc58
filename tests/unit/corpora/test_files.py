"""The user's own files: plain, gzipped, unusual and damaged."""

import gzip
import os

import pytest

from translator.base.errors import InputError
from translator.config.corpus import FilesConfig
from translator.corpora.files import check_file, count_lines, iterate_stream, read_lines
from translator.corpora.pair_files import read_pairs


def test_lines_are_read_without_line_ends_and_byte_order_mark_packed_ones_too(tmp_path):
    for name, content, lines in [
        ("a", "\ufeffOne.\r\nTwo\u2028still two.\r\n\r\nFour.".encode(),
         ("One.", "Two\u2028still two.", "", "Four.")),
        ("a.gz", gzip.compress("Grüße.\nNoch eine.\n".encode()), ("Grüße.", "Noch eine.")),
        ("a", b"The dog\0 barks.\n\0\n", ("The dog\0 barks.", "\0")),
    ]:  # fmt: skip
        (tmp_path / name).write_bytes(content)
        assert read_lines(tmp_path / name) == lines


def test_what_is_no_text_is_refused_with_its_line(tmp_path):
    whole = gzip.compress(b"a line\n" * 1000)
    no_text = r"text.en, line 2: expected text in UTF-8, found zero "
    for name, content, message in [
        ("latin.de", b"gut\nGr\xfc\xdfe\n", "latin.de, line 2: expected UTF-8, found the byte"),
        ("text.en", b"One.\n" + "The dog barks.\n".encode("utf-16"), no_text),
        ("text.en", b"One.\n" + "The dog barks.".encode("utf-16-le"), no_text),
        ("text.en", b"One.\n" + bytes(99), no_text),
        ("short.gz", whole[:-20], "cut short, damaged or not gzipped"),
        ("text.gz", b"no gzip", "cut short, damaged or not gzipped"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=message):
            read_lines(tmp_path / name)
    for path, message in ((tmp_path / "none.txt", "nothing there"), (tmp_path, "a directory")):
        with pytest.raises(InputError, match=f"found {message}"):
            read_lines(path)


def test_lines_are_counted_only_if_they_can_be_read_again(tmp_path):
    plain, zipped, short, pipe = (tmp_path / name for name in ("a", "b.gz", "c.gz", "pipe"))
    plain.write_bytes(b"one\n\xff two\n\nlast")
    zipped.write_bytes(gzip.compress(b"one\ntwo\n"))
    short.write_bytes(gzip.compress(b"one\ntwo\n")[:-9])
    os.mkfifo(pipe)
    assert count_lines([plain, zipped]) == 6
    for other in (short, pipe, tmp_path, tmp_path / "none"):
        assert count_lines([plain, other]) is None


def test_a_pipe_is_no_file_to_train_on(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="expected a file, found a pipe; save the data in a file"):
        check_file(tmp_path / "pipe")


def test_a_line_without_end_is_refused_before_it_fills_the_memory():
    with open("/dev/zero", "rb") as file, pytest.raises(InputError, match="of at most 16 MiB"):
        next(iterate_stream(file, "zeros"))


def test_tsv_has_two_columns_and_more_are_ignored_but_not_less(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("Hi.\tHallo.\tCC-BY\nGo.\tGeh.\n", "utf-8")
    assert list(read_pairs((path,))) == [("Hi.", "Hallo."), ("Go.", "Geh.")]
    path.write_text("Hi.\tHallo.\nGo.\n", "utf-8")
    with pytest.raises(InputError, match=r"pairs.tsv, line 2: expected source TAB target"):
        list(read_pairs((path,)))


def test_two_files_are_read_side_by_side(tmp_path):
    (tmp_path / "a").write_text("1\n\n3\n", "utf-8")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"one\ntwo\nthree"))
    files = FilesConfig(source=str(tmp_path / "a"), target=str(tmp_path / "b.gz"))
    assert list(read_pairs(files.paths)) == [("1", "one"), ("", "two"), ("3", "three")]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_sides_of_unequal_length_are_refused_with_the_first_line_left_over(tmp_path, names):
    (tmp_path / "a").write_text("1\n2\n3\n", "utf-8")
    (tmp_path / "b").write_text("1\n2\n", "utf-8")
    source, target = (tmp_path / name for name in names)
    with pytest.raises(
        InputError, match="b: expected as many lines as in .*a, found only 2; line 3 of .*: '3';"
    ):
        list(read_pairs((source, target)))


@pytest.mark.parametrize(
    "files", [{"tsv": "empty"}, {"source": "empty", "target": "empty"}], ids=["tsv", "two files"]
)
def test_an_empty_file_is_refused(tmp_path, files, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text("", "utf-8")
    with pytest.raises(InputError, match="empty: expected sentence pairs, found an empty file"):
        list(read_pairs(FilesConfig(**files).paths))
