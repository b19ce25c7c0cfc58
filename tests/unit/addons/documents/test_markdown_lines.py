"""Lines of Markdown that are texts of their own, and what it has for other programs."""

import pytest

from tests.unit.addons.documents.translating import louder, translated
from translator.addons.documents.markdown import read_markdown
from translator.addons.documents.plain_text import read_plain_text


def sources(page: str, read=read_markdown) -> list[str]:
    return [text.source for text in read(page.encode(), "a").texts]


def made(page: str, change=louder) -> str:
    return translated(read_markdown(page.encode(), "a.md"), change).decode()


@pytest.mark.parametrize(
    "page",
    [
        "Name: Tom\nAge: 12\nCity: London\n",
        "**Name:** Tom\n**Age:** 12\n",
        "Ingredients:\n250 g flour\n125 g butter\n1 egg\n",
        "Best regards,\nTom Smith\nCEO, Example Ltd.\n",
        "✅ Fast\n✅ Free\n❌ Slow\n",
        ":tada: A dog that is faster than any other dog\n:bug: A dog that is much slower\n",
        "✅ A dog that is much faster than any other dog\n❌ A dog that is much slower\n",
        "**Note**\nthis version is old.\n",
        "[A long name of a page](https://example.com/a)\n[Another one](https://example.com/b)\n",
        "The dog is old.\nIt sleeps.\n",
    ],
)
def test_lines_that_were_not_wrapped_are_texts_of_their_own(page):
    for mark in ("", "> "):
        quoted = "".join(mark + line for line in page.splitlines(keepends=True))
        assert sources(quoted) == page.splitlines()
        louder_page = made(quoted)
        assert louder_page != quoted
        assert louder_page.lower() == quoted.lower()


@pytest.mark.parametrize(
    "page",
    [
        "We saw that her\ndog was old.\n",
        "For more, see the\n[page](https://example.com/an/address/that/is/long)\nof it.\n",
        "We can speed up the dogs with meat. More\nof it: see\n[Old dogs](a/long/address/of).\n",
        "This is **important**\nand so it is.\n",
        "This is a paragraph that was wrapped, so that\nTom and Anna can read it, and so\nmay I.\n",
        "A line of more than forty characters goes on in\nBerlin,\nwhich is short.\n",
    ],
)
def test_a_sentence_of_markdown_goes_on_in_the_next_line(page):
    assert sources(page)[0].startswith(" ".join(page.splitlines()[:2]))


def test_elements_over_a_line_end_stay_whole():
    page = (
        "We *like\nThe dog* here\nAnd <b>we\nAre</b> it\nBut [the\nLink](x) is\nA `code\nOf` it\n"
        "The last\n"
    )
    assert sources(page) == [
        "We *like The dog* here", "And <b>we Are</b> it", "But [the Link](x) is", "A `code Of` it",
        "The last",
    ]  # fmt: skip
    swapped = "One *dog* and `cat`\nTwo\n"
    assert made(swapped, lambda text: text.replace("*dog* and `cat`", "`cat` und *dog*")) == (
        "One `cat` und *dog*\nTwo\n"
    )


def test_lines_for_other_programs_stay_as_they_are():
    for line in (":::note[A title]", "::: warning The knife", '!!! note "The house"', "{% raw %}",
                 '{{< card title="A title" >}}', "{{% note %}} The cat {{% /note %}}"):  # fmt: skip
        page = f"{line}\nThe dog\n{line}\n\nThe end\n"
        assert sources(page) == ["The dog", "The end"], line
        assert made(page) == page.replace("The dog", "THE DOG").replace("The end", "THE END")
    assert sources("Here is {{< x >}} in {% y %}.\n") == ["Here is {{< x >}} in {% y %}."]


def test_backslashes_before_signs_are_not_shown_and_written_again():
    page = "Put \\*stars\\* around a\\_b, *so* and 5 \\* 3, \\<b\\> \\[x\\].\n"
    assert sources(page) == ["Put *stars* around a_b, *so* and 5 * 3, <b> [x]."]
    assert made(page).lower() == page.lower()
    for damaged in ("*\\stars* around a_b, *so* and 5 * 3, <b> [x].", "Put *stars* alone."):
        assert made(page, lambda text, new=damaged: new) == page
    assert made("1\\. A dog\n") == "1\\. A DOG\n"
    assert made("A \\*dog\n", lambda text: "\\*A dog") == "A \\*dog\n"


# Plain text ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        ["Anna Smith, 12 Main Street, London, tel. 030 12345"] * 3,
        ["2024-05-01 12:00:01 INFO The server has started here",
         "2024-05-01 12:00:02 INFO The server was stopped here"],
        ["INFO The server has started on the host", "ERROR The server was stopped on the host"],
        ["[12:30] The dog sees the cat in the garden", "[12:31] The cat sees the dog in it"],
        ["Managing director: Tom Smith in Berlin", "Place of jurisdiction: Berlin in Germany"],
    ],
)  # fmt: skip
def test_rows_that_begin_or_end_alike_are_no_wrapped_text(rows):
    for read in (read_plain_text, read_markdown):
        assert sources("\n".join(rows), read) == rows


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Signature: ............", ["Signature:"]),
        ("Name: ______ Date: -----", ["Name:", "Date:"]),
        ("Chapter one . . . . . . 5", ["Chapter one"]),
        ("Name: ...", ["Name:"]),
        ("Wait... the dog -- and --- the cat", ["Wait... the dog -- and --- the cat"]),
        ("I, ______, am the owner of __init__", ["I, ______, am the owner of __init__"]),
    ],
)
def test_dots_and_lines_to_write_on_are_gaps(line, expected):
    document = read_plain_text(line.encode(), "a")
    assert [text.source for text in document.texts] == expected
    assert translated(document, str.upper).decode() == line.upper()
