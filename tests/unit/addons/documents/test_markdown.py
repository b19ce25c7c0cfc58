"""Markdown as people have it, and as a model may damage it."""

from markdown_it import MarkdownIt

from tests.unit.addons.documents.translating import check, made, sources
from translator.addons.documents.markdown import read_markdown

LONG = "A dog that is faster than any other dog"


def test_pages_are_translated_but_for_code_settings_and_addresses():
    check(read_markdown, [
        ("---\ntitle: x\n---\n# One\n\nTwo `a` [three](b.c).  \nfour\n\n| A | B |\n|--|--|\n"
         "| c | `d` |\n", ["One", "Two `a` [three](b.c).", "four", "A", "B", "c"],
         "---\ntitle: x\n---\n# ONE\n\nTWO `a` [THREE](b.c).  \nFOUR\n\n| A | B |\n|--|--|\n"
         "| C | `d` |\n"),
        ("one\\\ntwo  \nthree\n\n*four  \nfive*\n",
         ["one", "two", "three", '*four<br id="0"/>five*']),
        ("Text[^1] and $a_1$ for $5.\n\n[^1]: The note\n[^2]: another one.\n\n- [ ] do it\n\n"
         "> [!NOTE]\n> Useful.\n\n:::note\nIn it\n:::\n\n$$\na = b\n$$\n",
         ['Text<x id="0"/> and {{1}} for $5.', "The note", "another one.", "do it", "Useful.",
          "In it"],
         "TEXT[^1] AND $a_1$ FOR $5.\n\n[^1]: THE NOTE\n[^2]: ANOTHER ONE.\n\n- [ ] DO IT\n\n"
         "> [!NOTE]\n> USEFUL.\n\n:::note\nIN IT\n:::\n\n$$\na = b\n$$\n"),
        ("Press <kbd>Ctrl</kbd>+<code>a `b` [c]</code> in <b>it</b>.\n",
         ["Press {{0}}+{{1}} in <b>it</b>."],
         "PRESS <kbd>Ctrl</kbd>+<code>a `b` [c]</code> IN <b>IT</b>.\n"),
        ("| a \\| b | b | `x \\| y` z |\n|---|---|---|\n| b \\| c | c | |\n",
         ["a | b", "b", "`x | y` z", "b | c", "c"],
         "| A \\| B | B | `x \\| y` Z |\n|---|---|---|\n| B \\| C | C | |\n"),
        ("We *like\nThe dog* here\nAnd <b>we\nAre</b> it\nBut [the\nLink](x) is\nA `code\nOf` it\n"
         "The last\n",
         ["We *like The dog* here", "And <b>we Are</b> it", "But [the Link](x) is",
          "A `code Of` it", "The last"]),
        ("d. h. the dog\n", ["d. h. the dog"]),
        ("We have a dog\\\nthat is old.\n", ['We have a dog<br id="0"/>that is old.']),
        ('The [x][] and dog[^1].\n\n[^1]: A note.\n[x]: z "A title"\n[^2]: Note\n',
         ['The [x][0] and dog<x id="1"/>.', "A note.", "Note"],
         'THE [X][x] AND DOG[^1].\n\n[^1]: A NOTE.\n[x]: z "A title"\n[^2]: NOTE\n'),
        *((f"{line}\nThe dog\n{line}\n\nThe end\n", ["The dog", "The end"],
           f"{line}\nTHE DOG\n{line}\n\nTHE END\n")
          for line in (":::note[A title]", "::: warning The knife", '!!! note "The house"',
                       "{% raw %}", '{{< card title="A title" >}}',
                       "{{% note %}} The cat {{% /note %}}")),
        ("Here is {{< x >}} in {% y %}.\n", ["Here is {{< x >}} in {% y %}."]),
        ("Put \\*stars\\* around a\\_b, *so* and 5 \\* 3, \\<b\\> \\[x\\].\n",
         ["Put *stars* around a_b, *so* and 5 * 3, <b> [x]."]),
        ("1\\. A dog\n", ["1\\. A dog"]),
    ])  # fmt: skip


def test_lines_that_were_not_wrapped_are_texts_of_their_own():
    for page in (
        "Name: Tom\nAge: 12\nCity: London\n",
        "**Name:** Tom\n**Age:** 12\n",
        "Ingredients:\n250 g flour\n125 g butter\n1 egg\n",
        "Best regards,\nTom Smith\nCEO, Example Ltd.\n",
        "✅ Fast\n✅ Free\n❌ Slow\n",
        f":tada: {LONG}\n:bug: A dog that is much slower\n",
        f"✅ {LONG}\n❌ A dog that is much slower\n",
        "**Note**\nthis version is old.\n",
        "[A long name of a page](https://example.com/a)\n[Another one](https://example.com/b)\n",
        "The dog is old.\nIt sleeps.\n",
    ):
        for mark in ("", "> "):
            quoted = "".join(mark + line for line in page.splitlines(keepends=True))
            check(read_markdown, [(quoted, page.splitlines())])
            assert made(read_markdown, quoted) != quoted


def test_a_sentence_goes_on_in_the_next_line():
    for page in (
        "We saw that her\ndog was old.\n",
        "For more, see the\n[page](https://example.com/an/address/that/is/long)\nof it.\n",
        "We can speed up the dogs with meat. More\nof it: see\n[Old dogs](a/long/address/of).\n",
        "This is **important**\nand so it is.\n",
        "This is a paragraph that was wrapped, so that\nTom and Anna can read it, and so\nmay I.\n",
        "A line of more than forty characters goes on in\nBerlin,\nwhich is short.\n",
    ):
        assert sources(read_markdown, page)[0].startswith(" ".join(page.splitlines()[:2])), page


def test_a_page_is_the_same_but_for_its_words_whatever_a_model_writes():
    links = "See [one], [two][], [three][b] and ![four].\n\n"
    labels = "[one]: x\n[two]: y\n[b]: z\n[four]: i.png\n"
    signs = "Put \\*stars\\* around a\\_b, *so* and 5 \\* 3, \\<b\\> \\[x\\].\n"
    for page, change, expected in (
        ("one\\\ntwo  \nthree\n\n*four  \nfive*\n", "*no break*", None),
        (links + labels, lambda text: text.replace("[one]", "[eins]"),
         f"See [eins][one], [two][two], [three][b] and ![four][four].\n\n{labels}"),
        (links + labels, lambda text: text.replace("[three][b]", "three"), None),
        ("|a|\n|-|\n", "b | c", "|b \\| c|\n|-|\n"),
        ("|a|\n|-|\n", "b\\", None),
        ("a | b\n-|-\nc | d\n", "- x", "a | - x\n-|-\nc | - x\n"),
        ("One *dog* and `cat`\nTwo\n",
         lambda text: text.replace("*dog* and `cat`", "`cat` und *dog*"),
         "One `cat` und *dog*\nTwo\n"),
        (signs, "*\\stars* around a_b, *so* and 5 * 3, <b> [x].", None),
        (signs, "Put *stars* alone.", None),
        ("A \\*dog\n", "\\*A dog", None),
    ):  # fmt: skip
        new = change if callable(change) else lambda _, change=change: change
        assert made(read_markdown, page, new) == (expected or page)


def test_no_translation_begins_another_block_or_item():
    for page in ("On May 5\n", "- on May 5\n", "> on a day in the month of May\n> in a year.\n"):
        for day in ("5. Mai 2020", "1990) war", "5."):
            new = made(read_markdown, page, lambda _, day=day: day)
            assert new.lstrip(">- ") == day.replace(".", "\\.").replace(")", "\\)") + "\n"
    parser = MarkdownIt("commonmark").enable("table")

    def blocks(text: str) -> list[object]:
        kinds = [
            (token.type, [child.type for child in token.children or ()])
            for token in parser.parse(text)
        ]
        return [each for each in kinds if each[0] != "inline" or "code_inline" in each[1]]

    for page, translation in (
        ("Some words that go on in the\nnext one\n", "They are 10 words or so, and - 5 of them"),
        ("Some words that go on in the\nnext one\n", "They are some words, but # 1 of them"),
        ("one\ntwo\n---\n", "a | b"),
        ("one  \ntwo\n", "==="),
        ("one  \ntwo `b\n", "`a"),
        ("- one\n", "- two"),
        ("one\n", "[a]: b"),
        ("one that is a long line and\ngoes on here\n", "[a]: bcdefghijklmnopqrst words here"),
        ("# one\n---\n", "two |"),
        ("- one\n", "--"),
        ("> one\ntwo  \nthree\n", "1."),
        ("one *a  \ntwo a* b\n", "one*a"),
    ):
        new = made(read_markdown, page, lambda _, translation=translation: translation)
        assert blocks(new) == blocks(page), (page, translation)
