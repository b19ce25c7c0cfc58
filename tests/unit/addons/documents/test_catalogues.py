"""gettext's catalogues: messages without a translation get one, and all else stays."""

import polib

from tests.unit.addons.documents.translating import (
    HEADER,
    louder,
    made,
    sources,
    translated,
    translator_with,
    without_markup,
)
from translator.addons.documents.catalogue import read_catalogue
from translator.addons.documents.files import translate_document
from translator.translation.options import TranslationOptions
from translator.translation.results import Doubt

CATALOGUE = (
    f'# by hand\n{HEADER}\n#. a comment\n#:  a.py:1   b.py:2\n#, python-format\nmsgid ""\n"a %s "\n'
    '"dog"\nmsgstr ""\n\n#~ msgid "old"\n#~ msgstr "alt"\n\n#, fuzzy\n#| msgid "cats"\n'
    'msgid "cat"\nmsgstr "Katzen"\n\nmsgctxt "c"\nmsgid "\\none\\n"\nmsgstr ""\n'
    'msgid "bell \\a"\nmsgstr ""\n'
)


def messages(page: str, change=louder) -> list[str]:
    return [entry.msgstr for entry in polib.pofile(made(read_catalogue, page, change))]


def message(text: str, header: str = HEADER) -> str:
    return f'{header}\nmsgid "{text}"\nmsgstr ""\n'


def test_all_but_new_translations_stays_and_doubtful_ones_are_fuzzy():
    assert made(read_catalogue, CATALOGUE) == CATALOGUE.replace(
        '"dog"\nmsgstr ""', '"dog"\nmsgstr "A %s DOG"'
    ).replace('one\\n"\nmsgstr ""', 'one\\n"\nmsgstr ""\n"\\n"\n"ONE\\n"')
    doubts = (Doubt("confidence", "low"),)
    doubtful = translated(read_catalogue(CATALOGUE.encode(), "a"), doubts=doubts).decode()
    fuzzy = [entry.msgid for entry in polib.pofile(doubtful) if entry.fuzzy]
    assert fuzzy == ["a %s dog", "cat", "\none\n"]
    assert messages(CATALOGUE, without_markup)[0] == "", "without %s"
    assert '"A\u2028"\n"B"' in made(read_catalogue, message("a\u2028b"))


def test_plural_forms_are_those_of_the_header():
    for rule, forms in (
        ("nplurals=1; plural=0;", "D"),
        ("nplurals=3; plural=(n==0 ? 2 : n==1 ? 1 : 0);", "DSD"),
        ("nplurals=2; plural=n>1;", "SD"),
        ("nplurals=INTEGER; plural=EXPRESSION;", "SD"),
        ("nplurals=2; plural=1/0;", "SD"),
    ):
        slots = "".join(f'msgstr[{i}] ""\n' for i in range(len(forms)))
        page = f'{HEADER}"Plural-Forms: {rule}\\n"\n\nmsgid "s"\nmsgid_plural "d"\n{slots}'
        [entry] = polib.pofile(made(read_catalogue, page))
        assert "".join(entry.msgstr_plural.values()) == forms, rule


def test_messages_stay_whose_percent_signs_or_escapes_are_not_understood():
    for source, change in (("50 percent", lambda _: "50 % der"), ("100% dog percent", louder)):
        page = message(source).replace("msgid", "#, c-format\nmsgid")
        assert messages(page, change) == [""], source
    page = message("Don\\'t go.")
    document = read_catalogue(page.encode(), "a.po")
    content, [(place, told)] = translate_document(translator_with(), document, TranslationOptions())
    assert (content.decode(), place) == (page, "line 6")
    assert [doubt.kind for doubt in told.doubts] == ["markup"]


def test_a_catalogue_says_its_encoding_and_may_name_its_language():
    for charset in ("ASCII", "CHARSET"):
        page = message("dog", HEADER.replace("UTF-8", charset))
        assert f"charset={charset}" in made(read_catalogue, page)
        page = f"# charset=ascii\n{page}# charset=ascii\n"
        changed = made(read_catalogue, page, lambda _: "Köter")
        assert "charset=UTF-8" in changed
        assert changed.count("charset=ascii") == 2
    page = message("Dog", HEADER.replace("UTF-8\\n", "UTF-8\\nLanguage: fr\\n"))
    assert sources(read_catalogue, page) == ["Dog"]
    assert read_catalogue(page.encode(), "a.po", ("en", "fr")).texts
