"""Pages of the web as people have them, and as a model may damage them."""

import contextlib

from tests.unit.addons.documents.translating import check, louder, made, translated
from translator.addons.documents.markup import pieces_of
from translator.addons.documents.web_page import read_web_page
from translator.base.errors import InputError


def paragraphs(rows) -> list[tuple[str, list[str], str]]:
    """Rows of `check` of paragraphs in which all but markup is translated."""
    return [(f"<p>{page}</p>", texts, louder(f"<p>{page}</p>")) for page, texts in rows]


def test_a_page_is_translated_but_for_code_and_what_is_marked_so():
    check(read_web_page, [
        ("<title>one</title><style>p {}</style><p>We  <b>love</b>\n it &amp; <code>a &lt; b</code>"
         ' <kbd>esc</kbd>.<br>two</p><p translate="no">no</p><pre>three</pre>\n',
         ["one", "We <b>love</b> it &amp; {{0}} {{1}}.", "two"],
         "<title>ONE</title><style>p {}</style><p>WE <b>LOVE</b> IT &amp; <code>a &lt; b</code>"
         ' <kbd>esc</kbd>.<br>TWO</p><p translate="no">no</p><pre>three</pre>\n'),
        ("<p>Hello <%= user.name %>!</p><% if admin? %><a href='<%= x %>'>dog</a><% end %>",
         ["Hello {{0}}!", "dog"],
         "<p>HELLO <%= user.name %>!</p><% if admin? %><a href='<%= x %>'>DOG</a><% end %>"),
        ('<p>a <a\n title="x\ny">b</a> c <a title="x y">d</a></p>\n<p>e <a title="x y">f</a></p>',
         ['a <a title="x y">b</a> c <a title="x y">d</a>', 'e <a title="x y">f</a>']),
        ('<li><!-- x --><a href="/"><b> Home </b></a></li><p>Hi<!-- -->, <!-- -->Anna</p>'
         "<a><svg></svg> Go</a><p>Use <svg><p>x</p></svg> or <picture><img></picture> it</p>"
         "<p>a <code>b</p><p>On <time>May 5</time> we <i class=notranslate>Go</i>&copy it</p>",
         ["Home", "Hi<!-- -->, <!-- -->Anna", "Go", "Use {{1}} or {{2}} it", "a",
          "On <time>May 5</time> we {{3}}&copy it"],
         '<li><!-- x --><a href="/"><b> HOME </b></a></li><p>HI<!-- -->, <!-- -->ANNA</p>'
         "<a><svg></svg> GO</a><p>USE <svg><p>x</p></svg> OR <picture><img></picture> IT</p>"
         "<p>A <code>b</p><p>ON <time>MAY 5</time> WE <i class=notranslate>Go</i>&amp;COPY IT</p>"),
        ("<ul><li translate='no'>Tom<li>Tim</ul><br translate='no'><p>one</p>", ["one"]),
        ("<span translate='no'>Tom <span>X</span> is here</span> text", ["{{0}} text"],
         "<span translate='no'>Tom <span>X</span> is here</span> TEXT"),
        ("<!-- no --><!doctype html><?php no ?>", []),
        ("<DIV class=a>\n <p> </p>One.<!-- no -->Two.\n</DIV>\n",
         ["One.<!-- no -->Two."]),
        *((f"<p>I see {tag}a house</a>.</p>", [f"I see {' '.join(tag.split())}a house</a>."])
          for tag in ('<a title="&quot; onmouseover=&quot;alert(1)">', "<a title='&#39; x'>",
                      '<a title="a   b\n c">', '<a title="1 > 0">', '<a title="a &nbsp; b">')),
        ("a < b and <", ["a < b and <"], "A &lt; B AND &lt;"),
        ("&quot;caf&eacute;&quot; &lt;script&gt;", ["&quot;caf&eacute;&quot; &lt;script&gt;"]),
    ])  # fmt: skip


def test_a_sentence_goes_on_behind_a_line_break_and_items_do_not():
    check(read_web_page, paragraphs((page, expected or [page]) for page, expected in [
        ("Shoes that we make<br>last a lifetime.", None),
        ("This is a <b>long line <br/> that</b> ends.", None),
        ("We saw her<br>when she came home.", None),
        ("We saw that<br>her dog<br>was old.", None),
        *((page, page.split("<br>")) for page in (
            "The dog has seen it.<br>and the cat", "This is where we live<br>Anna and Tom",
            "olive oil<br>garlic", "one old dog that sleeps<br>two cats that do not",
            "a new dog<br>bread and butter<br>milk", "We saw her.<br>when she came home.",
        )),
    ]))  # fmt: skip


def test_links_and_buttons_without_words_between_them_are_texts_of_their_own():
    check(read_web_page, paragraphs([
        ("<a href='x'>Order</a> <button>Close</button>", ["Order", "Close"]),
        ("<i><a>At <b>home</b></a> | <a>Us</a></i>", ["At <b>home</b>", "Us"]),
        ("<b><a>The</a></b> <a>dog</a>", ["The", "dog"]),
        ("Press <a>this</a> or <a>that</a>", ["Press <a>this</a> or <a>that</a>"]),
        ("<a>The</a> <a>dog</a>.<br><a>A</a> cat", ["The", "dog", "<a>A</a> cat"]),
        ("</a>Press <a>this</a> or", ["Press <a>this</a> or"]),
        ("<a>Home</a> &gt; <a>Dogs</a> &gt; Old dogs", ["Home", "Dogs", "Old dogs"]),
        ("<a>Home</a>/<a>Dogs</a>/Old dogs", ["Home", "Dogs", "Old dogs"]),
        ("<a>Home</a> | Dogs · Cats", ["Home", "Dogs · Cats"]),
        ("See <a>this</a>/that dog", ["See <a>this</a>/that dog"]),
        ("<a>Dogs</a> sleep &gt; cats", ["<a>Dogs</a> sleep &gt; cats"]),
    ]))  # fmt: skip


def test_markup_stays_in_its_element_and_references_stand_for_what_an_encoding_lacks():
    for page, translation, expected in (
        ("<p>one <b>two</b> <code>a</code></p>", "eins <b>zwei {{0}}</b>", None),
        ("<p>a <img src=x> <b>one</b> <i>two</i></p>", "<img src=x> <b>eins <i>zwei</b></i>", None),
        ("<p>a <i>one</i> <a href=x>two</a> c</p>", "<i>eins <a href=x>zwei</a></i>", None),
        ("<p>one</b> two <b>three</p>", "<b>eins</b> zwei", None),
        ("<p>Hello {name}.</p>", "Hallo.", None),
        ("<p><b>Tom</b> &amp; Mary</p>", "<b>x</b><img src=x onerror=alert(1)>",
         "<p><b>x</b>&lt;img src=x onerror=alert(1)&gt;</p>"),
        ('<meta charset="ISO-8859-1"><p>caf&eacute; new</p>', "neues Café",
         '<meta charset="ISO-8859-1"><p>neues Caf&#233;</p>'),
        ('<meta charset="UTF-8"><p>caf&eacute; new</p>', "neues Café",
         '<meta charset="UTF-8"><p>neues Café</p>'),
        ('<HTML xml:lang="en" lang=en-GB data-lang="en"><p lang="en">dog', "Hund",
         '<HTML xml:lang="de" lang=de data-lang="en"><p lang="de">Hund'),
    ):  # fmt: skip
        document = read_web_page(page.encode(), "a", ("en", "de"))
        new = translated(document, lambda _, translation=translation: translation).decode()
        assert new == (expected or page)


def test_broken_markup_is_read_or_refused_and_pieces_are_the_whole_text():
    """Some versions of html.parser give up where a declaration is broken, others read on."""
    for part in ("", "<![", "<!", "<?", "</", "<!--", "<a", "<a b='", '<"', "&#", "<script>"):
        for page in (part, part * 99, f"The {part} cat."):
            with contextlib.suppress(InputError):
                made(read_web_page, page)
    page = "<p>R&#D; is <![x y]> a</p>"
    for text in ("</>a", "<![x]>b", page, "<!-- a", "a <b", "<", "<![CDATA[ a > ]]>"):
        assert "".join(piece.raw for piece in pieces_of(text)) == text
    kinds = [piece.kind for piece in pieces_of(page)]
    assert kinds == ["start", "text", "other", "text", "end"]
