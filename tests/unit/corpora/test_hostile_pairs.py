"""Files of pairs that are damaged, or made to do harm: one line, no memory, nothing outside."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import zipfile

import pytest

from tests.pair_files import archive, records, separated, side, tmx, tsv
from translator.base.errors import InputError
from translator.corpora.pair_files import Wanted, opening, read_pairs

PAIRS = [(f"The dog number {n} barks.", f"Der Hund Nummer {n} bellt.") for n in range(500)]
LANGUAGES = ("en", "de")


def refused(path, content: bytes, languages=LANGUAGES) -> str:
    """The one line of the error, without the name of the file."""
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(read_pairs((path,), Wanted(languages)))
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
    assert "line 1: expected XML without entities of its own, found the definition of" in said


def test_an_entity_that_nothing_defines_is_refused(tmp_path):
    content = tmx(PAIRS).replace(b"number 7 ", b"number&nbsp;7 ")
    assert "found &nbsp;, which nothing defines" in refused(tmp_path / "a.tmx", content)


def test_three_languages_are_refused_where_none_is_wanted_and_read_where_two_are(tmp_path):
    path = tmp_path / "a.tmx"
    content = tmx(PAIRS, '<tuv xml:lang="fr"><seg>Le chien.</seg></tuv>')
    said = refused(path, content, None)
    assert "expected one column of each of two languages, found TMX with de-DE: 'Der" in said
    assert "fr: " in said
    assert list(read_pairs((path,), Wanted(LANGUAGES))) == PAIRS
    assert "expected one column of each of en and es" in refused(path, content, ("en", "es"))


def test_two_variants_of_a_language_are_refused_unless_one_is_named(tmp_path):
    path = tmp_path / "a.tmx"
    content = tmx(PAIRS, '<tuv xml:lang="de-AT"><seg>Der Hund.</seg></tuv>')
    assert "de-AT" in refused(path, content)
    assert list(read_pairs((path,), Wanted(("en", "de-DE")))) == PAIRS
    assert list(read_pairs((path,), Wanted(LANGUAGES, ["en", "de-DE"]))) == PAIRS


def test_an_archive_with_two_candidates_or_none_is_refused(tmp_path):
    for members in (
        {"a.tsv": tsv(PAIRS), "b.tsv": tsv(PAIRS)},
        {"a.en": side(PAIRS, 0), "a.de": side(PAIRS, 1), "b.en": b"x\n", "b.de": b"x\n"},
        {"README": b"x"},
    ):
        said = refused(tmp_path / "a.zip", archive(members))
        assert "expected one file of pairs in the archive, or one of each language, found" in said
        assert f"; unpack it with unzip {tmp_path / 'a.zip'}" in said


def test_an_archive_with_a_password_is_named(tmp_path):
    made = bytearray(archive({"a.tsv": tsv(PAIRS)}))
    for start in (made.index(b"PK\x03\x04") + 6, made.index(b"PK\x01\x02") + 8):
        made[start] |= 1
    assert "an archive with a password" in refused(tmp_path / "a.zip", bytes(made))


def test_an_archive_of_a_large_text_that_is_packed_too_tightly_is_refused(tmp_path, monkeypatch):
    path, equal = tmp_path / "a.zip", [PAIRS[0]] * 2_000
    path.write_bytes(archive({"a.tsv": tsv(equal)}))
    assert list(read_pairs((path,), Wanted(LANGUAGES))) == equal
    monkeypatch.setattr(opening, "SMALL", 1 << 16)
    assert "found a file packed 200-fold" in refused(path, path.read_bytes())
    path.write_bytes(archive({"a.tsv": tsv(PAIRS), "README": bytes(1 << 20)}))
    assert list(read_pairs((path,), Wanted(LANGUAGES))) == PAIRS


PACKERS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}


@pytest.mark.parametrize("ending", PACKERS)
def test_packed_files_that_are_cut_short_or_damaged_are_refused(tmp_path, ending):
    path = tmp_path / f"a.tsv.{ending}"
    content = PACKERS[ending](tsv(PAIRS))
    middle = len(content) // 2
    for damaged in (content[:-20], content[:middle] + b"\xff\0" * 20 + content[middle + 40 :]):
        assert ": expected a whole packed file, found one cut short" in refused(path, damaged)


def test_archives_that_are_cut_short_or_damaged_are_refused(tmp_path):
    content = archive({"a.tsv": tsv(PAIRS)})
    assert "found a damaged one" in refused(tmp_path / "a.zip", content[:-30])
    damaged = content[:500] + bytes(100) + content[600:]
    assert "expected a whole" in refused(tmp_path / "a.zip", damaged)
    stored = tmp_path / "stored.zip"
    with zipfile.ZipFile(stored, "w") as made:
        made.writestr("a.tsv", tsv(PAIRS))
    wrong = stored.read_bytes().replace(b"number 400 ", b"number 401 ")
    assert "Bad CRC-32" in refused(tmp_path / "a.zip", wrong)


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
        pytest.raises(InputError, match=r"expected fields with .* KiB in"),
    ):
        list(read_pairs((path,), Wanted(LANGUAGES)))


def test_memories_that_are_cut_short_or_not_well_formed_are_refused(tmp_path):
    content = tmx(PAIRS)
    assert ", line " in refused(tmp_path / "a.tmx", content[: len(content) // 2])
    assert "mismatched tag" in refused(tmp_path / "a.tmx", content.replace(b"</tuv>", b"", 3))
    latin = content.replace(b"barks", b"b\xfcrks")
    assert "expected well-formed XML" in refused(tmp_path / "a.tmx", latin)


def test_lines_that_are_no_records_are_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    for line in (b"[1]", b"{", b"nothing", b'{"a": ' + b"[" * 100_000):
        said = refused(path, records(PAIRS) + line + b"\n")
        assert "line 501: expected a JSON object" in said
    said = refused(path, records(PAIRS) + b'{"en": "One.", "fr": "Un."}\n')
    assert "line 501: expected 'en' and 'de', found 2 fields" in said


def test_a_table_of_utf_16_that_is_cut_is_refused(tmp_path):
    content = separated(PAIRS, "\t").decode().encode("utf-16")
    assert "expected UTF-16, as its first bytes say" in refused(tmp_path / "a.txt", content[:-1])


def test_a_form_without_pairs_is_named(tmp_path):
    said = refused(tmp_path / "a.tmx", tmx([]))
    assert said == ": expected pairs, found TMX without any; name another file"
