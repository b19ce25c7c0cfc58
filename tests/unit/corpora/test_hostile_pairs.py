"""Files of pairs that are damaged, or made to do harm: one line, no memory, nothing outside."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import zipfile

import pytest

from tests.pair_files import archive, records, side, tmx, tsv
from translator.base.errors import InputError
from translator.corpora.pair_files import ReadOptions, opening, read_pairs

PAIRS = [(f"The dog number {n} barks.", f"Der Hund Nummer {n} bellt.") for n in range(500)]
LANGUAGES = ("en", "de")


def refused(path, content: bytes, languages=LANGUAGES) -> str:
    """The one line of the error, without the name of the file."""
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(read_pairs((path,), ReadOptions(languages)))
    said = str(caught.value)
    assert said.startswith(str(path))
    assert "\n" not in said
    assert "expected" in said
    assert "found" in said
    assert ";" in said
    return said.removeprefix(str(path))


DOCTYPES = {
    "expansion": '<!DOCTYPE tmx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
    "external": '<!DOCTYPE tmx [<!ENTITY b SYSTEM "file:///etc/hostname">]>',
    "parameter": '<!DOCTYPE tmx [<!ENTITY % b SYSTEM "http://127.0.0.1:9/x"> %b;]>',
}


@pytest.mark.parametrize("kind", DOCTYPES)
def test_xml_with_entities_of_its_own_is_refused(tmp_path, kind):
    body = tmx([("&b;", "x")]).decode().replace("&amp;b;", "&b;")
    body = body[body.index("\n<tmx") :]
    content = f'<?xml version="1.0"?>{DOCTYPES[kind]}{body}'
    said = refused(tmp_path / "a.tmx", content.encode())
    assert "line 1: expected XML that defines no entities, found the definition of" in said


def test_three_languages_are_refused_where_none_is_wanted_and_read_where_two_are(tmp_path):
    path = tmp_path / "a.tmx"
    content = tmx(PAIRS, '<tuv xml:lang="fr"><seg>Le chien.</seg></tuv>')
    said = refused(path, content, None)
    assert "expected one column for each of two languages, found TMX with de-DE: 'Der" in said
    assert "fr: " in said
    assert list(read_pairs((path,), ReadOptions(LANGUAGES))) == PAIRS
    assert "expected one column for each of en and es" in refused(path, content, ("en", "es"))


def test_two_variants_of_a_language_are_refused_unless_one_is_named(tmp_path):
    path = tmp_path / "a.tmx"
    content = tmx(PAIRS, '<tuv xml:lang="de-AT"><seg>Der Hund.</seg></tuv>')
    assert "de-AT" in refused(path, content)
    assert list(read_pairs((path,), ReadOptions(("en", "de-DE")))) == PAIRS
    assert list(read_pairs((path,), ReadOptions(LANGUAGES, ["en", "de-DE"]))) == PAIRS


def test_an_archive_with_two_candidates_or_none_is_refused(tmp_path):
    for members in (
        {"a.tsv": tsv(PAIRS), "b.tsv": tsv(PAIRS)},
        {"a.en": side(PAIRS, 0), "a.de": side(PAIRS, 1), "b.en": b"x\n", "b.de": b"x\n"},
        {"README": b"x"},
    ):
        said = refused(tmp_path / "a.zip", archive(members))
        assert "expected one file of pairs in the archive, or one for each language, found" in said
        assert f"; unpack it with unzip {tmp_path / 'a.zip'}" in said


def test_an_archive_with_a_password_is_named(tmp_path):
    made = bytearray(archive({"a.tsv": tsv(PAIRS)}))
    for start in (made.index(b"PK\x03\x04") + 6, made.index(b"PK\x01\x02") + 8):
        made[start] |= 1
    assert "an archive with a password" in refused(tmp_path / "a.zip", bytes(made))


def test_an_archive_of_a_large_text_that_is_packed_too_tightly_is_refused(tmp_path, monkeypatch):
    path, equal = tmp_path / "a.zip", [PAIRS[0]] * 2_000
    path.write_bytes(archive({"a.tsv": tsv(equal)}))
    assert list(read_pairs((path,), ReadOptions(LANGUAGES))) == equal
    monkeypatch.setattr(opening, "SMALL", 1 << 16)
    assert "found a file that grows more than 200 times" in refused(path, path.read_bytes())
    path.write_bytes(archive({"a.tsv": tsv(PAIRS), "README": bytes(1 << 20)}))
    assert list(read_pairs((path,), ReadOptions(LANGUAGES))) == PAIRS


PACKERS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}


@pytest.mark.parametrize("ending", PACKERS)
def test_packed_files_that_are_cut_short_or_damaged_are_refused(tmp_path, ending):
    path = tmp_path / f"a.tsv.{ending}"
    content = PACKERS[ending](tsv(PAIRS))
    middle = len(content) // 2
    for damaged in (content[:-20], content[:middle] + b"\xff\0" * 20 + content[middle + 40 :]):
        assert ": expected a whole packed file, found a file that" in refused(path, damaged)


def test_other_files_that_are_cut_short_or_damaged_are_refused(tmp_path):
    memory, packed, lines = tmx(PAIRS), archive({"a.tsv": tsv(PAIRS)}), records(PAIRS)
    with zipfile.ZipFile(tmp_path / "stored.zip", "w") as made:
        made.writestr("a.tsv", tsv(PAIRS))
    stored = (tmp_path / "stored.zip").read_bytes()
    no_records = (b"[1]", b"{", b"nothing", b'{"a": ' + b"[" * 100_000)
    for name, content, said in (
        ("a.zip", packed[:-30], "found a damaged one"),
        ("a.zip", packed[:500] + bytes(100) + packed[600:], "expected a whole"),
        ("a.zip", stored.replace(b"number 400 ", b"number 401 "), "Bad CRC-32"),
        ("a.tmx", memory[: len(memory) // 2], ", line "),
        ("a.tmx", memory.replace(b"</tuv>", b"", 3), "mismatched tag"),
        ("a.tmx", memory.replace(b"barks", b"b\xfcrks"), "expected well-formed XML"),
        ("a.tmx", memory.replace(b"er 7 ", b"er&nbsp;7 "), "found &nbsp;, which is not defined"),
        ("a.tmx", tmx([]), ": expected pairs, found TMX without pairs; name another file"),
        *(("a.jsonl", lines + line, "line 501: expected a JSON object") for line in no_records),
        ("a.jsonl", lines + b'{"en": "a", "fr": "b"}', "line 501: expected 'en' and 'de', found 2"),
        ("a.txt", "a\tb\n".encode("utf-16")[:-1], "expected UTF-16, as its first bytes say"),
    ):
        assert said in refused(tmp_path / name, content)


ENDLESS = """
import sys
with open(sys.argv[1], "wb") as file:
    file.write(sys.argv[2].encode())
    while True:
        file.write(b"one more line\\n" * 1000)
"""


@pytest.mark.parametrize("start", [b'"', b'en,de\n"', b'"One.","Eins.\n'])
def test_a_field_without_end_is_refused_before_it_fills_the_memory(tmp_path, start):
    """The file is a pipe that never ends, and so larger than a gigabyte."""
    path = tmp_path / "a.csv"
    os.mkfifo(path)
    command = [sys.executable, "-c", ENDLESS, str(path), start.decode()]
    with (
        subprocess.Popen(command, stderr=subprocess.DEVNULL),
        pytest.raises(InputError, match=r"expected fields with .* KiB, and"),
    ):
        list(read_pairs((path,), ReadOptions(LANGUAGES)))
