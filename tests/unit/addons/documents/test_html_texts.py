"""The texts of HTML in requests."""

import contextlib

from translator.addons.documents.files import write_translated
from translator.addons.documents.web_page import read_web_page
from translator.base.errors import InputError
from translator.translation.results import Hypothesis, Translation


def read(page):
    return read_web_page(page.encode(), "q")


def texts_of(found):
    return [text.source for text in found.texts]


def translated(found, texts):
    """A page whose texts are translated so."""
    translations = [Translation("", (Hypothesis(text, (), 0.0, 0.0),)) for text in texts]
    return write_translated(found, translations)[0].decode()


def test_texts_between_markup():
    for document, texts in [
        ("A dog.", ["A dog."]),
        ("<p>A <b>red</b> dog.</p>", ["A <b>red</b> dog."]),
        ("<p>One.</p><p>Two.</p>", ["One.", "Two."]),
        ("<ul><li>One<li>Two</ul>", ["One", "Two"]),
        ("Line<br>break", ["Line", "break"]),
        ("<p>A\n  long   line</p>", ["A long line"]),
        ("<p>&quot;caf&eacute;&quot; &lt;3</p>", ["&quot;caf&eacute;&quot; &lt;3"]),
        ("<title>One</title><p>a <code>x</code></p>", ["One", "a {{0}}"]),
        ("<style>p { }</style><pre>code</pre><p>text</p>", ["text"]),
        ('<p translate="no">Tom</p><p>text</p>', ["text"]),
        ('<br translate="no"><p>text</p>', ["text"]),
        ('<span translate="no">Tom <span>X</span> is here</span> text', ["{{0}} text"]),
        ('<ul><li translate="no">Tom<li>Tim</ul><p>text</p>', ["text"]),
        ('<a title="1 > 0">one</a> two', ['<a title="1 > 0">one</a> two']),
        ("<!-- no --><!doctype html><?php no ?>", []),
        ("One.<!-- no -->Two.", ["One.<!-- no -->Two."]),
        ("<p> </p><b></b>", []),
        ("", []),
        ("a < b and <", ["a < b and <"]),
    ]:
        found = read(document)
        assert texts_of(found) == texts
        page = translated(found, [text.upper() for text in texts])
        assert page.count("<p>") == document.count("<p>")


def test_everything_else_stays_as_it_is():
    document = "<DIV class=a>\n <p>One.</p>  <!-- x --> &nbsp;<img src='b'/>\n</DIV>\n"
    found = read(document)
    assert translated(found, [f"[{text}]" for text in texts_of(found)]) == document.replace(
        "One.", "[One.]"
    )


def test_a_tag_comes_back_as_it_was():
    for tag in [
        '<a title="&quot; onmouseover=&quot;alert(1)">',
        "<a title='&#39; x'>",
        '<a title="a   b\n c">',
        '<a title="a &nbsp; b">',
    ]:
        document = f"<p>I see {tag}a house</a>.</p>"
        found = read(document)
        assert translated(found, texts_of(found)) == document


def test_text_that_looks_like_a_tag_stays_text():
    document = "<p>&lt;script&gt;alert(1)&lt;/script&gt; <b>Tom</b> &amp; Mary</p>"
    found = read(document)
    assert texts_of(found) == ["&lt;script&gt;alert(1)&lt;/script&gt; <b>Tom</b> &amp; Mary"]
    assert translated(found, texts_of(found)) == document
    assert translated(found, ["<b>x</b><img src=x onerror=alert(1)>"]) == (
        "<p><b>x</b>&lt;img src=x onerror=alert(1)&gt;</p>"
    )


def test_broken_markup_is_read_or_refused():
    """Some versions of html.parser give up where a declaration is broken, others read on."""
    for part in ("<![", "<!", "<?", "</", "<!--", "<a", "<a b='", '<"', "&#", "<script>"):
        for document in (part, part * 99, f"The {part} cat."):
            with contextlib.suppress(InputError):
                found = read(document)
                assert translated(found, texts_of(found))


def test_a_text_that_would_break_the_page_stays_and_is_told():
    found = read("<p>Hello {name}.</p>")
    hypothesis = Hypothesis("Hallo.", (), 0.0, 0.0)
    page, [(_, told)] = write_translated(found, [Translation("", (hypothesis,))])
    assert page == b"<p>Hello {name}.</p>"
    assert [doubt.kind for doubt in told.doubts] == ["markup"]
