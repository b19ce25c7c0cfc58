"""Sentences over several lines, labels with a sign before a letter, and paths of links."""

import time

import pytest

from tests.unit.addons.documents.translating import louder, translated, translator_with
from translator.addons.documents.catalogue import read_catalogue
from translator.addons.documents.files import translate_document
from translator.addons.documents.markdown import read_markdown
from translator.addons.documents.subtitles import read_subtitles
from translator.addons.documents.table import read_table
from translator.addons.documents.values import read_json, read_yaml
from translator.addons.documents.web_page import read_web_page
from translator.base.errors import InputError
from translator.translation.options import TranslationOptions

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def sources(read, content: str) -> list[str]:
    return [text.source for text in read(content.encode(), "a").texts]


def test_items_in_small_letters_are_no_sentence_and_short_lines_of_one_are():
    for lines in (
        "one old dog that sleeps<br>two cats that do not",
        "a new dog<br>bread and butter<br>milk",
        "We saw her.<br>when she came home.",
    ):
        assert len(sources(read_web_page, f"<p>{lines}</p>")) == lines.count("<br>") + 1
    for lines in ("We saw her<br>when she came home.", "We saw that<br>her dog<br>was old."):
        assert sources(read_web_page, f"<p>{lines}</p>") == [lines]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<a>Home</a> &gt; <a>Dogs</a> &gt; Old dogs", ["Home", "Dogs", "Old dogs"]),
        ("<a>Home</a>/<a>Dogs</a>/Old dogs", ["Home", "Dogs", "Old dogs"]),
        ("<a>Home</a> | Dogs · Cats", ["Home", "Dogs · Cats"]),
        ("See <a>this</a>/that dog", ["See <a>this</a>/that dog"]),
        ("<a>Dogs</a> sleep &gt; cats", ["<a>Dogs</a> sleep &gt; cats"]),
    ],
)
def test_the_last_step_of_a_path_of_links_is_a_text_of_its_own(page, expected):
    page = f"<p>{page}</p>"
    assert sources(read_web_page, page) == expected
    assert translated(read_web_page(page.encode(), "a")).decode() == louder(page)


def test_a_sentence_over_lines_of_a_message_is_one_and_divided_again():
    texts = "The door of the house that\\nis near the river.", "The dogs\\nthe cats", "A:\\nb c d."
    page = HEADER + "\n".join(f'msgid "{text}"\nmsgstr ""\n' for text in texts)
    assert sources(read_catalogue, page) == [
        "The door of the house that is near the river.", "The dogs", "the cats", "A:", "b c d."
    ]  # fmt: skip
    made = translated(read_catalogue(page.encode(), "a.po")).decode()
    assert '"THE DOOR OF THE HOUSE THAT\\n"\n"IS NEAR THE RIVER."\n' in made
    value = '{"a": " The door of the house that\\n  is near.\\n"}'
    shorter = translated(read_json(value.encode(), "a"), lambda text: "DIE TOR, die dort IST.")
    assert shorter.decode() == '{"a": " DIE TOR, die dort\\n  IST.\\n"}'
    assert translated(read_json(value.encode(), "a"), lambda text: "Nah.").decode() == value


def test_the_sign_before_the_letter_of_a_label_is_not_shown_and_begins_its_translation():
    for label, shown, expected in (
        ("&Open", "Open", "&OPEN"),
        ("E&xit", "Exit", "&EXIT"),
        ("Save &as...", "Save as...", "&SAVE AS..."),
        ("_Print", "_Print", "_PRINT"),
        ("Q&A and R&D", "Q&A and R&D", "Q&A AND R&D"),
        ("Dogs & cats", "Dogs & cats", "DOGS & CATS"),
        ("&amp; dog", "&amp; dog", "&amp; DOG"),
        ("see a.b?c&d", "see a.b?c&d", "SEE A.B?C&D"),
    ):
        page = f'{{"a": "{label}"}}'
        assert sources(read_json, page) == [shown]
        assert translated(read_json(page.encode(), "a")).decode() == page.replace(label, expected)


def test_a_message_with_an_unknown_escape_stays_and_is_told():
    page = HEADER + 'msgid "Don\\\'t go."\nmsgstr ""\n'
    document = read_catalogue(page.encode(), "a.po")
    content, [(place, told)] = translate_document(translator_with(), document, TranslationOptions())
    assert content.decode() == page
    assert place == "line 4"
    assert [doubt.kind for doubt in told.doubts] == ["markup"]


def test_a_row_of_a_catalogue_without_its_quotation_mark_is_one_line():
    for row in ('msgid "Dog', 'msgid "Dog\\"', 'msgid ""\n"Dog', 'msgid Dog"'):
        number = 4 + row.count("\n")
        with pytest.raises(InputError, match=f"^a.po, line {number}: expected a text in quotation"):
            read_catalogue(f'{HEADER}{row}\nmsgstr ""\n'.encode(), "a.po")


def test_line_ends_in_folded_blocks_of_yaml_are_spaces():
    lines = "  The dog\n  is old.\n\n  It sleeps\n  here.\n"
    folded, literal = (sources(read_yaml, f"a: {sign}\n{lines}") for sign in ">|")
    assert folded == ["The dog is old.", "It sleeps here."]
    assert literal == ["The dog", "is old.", "It sleeps", "here."]
    assert translated(read_yaml(f"a: >-\n{lines}".encode(), "a")).decode() == (
        f"a: >-\n{lines.upper()}"
    )
    code = "a: >\n  The dog\n    is old\n  here\n"
    assert sources(read_yaml, code) == ["The dog", "is old", "here"]


def test_subtitles_may_be_none_and_times_without_an_arrow_are_one_line():
    assert translated(read_subtitles(b"WEBVTT\n", "a.vtt")) == b"WEBVTT\n"
    with pytest.raises(InputError, match=r"^a.srt: expected subtitles"):
        read_subtitles(b"", "a.srt")
    right = "1\n00:00:01,000 --> 00:00:02,000\nDog.\n\n"
    for arrow in ("->", " ", " - ", "--&gt;"):
        wrong = f"2\n00:00:03,000 {arrow} 00:00:04,000\nCat.\n"
        if arrow == "--&gt;":
            wrong = wrong.replace("&gt;", " ")
        for page, line in ((right + wrong, 6), (wrong, 2), (right.rstrip() + "\n" + wrong, 5)):
            with pytest.raises(InputError, match=f"^a.srt, line {line}: expected --> between"):
                read_subtitles(page.encode(), "a.srt")
    said = right.replace("Dog", "From 12:30 - 13:30 and 1.234 - 5.678 metres")
    assert len(read_subtitles(said.encode(), "a.srt").texts) == 1


def test_a_title_ends_no_sentence_of_subtitles():
    cue = "{0}\n00:00:0{0},000 --> 00:00:0{0},900\n{1}\n\n"
    film = "".join(cue.format(*each) for each in ((1, "I saw Mr."), (2, "Young."), (3, "No. A.")))
    document = read_subtitles(film.encode(), "a.srt", ("en", "de"))
    assert [text.source for text in document.texts] == ["I saw Mr. Young.", "No. A."]


def test_many_parts_of_paragraphs_are_compared_once():
    page = "".join(f"- [ ] task {i} *a*\n" for i in range(1500)).encode()
    start = time.perf_counter()
    translated(read_markdown(page, "a.md"))
    assert time.perf_counter() - start < 20


def test_small_words_under_keys_for_programs_are_no_texts():
    page = '{"type": "button", "lang": "en", "Type": "Kind of dog", "label": "button"}'
    assert sources(read_json, page) == ["Kind of dog", "button"]
    assert sources(read_yaml, page) == ["Kind of dog", "button"]
    assert sources(read_yaml, "type: button\nlist: [type, dog]\nid: A dog\n") == [
        "type", "dog", "A dog"
    ]  # fmt: skip


def test_values_for_programs_may_be_in_lists_or_in_capitals():
    page = '{"method": "GET", "branches": ["main", "dev"], "events": ["A dog"], "a": ["true"]}'
    assert sources(read_json, page) == sources(read_yaml, page) == ["A dog"]
    assert sources(read_yaml, "branches: [main]\ntext: [main]\n") == ["main"]


def test_forms_of_a_plural_and_columns_are_texts_of_their_own():
    for message, expected in (
        ("%{n} car |||| %{n} cars", ["%{n} car", "%{n} cars"]),
        ("{0} No dogs|[1,*] Some dogs", ["No dogs", "Some dogs"]),
        ("  -h, --help      Show help\\n", ["-h, --help", "Show help"]),
        ("{0} dogs", ["{0} dogs"]),
        ("[2] dogs", ["[2] dogs"]),
    ):
        page = f'{{"a": "{message}"}}'
        assert sources(read_json, page) == expected
        made = translated(read_json(page.encode(), "a")).decode()
        assert made == page.replace(message, louder(message).replace("\\N", "\\n"))


def test_a_catalogue_for_another_language_is_one_line():
    page = HEADER.replace("UTF-8\\n", "UTF-8\\nLanguage: fr\\n") + 'msgid "Dog"\nmsgstr ""\n'
    assert sources(read_catalogue, page) == ["Dog"]
    assert read_catalogue(page.encode(), "a.po", ("en", "fr")).texts
    with pytest.raises(InputError, match=r"^a.po: expected a catalogue for de, found Language: fr"):
        read_catalogue(page.encode(), "a.po", ("en", "de"))


def test_the_second_of_two_speakers_may_have_a_dash_alone():
    cue = "1\n00:00:01,000 --> 00:00:02,000\n{}\n"
    for lines, expected in (
        ("Where are you\n- Home.", ["Where are you", "Home."]),
        ("Wait, I--\n- No!", ["Wait, I--", "No!"]),
        ("He came here\n- at last.", ["He came here - at last."]),
    ):
        assert sources(read_subtitles, cue.format(lines)) == expected


def test_code_of_templates_in_pages_stays():
    page = "<p>Hello <%= user.name %>!</p><% if admin? %><a href='<%= x %>'>dog</a><% end %>"
    assert sources(read_web_page, page) == ["Hello {{0}}!", "{{1}}", "dog", "{{3}}"][:1] + ["dog"]
    assert translated(read_web_page(page.encode(), "a")).decode() == page.replace(
        "Hello", "HELLO"
    ).replace("dog", "DOG")


def test_a_table_may_say_its_separator_first():
    page = "sep=;\r\nid;text\r\n1;dog\r\n"
    assert translated(read_table(page.encode(), "a.csv", ("text",))).decode() == page.replace(
        "dog", "DOG"
    )
