"""Files of programs and of word processors, as people have them and as nobody should."""

import io
import json
import re
import zipfile

import polib
import pytest
import yaml
from lxml import etree

from tests.unit.addons.documents.translating import louder, translated
from translator.addons.documents.catalogue import read_catalogue
from translator.addons.documents.open_document import read_open_document
from translator.addons.documents.table import read_table
from translator.addons.documents.values import read_json, read_yaml
from translator.addons.documents.word import read_word
from translator.addons.documents.xml_texts import fit_tags
from translator.base.errors import InputError
from translator.text.copied_spans import find_copied
from translator.text.spans.tags import find_tags
from translator.translation.results import Doubt

HEADER = 'msgid ""\nmsgstr ""\n"X-Own: 1\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def json_of(text: str, change=louder) -> str:
    return translated(read_json(text.encode(), "a.json"), change).decode()


def yaml_of(text: str, change=louder) -> str:
    return translated(read_yaml(text.encode(), "a.yaml"), change).decode()


def table_of(text: str, change=louder, name: str = "a.csv") -> str:
    return translated(read_table(text.encode(), name, ("text",)), change).decode()


def catalogue_of(text: str, change=louder, doubts: tuple[Doubt, ...] = ()) -> str:
    return translated(read_catalogue(text.encode(), "a.po"), change, doubts).decode()


def packed(parts: dict[str, str]) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in parts.items():
            archive.writestr(path, text)
    return output.getvalue()


def word(body: str, path: str = "word/document.xml") -> bytes:
    return packed({path: f"<w:document {W}><w:body>{body}</w:body></w:document>"})


def word_of(body: str, change=louder) -> str:
    made = translated(read_word(word(body), "a.docx"), change)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        page = archive.read("word/document.xml").decode()
    return page.partition("<w:body>")[2].partition("</w:body>")[0]


# Whatever a model writes ----------------------------------------------------------------------


def test_a_translation_is_one_line_without_control_characters():
    def change(text: str) -> str:
        return f"\x00{louder(text)}\r\nand\x85\u2028more\ufffe"

    assert json.loads(json_of('{"a": "dog"}', change)) == {"a": "DOG and more"}
    for text in ("a: dog\n", "a: 'dog'\n", 'a: "dog"\n', "a: |\n  dog\n"):
        assert yaml.safe_load(yaml_of(text, change))["a"].strip() == "DOG and more"
    assert table_of("id,text\n1,dog\n", change) == "id,text\n1,DOG and more\n"
    assert polib.pofile(catalogue_of(f'{HEADER}\nmsgid "dog"\nmsgstr ""\n', change))[0].msgstr == (
        "DOG and more"
    )
    assert "<w:t>dog" not in word_of("<w:p><w:r><w:t>dog</w:t></w:r></w:p>", change)


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("a dog", ""), ("a dog", " \n"), ("%s dogs", "dogs"), ("%s dogs", "%s %s dogs"),
        ("dogs", "%d dogs"), ("%d of %s", "%s of %d"), ("{a} dogs", "{b} dogs"),
        ("<b>a</b> dog", "a dog"), ("<b>a</b> dog", "</b>a<b> dog"), ("a dog", "<b>dog</b>"),
        ("See <a href='x'>our page</a>", "Siehe unsere Seite<a href='x'> </a>"),
        ("See [our page](x)", "Siehe unsere Seite [](x)"), ("{{a}} dogs", "{{b}} dogs"),
        ("{n, plural, one {a dog} other {dogs}}", "{n, mehrzahl, eins {a dog} andere {dogs}}"),
    ],
)  # fmt: skip
def test_a_text_stays_if_its_translation_is_another_program(source, translation):
    text = json.dumps({"a": source})
    assert json_of(text, lambda _: translation) == text


def test_names_of_programs_are_no_texts():
    patterns = ("dd/MM/yyyy", "HH:mm:ss", "d. MMMM YYYY, h:mm a")
    words = ("todo.show", "app:label", ":year", "getForecast", "arrow_left", "windows-latest")
    for name in (*words, "text/html", *patterns):
        assert json_of(json.dumps(name)) == json.dumps(name)
    for text in (
        "and",
        "Check-in",
        "Dr. Dog",
        "10:30am",
        "Error:Failed",
        "Done.Next",
        "e.g",
        "and/or",
        "May",
    ):
        assert json_of(json.dumps(text)) == json.dumps(text.upper())


def test_placeholders_with_names_or_numbers_may_be_in_another_order():
    for source, translation in (("%(a)s %(b)d", "%(b)d %(a)s"), ("%1$s {b}", "{b} %1$s")):
        source, translation = f"see {source}", f"sieh {translation}"
        assert json_of(json.dumps(source), lambda _: translation) == json.dumps(translation)  # noqa: B023


def test_byte_order_marks_and_line_ends_stay():
    pages = {
        read_json: '{"a":\r\n"dog"}\r\n', read_yaml: "a: dog\r\nb: |\r\n  dog\r\n",
        read_table: "dog\r\ndog", read_catalogue: f'{HEADER}\nmsgid "dog"\nmsgstr ""\n',
    }  # fmt: skip
    for read, page in pages.items():
        content = page.encode("utf-8-sig").replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        expected = content.replace(b"dog", b"DOG")
        if read is read_catalogue:
            expected = content.replace(b'msgstr ""\r\n', b'msgstr "DOG"\r\n').replace(
                b'msgstr "DOG"\r\n"X', b'msgstr ""\r\n"X'
            )
        assert translated(read(content, "a")) == expected


# JSON -------------------------------------------------------------------------------------------


def test_json_keeps_numbers_spaces_and_what_is_about_the_file():
    big = "9" * 5000
    text = (
        f'{{"a": {big}, "b": [1.0, 1e5], "c": " name: ", "c": "two\\tdogs", "d": "<b>x '
        'y</b>", "@d": {"type": "text"}, "@@locale": "en"}'
    )
    assert json_of(text) == (
        text.replace("name", "NAME").replace("two\\tdogs", "TWO\\tDOGS").replace("x y", "X Y")
    )


def test_lines_of_json_may_have_separators_of_lines_and_lone_surrogates():
    lines = '{"a": "one\u2028two é"}\r\n{"a": "\\ud800 dog é\\n"}\n'
    assert json_of(lines) == '{"a": "ONE\u2028TWO É"}\r\n{"a": "\\ud800 DOG \\u00c9\\n"}\n'
    with pytest.raises(InputError, match="^a.json, line 3: expected JSON"):
        json_of('{"a": 1}\n\n{"a": }\n')
    with pytest.raises(InputError, match="^a.json, line 2: expected JSON, found values in each"):
        json_of("1\n" + "[" * 5000)


# YAML -------------------------------------------------------------------------------------------


def test_yaml_keeps_anchors_tags_quotes_and_keys():
    text = (
        "a: &x dog\nb: *x\nc: !!str 'it''s a dog'\nd: &y !!str \"dog\"\ne: 1e5\nf: &k dog\n"
        "? *k\n: cat\n? [dog, {x: dog}]\n: cat\ng: !Ref dog\n"
    )
    assert yaml_of(text) == (
        "a: &x DOG\nb: *x\nc: !!str 'IT''S A DOG'\nd: &y !!str \"DOG\"\ne: 1e5\nf: &k dog\n"
        "? *k\n: CAT\n? [dog, {x: dog}]\n: CAT\ng: !Ref dog\n"
    )


def test_blocks_of_yaml_are_plain_text():
    long = "We have lived in this old house for twenty years now, and we"
    text = (
        f"a: |\n  {long}\n  like it.\n\n  - dog # 1\nb: >-\n  {long}\n  like it.\n# end\nc: dog\n"
    )
    assert [each.source for each in read_yaml(text.encode(), "a").texts][0] == f"{long} like it."
    assert yaml_of(text) == text.replace(long, long.upper()).replace("like it", "LIKE IT").replace(
        "dog", "DOG"
    )
    assert yaml_of("--- |\n dog\n", lambda _: "---") == "--- |\n ---\n"


def test_yaml_does_not_expand_and_is_not_too_deep():
    laughs = "a: &a [dog]\n" + "".join(f"{i}: &{i} [*{i - 1}, *{i - 1}]\n" for i in range(1, 99))
    assert "[DOG]" in yaml_of(laughs.replace("*0", "*a"))
    for deep in ("[" * 100_000, "{a: " * 100_000, "- " * 100_000):
        with pytest.raises(InputError, match="^a.yaml, line 1: expected YAML, found values in"):
            yaml_of(deep)


# Tables -----------------------------------------------------------------------------------------


def test_tables_keep_quotation_marks_line_ends_and_rows_that_lack_cells():
    text = '"id","text"\r\n"1","a ""b"""\n2, dog\n3\n\n4,5" pipe,x\r\n5,"two\nlines"'
    assert table_of(text) == (
        '"id","text"\r\n"1","A ""B"""\n2, DOG\n3\n\n4,5" PIPE,x\r\n5,"TWO\nLINES"'
    )
    assert table_of("id,text\n1,dog\n", lambda text: '"a", b') == 'id,text\n1,"""a"", b"\n'
    assert table_of("id,text\n1,a\0dog\n") == "id,text\n1,A\0DOG\n"


def test_the_separator_of_a_table_is_not_a_mark_of_its_sentences():
    assert table_of("text\nWell, a dog\nA cat, too, sleeps\n") == (
        'text\n"WELL, A DOG"\n"A CAT, TOO, SLEEPS"\n'.replace('"', "")
    )
    tabs = "id\ttext\n1\tWell, a dog\n2\tA cat, too\n"
    assert table_of(tabs, name="a.tsv") == tabs.upper().replace("ID\tTEXT", "id\ttext")
    bare = 'id\ttext\n1\t"Yes," he said.\n2\tHe said: "No\n3\t"a" and "b"\n'
    assert table_of(bare, name="a.tsv") == bare.upper().replace("ID\tTEXT", "id\ttext")
    assert table_of(tabs.replace("Well, a dog", '"Well,\ta dog"'), name="a.tsv") == (
        table_of(tabs, name="a.tsv").replace("WELL, A DOG", '"WELL,\tA DOG"')
    )
    quoted = '"id";"text"\n"1";"Well, a dog"\n"2"\n'
    assert table_of(quoted) == quoted.replace("Well, a dog", "WELL, A DOG")


def test_damaged_tables_are_one_line_with_a_place():
    with pytest.raises(InputError, match="^a.csv, line 2: expected a row of a table: unexpected"):
        table_of('id,text\n1,"dog\n2,dog\n')
    with pytest.raises(InputError, match=r"^a.csv: expected .* --column.*: id, a\\nb; found none$"):
        read_table(b'id,"a\nb"\n', "a.csv")


# Catalogues -------------------------------------------------------------------------------------


def test_catalogues_keep_all_but_new_translations_byte_for_byte():
    text = (
        f'# by hand\n{HEADER}\n#:  a.py:1   b.py:2\n#, python-format\nmsgid ""\n"a "\n"dog"\n'
        'msgstr ""\n\n#~ msgid "old"\n#~ msgstr "alt"\n\n#, fuzzy\n#| msgid "cats"\nmsgid "cat"\n'
        'msgstr "Katzen"\n\nmsgctxt "c"\nmsgid "\\none\\n"\nmsgstr ""\n'
        'msgid "bell \\a"\nmsgstr ""\n'
    )
    made = catalogue_of(text)
    assert made == text.replace('"dog"\nmsgstr ""', '"dog"\nmsgstr "A DOG"').replace(
        'one\\n"\nmsgstr ""', 'one\\n"\nmsgstr ""\n"\\n"\n"ONE\\n"'
    )
    doubtful = catalogue_of(text, doubts=(Doubt("confidence", "low"),))
    assert [each.msgid for each in polib.pofile(doubtful) if each.fuzzy] == [
        "a dog", "cat", "\none\n"
    ]  # fmt: skip


def test_plural_forms_are_those_of_the_header():
    for rule, forms in (
        ("nplurals=1; plural=0;", "D"),
        ("nplurals=3; plural=(n==0 ? 2 : n==1 ? 1 : 0);", "DSD"),
        ("nplurals=2; plural=n>1;", "SD"),
        ("nplurals=INTEGER; plural=EXPRESSION;", "SD"),
        ("nplurals=2; plural=1/0;", "SD"),
    ):
        slots = "".join(f'msgstr[{i}] ""\n' for i in range(len(forms)))
        page = f'{HEADER}"Plural-Forms: {rule}\\n"\n\nmsgid "s"\nmsgid_plural "d"\n{slots}'
        [entry] = polib.pofile(catalogue_of(page))
        assert "".join(entry.msgstr_plural.values()) == forms


def test_where_a_program_puts_values_in_a_percent_sign_means_nothing_else():
    page = f'{HEADER}\n#, c-format\nmsgid "{{}} percent"\nmsgstr ""\n'
    for source, change in (("50", lambda _: "50 % der"), ("100% dog", louder)):
        [entry] = polib.pofile(catalogue_of(page.replace("{}", source), change))
        assert entry.msgstr == ""


def test_a_catalogue_says_that_it_is_utf_8_as_soon_as_it_is():
    for charset in ("ASCII", "CHARSET"):
        page = f'{HEADER}\nmsgid "dog"\nmsgstr ""\n'.replace("UTF-8", charset)
        assert f"charset={charset}" in catalogue_of(page)
        changed = catalogue_of(f"# charset=ascii\n{page}# charset=ascii\n", lambda _: "Köter")
        assert "charset=UTF-8" in changed
        assert changed.count("charset=ascii") == 2


def test_what_is_no_catalogue_is_one_line(tmp_path):
    path = tmp_path / "secret.po"
    path.write_text(f'{HEADER}\nmsgid "secret"\nmsgstr ""\n')
    with pytest.raises(InputError, match="^a.po: expected a catalogue of gettext"):
        catalogue_of(str(path))
    with pytest.raises(InputError, match="^a.po: expected charset=UTF-8 .* found 'CP437'"):
        catalogue_of(HEADER.replace("UTF-8", "CP437"))
    with pytest.raises(InputError, match="^a.po, line 6: expected msgstr after msgid"):
        catalogue_of(f'{HEADER}\nmsgid "dog"\n')
    with pytest.raises(InputError, match="^a.po, line 5002: expected at most 5000 lines"):
        catalogue_of('msgid ""\n' + '"a"\n' * 100_000 + 'msgstr ""\n')
    assert '"A\u2028"\n"B"' in catalogue_of(f'{HEADER}\nmsgid "a\u2028b"\nmsgstr ""\n')


# XML --------------------------------------------------------------------------------------------


def test_elements_stay_in_their_order_and_around_what_they_were_around():
    source = '<x id="1"/>old <g id="2">dog</g><x id="3"/>'
    assert fit_tags(source, louder(source)) == louder(source)
    for translation in (
        '<x id="3"/>old <g id="2">dog</g><x id="1"/>',
        '<x id="1"/>old <g id="2">dog<x id="3"/></g>',
        '<x id="1"/>old </g>dog<g id="2"><x id="3"/>',
        '<x id="1"/>old <g id="2">dog</g>',
    ):
        assert fit_tags(source, translation) is None, translation


def test_spaces_at_the_ends_of_a_translated_element_are_outside_of_it():
    source = 'See <g id="1">our <g id="2">page</g></g> now.'
    for translation in (
        'Siehe<g id="1"> unsere <g id="2">Seite </g></g>jetzt.',
        'Siehe <g id="1"> unsere<g id="2"> Seite</g> </g> jetzt.',
    ):
        expected = 'Siehe <g id="1">unsere <g id="2">Seite</g></g> jetzt.'
        assert fit_tags(source, translation) == expected
    assert fit_tags('<g id="1">a</g> b', '<g id="1"> A\xa0</g>B') == '<g id="1">A</g>\xa0B'
    for kept in ('a<g id="1"> b </g>c', 'a<g id="1"> </g>b', '<g id="1">a</g><x id="2"/> b'):
        assert fit_tags(kept, kept) == kept


# Word and OpenDocument ------------------------------------------------------------------------


def test_text_beside_tabs_in_controls_and_in_tracked_changes_is_translated():
    body = (
        "<w:p><w:r><w:t>one</w:t><w:tab/><w:t>two</w:t></w:r><w:ins><w:r><w:t>three</w:t></w:r>"
        "</w:ins><w:del><w:r><w:delText>four</w:delText></w:r></w:del><w:sdt><w:sdtPr/><w:sdtContent>"
        "<w:r><w:t>five</w:t></w:r></w:sdtContent></w:sdt><w:moveFrom><w:r><w:t>six</w:t></w:r>"
        "</w:moveFrom></w:p>"
    )
    made = etree.fromstring(f"<a {W}>{word_of(body)}</a>")
    assert "".join(made.itertext()) == "ONETWOTHREEfourFIVEsix"
    assert [each.tag.rpartition("}")[2] for each in made[0]] == [
        "r", "r", "r", "ins", "del", "sdt", "moveFrom"
    ]  # fmt: skip
    assert [each.tag.rpartition("}")[2] for each in made[0][5]] == ["sdtPr", "sdtContent"]


def test_a_tab_before_a_line_break_ends_a_part():
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = f"<w:p>{run.format('a dog and')}<w:r><w:tab/><w:br/></w:r>{run.format('cat')}</w:p>"
    assert [text.source for text in read_word(word(body), "a").texts] == ["a dog and", "cat"]


def test_no_part_of_a_paragraph_is_lost_or_in_another_one():
    bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>old</w:t></w:r>"
    body = (
        f"<w:p><w:r><w:t>an </w:t></w:r>{bold}<w:r><w:t> dog</w:t></w:r><w:r><w:sym/></w:r></w:p>"
    )
    [text] = read_word(word(body), "a.docx").texts
    assert text.source == 'an <g id="1">old</g> dog<x id="2"/>'
    assert word_of(body, lambda _: 'an <g id="1">old<x id="2"/></g> dog').count("<w:sym/>") == 1


def test_texts_of_boxes_do_not_count_for_the_paragraph_around_them():
    box = "<w:r><w:pict><w:txbxContent><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>a long box</w:t></w:r>"
    body = f"<w:p>{box}</w:p></w:txbxContent></w:pict></w:r><w:r><w:t>dog</w:t></w:r></w:p>"
    assert [text.source for text in read_word(word(body), "a.docx").texts] == [
        '<x id="1"/>dog', "a long box"
    ]  # fmt: skip


def test_documents_of_word_may_have_other_names_inside():
    body = "<w:p><w:r><w:t>dog</w:t></w:r></w:p>"
    assert len(read_word(word(body, "word/document2.xml"), "a.docx").texts) == 1
    strict = packed({"word/document.xml": '<w:document xmlns:w="http://purl.oclc.org/ooxml/w"/>'})
    with pytest.raises(
        InputError, match="^a.docx: expected a usual document of Word, found Strict"
    ):
        read_word(strict, "a.docx")


def test_fields_of_word_are_translated_but_for_those_of_letters():
    run = "<w:r><w:t>dog</w:t></w:r>"
    for says, expected in ((" REF a ", "DOG"), (" MERGEFIELD name ", "dog")):
        made = word_of(f'<w:p>{run}<w:fldSimple w:instr="{says}">{run}</w:fldSimple></w:p>')
        assert made.endswith(f">{expected}</w:t></w:r></w:fldSimple></w:p>")


def test_parts_of_documents_without_a_new_text_stay_byte_for_byte():
    runs = "<w:p><w:r><w:t>{}</w:t></w:r><w:r  /><w:r><w:t>dog</w:t></w:r></w:p>"
    parts = {
        f"word/{name}.xml": f"<w:document {W}><w:body>{runs.format(name)}</w:body></w:document>"
        for name in ("document", "header1")
    }
    content = packed(parts)
    assert translated(read_word(content, "a.docx"), lambda _: "") == content
    made = translated(read_word(content, "a.docx"), lambda text: text.replace("document", "x"))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.read("word/header1.xml").decode() == parts["word/header1.xml"]
        assert b">x<" in archive.read("word/document.xml")


def test_tabs_and_line_breaks_end_texts_unless_a_sentence_goes_on():
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = run.format("Name:") + "<w:r><w:tab/></w:r>" + run.format("Jo")
    body += "<w:r><w:br/></w:r>" + run.format("A line of words") + "<w:r><w:br/></w:r>"
    body += run.format("on it.") + "<w:r><w:br/></w:r>" + run.format("a) dog")
    [*texts] = read_word(word(f"<w:p><w:pPr/>{body}</w:p>"), "a.docx").texts
    assert [text.source for text in texts] == [
        "Name:", "Jo", 'A line of words<x id="1"/>on it.', "a) dog"
    ]  # fmt: skip
    made = word_of(f"<w:p><w:pPr/>{body}</w:p>")
    assert made.startswith("<w:p><w:pPr/><w:r><w:t")
    assert re.sub(r"<(?!w:tab|w:br)[^>]*>", "", made) == (
        "NAME:<w:tab/>JO<w:br/>A LINE OF WORDS<w:br/>ON IT.<w:br/>A) DOG"
    )
    opened = open_document_of("<text:p>Name:<text:tab/>Jo<text:line-break/>a</text:p>")
    assert opened == "<text:p>NAME:<text:tab/>JO<text:line-break/>A</text:p>"


def test_lines_that_were_broken_by_hand_are_one_text_and_lists_are_not():
    def sources(*lines: str) -> list[str]:
        runs = "<w:r><w:br/></w:r>".join(f"<w:r><w:t>{line}</w:t></w:r>" for line in lines)
        return [text.source for text in read_word(word(f"<w:p>{runs}</w:p>"), "a.docx").texts]

    for lines in (
        ("You need", "bread", "milk"), ("name", "street"), ("We have this dog:", "an old one"),
        ("The dog sleeps all day.", "the cat does not"), ("Three old dogs sleep", "And cats"),
        ("milk of the old cow", "bread of the baker", "some eggs"),
    ):  # fmt: skip
        assert sources(*lines) == list(lines)
    wrapped = "We have been waiting for the old dog of Mrs", "Miller in the garden for hours"
    for lines in (wrapped, ("We hope you enjoy", "your stay", "with us."), ("He sees her", "now.")):
        assert len(sources(*lines)) == 1
    body = "<w:r><w:t>dog</w:t></w:r><w:r><w:br w:type='page'/></w:r><w:r><w:t>cat</w:t></w:r>"
    assert len(read_word(word(f"<w:p>{body}</w:p>"), "a.docx").texts) == 2


def test_hyphens_that_are_elements_are_within_words():
    hyphen = "<w:r><w:rPr>{}</w:rPr><w:noBreakHyphen/></w:r>"
    run = "<w:r><w:t>{}</w:t></w:r>"
    one = "an e</w:t><w:noBreakHyphen/><w:t>mail ad</w:t><w:softHyphen/><w:t>dress"
    one = run.format(one)
    [text] = read_word(word(f"<w:p>{one}</w:p>"), "a").texts
    assert text.source == "an e\u2011mail ad\xaddress"
    assert word_of(f"<w:p>{one}</w:p>", lambda _: "die E\u2011Mail\xadadresse").replace(
        ' xml:space="preserve"', ""
    ) == (
        "<w:p><w:r><w:t>die E</w:t><w:noBreakHyphen/><w:t>Mail</w:t><w:softHyphen/>"
        "<w:t>adresse</w:t></w:r></w:p>"
    )
    apart = run.format("e") + hyphen.format('<w:lang w:val="en"/>') + run.format("mail")
    bold = run.format("e") + hyphen.format("<w:b/>") + run.format("mail")
    for body, source in ((apart, "e\u2011mail"), (bold, 'e<g id="1">\u2011</g>mail')):
        assert [text.source for text in read_word(word(f"<w:p>{body}</w:p>"), "a").texts] == [
            source
        ]
        assert re.sub(r"<(?!w:no)[^>]*>", "", word_of(f"<w:p>{body}</w:p>")) == (
            "E<w:noBreakHyphen/>MAIL"
        )


def test_gaps_of_spaces_stay_between_texts():
    gap = " " * 9
    blank = f"<w:r><w:rPr><w:u/></w:rPr><w:t>{gap}</w:t></w:r>"
    run = "<w:r><w:t>{}</w:t></w:r>"
    bodies = (
        run.format(f"{gap}name:{gap}date:  {gap}"),
        run.format("name:") + blank + run.format("date:"),
        run.format("name:    ") + run.format("     date:") + "<w:r><w:br/></w:r>" + blank,
        f"<w:hyperlink>{run.format(f'name:{gap}date:')}</w:hyperlink>",
    )  # fmt: skip
    for body in bodies:
        document = read_word(word(f"<w:p>{body}</w:p>"), "a")
        assert [text.source for text in document.texts] == ["name:", "date:"]
        made = etree.fromstring(f"<a {W}>{word_of(f'<w:p>{body}</w:p>')}</a>")
        before = etree.fromstring(f"<a {W}>{body}</a>")
        assert "".join(made.itertext()) == "".join(before.itertext()).upper()
        assert len(list(made.iter("{*}u"))) == body.count("<w:u/>")
    assert not read_word(word(f"<w:p>{run.format('')}{blank}</w:p>"), "a").texts
    line = run.format("we have been waiting for the old dog of mrs")
    indented = f"{line}<w:r><w:br/></w:r>{run.format('   miller in the garden.  yes')}"
    assert len(read_word(word(f"<w:p>{indented}</w:p>"), "a").texts) == 1
    for text, count in (
        ('a <text:s text:c="2"/>b', 2), ('a<text:s text:c="2"/>b', 1), ("a. <text:s/>b", 1),
        ('a<text:span><text:s text:c="9"/></text:span>b', 2),
    ):  # fmt: skip
        paragraph = f"<text:p>{text}</text:p>"
        assert len(read_open_document(open_document(paragraph), "a").texts) == count
        assert open_document_of(paragraph) == (paragraph.replace(">a", ">A").replace("b<", "B<"))
    lines = (
        'we have been waiting for the old dog of mrs<text:line-break/> <text:s text:c="3"/>miller'
    )
    assert len(read_open_document(open_document(f"<text:p>{lines}</text:p>"), "a").texts) == 1


def test_what_is_no_text_does_not_say_whether_a_line_goes_on():
    body = (
        "<w:r><w:t>he likes the house and</w:t></w:r><w:r><w:br/></w:r>"
        "<w:del><w:r><w:delText>Always</w:delText></w:r></w:del><w:r><w:t>the dog.</w:t></w:r>"
    )
    assert len(read_word(word(f"<w:p>{body}</w:p>"), "a.docx").texts) == 1


def test_groups_with_tabs_in_them_are_divided_in_themselves():
    cells = "<w:r><w:tab/></w:r>".join(f"<w:r><w:t>{text}</w:t></w:r>" for text in ("a", "b c"))
    for group in ("<w:ins>{}</w:ins>", "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"):
        body = f"<w:p><w:r><w:t>dog</w:t></w:r>{group.format(cells)}</w:p>"
        texts = [text.source for text in read_word(word(body), "a.docx").texts]
        assert texts == ["dog", "a", "b c"]
        assert re.sub(r"<(?!w:tab)[^>]*>", "", word_of(body)) == "DOGA<w:tab/>B C"
    span = "<text:p>x <text:span>a<text:line-break/>b <text:tab/>c</text:span> d</text:p>"
    made = open_document_of(span)
    assert made == ("<text:p>X <text:span>A<text:line-break/>B <text:tab/>C</text:span> D</text:p>")
    control = "<text:p><text:content-control>dog</text:content-control></text:p>"
    assert open_document_of(control) == control.replace("dog", "DOG")


def test_what_has_a_style_of_code_is_no_text_and_a_word_within_sentences():
    code = '<w:r><w:rPr><w:rStyle w:val="VerbatimChar"/></w:rPr><w:t>dog</w:t></w:r>'
    body = f"<w:p><w:r><w:t>the </w:t></w:r>{code}<w:r><w:t> dog</w:t></w:r></w:p>"
    [text] = read_word(word(body), "a.docx").texts
    assert text.source == "the {{0}} dog"
    assert re.sub("<[^>]*>", "", word_of(body, lambda _: "DOG {{0}} the")) == "DOG dog the"
    assert word_of(body, lambda _: "DOG the") == body
    [text] = read_word(word(body.replace("the ", "{{0}}")), "a.docx").texts
    assert text.source == '{{0}}<x id="1"/> dog'
    listing = '<w:p><w:pPr><w:pStyle w:val="{}"/></w:pPr><w:r><w:t>dog</w:t></w:r></w:p>'
    styles = (
        '<w:style w:styleId="HTMLVorformatiert"><w:name w:val="HTML Preformatted"/></w:style>'
        '<w:style w:styleId="Mine"><w:basedOn w:val="HTMLVorformatiert"/></w:style>'
    )
    for style in ("SourceCode", "HTMLVorformatiert", "Mine"):
        body = listing.format(style)
        content = packed(
            {
                "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
                "word/styles.xml": f"<w:styles {W}>{styles}</w:styles>",
            }
        )
        assert not read_word(content, "a.docx").texts
    for style in ("Source", "DressCode", "PostalCode"):
        assert "DOG" in word_of(listing.format(style))
    for old in (
        '<text:p text:style-name="P1">a dog</text:p>',
        '<text:p text:style-name="Preformatted_20_Text">a dog</text:p>',
        '<text:p><text:span text:style-name="P1">a dog</text:span></text:p>',
    ):
        assert open_document_of(old) == old
    old = '<text:p>a <text:span text:style-name="Source_20_Text">b</text:span></text:p>'
    assert open_document_of(old) == old.replace(">a <", ">A <")


def test_what_is_written_lower_is_told_as_such():
    low = '<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r>'
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = f"<w:p>{run.format('An H')}{low}{run.format('O dog')}</w:p>"
    [text] = read_word(word(body), "a.docx").texts
    assert text.source == 'An H<sub id="1">2</sub>O dog'
    assert find_copied(text.source, "en") == [(3, 24)]
    style = '<style:style style:name="T{}"><style:text-properties style:text-position="{} 58%"/>'
    styles = "".join(f"{style.format(*each)}</style:style>" for each in ((1, "sub"), (2, "33%")))
    span = "<text:span text:style-name='T{}'>{}</text:span>"
    spans = "H" + span.format(1, 2) + span.format(2, 3)
    [text] = read_open_document(open_document(f"{styles}<text:p>{spans}</text:p>"), "a").texts
    assert text.source == 'H<sub id="1">2</sub><sup id="2">3</sup>'
    assert [tag.span.text for tag in find_tags('old<sup id="1">1</sup> and')] == [
        '<sup id="1">1</sup>'
    ]
    assert re.sub("<[^>]*>", "", word_of(body)) == "AN H2O DOG"


def open_document(text: str) -> bytes:
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<d xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
        f' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><style:style'
        f' style:name="P1" style:parent-style-name="Preformatted_20_Text"/>{text}</d>',
    }
    return packed(parts)


def open_document_of(text: str) -> str:
    made = translated(read_open_document(open_document(text), "a.odt"))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        return archive.read("content.xml").decode().partition("/>")[2].removesuffix("</d>")


def test_ends_of_pages_of_opendocument_are_not_in_words():
    paragraph = "<text:p>old d<text:soft-page-break/>og</text:p>"
    assert open_document_of(paragraph) == "<text:p>OLD DOG</text:p>"


def test_headers_of_opendocument_are_translated():
    text = '<a xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><text:p>{}</text:p></a>'
    parts = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": text.format("dog"), "styles.xml": text.format("cat"),
    }  # fmt: skip
    made = translated(read_open_document(packed(parts), "a.odt"))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.read("styles.xml").decode().endswith(text.format("CAT"))


def test_damage_within_documents_is_one_line(monkeypatch):
    whole = word("<w:p><w:r><w:t>dog and cat</w:t></w:r></w:p>" * 50)
    for damaged in (
        whole[:60] + b"\xff" * 20 + whole[80:], whole[:-30] + b"\xff" * 4 + whole[-26:], whole[40:]
    ):  # fmt: skip
        with pytest.raises(InputError, match="^a.docx: expected a whole document, found a damaged"):
            read_word(damaged, "a.docx")
    monkeypatch.setattr("translator.addons.documents.office.MOST_BYTES_READ", 999)
    with pytest.raises(InputError, match="^a.docx: expected at most 512 MiB .* 0 MiB are text"):
        read_word(whole, "a.docx")


def test_many_texts_take_no_longer_each():
    count = 10_000  # with the square of it, minutes
    assert len(read_json(b"[" + b'"dog",\n' * count + b"1]", "a").texts) == count
    assert len(read_table(b"id,text\n" + b'1,"dog"\n' * count, "a", ("text",)).texts) == count
    run = "<w:r><w:t>dog</w:t><w:tab/></w:r>"
    assert len(read_word(word(f"<w:p>{run * count}</w:p>"), "a").texts) == count
