"""The user's own files: plain, gzipped, unusual and damaged."""

import gzip
import os

import pytest

from translator.base.errors import InputError
from translator.config.schema import FilesConfig
from translator.corpora.files import (
    check_file,
    count_lines,
    iterate_stream,
    read_lines,
)
from translator.corpora.pair_files import read_pairs


def test_crlf_and_byte_order_mark_are_removed(tmp_path):
    path = tmp_path / "text.en"
    path.write_bytes("\ufeffOne.\r\nTwo\u2028still two.\r\n\r\nFour.".encode())
    assert read_lines(path) == ("One.", "Two\u2028still two.", "", "Four.")


def test_gzipped_lines(tmp_path):
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress("Grüße.\nNoch eine.\n".encode()))
    assert read_lines(path) == ("Grüße.", "Noch eine.")


def test_bytes_that_are_not_utf8_are_refused_with_their_line(tmp_path):
    path = tmp_path / "latin.de"
    path.write_bytes(b"gut\nGr\xfc\xdfe\n")
    with pytest.raises(InputError, match=r"latin.de, line 2: expected UTF-8, found the byte 0xfc"):
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


def test_a_gz_cut_short_or_not_gz_is_refused(tmp_path):
    whole = gzip.compress(b"a line\n" * 1000)
    for name, content in (("short.gz", whole[:-20]), ("text.gz", b"no gzip")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="cut short, damaged or not gzipped"):
            read_lines(tmp_path / name)


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(InputError, match="found nothing there"):
        read_lines(tmp_path / "none.txt")
    with pytest.raises(InputError, match="found a directory"):
        read_lines(tmp_path)


def test_a_pipe_is_no_file_to_train_on(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="reads several times, found a pipe; write it to a file"):
        check_file(tmp_path / "pipe")


def test_a_line_without_end_is_refused_before_it_fills_the_memory():
    with open("/dev/zero", "rb") as file, pytest.raises(InputError, match="of at most 16 MiB"):
        next(iterate_stream(file, "zeros"))


def test_tsv_has_two_columns_and_more_are_ignored(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("Hi.\tHallo.\tCC-BY\nGo.\tGeh.\n", "utf-8")
    pairs = read_pairs((path,))
    assert list(pairs) == [("Hi.", "Hallo."), ("Go.", "Geh.")]


def test_tsv_line_without_a_tab_is_refused(tmp_path):
    path = tmp_path / "pairs.tsv"
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


@pytest.mark.parametrize(
    "content",
    ["The dog barks.\n".encode("utf-16"), "The dog barks.".encode("utf-16-le"), bytes(99)],
)
def test_zero_bytes_of_binary_files_and_utf_16_are_refused(tmp_path, content):
    path = tmp_path / "text.en"
    path.write_bytes(b"One.\n" + content)
    with pytest.raises(InputError, match=r"text.en, line 2: expected text in UTF-8, found zero "):
        read_lines(path)


def test_a_stray_zero_byte_is_read_as_text(tmp_path):
    path = tmp_path / "text.en"
    path.write_bytes(b"The dog\0 barks.\n\0\n")
    assert read_lines(path) == ("The dog\0 barks.", "\0")
