"""Files of every format: what all keep, what is refused, and what takes too long or is hostile."""

import itertools
import json
import sys
import time

import polib
import pytest
import yaml

from tests.unit.addons.documents.translating import (
    HEADER,
    film,
    louder,
    made,
    open_document,
    packed,
    read_column,
    read_paragraph,
    translated,
    translator_with,
    word,
)
from translator.addons.documents.catalogue import read_catalogue
from translator.addons.documents.files import READERS, Reading, translate_files
from translator.addons.documents.markdown import read_markdown
from translator.addons.documents.open_document import read_open_document
from translator.addons.documents.plain_text import read_plain_text
from translator.addons.documents.subtitles import read_subtitles
from translator.addons.documents.table import read_table
from translator.addons.documents.values import read_json, read_yaml
from translator.addons.documents.web_page import read_web_page
from translator.addons.documents.word import read_word
from translator.addons.documents.xml_texts import parse_xml
from translator.base.errors import InputError
from translator.translation.options import TranslationOptions

CUE = film("Dog.")
DOG = f'{HEADER}\nmsgid "dog"\nmsgstr ""\n'
WHOLE = word("<w:p><w:r><w:t>dog and cat</w:t></w:r></w:p>" * 50)


def test_marks_of_byte_order_ends_of_lines_and_texts_that_are_left_stay():
    for read, page in (
        (read_plain_text, "\ufeffone\r\ntwo\rthree\n\r\nfour"),
        (read_markdown, "\ufeffone\r\ntwo\r\n\r\nthree\n\r# four"),
        (read_web_page, "\ufeff<p>one</p>\r\n<p>two</p>\r<p>three</p>\n"),
        (read_subtitles, f"\ufeff{CUE}one\r\ntwo\r\n\r\n{CUE}three\rfour"),
        (read_json, '\ufeff{"text":\r\n"dog"}\r\n'),
        (read_yaml, "\ufefftext: dog\r\nbody: |\r\n  dog\r\n"),
        (read_table, "\ufeffdog\r\ndog"),
    ):
        assert made(read, page).lower() == page.lower(), read
        assert made(read, page) != page, read
    page = f"\ufeff{DOG}".replace("\n", "\r\n")
    assert made(read_catalogue, page) == page.replace('dog"\r\nmsgstr "', 'dog"\r\nmsgstr "DOG')
    page = f"{CUE}One  two\n   three &  four <b\n id=1>five</b>\t\tsix\n"
    for read in (read_plain_text, read_markdown, read_web_page, read_subtitles):
        assert made(read, page, lambda _: "") == page


def test_a_translation_is_one_line_without_control_characters():
    def change(text: str) -> str:
        return f"\x00{louder(text)}\r\nand\x85\u2028more\ufffe"

    assert json.loads(made(read_json, '{"text": "dog"}', change)) == {"text": "DOG and more"}
    for text in ("dog\n", "'dog'\n", '"dog"\n', "|\n  dog\n"):
        new = yaml.safe_load(made(read_yaml, f"text: {text}", change))
        assert new["text"].strip() == "DOG and more"
    assert made(read_column, "id,text\n1,dog\n", change) == "id,text\n1,DOG and more\n"
    assert polib.pofile(made(read_catalogue, DOG, change))[0].msgstr == "DOG and more"
    assert made(read_paragraph, "dog", change) == "DOG and more"


def test_entities_are_shown_as_characters_and_written_again():
    pages = {"html": "<p>@</p>", "markdown": "@\n", "json": '{"text": "@"}', "subtitles": film("@")}
    for (form, page), (source, shown, translation, expected) in itertools.product(pages.items(), (
        ("Tom &amp; I", "Tom & I", "Tim & ich & du", "Tim &amp; ich &amp; du"),
        ("AT&#38;T&hellip; caf&eacute;", "AT&T… café", "é… AT&T", "&eacute;&hellip; AT&#38;T"),
        ("a &lt; 6 &amp; on", "a &lt; 6 & on", "& a &lt; 6", "&amp; a &lt; 6"),
        ("Q &amp; A &#38; B", "Q &amp; A & B", "&amp; & Z", "&amp; &#38; Z"),
        *((text,) * 4 for text in ("&lt;b&gt; is", "a &amp;copy;", "it's &#39;so", "do&#97;&#1;")),
    )):  # fmt: skip
        document = READERS[form](page.replace("@", source).encode(), "a", Reading(("en", "de")))
        assert [text.source for text in document.texts] == [shown]
        new = translated(document, lambda _, translation=translation: translation).decode()
        assert expected in new, form
    assert READERS["text"](b"The\0dog\n", "a", Reading(("", ""))).texts[0].source == "The dog"


def test_what_is_damaged_or_another_file_is_one_line(monkeypatch):
    wrong = "2\n00:00:03,000 {} 00:00:04,000\nCat.\n"
    bomb = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>'
    strict = packed({"word/document.xml": '<w:document xmlns:w="http://purl.oclc.org/ooxml/w"/>'})
    other = packed({"a": "b" * 1000})
    rows = [
        *((read, b"good\n\xff\xfe", ": expected UTF-8, .* WINDOWS-1252; .* iconv -f WINDOWS-1252 ")
          for read in (read_web_page, read_subtitles, read_json, read_yaml, read_table)),
        *((read_markdown, "good".encode(encoding), ": expected UTF-8, .* like UTF-16; convert")
          for encoding in ("utf-16", "utf-16-le")),
        (read_markdown, b"\xc3\xa9\n" * 2 + b"\xff", ", line 3: expected UTF-8, found damaged"),
        (read_subtitles, "", ": expected subtitles"),
        *((read_subtitles, f"1\n{begin} --> {end}\nHello.\n",
           ", line 2: expected a time such as 00:01:02,500, found [^\n]*$") for begin, end in (
            ("-00:00:01,000", "00:00:00,500"), ("00:00:01,000", "soon"),
            *((begin, "00:00:02,000") for begin in (
                "1" * 400 + ":00:nan", "00:00:1e5", "0 0", "", ":", "²:00:00", "00:0x:00,000")))),
        (read_subtitles, f"{CUE}2\nO0:00:03 --> 00:00:04,000\nYes.",
         ", line 6: expected a time such as"),
        *((read_subtitles, page.replace("{}", arrow), f", line {line}: expected --> between")
          for arrow in ("->", " ", " - ", "-- ") for page, line in (
              (CUE + wrong, 6), (wrong, 2), (f"{CUE.rstrip()}\n{wrong}", 5))),
        *((read_json, page, ".*: expected JSON") for page in (
            '{"a": }', "[" * 100_000, '{"a": "b"', "{'a': 1}")),
        (read_json, '{"a": 1}\n\n{"a": }\n', ", line 3: expected JSON"),
        (read_json, "1\n" + "[" * 5000, ", line 2: expected JSON, found values that"),
        (read_yaml, "a: [b", ", line 1: expected YAML"),
        *((read_yaml, page * 100_000, ", line 1: expected YAML, found values that")
          for page in ("[", "{a: ", "- ")),
        *((read_table, f"id{mark}text{mark}note\n1{mark}dog{mark}x\n",
           ": .*with --column.* 3 columns are: id, text, note") for mark in ",;\t"),
        (read_table, 'id,"a\nb"\n', r": expected a column, found none; .* --column.*: id, a\\nb$"),
        (read_column, "id,text\n1,2,3\n4\n", ": expected the column 'text', found no table of"),
        (read_column, "id,texts\n", ": expected the number of a column, 1 to 2, or one of"),
        (read_column, 'id,text\n1,"dog\n2,dog\n',
         ", line 2: expected a row of a table: unexpected"),
        (read_catalogue, 'msgid "a"\nnonsense', ": expected a catalogue of gettext"),
        (read_catalogue, __file__, ": expected a catalogue of gettext"),  # it is not read
        (read_catalogue, HEADER.replace("UTF-8", "CP437"),
         ": expected charset=UTF-8 .* found 'CP437'"),
        (read_catalogue, f'{HEADER}\nmsgid "dog"\n', ", line 6: expected msgstr after msgid"),
        (read_catalogue, 'msgid ""\n' + '"a"\n' * 100_000 + 'msgstr ""\n',
         ", line 5002: expected a message of at most 5000"),
        *((read_catalogue, f'{HEADER}{row}\nmsgstr ""\n',
           f", line {5 + row.count(chr(10))}: expected a text in quotation")
          for row in ('msgid "Dog', 'msgid "Dog\\"', 'msgid ""\n"Dog', 'msgid Dog"')),
        (lambda content, name: read_catalogue(content, name, ("en", "de")),
         DOG.replace("UTF-8\\n", "UTF-8\\nLanguage: fr\\n"),
         ": expected a catalogue for de, found Language: fr"),
        (parse_xml, bomb, ": expected XML that defines no entities"),
        (parse_xml, "<a>" * 300, ": expected XML: found texts, entities or levels that"),
        *((parse_xml, page, ": expected XML: ") for page in (
            b"<a><b></a>", b"<a>\xff</a>", b'<?xml version="1.0" encoding="x"?><a/>')),
        (read_word, other, ": expected a document of Word"),
        (read_word, strict, ": expected a usual document of Word, found Strict"),
        (read_open_document, other, ": expected a text of OpenDocument"),
        *((read, page, ": expected a whole document, found a damaged")
          for read in (read_word, read_open_document) for page in ("", "PK\3\4", other[:40])),
        *((read_word, page, ": expected a whole document, found a damaged") for page in (
            WHOLE[:60] + b"\xff" * 20 + WHOLE[80:], WHOLE[:-30] + b"\xff" * 4 + WHOLE[-26:],
            WHOLE[40:])),
    ]  # fmt: skip
    for read, page, problem in rows:
        with pytest.raises(InputError, match=f"^a{problem}"):
            read(page.encode() if isinstance(page, str) else page, "a")
    for limit, read, page, problem in (
        ("MOST_BYTES_READ", read_word, WHOLE, "at most 512 MiB .* 0 MiB of text"),
        ("MOST_BYTES", read_word, WHOLE, "at most 0 MiB unpacked"),
        ("MOST_BYTES", read_open_document, open_document("a" * 1000), "at most 0 MiB unpacked"),
    ):
        monkeypatch.setattr(f"translator.addons.documents.office.{limit}", 999)
        with pytest.raises(InputError, match=f"^a: expected {problem}"):
            read(page, "a")


def test_files_are_written_as_they_are_and_after_all_were_read(tmp_path, capfdbinary):
    def translate(*names: str, out=None) -> None:
        paths = [tmp_path / name for name in names]
        options = TranslationOptions()
        translate_files(translator_with(), paths, out, None, (), options, lambda *_: None)

    page = "<p>é</p>\r\n"
    (tmp_path / "a.html").write_bytes(page.encode())
    (tmp_path / "b.json").write_text('{"a": }')
    translate("a.html")
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == page.replace("é", "É").encode()
    (tmp_path / "out").mkdir()
    with pytest.raises(InputError, match="expected JSON"):
        translate("a.html", "b.json", out=tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_hostile_and_long_files_take_no_time_that_grows_with_their_square():
    many, count = 2000, 10_000
    for read, page in (
        (read_plain_text, "a\t" * many),
        (read_markdown, "|a" * many + "|\n" + "|-" * many + "|\n"),
        (read_markdown, "a  \n" * many),
        (read_markdown, "a\nb <b>c\n" * (many // 4) + "d</b>\ne" * (many // 4)),
        (read_markdown, "> " * many + "a" + "[" * many),
        (read_web_page, '<a b="' * 20 * many),
        (read_web_page, "<!-- " * 20 * many),
        (read_web_page, "<p>" * many + "a <code>b</code> " * many),
        (read_web_page, "<code>" + "<b>" * many + "</b>" * many + "</code> a"),
        (read_subtitles, CUE + "{\\a1}" * many + "a\n"),
        (read_subtitles, CUE + "a" + "\n" * 99 * many),
        (read_subtitles, CUE + "<i>" * many + "a\n" + "b c\n" * many),
    ):
        start = time.process_time()
        assert made(read, page).lower().split() == page.lower().split()
        assert time.process_time() - start < 10, page[:20]
    run = "<w:r><w:t>dog</w:t><w:tab/></w:r>"
    for read, page in (  # with the square of it, minutes
        (read_json, b"[" + b'"Dog",\n' * count + b"1]"),
        (read_column, b"id,text\n" + b'1,"dog"\n' * count),
        (read_word, word(f"<w:p>{run * count}</w:p>")),
    ):
        assert len(read(page, "a").texts) == count
