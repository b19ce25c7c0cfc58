"""Blank lines, plain characters, and what is passed on as it is."""

from tests.growth import grows_linearly
from translator.text.characters import (
    is_blank,
    with_plain_characters,
    with_plain_signs,
    with_signs_of,
)
from translator.text.read_lines import ReadSentence
from translator.text.sentences import LinePart
from translator.text.shown import ShownText


def test_text_without_visible_characters_is_blank_and_is_not_passed_on():
    assert all(map(is_blank, ["", " ", "\t", "\u00a0", "\u200b", "\u2028\ufeff", "\x00\x1b"]))
    assert not any(map(is_blank, ["a", ".", "\u200b.", "🙂", "\ufffd"]))
    assert passed_on("👩‍👩‍👧 ❤️\t★") == "👩‍👩‍👧 ❤️\t★"
    assert passed_on("★\n\x1b[31m★\u2028") == "★[31m★"
    assert passed_on("\u200b\n") == ""


def passed_on(text: str) -> str:
    return ReadSentence(LinePart(text, ""), ShownText(text), [], None, is_spelt=False).passed_on


def test_unusual_characters_become_plain_and_quotation_marks_those_of_the_language():
    for text, plain in [
        ("Good\u00a0morning\0Tom.", "Good morning Tom."),
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
        ("U‑Bahn, −5 °C, 5—7, 5-3", "U-Bahn, -5 °C, 5–7, 5-3"),
        ("Part 5 - 2nd of 5 cm - 7 cm", "Part 5 – 2nd of 5 cm – 7 cm"),
        ("I came—as always - and saw -- her--too", "I came – as always – and saw – her – too"),
        ("| - | -- | he - | --all, run --all", "| - | -- | he - | --all, run --all"),
    ]:
        assert with_plain_characters(text, "en") == plain
        assert with_plain_characters(plain, "en") == plain
    assert with_plain_signs("5 - 3 - it", [(0, 5)]) == "5 - 3 – it"
    for source, text, typed in [
        ("Hm… it - is—so....", "Hm ... es – ist – so...", "Hm … es - ist – so...."),
        ("It… is, and…", "Es .. ist, und...", "Es … ist, und…"),
        ("It - is.", "Es ist – so – es.", "Es ist – so – es."),
    ]:
        assert with_signs_of(source, text) == typed
    assert with_plain_characters("你好！", "zh") == "你好！"
    for text in ('"', "—", " ", "'", " - ", "--", "u\u0308", "\u200d", "&amp;"):
        assert grows_linearly(lambda n: with_plain_characters(f"a{text * n}é", "de"), 4000)  # noqa: B023
    for language, text, usual in [
        ("en", "“It’s so,” he said. ‘Yes’ «no»", '"It\'s so," he said. \'Yes\' "no"'),
        (
            "en",
            "‘It’s so!’ he said. 'I,' 'ok' 'tis so.",
            "\"It's so!\" he said. \"I,\" 'ok' 'tis so.",
        ),
        ("en", "``So'' and a 27\" screen", '"So" and a 27" screen'),
        ("de", '»Ja«, sagte er, "Nein", “so”.', "„Ja“, sagte er, „Nein“, „so“."),
        ("de", ",,Ja'', ’’so’’, ein 27″-Bild", '„Ja“, „so“, ein 27"-Bild'),
        ("fr", "«so» “so” ‹l’un›", "«so» “so” ‹l'un›"),
        ("de-AT", "»so« ‚ja’ ‹da›", "„so“ 'ja' 'da'"),
    ]:
        assert with_plain_characters(text, language) == usual
        assert with_plain_characters(usual, language) == usual
