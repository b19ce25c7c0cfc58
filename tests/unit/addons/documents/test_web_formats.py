"""Plain text, Markdown, HTML and subtitles as people have them, and as a model may damage them."""

import time

import pytest

from tests.unit.addons.documents.translating import louder, translated, translator_with
from translator.addons.documents.files import write_translated
from translator.addons.documents.markdown import read_markdown
from translator.addons.documents.markup import pieces_of
from translator.addons.documents.plain_text import divide, read_plain_text
from translator.addons.documents.subtitles import read_subtitles
from translator.addons.documents.web_page import read_web_page
from translator.base.errors import InputError

READERS = (read_plain_text, read_markdown, read_web_page, read_subtitles)
CUE = "1\n00:00:01,000 --> 00:00:02,000\n"


def sources(read, text: str) -> list[str]:
    return [each.source for each in read(text.encode(), "a").texts]


def made(read, text: str, change=louder) -> str:
    return translated(read(text.encode(), "a"), change).decode()


# All four -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Shoes that we make<br>last a lifetime.", ["Shoes that we make<br>last a lifetime."]),
        (
            "This is a <b>long line <br/>\n that</b> ends.",
            ["This is a <b>long line <br/> that</b> ends."],
        ),
        ("The dog has seen it.<br>and the cat", ["The dog has seen it.", "and the cat"]),
        ("This is where we live<br>Anna and Tom", ["This is where we live", "Anna and Tom"]),
        ("olive oil<br>garlic", ["olive oil", "garlic"]),
    ],
)
def test_a_sentence_goes_on_behind_a_line_break(page, expected):
    texts = read_web_page(f"<p>{page}</p>".encode(), "a.html").texts
    assert [each.source for each in texts] == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<a href='x'>Order</a> <button>Close</button>", ["Order", "Close"]),
        ("<i><a>At <b>home</b></a> | <a>Us</a></i>", ["At <b>home</b>", "Us"]),
        ("<b><a>The</a></b> <a>dog</a>", ["The", "dog"]),
        ("Press <a>this</a> or <a>that</a>", ["Press <a>this</a> or <a>that</a>"]),
        ("<a>The</a> <a>dog</a>.<br><a>A</a> cat", ["The", "dog", "<a>A</a> cat"]),
        ("</a>Press <a>this</a> or", ["Press <a>this</a> or"]),
    ],
)
def test_links_and_buttons_without_words_between_them_are_texts_of_their_own(page, expected):
    texts = read_web_page(f"<p>{page}</p>".encode(), "a.html").texts
    assert [each.source for each in texts] == expected


def test_marks_of_byte_order_and_ends_of_lines_stay():
    for read, page in (
        (read_plain_text, "\ufeffone\r\ntwo\rthree\n\r\nfour"),
        (read_markdown, "\ufeffone\r\ntwo\r\n\r\nthree\n\r# four"),
        (read_web_page, "\ufeff<p>one</p>\r\n<p>two</p>\r<p>three</p>\n"),
        (read_subtitles, f"\ufeff{CUE}one\r\ntwo\r\n\r\n{CUE}three\rfour"),
    ):
        assert made(read, page).lower() == page, read.__name__


def test_texts_that_are_left_are_left_byte_for_byte():
    page = "One  two\n   three &  four <b\n id=1>five</b>\t\tsix\n"
    for read in READERS:
        assert made(read, CUE + page, lambda text: "") == CUE + page


def test_hostile_files_take_no_time_that_grows_with_their_square():
    many = 2000
    for read, page in (
        (read_plain_text, "a\t" * many),
        (read_markdown, "|a" * many + "|\n" + "|-" * many + "|\n"),
        (read_markdown, "a  \n" * many),
        (read_markdown, "{% raw %}\n" * many),
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


# Plain text ---------------------------------------------------------------------------------


def test_items_quotes_rulers_and_columns_of_plain_text_stay():
    page = (
        "A title that is longer than forty characters of a line\n"
        "======================================================\n\n"
        "> A quoted sentence that was wrapped, as it is in a mail, so that\n"
        "> it goes on.\n"
        "• One item that is long enough to be a line that was wrapped\n"
        "• Another item that is long enough to be such a line, too\n\n"
        "Name                Department        Number\n"
        "Anna Smith          Accounting        555 1234\n\n"
        "am\n3. Mai\n"
    )
    assert sources(read_plain_text, page) == [
        "A title that is longer than forty characters of a line",
        "A quoted sentence that was wrapped, as it is in a mail, so that it goes on.",
        "One item that is long enough to be a line that was wrapped",
        "Another item that is long enough to be such a line, too",
        "Name", "Department", "Number", "Anna Smith", "Accounting", "am", "3. Mai",
    ]  # fmt: skip
    assert made(read_plain_text, page) == page.upper()


# Markdown -----------------------------------------------------------------------------------


def test_hard_breaks_stay_also_in_emphasis():
    page = "one\\\ntwo  \nthree\n\n*four  \nfive*\n"
    assert sources(read_markdown, page) == ["one", "two", "three", '*four<br id="0"/>five*']
    assert made(read_markdown, page) == page.upper()
    assert made(read_markdown, page, lambda text: "*no break*") == page


def test_texts_that_would_be_one_element_together_stay_and_are_told():
    page = ":::note\na `dog\n:::\nthat` is\n:::\n\nmine\n"
    document = read_markdown(page.encode(), "a")
    translations = translator_with().translate([each.source for each in document.texts], None)
    content, told = write_translated(document, translations)
    assert content.decode() == page.replace("mine", "MINE")
    assert [len(each.doubts) for _, each in told] == [1, 1, 0]


def test_numbers_do_not_begin_items():
    for page in ("On May 5\n", "- on May 5\n", "> on a day in the month of May\n> in a year.\n"):
        for day in ("5. Mai 2020", "1990) war", "5."):
            new = made(read_markdown, page, lambda _, day=day: day)
            assert new.lstrip(">- ") == day.replace(".", "\\.").replace(")", "\\)") + "\n"


def test_links_keep_what_they_refer_to():
    page = "See [one], [two][], [three][b] and ![four].\n\n"
    labels = "[one]: x\n[two]: y\n[b]: z\n[four]: i.png\n"
    assert made(read_markdown, page + labels, lambda text: text.replace("[one]", "[eins]")) == (
        "See [eins][one], [two][two], [three][b] and ![four][four].\n\n" + labels
    )
    assert made(read_markdown, page + labels, lambda text: text.replace("[three][b]", "three")) == (
        page + labels
    )


def test_footnotes_tasks_callouts_and_formulas_stay():
    page = (
        "Text[^1] and $a_1$ for $5.\n\n[^1]: The note\n[^2]: another one.\n\n- [ ] do it\n\n"
        "> [!NOTE]\n> Useful.\n\n:::note\nIn it\n:::\n\n"
        "$$\na = b\n$$\n"
    )
    assert sources(read_markdown, page) == [
        'Text<x id="0"/> and {{1}} for $5.', "The note", "another one.", "do it", "Useful.",
        "In it",
    ]  # fmt: skip
    louder_page = made(read_markdown, page)
    assert louder_page.splitlines()[:5] == [
        "TEXT[^1] AND $a_1$ FOR $5.", "", "[^1]: THE NOTE", "[^2]: ANOTHER ONE.", "",
    ]  # fmt: skip
    kept = ("[!NOTE]\n", ":::note\nIN IT\n:::", "$$\na = b\n$$")
    assert all(each in louder_page for each in kept)


def test_html_in_markdown_that_is_not_translated_stays():
    page = "Press <kbd>Ctrl</kbd>+<code>a `b` [c]</code> in <b>it</b>.\n"
    assert sources(read_markdown, page) == ["Press {{0}}+{{1}} in <b>it</b>."]
    assert made(read_markdown, page) == (
        page.replace("Press", "PRESS").replace(" in <b>it", " IN <b>IT")
    )


def test_cells_keep_their_bars_and_their_places():
    page = "| a \\| b | b | `x \\| y` z |\n|---|---|---|\n| b \\| c | c | |\n"
    assert sources(read_markdown, page) == ["a | b", "b", "`x | y` z", "b | c", "c"]
    assert made(read_markdown, page) == page.upper().replace("`X \\| Y`", "`x \\| y`")
    assert made(read_markdown, "|a|\n|-|\n", lambda text: "b | c") == "|b \\| c|\n|-|\n"
    assert made(read_markdown, "|a|\n|-|\n", lambda text: "b\\") == "|a|\n|-|\n"
    assert made(read_markdown, "a | b\n-|-\nc | d\n", lambda text: "- x") == (
        "a | - x\n-|-\nc | - x\n"
    )


@pytest.mark.parametrize(
    ("page", "translation"),
    [
        ("Some words that go on in the\nnext one\n", "They are 10 words or so, and - 5 of them"),
        ("Some words that go on in the\nnext one\n", "They are some words, but # 1 of them"),
        ("one\ntwo\n---\n", "a | b"),
        ("one  \ntwo\n", "==="),
        ("one  \ntwo `b\n", "`a"),
        ("- one\n", "- two"),
        ("one\n", "[a]: b"),
        ("one that is a long line and\ngoes on here\n", "[a]: bcdefghijklmnopqrst words here"),
        ("[a]: b\nsome words\n", '"title"'),
        ("# one\n---\n", "two |"),
        ("- one\n", "--"),
        ("> one\ntwo  \nthree\n", "1."),
        ("one *a  \ntwo a* b\n", "one*a"),
    ],
)
def test_no_translation_begins_another_block(page, translation):
    def blocks(text):
        from markdown_it import MarkdownIt

        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        return [(each.type, [child.type for child in each.children or ()]) for each in tokens if (
            each.type != "inline" or "code_inline" in [child.type for child in each.children]
        )]  # fmt: skip

    assert blocks(made(read_markdown, page, lambda text: translation)) == blocks(page)


# Web pages ----------------------------------------------------------------------------------


def test_pages_of_another_encoding_get_references_for_what_is_not_ascii():
    page = '<meta charset="ISO-8859-1"><p>caf&eacute; new</p>'
    assert made(read_web_page, page, lambda text: "neues Café") == (
        '<meta charset="ISO-8859-1"><p>neues Caf&#233;</p>'
    )
    page = page.replace("ISO-8859-1", "UTF-8")
    assert "<p>neues Café</p>" in made(read_web_page, page, lambda text: "neues Café")


def test_elements_around_a_text_and_comments_are_no_part_of_it():
    page = (
        '<li><!-- x --><a href="/"><b> Home </b></a></li><p>Hi<!-- -->, <!-- -->Anna</p>'
        "<a><svg></svg> Go</a><p>Use <svg><p>x</p></svg> or <picture><img></picture> it</p>"
        "<p>a <code>b</p><p>On <time>May 5</time> we <i class=notranslate>Go</i>&copy it</p>"
    )
    assert sources(read_web_page, page) == [
        "Home", "Hi<!-- -->, <!-- -->Anna", "Go", "Use {{1}} or {{2}} it", "a",
        "On <time>May 5</time> we {{3}}&copy it",
    ]  # fmt: skip
    changed = made(read_web_page, page, lambda text: text.replace("Home", "Start"))
    assert changed == page.replace("Home", "Start")


def test_markup_stays_in_its_element():
    for page, translation in (
        ("<p>one <b>two</b> <code>a</code></p>", "eins <b>zwei {{0}}</b>"),
        ("<p>a <img src=x> <b>one</b> <i>two</i></p>", "<img src=x> <b>eins <i>zwei</b></i>"),
        ("<p>a <i>one</i> <a href=x>two</a> c</p>", "<i>eins <a href=x>zwei</a></i>"),
        ("<p>one</b> two <b>three</p>", "<b>eins</b> zwei"),
    ):
        assert made(read_web_page, page, lambda text, new=translation: new) == page


def test_tags_of_several_lines_keep_them_and_others_do_not_get_them():
    page = (
        '<p>a <a\n title="x\ny">b</a> c <a title="x y">d</a></p>\n<p>e <a title="x y">f</a> g</p>'
    )
    assert made(read_web_page, page).lower() == page


def test_pieces_are_the_whole_text_whatever_it_is():
    for page in ("</>a", "<![x]>b", "R&#D; <b>c</b>", "<!-- a", "a <b", "<", "<![CDATA[ a > ]]>"):
        assert "".join(piece.raw for piece in pieces_of(page)) == page
    page = "<p>R&#D; is <![x y]> a</p>"
    assert [piece.kind for piece in pieces_of(page)] == [
        "start", "text", "other", "text", "end"
    ]  # fmt: skip


# Subtitles ----------------------------------------------------------------------------------


def test_subtitles_without_entities_get_none():
    film = CUE + "Tom & Jerry <3 you\n"
    assert made(read_subtitles, film, str.lower) == film.lower()
    assert made(read_subtitles, film, lambda text: text + " --> x") == film
    assert made(read_subtitles, film, lambda text: "{\\an8}" + text) == film
    web = "WEBVTT\n\n00:01.000 --> 00:02.000\nTom &amp; Jerry\n"
    assert made(read_subtitles, web, lambda text: "a & b --> <c>") == (
        "WEBVTT\n\n00:01.000 --> 00:02.000\na &amp; b --&gt; &lt;c&gt;\n"
    )


def test_subtitles_without_empty_lines_between_them_keep_their_times():
    film = CUE + "Hello there.\n2\n00:00:03,000 --> 00:00:04,000\nHow are you?\n"
    assert sources(read_subtitles, film) == ["Hello there.", "How are you?"]
    assert made(read_subtitles, film) == film.upper()


def test_empty_lines_in_subtitles_do_not_end_them_in_subrip():
    film = CUE + "Hello\n\nthere.\n\n\n2\n00:00:02,000 --> 00:00:03,000\nYes.\n\nNo.\n\n"
    assert made(read_subtitles, film) == film.upper()
    web = f"WEBVTT\n\n{CUE}Hello.\n\nNOTE it\n".replace(",", ".")
    assert sources(read_subtitles, web) == ["Hello."]
    with pytest.raises(InputError, match="^a, line 6: expected a time such as"):
        read_subtitles(f"{CUE}Hello.\n\n2\nO0:00:03 --> 00:00:04,000\nYes.".encode(), "a")


def test_tags_of_other_kinds_stay_and_in_order():
    web = (
        "WEBVTT\n\n00:00.000 --> 00:02.000 align:start\n \n"
        "all<00:01.000><c> right</c><00:01.500> so\n"
    )
    assert made(read_subtitles, web, lambda text: text.replace("all", "ALL")) == (
        web.replace("all<", "ALL<")
    )
    film = CUE + "{\\i1}Where{\\i0} are {\\b1}you{\\b0}?\n<i>{\\an8}Here.</i>\n"
    assert sources(read_subtitles, film)[1] == "Here."
    swapped = made(read_subtitles, film, lambda text: " ".join(reversed(text.split(" "))))
    assert [each for each in swapped.replace("}", "{").split("{") if each[:1] == "\\"] == [
        "\\i1", "\\i0", "\\b1", "\\b0", "\\an8"
    ]  # fmt: skip


def test_scripts_are_no_scripts_in_subtitles():
    film = CUE + "{\\i1}a{\\i0} <script>b {\\b1}c{\\b0}\n"
    assert made(read_subtitles, film, lambda text: "d" + text) == film.replace("a{", "da{")


def test_each_speaker_is_translated_apart():
    film = CUE + "- Are you coming with\nme?\n- No.\n\n" + CUE + "ANNA: Yes.\nBOB: No, I\n\n" + CUE
    film += "am not.\n"
    assert sources(read_subtitles, film.replace("01,000", "02,000")) == [
        "Are you coming with me?", "No.", "ANNA: Yes.", "BOB: No, I am not."
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("When I got there,", "I saw him.", True), ("I saw", "Anna.", True),
        ("I saw", "- Anna.", False), ("I saw", "[Door]", False), ("Berlin 5", "I see.", False),
    ],
)  # fmt: skip
def test_sentences_may_go_on_with_a_capital_where_others_end_with_a_mark(first, second, is_one):
    film = f"{CUE}{first}\n\n{CUE.replace('01,000', '02,000')}{second}\n\n"
    assert (len(sources(read_subtitles, film)) == 1) == is_one
    assert len(sources(read_subtitles, film.replace(".", ""))) == 2


def test_elements_over_two_subtitles_stay_around_their_sentence():
    film = (
        CUE + "<i>I never thought\n\n2\n00:00:02,000 --> 00:00:03,000\nthat it would be so.</i>\n"
    )
    assert sources(read_subtitles, film) == ["I never thought that it would be so."]
    assert made(read_subtitles, film).replace("I>", "i>").lower() == film.lower()
    assert made(read_subtitles, film, lambda text: "Nie") == film, "no subtitle is emptied"


def test_texts_are_divided_so_that_each_part_has_words():
    assert divide("a a a bbbbbbbbbbbbbbbbbbbbbb", [30, 1, 1, 1]) == [
        "a", "a", "a", "bbbbbbbbbbbbbbbbbbbbbb"
    ]  # fmt: skip
    assert divide("<b>one two</b>", [1, 1]) == ["<b>one", "two</b>"]


@pytest.mark.parametrize(
    "time_of_it", ["1" * 400 + ":00:nan", "00:00:1e5", "0 0", "", ":", "²:00:00", "00:0x:00,000"]
)
def test_times_that_are_none_are_one_line(time_of_it):
    with pytest.raises(InputError, match="^a, line 2: expected a time such as [^\n]*$"):
        read_subtitles(f"1\n{time_of_it} --> 00:00:02,000\na\n".encode(), "a")
    huge = f"1\n00:00:00,000 --> {'9' * 400}:00:00,000\nsome words\n"
    assert sources(read_subtitles, huge) == ["some words"]
