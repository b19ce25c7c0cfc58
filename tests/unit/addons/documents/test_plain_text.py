"""Plain text: paragraphs, rows, columns, and translations that are divided again."""

from tests.unit.addons.documents.translating import check, made, sources
from translator.addons.documents.document import has_words_or_amounts
from translator.addons.documents.markdown import read_markdown
from translator.addons.documents.plain_text import divide, read_plain_text

WRAPPED = "   I have been living in this city for two years now, and I like it\n   very much."
MAIL = "From: Tom Miller, the head of the kennel", "Subject: The dogs in the old kennel there"


def test_amounts_are_for_readers_too_but_not_versions():
    for text in ("6,200", "-2,400.50", "6.200", "24,7", "£5", "5 %", "é"):
        assert has_words_or_amounts(text), text
    for text in ("2.0", "1.2.3", "10.123.45", "1990", "{0,1}", "→"):
        assert not has_words_or_amounts(text), text


def test_paragraphs_are_joined_and_other_lines_and_rows_are_not():
    title = "A title that is longer than forty characters of a line"
    items = [
        "One item that is long enough to be a line that was wrapped",
        "Another item that is long enough to be such a line, too",
    ]
    joined = " ".join(WRAPPED.split())
    rows = [
        (f"A title\n\n{WRAPPED}\n\n- Buy milk.\n- Call Anna.\n",
         ["A title", joined, "Buy milk.", "Call Anna."]),
        ("\n".join(MAIL), list(MAIL)),
        (f"{title}\n{'=' * len(title)}\n\n", [title]),
        ("> A quoted sentence that was wrapped, as it is in a mail, so that\n> it goes on.\n",
         ["A quoted sentence that was wrapped, as it is in a mail, so that it goes on."]),
        ("".join(f"• {item}\n" for item in items), items),
        ("Name                Department        Number\nAnna Smith          Accounting        1234",
         ["Name", "Department", "Number", "Anna Smith", "Accounting"]),
        ("am\n3. Mai\n", ["am", "3. Mai"]),
        ("Signature: ............", ["Signature:"]),
        ("Name: ______ Date: -----", ["Name:", "Date:"]),
        ("Chapter one . . . . . . 5", ["Chapter one"]),
        ("Name: ...", ["Name:"]),
        *((f"[12:30] <tom> {title}\n{answer}", [title, answer])
          for answer in ("[12:31] <anna> :-)", "<anna> :-(")),
        *((line, [line]) for line in ("Wait... the dog -- and --- the cat",
                                      "I, ______, am the owner of __init__")),
    ]  # fmt: skip
    check(read_plain_text, rows)
    check(read_plain_text, [(page.replace("\n", "\r\n"), texts) for page, texts in rows])
    folded = "\n".join((*MAIL, " are hungry and want to eat their food right now", "Date: 4 May"))
    assert sources(read_plain_text, folded) == [
        MAIL[0], f"{MAIL[1]} are hungry and want to eat their food right now", "Date: 4 May"
    ]  # fmt: skip
    for alike in (
        ["Anna Smith, 12 Main Street, London, tel. 030 12345"] * 3,
        ["2024-05-01 12:00:01 INFO The server has started here",
         "2024-05-01 12:00:02 INFO The server was stopped here"],
        ["INFO The server has started on the host", "ERROR The server was stopped on the host"],
        ["[12:30] The dog sees the cat in the garden", "[12:30] The cat sees the dog in it"],
        ["Managing director: Tom Smith in Berlin", "Place of jurisdiction: Berlin in Germany"],
    ):  # fmt: skip
        for read in (read_plain_text, read_markdown):
            texts = [text.removeprefix("[12:30] ") for text in sources(read, "\n".join(alike))]
            assert texts == [line.removeprefix("[12:30] ") for line in alike]


def test_paragraphs_are_wrapped_again_and_texts_are_divided_behind_marks():
    lines = made(read_plain_text, WRAPPED, lambda text: text + " and more of it" * 4).splitlines()
    assert len(lines) > 2
    assert max(map(len, lines)) <= 67
    assert all(line.startswith("   ") for line in lines)
    for text, lengths, parts in (
        ("one two three four", [9, 9], ["one two", "three four"]),
        ("one, two three four", [5, 13], ["one,", "two three four"]),
        ("one <b>two three</b> four", [1, 1], ["one <b>two three</b>", "four"]),
        ("one", [1, 1, 1], ["one", "", ""]),
        ("a a a bbbbbbbbbbbbbbbb", [30, 1, 1, 1], ["a", "a", "a", "bbbbbbbbbbbbbbbb"]),
        ("<b>one two</b>", [1, 1], ["<b>one", "two</b>"]),
    ):
        assert divide(text, lengths) == parts
