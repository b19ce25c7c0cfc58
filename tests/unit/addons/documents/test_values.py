"""JSON, YAML and tables as people have them, and as a model may damage them."""

import itertools
import json

import yaml

from tests.unit.addons.documents.translating import check, louder, made, read_column, sources
from translator.addons.documents.table import read_table
from translator.addons.documents.values import read_json, read_yaml

LONG = "We have lived in this old house for twenty years now, and we"


def test_a_text_stays_if_its_translation_is_another_program():
    for source, translation in (
        ("a dog", ""), ("a dog", " \n"), ("%s dogs", "dogs"), ("%s dogs", "%s %s dogs"),
        ("dogs", "%d dogs"), ("%d of %s", "%s of %d"), ("{a} dogs", "{b} dogs"),
        ("<b>a</b> dog", "a dog"), ("<b>a</b> dog", "</b>a<b> dog"), ("a dog", "<b>dog</b>"),
        ("See <a href='x'>our page</a>", "Siehe unsere Seite<a href='x'> </a>"),
        ("See [our page](x)", "Siehe unsere Seite [](x)"), ("{{a}} dogs", "{{b}} dogs"),
        ("{n, plural, one {a dog} other {dogs}}", "{n, mehrzahl, eins {a dog} andere {dogs}}"),
    ):  # fmt: skip
        page = json.dumps({"text": source})
        assert made(read_json, page, lambda _, translation=translation: translation) == page
    for source, translation in (
        ("See %(a)s %(b)d", "sieh %(b)d %(a)s"), ("See %1$s {b}", "sieh {b} %1$s")
    ):  # fmt: skip
        new = made(read_json, json.dumps(source), lambda _, translation=translation: translation)
        assert new == json.dumps(translation), "they have names or numbers"


def test_what_is_for_programs_is_no_text():
    for page, texts in (
        *((f"{key}: {text}\n", []) for key, text in (
            ("theme", "dark"), ("on", "[push, pull_request]"), ("run", "make test"),
            ("run", "|\n  # Install it\n  pip install .\n"), ("label", "positive"),
            ("type", "Button"), ("enum", "[Small, Very big]"), ("name", "start date"),
            *(("a", name) for name in (
                "getForecast", "GET", "text/html", "Europe/Berlin", "MMMM D, YYYY", "^(Mr|Ms)$",
                r"Mr \d")))),
        *((f"{key}: {text}\n", [text]) for key, text in (
            ("a", "Save"), ("a", "Check-In"), ("a", "Loading&hellip;"), ("a", "a dog sleeps."),
            ("a", "via Email"), ("label", "first name"), ("pageTitle", "dog"), ("item_one", "dog"),
            ("status", "Status"), ("status", "The dog is here."))),
    ):  # fmt: skip
        file = read_yaml(page.encode(), "a.yaml")
        assert ([text.source for text in file.texts], file.skipped > 0) == (texts, not texts)
    page = '{"type": "dog", "a": [{"title": "one"}, "two", ["Three"]], "enum": ["Four"], "@a": "B"}'
    assert sources(read_json, page) == ["one", "Three"]
    for name in ("a.arb", "locales/en-US.json", "/de/en/a.json"):
        document = read_json(page.replace("Four", "d. MMM").encode(), name, ("en", "de"))
        assert [text.source for text in document.texts] == ["dog", "one", "two", "Three"]


def test_forms_of_a_plural_columns_and_labels_are_texts_of_their_own():
    check(read_json, [
        (f'{{"text": "{message}"}}', texts,
         f'{{"text": "{louder(message)}"}}'.replace("\\N", "\\n"))
        for message, texts in (
            ("%{n} car |||| %{n} cars", ["%{n} car", "%{n} cars"]),
            ("{0} No dogs|[1,*] Some dogs", ["No dogs", "Some dogs"]),
            ("  -h, --help      Show help\\n", ["-h, --help", "Show help"]),
            ("{0} dogs", ["{0} dogs"]),
            ("[2] dogs", ["[2] dogs"]),
            ("The dogs\\nthe cats", ["The dogs", "the cats"]), ("A:\\nb c d.", ["A:", "b c d."]),
        )
    ])  # fmt: skip
    for label, shown, expected in (  # the sign before a letter is not shown and begins the label
        ("&Open", "Open", "&OPEN"), ("E&xit", "Exit", "&EXIT"),
        ("Save &as...", "Save as...", "&SAVE AS..."), ("&amp; dog", "&amp; dog", "&amp; DOG"),
        *((label, label, label.upper())
          for label in ("_Print", "Q&A and R&D", "Dogs & cats", "see a.b?c&d")),
    ):  # fmt: skip
        check(read_json, [(f'{{"text": "{label}"}}', [shown], f'{{"text": "{expected}"}}')])


def test_json_keeps_numbers_spaces_escapes_and_what_is_about_the_file():
    value = {"a": ["The dog", {"b": 'It: "no"\n- \\ # é 🎉', "c": [], "d": {}}, 1.5, None, True]}
    loud = {"a": ["THE DOG", {"b": 'IT: "NO"\n- \\ # É 🎉', "c": [], "d": {}}, 1.5, None, True]}
    for indent, is_ascii in itertools.product((None, 1, 4, "\t"), (True, False)):
        old, new = (
            json.dumps(each, indent=indent, ensure_ascii=is_ascii) for each in (value, loud)
        )
        assert made(read_json, old) == new
    text = (
        f'{{"a": {"9" * 5000}, "b": [1.0, 1e5], "text": " name: ", "c": "Two\\tdogs", '
        '"text": "\\u003cb\\u003ex y\\u003c\\/b\\u003e", "@d": {"type": "text"}, "@@locale": "en"}'
    )
    assert made(read_json, text) == (
        text.replace("name", "NAME")
        .replace("Two\\tdogs", "TWO\\tDOGS")
        .replace("\\u003cb\\u003ex y\\u003c\\/b\\u003e", "<b>X Y</b>")
    )
    for old, new in (
        ('{"a": "One"}\n\n{"a": "Two", "b": 3}\n', '{"a": "ONE"}\n\n{"a": "TWO", "b": 3}\n'),
        ('{"a": "One\u2028two é"}\r\n{"a": "\\ud800 Dog é\\n"}\n',
         '{"a": "ONE\u2028TWO É"}\r\n{"a": "\\ud800 DOG \\u00c9\\n"}\n'),
    ):  # fmt: skip
        assert made(read_json, old) == new


def test_a_sentence_over_lines_of_a_value_is_divided_again():
    value = '{"a": " The door of the house that\\n  is near.\\n"}'
    assert made(read_json, value, lambda _: "DIE TOR, die dort IST.") == (
        '{"a": " DIE TOR, die dort\\n  IST.\\n"}'
    )
    assert made(read_json, value, lambda _: "Nah.") == value


def test_yaml_keeps_anchors_tags_quotes_keys_and_comments():
    block = f"  {LONG}\n  like it.\n"
    lines = "  The dog\n  is old.\n\n  It sleeps\n  here.\n"
    check(read_yaml, [
        ("# one\na: Two  # three\nb: [Four, 'Five', 6]\nc: yes\n", ["Two", "Four", "Five"],
         "# one\na: TWO  # three\nb: [FOUR, 'FIVE', 6]\nc: yes\n"),
        ("a: &x Dog\nb: *x\nc: !!str 'It''s a dog'\nd: &y !!str \"Dog\"\ne: 1e5\nf: &k Dog\n"
         "? *k\n: Cat\n? [Dog, {x: Dog}]\n: Cat\ng: !Ref Dog\n",
         ["Dog", "It's a dog", "Dog", "Cat", "Cat"],
         "a: &x DOG\nb: *x\nc: !!str 'IT''S A DOG'\nd: &y !!str \"DOG\"\ne: 1e5\nf: &k Dog\n"
         "? *k\n: CAT\n? [Dog, {x: Dog}]\n: CAT\ng: !Ref Dog\n"),
        (f"a: |\n{block}\n  - Dog # 1\nb: >-\n{block}# end\nc: Dog\n",
         [f"{LONG} like it.", "Dog # 1", f"{LONG} like it.", "Dog"]),
        (f"a: >-\n{lines}", ["The dog is old.", "It sleeps here."], f"a: >-\n{lines.upper()}"),
        (f"a: |\n{lines}", ["The dog", "is old.", "It sleeps", "here."]),
        ("a: >\n  The dog\n    is old\n  here\n", ["The dog", "is old", "here"]),
    ])  # fmt: skip
    assert made(read_yaml, "--- |\n Dog\n", lambda _: "---") == "--- |\n ---\n"
    value = {"a": ["The dog", {"b": 'It: "no"\n- \\ # é 🎉 yes: x', "c": [None, 1.5]}]}
    new = made(read_yaml, yaml.safe_dump(value, allow_unicode=True, width=10_000))
    assert yaml.safe_load(new) == {
        "a": ["THE DOG", {"b": 'IT: "NO"\n- \\ # É 🎉 YES: X', "c": [None, 1.5]}]
    }
    laughs = "a: &a [Dog]\n" + "".join(f"{i}: &{i} [*{i - 1}, *{i - 1}]\n" for i in range(1, 99))
    assert "[DOG]" in made(read_yaml, laughs.replace("*0", "*a")), "it is not expanded"


def test_tables_keep_all_but_the_cells_of_chosen_columns():
    for old, new in (
        *((f'id{mark}text\n1{mark}"a ""b"", c;\td"\n2{mark}"two\nlines"\n',
           f'id{mark}text\n1{mark}"A ""B"", C;\tD"\n2{mark}"TWO\nLINES"\n') for mark in ",;\t"),
        ('"id","text"\r\n"1","a ""b"""\n2, dog\n3\n\n4,5" pipe,x\r\n5,"two\nlines"',
         '"id","text"\r\n"1","A ""B"""\n2, DOG\n3\n\n4,5" PIPE,x\r\n5,"TWO\nLINES"'),
        ("id,text\n1,a\0dog\n", "id,text\n1,A\0DOG\n"),
        ("sep=;\r\nid;text\r\n1;dog\r\n", "sep=;\r\nid;text\r\n1;DOG\r\n"),
        ("text\nWell, a dog\nA cat, too, sleeps\n", "text\nWELL, A DOG\nA CAT, TOO, SLEEPS\n"),
        ('"id";"text"\n"1";"Well, a dog"\n"2"\n', '"id";"text"\n"1";"WELL, A DOG"\n"2"\n'),
    ):  # fmt: skip
        assert made(read_column, old) == new
    assert made(read_column, "id,text\n1,dog\n", lambda _: '"a", b') == 'id,text\n1,"""a"", b"\n'
    for rows in (
        "1\tWell, a dog\n2\tA cat, too\n", '1\t"Yes," he said.\n2\tHe said: "No\n3\t"a" and "b"\n',
        '1\t"Well,\ta dog"\n2\tA cat, too\n',
    ):  # fmt: skip
        new = made(lambda content, _: read_column(content, "a.tsv"), f"id\ttext\n{rows}")
        assert new == f"id\ttext\n{rows.upper()}"
    texts = read_table(b"id,text\n1,dog\n", "a.csv", ("2",)).texts
    assert [text.source for text in texts] == ["text", "dog"], "the first row has no names"
    assert sources(read_table, "text\ndog\n") == ["text", "dog"]
