"""Terms are found in texts, with the forms that may stand for them."""

import pytest

from tests.letters import Letters, reader_of
from translator.base.errors import InputError
from translator.text.glossary import Glossary, read_glossary

TERMS = (
    ("office", "das Büro|dem Büro|des Büros"),
    ("head office", "Hauptsitz"),
    ("Acme Save", ""),
    ("front  door", "Haustür"),
)


def found(text: str) -> list[tuple[str, tuple[str, ...], bool]]:
    glossary = Glossary(TERMS, ("en", "de"))
    return [(text[t.start : t.end], t.forms, t.has_article) for t in glossary.find(text)]


def test_terms_are_whole_words_the_longest_first_and_articles_belong_to_their_forms():
    articles, bare = ("das Büro", "dem Büro", "des Büros"), ("Büro", "Büros")
    for text, terms in [
        ("in the office", [("the office", articles, True)]),
        ("The office", [("The office", articles, True)]),
        ("an office, my office", [("office", bare, False), ("office", bare, False)]),
        ("Office", [("Office", bare, False)]),
        ("offices officer OFFICE office-chair home-office", []),
        ("the head office", [("head office", ("Hauptsitz",), False)]),
        ("the front\u00a0door", [("front\u00a0door", ("Haustür",), False)]),
        ("acme save and Acme Save", [("Acme Save", ("Acme Save",), False)]),
    ]:
        assert found(text) == terms, text
    assert not Glossary()
    assert list(Glossary().find("office")) == []
    for term, form, text, written in [
        ("head of department", "Leiter der Abteilung", "a head of department", None),
        ("brother", "Bruder Klaus", "brother", None),
        ("The Hague", "Den Haag", "The Hague", None),
        ("city", "die Stadt", "a city", "Stadt"),
        ("µm", "Mikrometer", "5 Μm µm", None),
        ("customer’s account", "Kundenkonto", "a customer's account", None),
    ]:
        [only] = Glossary([(term, form)], ("en", "de")).find(text)
        assert only.forms == (written or form,)


def test_a_model_without_masks_has_no_terms():
    with pytest.raises(InputError, match="^glossary: expected a model with placeholders, found"):
        reader_of(Letters(), glossary=TERMS)


def test_a_file_of_terms_has_one_on_each_line(tmp_path):
    path = tmp_path / "terms.tsv"
    path.write_text("office\tdas Büro|dem Büro\n\nAcme Save\nfront door\tHaustür\n", "utf-8")
    assert read_glossary(path) == [
        ("office", "das Büro|dem Büro"), ("Acme Save", ""), ("front door", "Haustür")
    ]  # fmt: skip
    for line, problem in [
        ("a\tb\na\tc", "line 2: expected each term once, found 'a' again"),
        ("\tb", "line 1: expected a term, found none"),
        ("a\tb\tc", "line 1: expected source, tab and target, found 3 columns"),
    ]:
        path.write_text(line, "utf-8")
        with pytest.raises(InputError, match=problem):
            read_glossary(path)
    for terms, problem in [
        ([("a", "b"), ("a", "c")], "glossary: expected each term once"),
        ([(" ", "b")], "glossary: expected a term, found none"),
    ]:
        with pytest.raises(InputError, match=problem):
            Glossary(terms)
