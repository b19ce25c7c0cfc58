"""What the first lines of a file look like."""

from translator.translation.whole_files import format_of_lines


def test_first_lines_that_look_like_more_than_text():
    for text, form in [
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nHi", "subtitles"),
        ("1\n00:00:01,000 --> 00:00:02,000\nHi", "subtitles"),
        ('# x\nmsgid ""\nmsgstr ""', "gettext"),
        ("\n<!DOCTYPE HTML>\n<p>", "html"),
        ('{\n  "a": "b"\n}', "json"),
        ('{"a": "b"}', "json"),
        ("[\n1]", "json"),
        ("A text.\n[1] A note.\n{0} files\n1 --> 2\nmsgid is a word\n<b>x</b>", None),
        ("", None),
    ]:
        assert format_of_lines(text.split("\n")) == form, text
    assert format_of_lines(["A text."] * 50 + ["WEBVTT"]) is None
