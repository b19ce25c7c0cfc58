"""The text of an HTML document."""

import pytest

from translator.serving.html_text import HtmlText


@pytest.mark.parametrize(
    ("document", "texts"),
    [
        ("A dog.", ["A dog."]),
        ("<p>A <b>red</b> dog.</p>", ["A <b>red</b> dog."]),
        ("<p>One.</p><p>Two.</p>", ["One.", "Two."]),
        ("<ul><li>One<li>Two</ul>", ["One", "Two"]),
        ("Line<br>break", ["Line", "break"]),
        ("<p>A\n  long   line</p>", ["A long line"]),
        ("<p>&quot;caf&eacute;&quot; &lt;3 &amp; &#228;</p>", ['"café" &lt;3 &amp; ä']),
        ("<style>p { }</style><pre>code</pre><p>text</p>", ["text"]),
        ('<p translate="no">Tom</p><p>text</p>', ["text"]),
        ("<!-- no --><!doctype html><?php no ?>", []),
        ("<p> </p><b></b>", []),
        ("", []),
        ("a < b and <", ["a < b and <"]),
    ],
)
def test_texts_between_markup(document, texts):
    found = HtmlText(document)
    assert found.texts == texts
    assert found.with_translations([text.upper() for text in texts]).count("<p>") == (
        document.count("<p>")
    )


def test_everything_else_stays_as_it_is():
    document = "<DIV class=a>\n <p>One.</p>  <!-- x --> &nbsp;<img src='b'/>\n</DIV>\n"
    found = HtmlText(document)
    assert found.with_translations([f"[{text}]" for text in found.texts]) == document.replace(
        "One.", "[One.]"
    )
