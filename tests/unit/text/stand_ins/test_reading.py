"""Blank lines, unusual spaces, and what is passed on as it is."""

import pytest

from tests.letters import Letters, TaggedLetters
from translator.base.errors import InputError
from translator.text.casing import CaseReader
from translator.text.characters import is_blank, with_plain_characters
from translator.text.memo import ShownText
from translator.text.read_lines import ReadSentence
from translator.text.sentences import Part
from translator.text.stand_ins.reading import LineReader
from translator.text.stand_ins.registry import SpanSettings, active_kinds
from translator.text.stand_ins.stand_ins import StandIns
from translator.text.truecasing import Truecaser


def test_text_without_visible_characters_is_blank():
    assert all(map(is_blank, ["", " ", "\t", "\u00a0", "\u200b", "\u2028\ufeff", "\x00\x1b"]))
    assert not any(map(is_blank, ["a", ".", "\u200b.", "🙂", "\ufffd"]))


def passed_on(text: str) -> str:
    return ReadSentence(Part(text, ""), ShownText(text, ()), [], None, is_spelt=False).passed_on


def test_a_joined_emoji_is_passed_on_whole_and_a_line_stays_one_line():
    assert passed_on("👩‍👩‍👧 ❤️\t★") == "👩‍👩‍👧 ❤️\t★"
    assert passed_on("★\n\x1b[31m★\u2028") == "★[31m★"
    assert passed_on("\u200b\n") == ""


def test_unusual_characters_become_plain():
    for text, plain in [
        ("Good\u00a0morning.", "Good morning."),
        ("\ufeffGood\u200b mor\u00adning\u2060, Auf\u200clage.", "Good morning, Auflage."),
        ("\U0001f469\u200d\U0001f467 ❤\ufe0f \u200b", "\U0001f469\u200d\U0001f467 ❤\ufe0f "),
        ("Tom&nbsp;&amp; &#39;Mary&#39;&hellip;", "Tom &amp; 'Mary'..."),
        ("&lt;b&gt; &zzz; AT&T; &#x3C;", "&lt;b&gt; &zzz; AT&T; &#x3C;"),
        ('<a title="a&nbsp;&uuml;">&uuml;', '<a title="a&nbsp;&uuml;">ü'),
        ("https://x.de/?q=a&copy;b &copy;", "https://x.de/?q=a&copy;b ©"),
        ("Die Tu\u0308r ist gru\u0308n.", "Die Tür ist grün."),
        ("oﬃce ﬁle ﬂoor eﬀect ĳs ſo", "office file floor effect ijs so"),
        ("Ｈｅｌｌｏ， １２！ 𝐛𝟕 Ⅳ", "Hello, 12! b7 IV"),
        ("½ m² H₂O 1ª 5 µm №1 ™ ① ℹ\ufe0f ℃", "½ m² H₂O 1ª 5 µm №1 ™ ① ℹ\ufe0f ℃"),
        ("I’m, I‘m, Iʼm, I`m, I´m, I′m, I＇m, I‛m", ", ".join(["I'm"] * 8)),
        ("Jess´ book, ‘tis `twas, 6′ tall", "Jess' book, 'tis 'twas, 6′ tall"),
        ("U‑Bahn, −5 °C, 5—7, 5 - 3", "U-Bahn, -5 °C, 5–7, 5 - 3"),
        ("I came—as always - and saw -- her--too", "I came – as always – and saw – her – too"),
        ("| - | -- | he - | --all, run --all", "| - | -- | he - | --all, run --all"),
    ]:
        assert with_plain_characters(text, "en") == plain
        assert with_plain_characters(plain, "en") == plain
    assert with_plain_characters("你好！", "zh") == "你好！"


def test_quotation_marks_are_those_of_the_language():
    for language, text, usual in [
        ("en", "“It’s so,” he said. ‘Yes’ «no»", '"It\'s so," he said. \'Yes\' "no"'),
        ("en", "``So'' and a 27\" screen", '"So" and a 27" screen'),
        ("de", '»Ja«, sagte er, "Nein", “so”.', "„Ja“, sagte er, „Nein“, „so“."),
        ("de", ",,Ja'', ’’so’’, ein 27″-Bild", '„Ja“, „so“, ein 27"-Bild'),
        ("fr", "«so» “so” ‹l’un›", "«so» “so” ‹l'un›"),
        ("de-AT", "»so« ‚ja’ ‹da›", "„so“ 'ja' 'da'"),
    ]:
        assert with_plain_characters(text, language) == usual
        assert with_plain_characters(usual, language) == usual


def test_quotation_marks_within_spans_stay():
    for line, shown in [
        ('<a title="it’s">Er "mag so"</a>', "Er „mag so“"),
        ('Nimm {% if x == "y" %} „so so“', "Nimm Tom „so so“"),
        ("Nimm https://x.de/it’s »so so«", "Nimm Tom „so so“"),
    ]:
        kinds = active_kinds(SpanSettings(("de", "en"), stand_ins=StandIns(("Tom",))))
        tokenizer = Letters()
        tokenizer.language = "de"
        reader = LineReader(tokenizer, 99, kinds, split=False, takes_out_marks=True)
        [sentence] = reader.read(line, "line 1").sentences
        assert sentence.shown.text == shown
        given = [span.given for word in sentence.shown.words for span in word.spans]
        assert all(part in line for part in given)
        assert all(mark.text in line for mark in sentence.marks)


def read(line: str, errors: str = "strict") -> list[ReadSentence]:
    case_reader = CaseReader(Truecaser.learn(["Is it?", "It is."]), "en")
    reader = LineReader(Letters(), 64, errors=errors, case_reader=case_reader, takes_out_marks=True)
    return list(reader.read(line, "line 1").sentences)


@pytest.mark.parametrize("errors", ["strict", "replace"])
@pytest.mark.parametrize(
    "line", ["=====", "* * *", "—", "...", "• ⁂", "👍", "Q", "(É)", "<b>Q</b>", "A B"]
)
def test_a_line_without_words_comes_out_as_it_is(line, errors):
    [sentence] = read(line, errors)
    assert (sentence.is_spelt, sentence.passed_on) == (False, line)


@pytest.mark.parametrize(("line", "notices"), [("...", 0), ("👍", 0), ("\ufffd!", 1)])
def test_only_lost_characters_are_a_notice_about_a_line_without_letters(line, notices):
    assert len(LineReader(Letters(), 64, errors="replace").read(line, "line 1").notices) == notices


def test_a_line_of_numbers_comes_out_with_numbers_as_the_target_language_writes_them():
    for line, german in [
        ("5.5", "5,5"),
        ("$1,234.50", "$1.234,50"),
        ("<b>5.5</b> %", "<b>5,5</b> %"),
        ('<td data-x="-5.5">-5.5</td>', '<td data-x="-5.5">-5,5</td>'),
    ]:
        kinds = active_kinds(SpanSettings(("en", "de"), stand_ins=StandIns(("Tom",))))
        reader = LineReader(Letters(), 64, kinds, takes_out_marks=True)
        [sentence] = reader.read(line, "line 1").sentences
        assert (sentence.is_spelt, sentence.passed_on) == (False, german)


def test_sentences_end_at_blocks_but_not_in_what_is_copied():
    for line, parts in [
        ("<code>./run.sh</code>", ["<code>./run.sh</code>"]),
        ("<b>www.Example.Org/A.B</b> is it.", ["<b>www.Example.Org/A.B</b> is it."]),
        ("<ul><li>one</li><li>two</li></ul>", ["<ul>", "<li>one</li>", "<li>two</li>", "</ul>"]),
        ("<h1>my house</h1>is<br>old", ["<h1>my house</h1>", "is<br>old"]),
        ("He came at 10 a.m. Monday. It is 5 p.m.", ["He came at 10 a.m. Monday.", "It is 5 p.m."]),
        ("He came at 5 p.m. Then he left.", ["He came at 5 p.m.", "Then he left."]),
    ]:
        kinds = active_kinds(SpanSettings(("en", "de"), stand_ins=StandIns(("Tom",))))
        reader = LineReader(Letters(), 64, kinds, takes_out_marks=True)
        assert [one.part.text for one in reader.read(line, "line 1").sentences] == parts


def test_a_word_is_shown_as_it_is_where_only_that_can_be_spelt():
    [sentence] = read("x")
    assert (sentence.is_spelt, sentence.shown.text) == (True, "x")


@pytest.mark.parametrize("line", ["你好", "你", "ДОМ", "🙂 ÉÉ."])
def test_words_that_cannot_be_spelt_are_refused(line):
    with pytest.raises(InputError, match="line 1: expected en text, found only characters"):
        read(line)


def test_a_word_with_a_capital_is_read_as_a_phrase_too():
    case_reader = CaseReader(Truecaser.learn(["Is it?", "It is."]), "en", knows_phrases=True)
    reader = LineReader(Letters(), 64, case_reader=case_reader, takes_out_marks=True)
    [sentence] = reader.read("<b>Is</b>", "line 1").sentences
    assert (sentence.shown.text, sentence.label.shown.text) == ("Is", "is")
    assert sentence.is_first
    assert sentence.label.is_first
    assert sentence.label.marks == sentence.marks
    assert [one.label for one in reader.read("Is it", "line 1").sentences] == [None]


def read_tagged(line: str, tags: tuple[str, ...] = (), max_length: int = 64, **options):
    reader = LineReader(
        TaggedLetters(), max_length, tags=tags, keeps_words=True, takes_out_marks=True, **options
    )
    return reader.read(line, "line 1")


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
    assert first.words.numbers.tolist() == [-1, -1, -1, *plain[0].words.numbers[1:]]
    assert len(first.words.numbers) == len(first.ids)
    assert (first.part, first.shown) == (plain[0].part, plain[0].shown)


def test_a_tag_that_is_asked_for_is_shown_where_a_line_has_none():
    assert read_tagged("a dog.", ("bt",)).sentences[0].ids[1] == 1000
    assert read_tagged("<news> a dog.", ("bt",)).sentences[0].ids[1:3] == [1001, ord("a")]


@pytest.mark.parametrize("line", ["a <bt> dog.", "<b>a dog.</b>", "<nix> a dog."])
def test_other_tags_are_carried_over_as_without_tags(line):
    class Untagged(TaggedLetters):
        tags = ()

    reader = LineReader(Untagged(), 64, keeps_words=True, takes_out_marks=True)
    [sentence], [other] = (each.sentences for each in (read_tagged(line), reader.read(line, "")))
    assert sentence.ids == other.ids
    assert (sentence.shown, sentence.marks) == (other.shown, other.marks)


def test_a_second_sentence_that_begins_with_a_tag_has_none():
    for marks in (True, False):
        reader = LineReader(TaggedLetters(), 64, takes_out_marks=marks)
        sentences = reader.read("a dog. <bt> a cat.", "line 1").sentences
        assert not any(1000 in sentence.ids for sentence in sentences)


def test_a_tag_alone_is_an_empty_line_and_one_before_symbols_is_not_printed():
    assert read_tagged("<bt> ").sentences == ()
    [sentence] = read_tagged("<bt> * * *").sentences
    assert (sentence.is_spelt, sentence.passed_on) == (False, "* * *")
    [sentence] = read_tagged("<bt> ★", errors="replace").sentences
    assert sentence.passed_on == "★"


def test_more_tags_than_leave_room_for_text_are_refused():
    assert len(read_tagged("<bt> " * 4 + "a", max_length=10).sentences[0].ids) == 7
    line = "<bt> " * 5 + "a"
    with pytest.raises(InputError, match=r"^line 1: expected at most 4 tags, found 5; remove"):
        read_tagged(line, max_length=10)
    read = read_tagged(line, max_length=10, errors="replace")
    assert [sentence.passed_on for sentence in read.sentences] == ["a"]
    assert read.text == line
    assert read.notices == ("line 1: expected at most 4 tags, found 5, passed on as it is",)


def test_tags_count_among_the_tokens_that_the_model_takes():
    line = "abcdefgh"
    assert len(read_tagged(line, max_length=10).sentences[0].ids) == 10
    assert [len(s.ids) for s in read_tagged(f"<bt> {line[:7]}", max_length=10).sentences] == [10]
    with pytest.raises(InputError, match="found 10; split it"):
        read_tagged(f"<bt> {line}", max_length=10, split=False)
