"""Subtitles as people have them, and as a model may damage them."""

from tests.unit.addons.documents.translating import check, film, made, sources, translated
from translator.addons.documents.subtitles import read_subtitles

CUE = "1\n00:00:01,000 --> 00:00:02,000\n"


def test_what_is_said_is_translated_in_whole_sentences_and_times_and_tags_stay():
    check(read_subtitles, [
        (film("{\\an8}Where have you been\nall this time?", "<i>I have never seen such a</i>",
              "<i>beautiful house here.</i>", "- Are you coming?\n- No, I am <b>not</b>.", "♪"),
         ["Where have you been all this time?", "I have never seen such a beautiful house here.",
          "Are you coming?", "No, I am <b>not</b>."],
         film("{\\an8}WHERE HAVE YOU BEEN\nALL THIS TIME?", "<i>I HAVE NEVER SEEN SUCH A</i>",
              "<i>BEAUTIFUL HOUSE HERE.</i>", "- ARE YOU COMING?\n- NO, I AM <b>NOT</b>.", "♪")),
        ("WEBVTT - x\n\nNOTE no one\n\nSTYLE\n::cue { color: red }\n\nintro\n"
         "00:01.000 --> 00:02.000 align:start\n<v Anna>Good morning.\n", ["Good morning."],
         "WEBVTT - x\n\nNOTE no one\n\nSTYLE\n::cue { color: red }\n\nintro\n"
         "00:01.000 --> 00:02.000 align:start\n<v Anna>GOOD MORNING.\n"),
        ("WEBVTT\n\n00:00.000 --> 00:02.000 align:start\n \nall<00:01.000><c> right</c>\n",
         ['all<x id="0"/><c> right</c>']),
        (f"WEBVTT\n\n{CUE}Hello.\n\nNOTE it\n".replace(",", "."), ["Hello."]),
        (f"{CUE}Hello there.\n2\n00:00:03,000 --> 00:00:04,000\nHow are you?\n",
         ["Hello there.", "How are you?"]),
        (film("Hello\n\nthere.\n\n", "Yes.\n\nNo."), ["Hello there.", "Yes.", "No."]),
        (film("- Are you coming with\nme?\n- No.", "ANNA: Yes.\nBOB: I am", "not here."),
         ["Are you coming with me?", "No.", "ANNA: Yes.", "BOB: I am not here."]),
        *((film(lines), texts) for lines, texts in (
            ("Where are you\n- Home.", ["Where are you", "Home."]),
            ("Wait, I--\n- No!", ["Wait, I--", "No!"]),
            ("He came here\n- at last.", ["He came here - at last."]),
            ("More: https://a.de/b\nThanks.", ["More: https://a.de/b", "Thanks."]))),
        (film("<i>I never thought", "that it would be so.</i>"),
         ["I never thought that it would be so."]),
        (film("From 12:30 - 13:30 and 1.234 - 5.678 metres"),
         ["From 12:30 - 13:30 and 1.234 - 5.678 metres"]),
        (f"1\n00:00:00,000 --> {'9' * 400}:00:00,000\nsome words\n", ["some words"]),
        ("WEBVTT\n", []),
    ])  # fmt: skip


def test_sentences_may_go_on_with_a_capital():
    for first, second, is_one in (
        ("When I got there,", "I saw him.", True), ("I saw", "Anna.", True),
        ("I saw", "- Anna.", False), ("I saw", "[Door]", False), ("Berlin 5", "I see.", False),
    ):  # fmt: skip
        page = film(first, second)
        assert (len(sources(read_subtitles, page)) == 1) == is_one, page
        assert len(sources(read_subtitles, page.replace(".", ""))) == 2, page
    texts = sources(read_subtitles, film("where were you\n\nall this time", "we waited", "for you"))
    assert texts == ["where were you all this time", "we waited", "for you"]


def test_a_film_is_the_same_but_for_its_words_whatever_a_model_writes():
    web = "WEBVTT\n\n00:01.000 --> 00:02.000\nTom &amp; Jerry\n"
    both = film("Tom & Jerry <3 you")
    script = film("{\\i1}a{\\i0} <script>b {\\b1}c{\\b0}")
    for page, change, expected in (
        (both, str.lower, both.lower()),
        (both, lambda text: text + " --> x", both),
        (both, lambda text: "{\\an8}" + text, both),
        (web, lambda _: "a & b --> <c>",
         web.replace("Tom &amp; Jerry", "a &amp; b --&gt; &lt;c&gt;")),
        (film("<i>I never thought", "that it would be.</i>"), lambda _: "Nie",
         film("<i>I never thought", "that it would be.</i>")),
        (script, lambda text: "d" + text, script.replace("a{", "da{")),
        (film("{\\i1}Where{\\i0} are {\\b1}you{\\b0}?\n<i>{\\an8}Here.</i>"),
         lambda text: text.translate(str.maketrans("W12", "w21")),
         film("{\\i1}where{\\i0} are {\\b1}you{\\b0}?\n<i>{\\an8}Here.</i>")),
    ):  # fmt: skip
        assert made(read_subtitles, page, change) == expected
    head = web.replace("\n\n", "\nLanguage: en-GB\n\n", 1)
    document = read_subtitles(head.encode(), "a", ("en", "de"))
    assert translated(document, str).decode() == head.replace("en-GB", "de")
