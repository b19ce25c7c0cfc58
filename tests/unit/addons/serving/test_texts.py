"""The texts of HTML in requests; the documents' tests say what a text of a page is."""

import contextlib

import pytest

pytest.importorskip("starlette")

from translator.addons.serving.requested import HtmlText  # noqa: E402
from translator.base.errors import InputError  # noqa: E402
from translator.translation.results import Hypothesis, Translation  # noqa: E402


def written(page: HtmlText, *texts: str) -> tuple[str, list[Translation]]:
    return page.write([Translation("", (Hypothesis(text, (), 0.0, 0.0),)) for text in texts])


def test_texts_are_replaced_but_for_one_that_would_break_the_page():
    page = HtmlText("<p>One <b>dog</b>.</p>&nbsp;<p>Hello {name}.</p>")
    assert page.texts == ["One <b>dog</b>.", "Hello {name}."]
    content, told = written(page, "Ein <b>Hund</b>.", "Hallo.")
    assert content == "<p>Ein <b>Hund</b>.</p>&nbsp;<p>Hello {name}.</p>"
    assert [[doubt.kind for doubt in each.doubts] for each in told] == [[], ["markup"]]
    assert HtmlText("").texts == []


def test_broken_markup_is_read_or_refused():
    """Some versions of html.parser give up where a declaration is broken, others read on."""
    for part in ("<![", "<!", "<?", "</", "<!--", "<a", "<a b='", '<"', "&#", "<script>"):
        for document in (part, part * 99, f"The {part} cat."):
            with contextlib.suppress(InputError):
                page = HtmlText(document)
                assert written(page, *page.texts)[0]
