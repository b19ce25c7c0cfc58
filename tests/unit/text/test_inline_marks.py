"""Tags and emoji are taken out of a text and put back into its translation."""

import re

import numpy as np
import pytest

from tests.builders import translating
from tests.growth import grows_linearly
from translator.text.marks import take_out_marks
from translator.text.placing import agreed_shares, place_marks
from translator.text.sentences import LinePart, cut_to_fit, sentences_of
from translator.text.tags import find_emoji, find_tags
from translator.text.word_table import WordTable

NO_WORDS = WordTable()


def put_back(source: str, target: str, links: str, lexicon: WordTable = NO_WORDS) -> str:
    """Puts the marks of a source into a translation; links are pairs such as 0-1."""
    inline = take_out_marks(source)
    source_words, words = inline.plain.split(), target.split()
    alignment = np.full((len(words), len(source_words)), 0.02)
    for s, t in (map(int, link.split("-")) for link in links.split()):
        alignment[t, s] = 0.9
    return place_marks(words, inline.marks, source_words, alignment, lexicon)


def test_tags_are_told_from_other_brackets():
    for text, tags in [
        ("a <b>c</b> <br/> <x id='1'/>", ["<b>", "</b>", "<br/>", "<x id='1'/>"]),
        ("<c.red>a</c> <v.low>b", ["<c.red>", "</c>"]),
        ('<a href="x>y" download>z</a>', ['<a href="x>y" download>', "</a>"]),
        ("<foo>a</foo> <!-- c --> <g:x a=1>", ["<foo>", "</foo>", "<!-- c -->", "<g:x a=1>"]),
        ("<p itemscope>a <div data-x class='a'>", ["<p itemscope>", "<div data-x class='a'>"]),
        ("<!-- a > <b> - --> <!-- c -- >", ["<!-- a > <b> - -->"]),
        ("a < b > c, <name> <tom@example.com> <https://x.de> <b 5 <", []),
        ("H<sub>2</sub>O and <b>mc<sup>2</sup></b>", ["<b>", "</b>"]),
        ("21<sup>st</sup> E<sup>2</sup>", ["<sup>", "</sup>"]),
        ("day<sup>2</sup>, x.<sup><a href='#1'>[1]</a></sup>",
         ["<sup>2</sup>", "<sup><a href='#1'>[1]</a></sup>"]),
    ]:  # fmt: skip
        assert [tag.text for tag in find_tags(text)] == tags


def test_emoji_are_found_whole_and_emoticons_told_from_punctuation():
    for emoji in ["🎉", "👍🏽", "👩‍👩‍👧", "🇩🇪", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "☃", "🎉👍🏽🇩🇪🇫🇷", "→"]:
        assert [span.text for span in find_emoji(f"a {emoji} b{emoji}, 1 # © c")] == [emoji] * 2
    for text, emoticons in [
        ("Thanks :-)", [":-)"]),
        ("Thanks! :) Bye", [":)"]),
        ("Bye ;-), ok", [";-)"]),
        ("Bye 🎉 :(", ["🎉", ":("]),
        ("I cry :'( now", [":'("]),
        ("(or not :D).", [":D"]),
        ("Love you <3! Bye", ["<3"]),
        ("Love <3 :-)", [":-)"]),
        ("<3 hours, <3 % and <30", []),
        ("at 10:00), see page 3:) or (page 3:)", []),
        ("at 8: no, as follows :(a)", []),
        ("x:D :Do D:", []),
        ("https://x.de/:) and http://x.de/:D", []),
    ]:
        assert [span.text for span in find_emoji(text)] == emoticons


def test_marks_stand_around_the_words_that_translate_theirs():
    for source, target, links, text in [
        ("the <b>red</b> house", "das rote Haus", "0-0 1-1 2-2", "das <b>rote</b> Haus"),
        (
            "<i>a <b>b</b> c</i> <u>d</u>",
            "D C B A",
            "0-3 1-2 2-1 3-0",
            "<u>D</u> <i>C <b>B</b> A</i>",
        ),
        ("a <b>b c</b> d", "C X B A D", "1-2 2-0 0-3 3-4", "<b>C X B</b> A D"),
        ("a <b>house</b>.", "ein Haus.", "0-0 1-1", "ein <b>Haus</b>."),
        ("<b>a house.</b>", "ein Haus.", "0-0 1-1", "<b>ein Haus.</b>"),
        ('"<b>a</b> c" b', "„A C“ B", "0-0 1-1 2-2", "„<b>A</b> C“ B"),
        ('"<b>a</b>" *<i>b</i>*', "B A", "0-1 1-0", '*<i>B</i>* "<b>A</b>"'),
        ("ho<b>us</b>e a", "Haus A", "0-0 1-1", "<b>Haus</b> A"),
        ("<b>a</b> <i>b</i> c", "X C", "0-0 1-0 2-1", "<b>X</b> <i></i> C"),  # none cross
        ("a<br>b", "A B", "0-0 1-1", "A<br>B"),
        ("a <img src='x'/>b c", "C A B", "0-1 1-2 2-0", "C A <img src='x'/> B"),
        ("<b></b>a <i></i> b", "A B", "0-0 1-1", "<b></b>A <i></i> B"),
        ("a <b>b", "B A", "0-1 1-0", "<b>B A"),
        ("a b</b> c", "C A B", "0-1 1-2 2-0", "C A B</b>"),
        ("<b>a <i>b</b> c", "A B C", "0-0 1-1 2-2", "<b>A <i>B</b> C"),
        ("<b>a</b> <i>a b</i>", "A B", "0-0 2-1", "<b>A</b> <i>B</i>"),
        ("<b>a </b>b c", "A B C", "0-0 1-1 2-2", "<b>A </b>B C"),
        ("<b>a </b>b", "A, B", "0-0 1-1", "<b>A </b>, B"),
        ("a<b> b</b> c", "A B C", "0-0 1-1 2-2", "A <b>B</b> C"),
        ("I ❤️ you", "Ich dich", "0-0 1-1", "Ich ❤️ dich"),
        ("a 🎉 b c", "C A B", "0-1 1-2 2-0", "C A 🎉 B"),
        ("a b <3!", "B A!", "0-1 1-0", "B A <3!"),
        ("a🎉, b", "A, B", "0-0 1-1", "A🎉, B"),
        ("<b>a🎉</b> b", "A B", "0-0 1-1", "<b>A🎉</b> B"),
        ("a.<br>b", "A. B", "0-0 1-1", "A.<br>B"),
        ("saw her<br>when", "sah sie, als", "0-0 1-1 2-2", "sah sie,<br>als"),
        ("cat<sup>1</sup> b.<sup>*</sup>", "B A.", "0-1 1-0", "B A<sup>1</sup>.<sup>*</sup>"),
    ]:
        assert put_back(source, target, links) == text


def random_markup(draw: np.random.Generator) -> str:
    """Words with elements, voids, emoji and loose tags between them."""
    pieces, open_names = [], []
    for _ in range(draw.integers(1, 9)):
        for _ in range(draw.integers(0, 3)):
            kind = draw.integers(0, 5)
            if kind == 0 and open_names:
                pieces.append(f"</{open_names.pop()}>")
            elif kind < 3:
                open_names.append(str(draw.choice(["b", "i", "u"])))
                pieces.append(f"<{open_names[-1]}>")
            else:
                pieces.append(str(draw.choice(["<br/>", "🎉", "</em>", "<p>"])))
        pieces.append(str(draw.choice([" ", "", "  "])) + f"w{draw.integers(0, 9)} ")
    pieces += [f"</{name}>" for name in open_names[::-1][: draw.integers(0, 4)]]
    return "".join(pieces)


def test_any_marks_come_through_once_and_no_element_overlaps_another():
    draw = np.random.default_rng(1)
    for _ in range(400):
        source = random_markup(draw)
        inline = take_out_marks(source)
        source_words = inline.plain.split()
        words = [f"t{t}" for t in range(draw.integers(1, 9))]
        alignment = draw.random((len(words), len(source_words))) ** 4
        text = place_marks(words, inline.marks, source_words, alignment, NO_WORDS)
        assert sorted(re.findall(r"<[^>]*>|🎉", text)) == sorted(re.findall(r"<[^>]*>|🎉", source))
        assert re.sub(r"<[^>]*>|🎉|\s", "", text) == "".join(words)
        assert overlapping(text) <= overlapping(source)


def overlapping(text: str) -> int:
    """How many tags close an element while another one is open that began later."""
    stack, count = [], 0
    for close, name in re.findall(r"<(/?)([biu])>", text):
        if not close:
            stack.append(name)
        elif name in stack:
            count += stack[-1] != name
            while stack.pop() != name:
                pass
    return count


@pytest.mark.parametrize(
    ("before", "after"), [("🎉 ", ""), ("<b>", "</b>"), ("<b>a <i>", ""), ("</b>🎉 ", "")]
)
def test_thousands_of_marks_are_placed_in_linear_time(before, after):
    def place(size):
        source = before * size + "a" + after * size
        inline = take_out_marks(source)
        words = inline.plain.split()[:50]
        text = place_marks(["A"], inline.marks, words, np.ones((1, len(words))), NO_WORDS)
        assert text.count("<") == source.count("<")

    assert grows_linearly(place, 10_000)


def test_a_lexicon_says_more_than_attention_and_agreement_more_than_each_word():
    alignment = np.array([[0.9, 0.0, 0.1], [0.6, 0.2, 0.2], [0.0, 0.0, 1.0]])
    shares = agreed_shares(alignment, np.zeros((3, 3)))
    assert shares.argmax(axis=1).tolist() == [0, 1, 2]
    assert np.allclose(shares.sum(axis=1), 1)
    source, links = "to the <b>river</b>", "0-0 2-1 1-2"
    assert put_back(source, "an den Fluss", links) == "an <b>den</b> Fluss"
    lexicon = translating({"river": {"fluss": 0.6}, "the": {"den": 0.2}})
    assert put_back(source, "an den Fluss", links, lexicon) == "an den <b>Fluss</b>"
    lexicon = translating({"the": {"der": 0.3, "den": 0.1}})  # attention tells equal words apart
    links = "0-0 1-1 2-2 3-3 4-4"
    text = put_back("the man sees <b>the</b> dog", "der Mann sieht den Hund", links, lexicon)
    assert text == "der Mann sieht <b>den</b> Hund"


def test_the_words_of_a_text_are_left_without_spaces_before_punctuation():
    inline = take_out_marks("I <b>love</b> pizza 🎉! <br/>A<br/>B")
    assert inline.plain == "I love pizza! A B"
    assert [mark.text for mark in inline.marks] == [
        " <b>", "</b> ", " 🎉", " <br/>", "<br/>",
    ]  # fmt: skip
    respelt = take_out_marks("DIE STRASSE <b>IST</b> NASS").with_plain("die Straße ist nass")
    assert [mark.start for mark in respelt.marks] == [9, 12]
    with_address = take_out_marks("see https://x.de/🎉 🎉", [(4, 19)])
    assert with_address.plain.split() == ["see", "https://x.de/🎉"]


def test_sentences_end_as_without_tags():
    for line, texts in [
        ("<b>He came. She went.</b> Why?", ["<b>He came.", "She went.</b>", "Why?"]),
        ("He came. <b>She went.</b>", ["He came.", "<b>She went.</b>"]),
        ("He came.<br/>She went.", ["He came.<br/>", "She went."]),
        ("<br/>", ["<br/>"]),
    ]:
        parts = sentences_of(line, "en", find_tags(line))
        assert [part.text for part in parts] == texts
        assert "".join(part.text + part.space for part in parts) == line


def test_long_sentences_are_not_cut_within_what_is_whole():
    text = "aa bb 10 000 cc https://a.de/b,c dd"
    whole = [match.span() for match in re.finditer(r"10 000|https\S+", text)]
    for most in range(14, 30):
        parts = cut_to_fit(LinePart(text, ""), lambda part, n=most: len(part) <= n, whole)
        assert all(any(each in part.text for part in parts) for each in ("10 000", "/b,c"))
        assert "".join(part.text + part.space for part in parts) == text
