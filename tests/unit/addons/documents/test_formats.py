"""Files come out as the same files with other texts, whatever a model makes of them."""

import csv
import io
import json
import random
import re
import sys
import zipfile

import polib
import pytest
import yaml
from lxml import etree
from markdown_it import MarkdownIt

from tests.unit.addons.documents.translating import (
    louder,
    translated,
    translator_with,
    without_markup,
)
from translator.addons.documents.catalogue import read_catalogue
from translator.addons.documents.document import has_words_or_amounts
from translator.addons.documents.files import translate_files
from translator.addons.documents.markdown import read_markdown
from translator.addons.documents.markup import pieces_of
from translator.addons.documents.open_document import read_open_document
from translator.addons.documents.plain_text import divide, read_plain_text
from translator.addons.documents.subtitles import read_subtitles
from translator.addons.documents.table import read_table
from translator.addons.documents.values import read_json, read_yaml
from translator.addons.documents.web_page import read_web_page
from translator.addons.documents.word import read_word
from translator.addons.documents.xml_texts import parse_xml
from translator.base.errors import InputError
from translator.translation.options import TranslationOptions
from translator.translation.results import Doubt

WORDS = "the old man sees a dog & his cat, which sleep <here>. It is fine: no? Yes!".split(" ")  # noqa: SIM905


def words_of(draw: random.Random, most: int = 12) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(1, most)))


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("6,200", True), ("-2,400.50", True), ("6.200", True), ("24,7", True), ("£5", True),
        ("5 %", True), ("2.0", False), ("1.2.3", False), ("10.123.45", False), ("1990", False),
        ("{0,1}", False), ("→", False), ("é", True),
    ],
)  # fmt: skip
def test_amounts_are_for_readers_too_but_not_versions(text, is_said):
    assert has_words_or_amounts(text) == is_said


# Web pages ----------------------------------------------------------------------------------


def web_page(draw: random.Random) -> str:
    """A page of random elements."""

    def inline(depth: int = 0) -> str:
        text = words_of(draw, 5).replace("&", "&amp;").replace("<", "&lt;")
        forms = (
            lambda: text,
            lambda: f"<code>{text}</code> {text}",
            lambda: f'{text}<br>{text}<img src="a.png" alt="b">',
            lambda: f"<b>{inline(depth + 1)}</b>",
            lambda: f'<a href="x?a=1&amp;b=2" title="{text}">{inline(depth + 1)}</a>',
            lambda: f'<span translate="no">{text}</span> {inline(depth + 1)}',
        )
        return draw.choice(forms if depth < 3 else forms[:3])()

    def block(depth: int = 0) -> str:
        forms = (
            lambda: f"<p>\n  {inline()} {inline()}\n</p>\n",
            lambda: f"<h2>{inline()}</h2>",
            lambda: f"<pre>{words_of(draw).replace('<', '&lt;')}\n  x</pre><!-- {inline()} -->",
            lambda: f"<ul><li>{inline()}</li><li>{block(depth + 1)}</li></ul>\n",
            lambda: f"<table><tr><td>{inline()}</td><td>{block(depth + 1)}</td></tr></table>",
            lambda: f"<script>if (a < b) {{ alert('x') }}</script>{block(depth + 1)}",
        )
        return draw.choice(forms if depth < 3 else forms[:3])()

    return "<!DOCTYPE html><html><body>" + "".join(block() for _ in range(5)) + "</body></html>\n"


def markup_of(page: str) -> list[str]:
    return [piece.raw for piece in pieces_of(page) if piece.kind != "text"]


@pytest.mark.parametrize("change", [louder, without_markup, lambda text: "<b>A & B {{0}}"])
def test_the_markup_of_pages_is_the_same_whatever_a_model_writes(change):
    draw = random.Random(3)
    for _ in range(60):
        page = web_page(draw)
        made = translated(read_web_page(page.encode(), "page"), change).decode()
        assert markup_of(made) == markup_of(page)


def test_a_page_is_translated_but_for_code_and_what_is_marked_so():
    page = (
        "<title>one</title><style>p {}</style><p>We  <b>love</b>\n it &amp; <code>a &lt; b</code>"
        ' <kbd>esc</kbd>.<br>two</p><p translate="no">no</p><pre>three</pre>\n'
    )
    assert translated(read_web_page(page.encode(), "page")).decode() == (
        "<title>ONE</title><style>p {}</style><p>WE <b>LOVE</b> IT &amp; <code>a &lt; b</code>"
        ' <kbd>esc</kbd>.<br>TWO</p><p translate="no">no</p><pre>three</pre>\n'
    )


# Markdown -----------------------------------------------------------------------------------


def markdown_page(draw: random.Random) -> str:
    def inline() -> str:
        text = words_of(draw, 9).replace("<here>", "here").replace("&", "and")
        forms = (text, f"**{text}** {text}", f"[{text}](a_b.html)", f"`{text}` {text}", f"*{text}*")
        return draw.choice(forms).replace(". It", " it").replace(": no", " no")

    blocks = []
    for _ in range(8):
        kind = draw.randrange(6)
        blocks.append(
            {
                0: f"# {inline()}",
                1: f"{inline()} and so\n{inline()} and so\nand {inline()}",
                2: f"- {inline()}\n- {inline()}\n  - {inline()}",
                3: f"> {inline()}\n> so {inline()}",
                4: f"| a | b |\n|---|---|\n| {inline()} | {inline()} |",
                5: f"```\n{words_of(draw)}\n```",
            }[kind]
        )
    return "\n\n".join(blocks) + "\n"


def tokens_of(page: str) -> list[tuple]:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    found = []
    for token in parser.parse(page):
        inner = sorted(
            (child.type, str(child.attrs)) for child in token.children or ()
            if child.type not in ("text", "softbreak")
        )  # fmt: skip
        code = token.content if token.type == "fence" else ""
        found.append((token.type, token.level, code, inner))
    return found


@pytest.mark.parametrize("change", [louder, without_markup, lambda text: "1. # | *x"])
def test_pages_of_markdown_have_the_same_elements(change):
    draw = random.Random(5)
    for _ in range(60):
        page = markdown_page(draw)
        made = translated(read_markdown(page.encode(), "page"), change).decode()
        assert tokens_of(made) == tokens_of(page), page


def test_markdown_is_translated_but_for_code_settings_and_addresses():
    page = (
        "---\ntitle: x\n---\n# One\n\nTwo `a` [three](b.c).  \nfour\n\n| a | b |\n|--|--|\n"
        "| c | `d` |\n"
    )
    assert translated(read_markdown(page.encode(), "page")).decode() == (
        "---\ntitle: x\n---\n# ONE\n\nTWO `a` [THREE](b.c).  \nFOUR\n\n| A | B |\n|--|--|\n"
        "| C | `d` |\n"
    )


# Subtitles ----------------------------------------------------------------------------------

FILM = """1
00:00:01,000 --> 00:00:03,000
{\\an8}Where have you been
all this time?

2
00:00:03,500 --> 00:00:05,000
<i>I have never seen such a</i>

3
00:00:05,000 --> 00:00:07,000
<i>beautiful house here.</i>

4
00:00:08,000 --> 00:00:10,000
- Are you coming?
- No, I am <b>not</b>.

5
00:00:11,000 --> 00:00:12,000
♪
"""


def test_a_film_keeps_its_times_and_tags_and_its_sentences_are_whole():
    document = read_subtitles(FILM.encode(), "film")
    assert [text.source for text in document.texts] == [
        "Where have you been all this time?",
        "I have never seen such a beautiful house here.",
        "Are you coming?",
        "No, I am <b>not</b>.",
    ]
    assert translated(document).decode() == (
        FILM.upper()
        .replace("{\\AN8}", "{\\an8}").replace("<I>", "<i>").replace("</I>", "</i>")
        .replace("<B>NOT</B>", "<b>NOT</b>")
    )  # fmt: skip


def test_webvtt_keeps_its_settings_notes_and_voices():
    film = (
        "WEBVTT - x\n\nNOTE no one\n\nSTYLE\n::cue { color: red }\n\nintro\n"
        "00:01.000 --> 00:02.000 align:start\n<v Anna>Good morning.\n"
    )
    document = read_subtitles(film.encode(), "film")
    assert [text.source for text in document.texts] == ["Good morning."]
    assert translated(document).decode() == film.replace("Good morning", "GOOD MORNING")


@pytest.mark.parametrize(
    ("times", "problem"),
    [
        ("-00:00:01,000 --> 00:00:00,500", "line 2: expected a time such as 00:01:02,500, found"),
        ("00:00:01,000 --> soon", "line 2: expected a time such as 00:01:02,500, found 'soon'"),
    ],
)
def test_wrong_times_are_one_line(times, problem):
    with pytest.raises(InputError, match=f"^film, {problem}"):
        read_subtitles(f"1\n{times}\nHello.\n".encode(), "film")


def test_texts_are_divided_between_words_and_behind_marks():
    assert divide("one two three four", [9, 9]) == ["one two", "three four"]
    assert divide("one, two three four", [5, 13]) == ["one,", "two three four"]
    assert divide("one <b>two three</b> four", [1, 1]) == ["one <b>two three</b>", "four"]
    assert divide("one", [1, 1, 1]) == ["one", "", ""]


# Catalogues, values, tables -------------------------------------------------------------------

CATALOGUE = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#. a comment
#: a.py:3
#, python-format
msgid "Open %s."
msgstr ""

msgid "one file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

msgid "Cancel"
msgstr "Abbrechen"

msgid "two\\nlines"
msgstr ""
"""


def test_messages_without_a_translation_get_one_and_doubtful_ones_are_fuzzy():
    made = polib.pofile(translated(read_catalogue(CATALOGUE.encode(), "de.po")).decode())
    assert [(each.msgstr, each.msgstr_plural) for each in made] == [
        ("OPEN %s.", {}), ("", {0: "ONE FILE", 1: "%d FILES"}), ("Abbrechen", {}),
        ("TWO\nLINES", {}),
    ]  # fmt: skip
    assert not any(each.fuzzy for each in made)
    assert made[0].comment == "a comment"
    doubtful = translated(
        read_catalogue(CATALOGUE.encode(), "de.po"), doubts=(Doubt("confidence", "low"),)
    )
    assert [each.fuzzy for each in polib.pofile(doubtful.decode())] == [True, True, False, True]
    lost = translated(read_catalogue(CATALOGUE.encode(), "de.po"), without_markup)
    assert [each.msgstr for each in polib.pofile(lost.decode())][:1] == [""], "without %s"
    with pytest.raises(InputError, match="^de.po: expected a catalogue of gettext"):
        read_catalogue(b'msgid "a"\nnonsense', "de.po")


def louder_values(value):
    if isinstance(value, dict):
        return {key: louder_values(each) for key, each in value.items()}
    if isinstance(value, list):
        return [louder_values(each) for each in value]
    return louder(value) if isinstance(value, str) else value


def random_value(draw: random.Random, depth: int = 0):
    kind = draw.randrange(8 if depth < 4 else 5)
    if kind > 5:
        return {f"key {i}": random_value(draw, depth + 1) for i in range(draw.randrange(4))}
    if kind == 5:
        return [random_value(draw, depth + 1) for _ in range(draw.randrange(4))]
    simple = (words_of(draw), draw.random(), None, True, 'He said: "no"\n- \\ # \u00e9 🎉 yes: x')
    return simple[kind]


def test_json_keeps_all_but_its_texts():
    draw = random.Random(7)
    for _ in range(200):
        value = {"all": random_value(draw)}
        indent, is_ascii = draw.choice([None, 1, 4, "\t"]), draw.random() < 0.5
        text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
        made = translated(read_json(text.encode(), "a.json")).decode()
        assert made == json.dumps(louder_values(value), indent=indent, ensure_ascii=is_ascii)
    lines = '{"a": "one"}\n\n{"a": "two", "b": 3}\n'
    assert translated(read_json(lines.encode(), "a.jsonl")).decode() == lines.replace(
        "one", "ONE"
    ).replace("two", "TWO")
    for damaged in ('{"a": }', "[" * 100_000, '{"a": "b"', "{'a': 1}"):
        with pytest.raises(InputError, match="^a.json.*: expected JSON"):
            read_json(damaged.encode(), "a.json")


def test_yaml_keeps_all_but_its_texts():
    draw = random.Random(9)
    for _ in range(100):
        value = {"all": random_value(draw)}
        text = yaml.safe_dump(value, allow_unicode=True, width=10_000)
        made = translated(read_yaml(text.encode(), "a.yaml")).decode()
        assert yaml.safe_load(made) == louder_values(value)
    text = "# one\na: two  # three\nb: [four, 'five', 6]\nc: yes\n"
    assert translated(read_yaml(text.encode(), "a.yaml")).decode() == (
        "# one\na: TWO  # three\nb: [FOUR, 'FIVE', 6]\nc: yes\n"
    )
    with pytest.raises(InputError, match="^a.yaml, line 1: expected YAML"):
        read_yaml(b"a: [b", "a.yaml")


def test_tables_keep_all_but_the_cells_of_chosen_columns():
    for separator in ",;\t":
        rows = [["id", "text", "note"], ["1", 'a "b", c;\td', "x"], ["2", "two\nlines", "y"]]
        output = io.StringIO()
        csv.writer(output, delimiter=separator, lineterminator="\n").writerows(rows)
        content = output.getvalue().encode()
        for columns in (("text",), ("2",)):
            made = translated(read_table(content, "a.csv", columns)).decode()
            found = list(csv.reader(io.StringIO(made, newline=""), delimiter=separator))
            first = "text" if columns == ("text",) else "TEXT"
            assert found == [
                ["id", first, "note"], ["1", 'A "B", C;\tD', "x"], ["2", "TWO\nLINES", "y"]
            ]  # fmt: skip
        with pytest.raises(
            InputError,
            match="with --column.* 3 columns: id, text, note",
        ):
            read_table(content, "a.csv")
        with pytest.raises(InputError, match="expected the number of a column, 1 to 3, or one of"):
            read_table(content, "a.csv", ("texts",))


# Plain text -----------------------------------------------------------------------------------


def test_paragraphs_are_joined_and_wrapped_again_and_other_lines_are_not():
    page = (
        "A title\n\n   I have been living in this city for two years now, and I like it\n"
        "   very much.\n\n- Buy milk.\n- Call Anna.\n"
    )
    document = read_plain_text(page.encode(), "a.txt")
    assert [text.source for text in document.texts][1] == (
        "I have been living in this city for two years now, and I like it very much."
    )
    assert translated(document).decode() == page.upper()
    longer = translated(document._replace(), lambda text: text + " and more of it" * 4).decode()
    assert max(map(len, longer.splitlines()[2:4])) <= 67
    assert all(line.startswith("   ") for line in longer.splitlines()[2:4])
    windows = page.replace("\n", "\r\n")
    assert translated(read_plain_text(windows.encode(), "a.txt")).decode() == windows.upper()
    mail = "From: Tom Miller, the head of the kennel\nSubject: The dogs in the old kennel there\n"
    assert len(read_plain_text(mail.encode(), "a.txt").texts) == 2
    folded = f"{mail} are hungry and want to eat their food right now\n"
    folded += "Date: 4 May 2026, in the morning\n"
    texts = [text.source for text in read_plain_text(folded.encode(), "a.txt").texts]
    assert texts[1:] == [
        "Subject: The dogs in the old kennel there are hungry and want to eat their food right now",
        "Date: 4 May 2026, in the morning",
    ]


# XML --------------------------------------------------------------------------------------------


def test_entities_and_damage_are_one_line():
    bomb = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>'
    with pytest.raises(InputError, match="^a.xml: expected XML without entities of its own"):
        parse_xml(bomb.encode(), "a.xml")
    for damaged in (b"<a><b></a>", b"<a>\xff</a>", b'<?xml version="1.0" encoding="x"?><a/>'):
        with pytest.raises(InputError, match="^a.xml: expected XML: "):
            parse_xml(damaged, "a.xml")


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
PARAGRAPHS = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document {W}><w:body><w:p><w:pPr><w:b/></w:pPr><w:r><w:t>We live in an </w:t></w:r><w:proofErr
 w:type="spellStart"/><w:r><w:rPr><w:b/></w:rPr><w:t>old</w:t></w:r><w:r><w:t xml:space="preserve">
 house</w:t></w:r><w:r><w:t> &amp; garden.</w:t></w:r><w:r><w:br/></w:r><w:hyperlink w:anchor="x">
<w:r><w:t>here</w:t></w:r></w:hyperlink></w:p><w:p><w:r><w:t>5.5</w:t></w:r></w:p></w:body>
</w:document>"""


def packed(parts: dict[str, str]) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in parts.items():
            archive.writestr(path, text)
    return output.getvalue()


def test_paragraphs_of_word_keep_their_formats():
    document = read_word(packed({"word/document.xml": PARAGRAPHS, "other.bin": "x"}), "a.docx")
    text, other = document.texts
    assert text.source == 'We live in an <g id="1">old</g> house &amp; garden.'
    assert other.source == '<g id="1">here</g>'
    with zipfile.ZipFile(io.BytesIO(translated(document))) as archive:
        assert archive.read("other.bin") == b"x"
        root = etree.fromstring(archive.read("word/document.xml"))
    paragraph = root.find(".//{*}p")
    runs = [
        ("".join(run.itertext()), run.find(".//{*}b") is not None, run.getparent() is paragraph)
        for run in paragraph.iter("{*}r")
    ]
    assert runs == [
        ("WE LIVE IN AN ", False, True), ("OLD", True, True), (" HOUSE & GARDEN.", False, True),
        ("", False, True), ("HERE", False, False),
    ]  # fmt: skip
    assert paragraph[0].tag.endswith("pPr")


def test_paragraphs_of_opendocument_keep_their_formats():
    content = (
        '<d xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
        ' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
        ' xmlns:o="http://openoffice.org/2009/office"><automatic-styles>'
        '<style:style style:name="T1"><p o:rsid="1" weight="bold"/></style:style>'
        '<style:style style:name="T2"><p o:rsid="1" o:paragraph-rsid="2"/></style:style>'
        "</automatic-styles><text:h>One</text:h>"
        '<text:p>We <text:span text:style-name="T1">love</text:span> it<text:line-break/>all.'
        "</text:p><text:p>5</text:p></d>"
    )
    kind = "application/vnd.oasis.opendocument.text"
    typed = content.replace("One", 'O<text:span text:style-name="T2">n</text:span>e')
    odt = packed({"mimetype": kind, "content.xml": typed})
    with zipfile.ZipFile(io.BytesIO(translated(read_open_document(odt, "a.odt")))) as archive:
        assert archive.namelist() == ["mimetype", "content.xml"]
        made = archive.read("content.xml").decode().partition("?>\n")[2]
    words = ("One", ">We ", "love", "> it<", "all.")
    assert made == re.sub("|".join(words), lambda found: found[0].upper(), content)


@pytest.mark.parametrize("read", [read_word, read_open_document])
def test_damaged_and_other_documents_are_one_line(read, monkeypatch):
    good = packed({"a": "b" * 1000})
    with pytest.raises(InputError, match="^a: expected a (document of Word|text of OpenDocument)"):
        read(good, "a")
    for damaged in (b"", b"PK\3\4", good[:40]):
        with pytest.raises(InputError, match="^a: expected a whole document, found a damaged"):
            read(damaged, "a")
    monkeypatch.setattr("translator.addons.documents.office.MOST_BYTES", 999)
    with pytest.raises(InputError, match="^a: expected at most 0 MiB unpacked"):
        read(good, "a")


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


def test_files_in_other_encodings_are_one_line():
    for read in (read_web_page, read_markdown, read_subtitles, read_json, read_yaml, read_table):
        with pytest.raises(InputError, match="^a, line 2: expected UTF-8, found other bytes"):
            read(b"good\n\xff\xfe", "a")
