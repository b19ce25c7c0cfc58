"""Lines are read: their tags, their sentences, and what is passed on as it is."""

import pytest

from tests.builders import truecaser_of
from tests.letters import Letters, TaggedLetters, reader_of
from translator.base.errors import InputError
from translator.text.casing import CaseReader
from translator.text.read_lines import ReadSentence


def test_quotation_marks_within_spans_stay():
    for line, shown in [
        ('<a title="it’s">Er "mag so"</a>', "Er „mag so“"),
        ('Nimm {{ x or "y" }} „so so“', 'Nimm {{ x or "y" }} „so so“'),
        ("Nimm https://x.de/it’s »so so«", "Nimm https://x.de/it’s „so so“"),
    ]:
        tokenizer = Letters()
        tokenizer.language = "de"
        [sentence] = reader_of(tokenizer, 99, split=False).read(line, "line 1").sentences
        assert sentence.shown.text == shown


def read(line: str, errors: str = "strict") -> list[ReadSentence]:
    case_reader = CaseReader(truecaser_of(["Is it?", "It is."]), "en")
    reader = reader_of(Letters(), case_reader=case_reader, errors=errors)
    return list(reader.read(line, "line 1").sentences)


def test_a_line_without_words_comes_out_as_it_is_but_for_numbers():
    for line in ["=====", "* * *", "—", "...", "• ⁂", "👍"]:
        for errors in ("strict", "replace"):
            [sentence] = read(line, errors)
            assert (sentence.is_spelt, sentence.passed_on) == (False, line)
    reader = reader_of(Letters(), errors="replace")
    notices = [len(reader.read(line, "line 1").notices) for line in ("...", "👍", "\ufffd!")]
    assert notices == [0, 0, 1]
    for line, german in [
        ("5.5", "5,5"),
        ("$1,234.50", "1.234,50 $"),
        ("<b>5.5</b> %", "<b>5,5 %</b>"),
        ('<td data-x="-5.5">-5.5</td>', '<td data-x="-5.5">-5,5</td>'),
    ]:
        [sentence] = reader_of(Letters()).read(line, "line 1").sentences
        assert (sentence.is_spelt, sentence.passed_on) == (False, german)


def test_sentences_end_at_blocks_but_not_in_what_is_copied():
    for line, parts in [
        ("<code>./run.sh</code>", ["<code>./run.sh</code>"]),
        ("<b>www.Example.Org/A.B</b> is it.", ["<b>www.Example.Org/A.B</b> is it."]),
        ("<ul><li>one</li><li>two</li></ul>", ["<ul>", "<li>one</li>", "<li>two</li>", "</ul>"]),
        ("<h1>my house</h1>is<br>old", ["<h1>my house</h1>", "is<br>old"]),
        ("He came at 5 p.m. Then he left.", ["He came at 5 p.m.", "Then he left."]),
    ]:
        sentences = reader_of(Letters()).read(line, "line 1").sentences
        assert [one.part.text for one in sentences] == parts


def test_words_that_cannot_be_spelt_are_refused():
    for line in ["你好", "你", "ДОМ", "🙂 ÉÉ.", "Q", "<b>Q</b>"]:
        with pytest.raises(InputError, match="line 1: expected en text, found only characters"):
            read(line)


def read_tagged(line: str, tags: tuple[str, ...] = (), max_length: int = 64, **options):
    return reader_of(TaggedLetters(), max_length, tags=tags, **options).read(line, "line 1")


def test_the_tags_of_a_line_are_shown_with_each_sentence_and_are_no_words():
    line = "<bt> <news> a dog. a cat."
    read = read_tagged(line)
    assert read.text == line
    first, second = read.sentences
    plain = read_tagged("a dog. a cat.").sentences
    assert first.ids == [0, 1000, 1001, *plain[0].ids[1:]]
    assert second.ids == [0, 1000, 1001, *plain[1].ids[1:]]
    assert (first.is_first, second.is_first) == (True, False)
    assert first.words.texts == plain[0].words.texts
    assert first.words.numbers == (-1, -1, -1, *plain[0].words.numbers[1:])
    assert len(first.words.numbers) == len(first.ids)
    assert first.shown == plain[0].shown
    assert read_tagged("a dog.", ("bt",)).sentences[0].ids[1] == 1000
    assert read_tagged("<news> a dog.", ("bt",)).sentences[0].ids[1:3] == [1001, ord("a")]


def test_other_tags_are_carried_over_as_without_tags():
    for line in ("a <bt> dog.", "<b>a dog.</b>", "<nix> a dog."):
        [sentence], [other] = read_tagged(line).sentences, reader_of(Letters()).read(line, "")[1]
        assert sentence.ids == other.ids
        assert sentence.shown == other.shown
    for raw in (True, False):  # a second sentence that begins with a tag has none
        reader = reader_of(TaggedLetters(), raw=raw)
        sentences = reader.read("a dog. <bt> a cat.", "line 1").sentences
        assert not any(1000 in sentence.ids for sentence in sentences)


def test_a_tag_alone_is_an_empty_line_and_one_before_symbols_is_not_printed():
    assert read_tagged("<bt> ").sentences == ()
    [sentence] = read_tagged("<bt> * * *").sentences
    assert (sentence.is_spelt, sentence.passed_on) == (False, "* * *")
    [sentence] = read_tagged("<bt> ★", errors="replace").sentences
    assert sentence.passed_on == "★"


def test_tags_of_a_line_take_room_from_its_text():
    assert len(read_tagged("<bt> " * 4 + "a", max_length=10).sentences[0].ids) == 7
    line = "<bt> " * 5 + "a"
    with pytest.raises(InputError, match=r"^line 1: expected at most 4 tags, found 5; remove"):
        read_tagged(line, max_length=10, errors="strict")
    read = read_tagged(line, max_length=10, errors="replace")
    assert [sentence.passed_on for sentence in read.sentences] == [line]
    assert read.text == line
    assert read.notices == (("tags", "expected at most 4 tags, found 5, left as it is"),)
    line = "abcdefgh"
    assert len(read_tagged(line, max_length=10).sentences[0].ids) == 10
    assert [len(s.ids) for s in read_tagged(f"<bt> {line[:7]}", max_length=10).sentences] == [10]
    with pytest.raises(InputError, match="found 11; split the line"):
        read_tagged(f"<bt> {line}", max_length=10, split=False, errors="strict")
    read = read_tagged(f"<bt> {line}", max_length=10, split=False)
    assert [len(s.ids) for s in read.sentences] == [10, 4]
    assert [notice.kind for notice in read.notices] == ["cut"]


def test_the_rest_of_a_line_is_read_as_if_it_stood_alone():
    line = "  > -\tIs it? It is."
    for split in (True, False):
        reader = reader_of(Letters(), split=split)
        marked, alone = (reader.read(each, "line 1") for each in (line, "Is it? It is."))
        assert (marked.text, marked.mark) == (line, "  > -\t")
        shown = [[one.shown for one in read.sentences] for read in (marked, alone)]
        assert shown[0] == shown[1]
        assert [one.is_first for one in marked.sentences] == [True, False][: len(shown[0])]
    as_it_is = reader_of(Letters(), raw=True).read("- it is", "line 1")
    assert (as_it_is.mark, as_it_is.sentences[0].shown.text) == ("", "- it is")


ALL_TAGGED, SOME_TAGGED = {"": 0, "bt": 5, "news": 0}, {"": 7, "bt": 5, "news": 0}
EXPECTED = "expected a tag of the training data (bt), found "


def test_a_line_whose_tags_training_did_not_have_is_told():
    never_seen = "<news>, which the model never saw"
    for line, counts, tags, found in [
        ("<bt> a dog.", ALL_TAGGED, (), None),
        ("a dog.", ALL_TAGGED, (), "none; --tag adds one to each line"),
        ("a dog.", ALL_TAGGED, ("bt",), None),
        ("a dog.", ALL_TAGGED, ("news",), never_seen),
        ("a dog.", SOME_TAGGED, (), None),
        ("<news> a dog.", SOME_TAGGED, (), never_seen),
        ("<2de> a dog.", SOME_TAGGED, (), "<2de>, which the model reads as text"),
        ("<bt> <talk> a dog.", SOME_TAGGED, (), "<talk>, which the model reads as text"),
        ("<b> a dog.", SOME_TAGGED, (), None),
        ("<talk> a dog.</talk>", SOME_TAGGED, (), None),
        ("a dog <talk> a cat.", SOME_TAGGED, (), None),
        (" ", ALL_TAGGED, (), None),
        ("<news> a dog.", {}, (), None),
        ("a dog.", {}, (), None),
    ]:
        read = reader_of(TaggedLetters(), tag_counts=counts, tags=tags).read(line, "line 1")
        notices = [notice.text for notice in read.notices if notice.kind == "tag"]
        assert notices == ([EXPECTED + found] if found else [])
