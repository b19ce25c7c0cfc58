"""In German both names and nouns have capitals; what is around a word tells which it is."""

import pytest

from translator.base.errors import InputError
from translator.corpora import SentencePairs
from translator.text.punctuation import plain_word
from translator.text.restoration import Restoration
from translator.text.spans.name_contexts import NameContexts, is_known_noun
from translator.text.spans.showing import show_spans
from translator.text.spans.unseen_names import KnownNames, NameKind
from translator.text.writing import show_prefix
from translator.tokenizers.subword import Tokenizers

NAMES = ("Tom", "Anna", "Boston", "Daniel", "Helena")
NOUNS = {
    "Hund": "dog", "Stuhl": "chair", "Brief": "letter", "Baum": "tree", "Wagen": "car",
    "Zug": "train",
}  # fmt: skip
PATTERNS = (
    ("Ich kenne {name}.", "I know {name}."),
    ("{name} kommt heute.", "{name} comes today."),
    ("Wir fahren nach {name} und bleiben.", "We go to {name} and stay."),
    ("Er sieht den {noun}.", "He sees the {english}."),
    ("Ein {noun} ist da, sagt {name}.", "A {english} is here, says {name}."),
    ("{noun} und {noun} nach {noun}", "{english} and {english} after {english}"),
)
PAIRS = [
    tuple(side.format(name=NAMES[i % len(NAMES)], noun=noun, english=english) for side in pattern)
    for i, (noun, english) in enumerate(NOUNS.items())
    for pattern in PATTERNS
]
SOURCES, TARGETS = zip(*PAIRS)
CONTEXTS = NameContexts.learn(SOURCES, TARGETS)
KNOWN = KnownNames(
    frozenset(plain_word(word) for source in SOURCES for word in source.split()),
    "Tom",
    contexts=CONTEXTS,
)


def test_a_new_name_is_told_from_a_new_noun():
    for sentence, shown in [
        ("Ich kenne Keanu.", "Ich kenne Tom."),
        ("Keanu kommt heute.", "Tom kommt heute."),
        ("Wir fahren nach Hvar und bleiben.", "Wir fahren nach Tom und bleiben."),
        ("Er sieht den Xylo.", "Er sieht den Xylo."),
        ("Ein Xylo ist da, sagt Keanu.", "Ein Xylo ist da, sagt Tom."),
        ("Ich kenne Briefhund.", "Ich kenne Briefhund."),
        ("Ich kenne Hunde.", "Ich kenne Hunde."),
        ("Er sieht Keanus Wagen.", "Er sieht Toms Wagen."),
        ("Ich kenne Keanu Reeves.", "Ich kenne Tom."),
        ("Heute sieht Keanu Hund und Zug.", "Heute sieht Tom Hund und Zug."),
    ]:
        assert show_spans(sentence, [NameKind(KNOWN, ("de", "fr"))]).text == shown


def test_contexts_of_the_source_language_tell_nothing_about_a_prefix():
    kinds = [NameKind(KNOWN, ("de", "fr"))]
    assert show_spans("Er sieht den Keanu", kinds).text == "Er sieht den Keanu"
    prefix = show_prefix("Er sieht den Keanu", ["Ich kenne Keanu."], kinds)
    assert [word.text for word in prefix] == ["Er", "sieht", "den", "Tom"]


def test_a_context_counts_by_its_different_words():
    often = [("Das heißt Tom.", "That is called Tom.")] * 50
    contexts = NameContexts.learn(*zip(*PAIRS, *often))
    assert contexts.before["heißt"] < contexts.before["kenne"] + 1
    assert "sieht" not in contexts.before  # no word with a capital follows it
    assert "." not in contexts.before  # it ends sentences, and is not before their first words


def test_without_names_or_nouns_nothing_is_known():
    assert NameContexts.learn([], []) == NameContexts({}, {}, {}, {})
    assert NameContexts.learn(["Er sieht den Hund."] * 9, ["He sees the dog."] * 9).before == {}


@pytest.mark.parametrize(
    ("word", "is_noun"),
    [("hunde", True), ("hundebaum", True), ("zugs", True), ("zugx", False), ("anhund", False)],
)
def test_compounds_and_forms_of_known_words_are_nouns(word, is_noun):
    assert is_known_noun(word, {"hund", "zug", "baum"}) == is_noun


@pytest.mark.parametrize("language", ["de", "en"])
def test_contexts_are_learnt_where_nouns_have_capitals(language):
    class Tokenizer:
        lowercases = False

    source = Tokenizer()
    source.language = language  # type: ignore[attr-defined]
    learnt = Restoration.of_corpus(SentencePairs(SOURCES, TARGETS), Tokenizers(source, Tokenizer()))
    assert learnt.names.contexts == (CONTEXTS if language == "de" else None)
    assert {"hund", "kommt"} <= learnt.names.words


def test_contexts_are_kept_with_the_run(tmp_path):
    path = tmp_path / "restoration.json"
    restoration = Restoration(None, None, KNOWN)
    restoration.save(path)
    assert Restoration.load(path) == restoration
    path.write_text(path.read_text("utf-8").replace('"before": {', '"before": {"x": "y", '))
    with pytest.raises(InputError, match=r"restoration\.json: expected what training writes"):
        Restoration.load(path)
