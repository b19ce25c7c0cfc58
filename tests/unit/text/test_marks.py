"""Marks of format are taken out of a text, and asides become sentences of their own."""

import itertools

import numpy as np

from tests.growth import grows_linearly
from tests.letters import Letters, reader_of
from tests.unit.text.test_inline_marks import put_back
from translator.text.marks import (
    LineMarks,
    find_marks,
    in_language,
    take_out_marks,
    with_relative_clauses,
)
from translator.text.punctuation import is_plain
from translator.text.tags import find_tags


def test_a_relative_clause_in_brackets_is_between_commas():
    for language, text, read in [
        ("en", "Tom (who is a.b) sleeps.", "Tom, who is a.b, sleeps."),
        ("en", "I saw Tom (to him) (whose dog slept).", "I saw Tom (to him) (whose dog slept)."),
        ("en", "I saw Tom (whose dog slept).", "I saw Tom, whose dog slept."),
        ("en", "Tom (who knows?) sleeps.", "Tom (who knows?) sleeps."),
        ("de", "Tom (das Bett war weich) schlief.", "Tom (das Bett war weich) schlief."),
        ("fr", "Tom (qui dort) rit.", "Tom (qui dort) rit."),
    ]:
        assert with_relative_clauses(text, language) == read


def test_marks_of_format_are_found():
    for text, marks in [
        ("The **red** car is *mine*, _all_ of ~~it~~.", "** ** * * _ _ ~~ ~~"),
        ("__a *b* c__ ***d*** **!e** ***.", "__ * * __ *** *** ** ** ***"),
        ("He plays (almost) every {single} [day].", "( ) { } [ ]"),
        ("He said \"no\" and 'yes', „so“ and ‚so‘.", "\" \" ' ' „ “ ‚ ‘"),
        ('(**so**) "*so*"', '( ** ** ) " * * "'),
        ("(He came (late as ever).)", "( (late as ever) )"),
        ('"He is here."', '" "'),
        ('"He is here."!', '" "'),
        ("**He came.", "**"),
        ('"He came.', '"'),
        ('He came."', '"'),
        ("(He came.", "("),
        ("Prices* [1] (2019) [...] (!) end†", "* [1] (2019) [...] (!) †"),
        ("He came: – ", ": –"),
        ("Dear Tom,", ","),
        ("**Note:**", "** : **"),
        ("– so he said", "–"),
        ("...who did it", "..."),
        ("« Back", "«"),
        ("Next »", "»"),
        ("---------- Note ----------", "----------"),
        ("the '%s' and '$x' file", "' ' ' '"),
        ("[10:15] He came.", "[10:15]"),
        ("a + b => c_d ____ .", ""),
        ("| a", "|"),
        ("a|", "|"),
        ("A (red one) car (x", "(red one) ("),
        ("**A (red **one) car", "** (red **one)"),
        ('A "..." day (?) [^1], "(("', '"..." (?) [^1] "(("'),
        ('He said "it is so", she said: "No, no!"', ""),  # they stand between clauses
        ("It's the boys' car, and 'tis so; rock 'n' roll – yes: no", ""),
        ('2*3, a_b, un*usual*ly, colour(s), f(x), 5" disks', ""),
        ("and/or, AT&T, 50%, a[i][j]", ""),
        ("So... (", "("),
    ]:
        assert " ".join(mark.text for mark in find_marks(text)) == marks
    text = "see (https://x.de/(a)_b_) {a b} (so)"
    with_spans = take_out_marks(text, [(5, 24), (26, 31)])
    assert with_spans.plain.split() == ["see", "{a", "b}", "so"]


def test_links_are_taken_out_around_their_words():
    assert [tag.text for tag in find_tags('a [b c](https://x.de/a_(b) "T") ![d](e.png)')] == [
        "[", '](https://x.de/a_(b) "T")', "![", "](e.png)",
    ]  # fmt: skip
    assert [tag.text for tag in find_tags("![](a.png) [a] (b) [c]")] == ["![](a.png)"]
    assert [tag.text for tag in find_tags("[a b][c], [1][2], d[e][f]")] == ["[", "][c]"]
    assert list(find_tags("`[a](b) <b>c</b>`")) == []


def test_formats_stand_around_the_words_that_translate_theirs():
    for source, target, links, text in [
        ("the **red** house", "das rote Haus", "0-0 1-1 2-2", "das **rote** Haus"),
        ("he plays (almost) daily", "täglich fast spielt er", "0-3 1-2 2-1 3-0",
         "täglich (fast) spielt er"),
        ('he said "no".', "er sagte nein.", "0-0 1-1 2-2", 'er sagte "nein".'),
        ("(he came.)", "er kam.", "0-0 1-1", "(er kam.)"),
        ("he came:", "er kam", "0-0 1-1", "er kam:"),
        ("a car (a red one).", "Auto ein.", "0-1 1-0", "Auto ein (a red one)."),
        ("he (a b", "B A ER", "0-2 1-1 2-0", "(B A ER"),
        ("a* b", "B A", "0-1 1-0", "B A*"),
        ("see [a b](x.de) c", "C B A X", "0-3 1-2 2-1 3-0", "C [B A](x.de) X"),
        ("a b, (c d).", "A B,.", "0-0 1-1", "A B, (c d)."),
        ('a "b c" (d e).', "A „B C“.", "0-0 1-1 2-2", "A „B C“ (d e)."),
        ('a "🎉" b (a <b>red</b> 👍).', "A B.", "0-0 1-1", 'A "🎉" B (a <b>red</b> 👍).'),
    ]:  # fmt: skip
        assert put_back(source, target, links) == text


def test_quotation_marks_are_written_as_the_target_language_has_them():
    marks = take_out_marks("\"a\" 'b' (c)").marks
    for language, signs in (("de", "„“‚‘()"), ("xx", "\"\"''()")):
        written = [in_language(mark, language).text.strip() for mark in marks]
        assert "".join(written) == signs


def test_nothing_is_lost_of_any_marks():
    draw = np.random.default_rng(1)
    for _ in range(1000):
        text = "".join(draw.choice(list("ab .,:*_~()[]\"'|&!1"), size=draw.integers(1, 25)))
        inline = take_out_marks(text)
        characters = [*inline.plain, *itertools.chain(*(mark.text for mark in inline.marks))]
        assert sorted("".join(characters).replace(" ", "")) == sorted(text.replace(" ", ""))
        if inline.plain.split():
            shown = put_back(text, " ".join(inline.plain.split()), "")
            assert sorted(shown.replace(" ", "")) == sorted(text.replace(" ", "")), text


def test_lines_with_marks_become_sentences_and_their_asides():
    for line, parts in [
        ("(he came. She left.)",
         [("(he came.", "he came.", False), ("She left.)", "She left.", False)]),
        ("a car (a red one (so)), too",
         [("a car (a red one (so)), too", "a car, too", False), ("(a red one (so))", "a red one so",
                                                               True)]),
        ("so (a <b>b</b> c) so",
         [("so (a <b>b</b> c) so", "so so", False), ("(a <b>b</b> c)", "a b c", True)]),
        ("(a b) or (c d e)", [("(a b) or (c d e)", "a b or", False), ("(c d e)", "c d e", True)]),
        ("so (a b)", [("so (a b)", "so", False), ("(a b)", "a b", True)]),
        ("| a b | c |", [("|", "", False), ("a b |", "a b", False), ("c |", "c", False)]),
        ("so (" + "long one " * 9 + ") so", [
            ("so (" + "long one " * 9 + ") so", "so so", False),
            ("(" + "long one " * 9 + ")", "", True)]),
        ("**a b:** c", [("**a b:** c", "a b: c", False)]),
        ("*a*: c", [("*a*: c", "a: c", False)]),
        ("[a](b:c) c", [("[a](b:c) c", "a c", False)]),
        ("[a] Bc d", [("[a] Bc d", "Bc d", False), ("[a]", "a", True)]),
        ("(Ab) b (c) D", [("(Ab) b (c) D", "Ab b c D", False)]),
        ("he (Tom) is [here]",
         [("he (Tom) is [here]", "he is here", False), ("(Tom)", "Tom", True)]),
        ("a b · c", [("a b ·", "a b ·", False), ("c", "c", False)]),
        ("a b\tc - \t\td", [("a b", "a b", False), ("c -", "c", False), ("d", "d", False)]),
        ("c **a b:** c", [("c **a b:** c", "c a b: c", False)]),
    ]:  # fmt: skip
        read = reader_of(Letters(), 30, errors="replace").read(line, "line 1")
        assert [
            (each.part.text, each.shown.text * each.is_spelt, each.part.is_aside)
            for each in read.sentences
        ] == parts


def test_spaces_around_cells_and_blocks_stay():
    for line in ["| a b | c |", "|a|  b|", "<p>a</p> <p>b</p>", "a | b", "a.\tb \t\tc"]:
        reader = reader_of(Letters(), 30)
        parts = [sentence.part for sentence in reader.read(line, "line 1").sentences]
        assert len(parts) > 1
        assert "".join(part.text + part.space for part in parts) == line


def test_a_quotation_mark_of_several_sentences_opens_or_closes_by_its_place():
    for text, opens in [('"He came.', True), ('He came."', False)]:
        [mark] = take_out_marks(text).marks
        assert (mark.opens, mark.closes) == (opens, not opens)


def test_signs_after_words_are_taken_out_and_symbols_stay():
    assert LineMarks(lambda text: [(0, 11)]).find_hidden("{{ a | b }} c") == []
    inline = take_out_marks("dogs™ (1999) & word² of 5 m²")
    assert inline.plain == "dogs & word of 5 m²"
    assert [mark.text.strip() for mark in inline.marks] == ["™", "(1999)", "²"]


def test_words_commas_and_a_final_mark_are_plain_and_hide_nothing():
    for text in ("A dog, so to say", "I don't know.", "Über Äpfel?", "U-boats", "Ja!", ""):
        assert is_plain(text), text
    for text in ["a b,", "a  b", "a: b", "3 dogs", "GPT", "getName", "'a", "a' b", "a b ", "a.b"]:
        assert not is_plain(text), text
    assert grows_linearly(lambda size: is_plain("A" + "ab-" * size + "!!"), 10_000)
    assert grows_linearly(lambda size: is_plain("ab, " * size + "!!"), 10_000)


def test_what_is_shown_without_an_aside():
    for text, plain in (
        ("(Ab and Cd) go.", "Ab and Cd go."),  # the sentence goes on
        ("(he laughs) Ab go.", "Ab go."),
        ('He came (so) <br/>"in time".', 'He came so "in time".'),
    ):
        assert take_out_marks(text).plain == plain
