"""What opens a line is told from its text, which is split into sentences that fit a model."""

from collections.abc import Callable

import pytest

from tests.growth import grows_linearly
from translator.text.sentences import LinePart, cut_to_fit, opening_mark, sentences_of
from translator.text.shown import MARK, Span


def parts_of(line: str, language: str, fits: Callable[[str], bool]) -> list[LinePart]:
    """The sentences of a line, those that do not fit cut."""
    return [
        part
        for sentence in sentences_of(line, language)
        for part in ([sentence] if fits(sentence.text) else cut_to_fit(sentence, fits))
    ]


def cut(line: str, most: int = 1000, language: str = "en") -> list[str]:
    """The texts of a line's parts, where a model takes ``most`` characters."""
    return [part.text for part in parts_of(line, language, lambda text: len(text) <= most)]


def test_lines_are_cut_into_sentences():
    """None begins within a word or with a closing mark, and in German none ends at an ordinal."""
    whole = [
        "Node.js, ASP.NET and .NET are nice", "1.) First item", "Is it you?) he asked.", "Hi!:)",
        "./", "Hi! ) He", "x = a!=b", "![A picture](a.png)", "Mr. Weber paid $1.50.",
    ]  # fmt: skip
    for language, line, sentences in [
        ("en", "He came. She went!  Why?", ["He came.", "She went!", "Why?"]),
        ("en", "", []),
        ("en", " \t ", []),
        ("en", "Is it so?) He came.", ["Is it so?)", "He came."]),
        ("en", "Is it so?!? I came.", ["Is it so?!?", "I came."]),
        ("en", "**Note.** He came.", ["**Note.**", "He came."]),
        ("en", "Wait.[1] He came.", ["Wait.[1]", "He came."]),
        ("en", "He came.She went in 1990.Oh.", ["He came.", "She went in 1990.", "Oh."]),
        *(("en", line, [line]) for line in whole),
        ("zh", "我来了。他走了。", ["我来了。", "他走了。"]),
        ("no such language", "One. Two.", ["One.", "Two."]),
        ("de", "Er kam z. B. heute. Sie ging.", ["Er kam z. B. heute.", "Sie ging."]),
        ("de", "Er wohnt im 3. Stock. Sie nicht.", ["Er wohnt im 3. Stock.", "Sie nicht."]),
        ("de", "Das 125. Jahr (das 2. Mal) war gut.", ["Das 125. Jahr (das 2. Mal) war gut."]),
        ("de", "Es war 1989. Berlin jubelte.", ["Es war 1989.", "Berlin jubelte."]),
    ]:
        assert cut(line, language=language) == sentences, line
    parts = sentences_of("See x. Y! Z? now. Go.", "en", [Span(4, 12, "x. Y! Z?")])
    assert [part.text for part in parts] == [
        "See x. Y! Z? now.",
        "Go.",
    ]  # none ends in a hidden part
    tag = Span(4, 44, "<" + "a" * 38 + ">", MARK)
    for opens, texts in ((False, [f"So. {tag.text}", "Go."]), (True, ["So.", f"{tag.text} Go."])):
        parts = sentences_of(f"So. {tag.text} Go.", "en", [tag._replace(opens=opens)])
        assert [part.text for part in parts] == texts


@pytest.mark.parametrize("most", [1, 3, 10, 25, 60, 1000])
def test_nothing_is_lost_and_everything_fits(most):
    line = "He came, saw (so he said) and won; then he – as always – left again. It was over."
    parts = parts_of(line, "en", lambda text: len(text) <= most)
    assert "".join(part.text + part.space for part in parts) == line
    assert all(len(part.text) <= most for part in parts)


def test_long_sentences_are_cut_at_punctuation_and_then_between_words():
    line = "He came early, saw everything that there was, and won the whole long war."
    assert cut(line, 50) == [
        "He came early, saw everything that there was,",
        "and won the whole long war.",
    ]
    assert cut("one two three four", 9) == ["one two", "three", "four"]
    assert cut("abcdefgh", 3) == ["abc", "def", "gh"]
    parts = parts_of("Short one. A longer one, cut in two.", "en", lambda text: len(text) < 20)
    assert [part.begins for part in parts] == [True, True, False]
    for text in ("It was 10:30 when he came", "We saw 1,250 people at home"):  # no number is cut
        parts = cut_to_fit(LinePart(text, ""), lambda part: len(part) <= 18)
        assert len(parts) > 1
        assert " ".join(part.text for part in parts) == text


def test_a_mark_opens_a_line_with_the_spaces_around_it_but_no_ordinal_number():
    for mark in (
        "- ", "– ", "-- ", "* ", "•\t", "•\u00a0", "☐ ", "> ", ">> > ", "# ", "###### ", "[ ] ",
        "- [x]  ", "  > - ", "1. ", "2) ", "2.) ", "(12) ", "a) ", "(B) ", "I) ",
        "[^1]: ", "[2]: ", "# 1.2 ", "## 3.1.2. ", "§ ", "[10:15] ", "--- ", "Re: ",
        "(2024-05-01 10:15:01) <tom> ",
    ):  # fmt: skip
        for text in ("Good morning. – How are you? #", "<b>Peter</b> is here.", "5"):
            assert opening_mark(mark + text, "en") == mark
    for line in (
        "Good morning.", "  Good morning.", "", " ", "-", "- ", "* * *", "• ⁂", "1.", "2) ",
        "-5.5 degrees", "--verbose is on.", "1.5 litres", "A. Miller is here.", "#now",
        "####### Title", "*Peter* is here.", "[y] it is.", "(I) think so.", "(or) not",
        "10:00) now", ":-) Good morning.", "1989. That was it.", ">Tom", "-\nTom",
    ):  # fmt: skip
        assert opening_mark(line, "en") == ""
    assert grows_linearly(lambda size: opening_mark("- " * size + "a", "en"), 10_000)
    for line, language, mark in [
        ("3. Mai ist heute.", "de", ""), ("3. und 4. Stock", "de", ""),
        ("1. Die Tür ist offen.", "de-AT", "1. "), ("- 3. Mai", "de", "- "),
        ("1. **Die Tür** ist offen.", "de", "1. "), ("3. **Mai**", "de", ""),
        ("2. *Tom sah uns.*", "de", "2. "), ("2. Stock links", "de", ""), ("3) Mai", "de", "3) "),
        ("3. maj", "da", ""), ("2.1 Budget", "en", "2.1 "),
        ("2.1. The plan of 2020:", "en", "2.1. "), ("- 2.1 Ziele", "de", "- 2.1 "),
        ("2.1. Ziele", "de", "2.1. "), ("24.12. Weihnachten", "de", ""),
        ("2.1 Budget is here.", "en", ""), ("2.5 Million People", "en", ""),
        ("2.4 GHz", "en", ""), ("2.1 budget", "en", ""), ('1. "Tom" is here.', "en", "1. "),
    ]:  # fmt: skip
        assert opening_mark(line, language) == mark
