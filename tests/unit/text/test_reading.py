"""Blank lines, and what is passed on as it is."""

import pytest

from translator.text.reading import ReadSentence, is_blank
from translator.text.sentences import Part
from translator.text.spans.showing import ShownText


@pytest.mark.parametrize("text", ["", " ", "\t", "\u00a0", "\u200b", "\u2028\ufeff", "\x00\x1b"])
def test_text_without_visible_characters_is_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", ".", "\u200b.", "🙂", "\ufffd"])
def test_other_text_is_not_blank(text):
    assert not is_blank(text)


def passed_on(text: str) -> str:
    return ReadSentence(Part(text, ""), ShownText(text, ()), [], None, is_spelt=False).passed_on


def test_a_joined_emoji_is_passed_on_whole_and_a_line_stays_one_line():
    assert passed_on("👩‍👩‍👧 ❤️\t★") == "👩‍👩‍👧 ❤️\t★"
    assert passed_on("★\n\x1b[31m★\u2028") == "★[31m★"
    assert passed_on("\u200b\n") == ""
