"""Documents of Word and OpenDocument as people have them, and as nobody should."""

from tests.unit.addons.documents.translating import (
    OPEN,
    OPEN_TYPE,
    WORD,
    check,
    louder,
    made,
    packed,
    read_open_paragraph,
    read_paragraph,
    sources,
    translated,
    unpacked,
    word,
)
from translator.addons.documents.open_document import read_open_document
from translator.addons.documents.word import read_word
from translator.addons.documents.xml_texts import fit_tags, parse_xml, write_xml
from translator.text.copied_spans import find_copied
from translator.text.tags import find_tags

GAP = " " * 9
LONG = "we have been waiting for the old dog of mrs"


def run(text: str, form: str) -> str:
    return f"<w:r><w:rPr>{form}</w:rPr><w:t>{text}</w:t></w:r>"


BOLD = run("old", "<w:b/>")
CODE = run("dog", '<w:rStyle w:val="VerbatimChar"/>')
LOW = run("2", '<w:vertAlign w:val="subscript"/>')


def test_elements_stay_in_their_order_around_words_whatever_the_declaration_says():
    source = '<x id="1"/>old <g id="2">dog</g><x id="3"/>'
    assert fit_tags(source, louder(source)) == louder(source)
    for translation in (
        '<x id="3"/>old <g id="2">dog</g><x id="1"/>',
        '<x id="1"/>old <g id="2">dog<x id="3"/></g>',
        '<x id="1"/>old </g>dog<g id="2"><x id="3"/>',
        '<x id="1"/>old <g id="2">dog</g>',
    ):
        assert fit_tags(source, translation) is None, translation
    page = b"<!DOCTYPE d SYSTEM '<d>' [<!-- <d> --><?x <d> ?>]><d>dog</d>"
    assert parse_xml(write_xml(parse_xml(page, "a")), "a").getroot().text == "dog"


def test_paragraphs_of_word_keep_their_formats():
    check(read_paragraph, [
        (f"<w:pPr><w:b/></w:pPr>An <w:proofErr/>{BOLD} house &amp; garden.<w:br/>"
         '<w:hyperlink w:anchor="x">here</w:hyperlink>',
         ['An <g id="1">old</g> house &amp; garden.', '<g id="1">here</g>'],
         f"<w:pPr><w:b/></w:pPr>AN {BOLD.replace('old', 'OLD')} HOUSE &amp; GARDEN.<w:br/>"
         '<w:hyperlink w:anchor="x">HERE</w:hyperlink>'),
        ("one<w:tab/>two<w:ins>three</w:ins><w:del><w:delText>four</w:delText></w:del><w:sdt>"
         "<w:sdtPr/><w:sdtContent>five</w:sdtContent></w:sdt><w:moveFrom>six</w:moveFrom>",
         ["one", 'two<g id="1">three</g><x id="2"/><g id="3">five</g><x id="4"/>'],
         "ONE<w:tab/>TWO<w:ins>THREE</w:ins><w:del><w:delText>four</w:delText></w:del><w:sdt>"
         "<w:sdtPr/><w:sdtContent>FIVE</w:sdtContent></w:sdt><w:moveFrom>six</w:moveFrom>"),
        ("<w:r><w:t>one</w:t><w:tab/><w:t>two</w:t></w:r>", ["one", "two"], "ONE<w:tab/>TWO"),
        ("a dog and<w:r><w:tab/><w:br/></w:r>cat", ["a dog and", "cat"],
         "A DOG AND<w:tab/><w:br/>CAT"),
        (f"an {BOLD} dog<w:sym/>", ['an <g id="1">old</g> dog<x id="2"/>']),
        (f"<w:r><w:pict><w:txbxContent><w:p>{BOLD}</w:p></w:txbxContent></w:pict></w:r>dog",
         ['<x id="1"/>dog', "old"]),
        ('dog<w:fldSimple w:instr=" REF a "> b</w:fldSimple>', ['dog<g id="1"> b</g>']),
        ('dog<w:fldSimple w:instr=" MERGEFIELD name ">b</w:fldSimple>', ['dog<x id="1"/>'],
         'DOG<w:fldSimple w:instr=" MERGEFIELD name ">b</w:fldSimple>'),
        ("an e<w:noBreakHyphen/>mail ad<w:softHyphen/>dress", ["an e\u2011mail ad\xaddress"]),
        ('e<w:r><w:rPr><w:lang w:val="en"/></w:rPr><w:noBreakHyphen/></w:r>mail', ["e\u2011mail"],
         "E<w:noBreakHyphen/>MAIL"),
        ("e<w:r><w:rPr><w:b/></w:rPr><w:noBreakHyphen/></w:r>mail", ['e<g id="1">\u2011</g>mail']),
        (f"the {CODE} dog", ["the {{0}} dog"], f"THE {CODE} DOG"),
        (f"{{{{0}}}}{CODE} dog", ['{{0}}<x id="1"/> dog'], f"{{{{0}}}}{CODE} DOG"),
        (f"An H{LOW}O dog", ['An H<sub id="1">2</sub>O dog']),
        *((f"dog{group}", ["dog", "a", "b c"]) for group in (
            "<w:ins>a<w:tab/>b c</w:ins>",
            "<w:sdt><w:sdtContent>a<w:tab/>b c</w:sdtContent></w:sdt>")),
    ])  # fmt: skip
    for page, translation, expected in (
        (f"an {BOLD} dog<w:sym/>", 'an <g id="1">old<x id="2"/></g> dog', None),
        (f"the {CODE} dog", "DOG {{0}} the", f"DOG {CODE} the"),
        (f"the {CODE} dog", "DOG the", None),
        ("an e<w:noBreakHyphen/>mail", "die E\u2011Mail\xadadresse",
         "die E<w:noBreakHyphen/>Mail<w:softHyphen/>adresse"),
    ):  # fmt: skip
        new = made(read_paragraph, page, lambda _, translation=translation: translation)
        assert new == (expected or page)
    assert find_copied('An H<sub id="1">2</sub>O dog') == [(3, 24)]
    [tag] = find_tags('old<sup id="1">1</sup> and')
    assert tag.text == '<sup id="1">1</sup>'


def test_paragraphs_of_opendocument_keep_their_formats():
    span = '<text:span text:style-name="{}">{}</text:span>'
    code = span.format("Source_20_Text", "b")
    below, above = span.format("T3", 2), span.format("T4", 3)
    bold, typed = span.format("T1", "love"), span.format("T2", "dog")
    check(read_open_paragraph, [
        (f"We {bold} it<text:line-break/>all.", ['We <g id="1">love</g> it<x id="2"/>all.']),
        (f"a {typed}", ["a dog"], "A DOG"),
        ("old d<text:soft-page-break/>og", ["old dog"], "OLD DOG"),
        ("Name:<text:tab/>Jo<text:line-break/>a", ["Name:", "Jo", "a"]),
        ("x <text:span>a<text:line-break/>b <text:tab/>c</text:span> d",
         ["x", "a", "b", "c", "d"]),
        ("<text:content-control>dog</text:content-control>", ['<g id="1">dog</g>']),
        (f"H{below}{above}", ['H<sub id="1">2</sub><sup id="2">3</sup>']),
        (f"a {code}", ["a {{0}}"], f"A {code}"),
        (span.format("P1", "a dog"), []),
    ])  # fmt: skip


def test_tabs_gaps_and_line_breaks_end_texts_unless_a_sentence_goes_on():
    underlined = run(GAP, "<w:u/>")
    check(read_paragraph, [
        ("<w:pPr/>Name:<w:tab/>Jo<w:br/>A line of words<w:br/>on it.<w:br/>a) dog",
         ["Name:", "Jo", 'A line of words<x id="1"/>on it.', "a) dog"]),
        ("dog<w:r><w:br w:type='page'/></w:r>cat", ["dog", "cat"],
         'DOG<w:br w:type="page"/>CAT'),
        ("he likes the house and<w:br/><w:del><w:delText>Always</w:delText></w:del>the dog.",
         ['he likes the house and<x id="1"/><x id="2"/>the dog.']),
        *(("<w:br/>".join(lines), list(lines)) for lines in (
            ("You need", "bread", "milk"), ("name", "street"),
            ("We have this dog:", "an old one"), ("Three old dogs sleep", "And cats"),
            ("The dog sleeps all day.", "the cat does not"),
            ("milk of the old cow", "bread of the baker", "some eggs"))),
        *(("<w:br/>".join(lines), ['<x id="1"/>'.join(lines)]) for lines in (
            ("We have been waiting for the old dog of Mrs", "Miller in the garden for hours"),
            ("He sees her", "now."))),
        (f"{LONG}<w:br/>   miller in the garden.", [f'{LONG}<x id="1"/> miller in the garden.'],
         f"{LONG.upper()}<w:br/> MILLER IN THE GARDEN."),
        ("We hope you enjoy<w:br/>your stay<w:br/>with us.",
         ['We hope you enjoy<x id="1"/>your stay<x id="2"/>with us.']),
        (f"{GAP}name:{GAP}date:  {GAP}", ["name:", "date:"]),
        (f"name:{underlined}date:", ["name:", "date:"]),
        (f"name:    <w:r><w:t>     date:</w:t></w:r><w:br/>{underlined}", ["name:", "date:"],
         f"NAME:         DATE:<w:br/>{underlined}"),
        (f"<w:hyperlink>name:{GAP}date:</w:hyperlink>", ["name:", "date:"]),
        (underlined, []),
    ])  # fmt: skip
    check(read_open_paragraph, [
        ('a <text:s text:c="2"/>b', ["a", "b"]),
        ('a<text:s text:c="2"/>b', ['a<x id="1"/>b']),
        ("a. <text:s/>b", ['a. <x id="1"/>b']),
        ('a<text:span><text:s text:c="9"/></text:span>b', ["a", "b"]),
        (f'{LONG}<text:line-break/> <text:s text:c="3"/>miller',
         [f'{LONG}<x id="1"/> <x id="2"/>miller']),
    ])  # fmt: skip


def test_paragraphs_with_a_style_of_code_are_no_texts():
    style = '<w:style w:styleId="{}"><w:{} w:val="{}"/></w:style>'
    styles = f"<w:styles {WORD}>{style.format('HTMLVorformatiert', 'name', 'HTML Preformatted')}"
    styles += f"{style.format('Mine', 'basedOn', 'HTMLVorformatiert')}</w:styles>"
    for name, is_code in (
        ("SourceCode", True), ("HTMLVorformatiert", True), ("Mine", True),
        ("Source", False), ("DressCode", False), ("PostalCode", False),
    ):  # fmt: skip
        body = f'<w:p><w:pPr><w:pStyle w:val="{name}"/></w:pPr><w:r><w:t>dog</w:t></w:r></w:p>'
        assert (not read_word(word(body, styles=styles), "a").texts) == is_code, name
    paragraph = '<text:p text:style-name="{}">a dog</text:p>'
    for name in ("P1", "Preformatted_20_Text"):
        assert not sources(read_open_paragraph, f"</text:p>{paragraph.format(name)}<text:p>")


def test_other_parts_of_documents_are_translated_and_those_without_a_new_text_stay():
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = f"<w:p>{run.format('document')}<w:r  />{run.format('dog')}</w:p>"
    header = f"<w:hdr {WORD}>{body.replace('document', 'header')}</w:hdr>"
    content = word(body, header1=header, other="x")
    assert translated(read_word(content, "a"), lambda _: "") == content
    new = translated(read_word(content, "a"), lambda text: text.replace("document", "x"))
    assert unpacked(new, "word/header1.xml") == header
    assert ">x<" in unpacked(new, "word/document.xml")
    assert "HEADER" in unpacked(translated(read_word(content, "a")), "word/header1.xml")
    text = f"<a {OPEN}><text:{{0}}>{{1}}</text:{{0}}></a>"
    parts = {
        "mimetype": OPEN_TYPE,
        "content.xml": text.format("h", "dog"), "styles.xml": text.format("p", "cat"),
    }  # fmt: skip
    new = translated(read_open_document(packed(parts), "a"))
    assert unpacked(new, "content.xml").endswith(text.format("h", "DOG"))
    assert unpacked(new, "styles.xml").endswith(text.format("p", "CAT"))
