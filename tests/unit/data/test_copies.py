"""Copies of pairs with marks."""

import itertools
import re

import pytest

from tests.builders import VERBS
from translator.corpora import SentencePairs
from translator.data.augmentation import Capitals, Kind, Material, make_copies
from translator.data.marked_pairs import KINDS, make_marked_copies
from translator.data.word_links import WordLinks
from translator.tokenizers.special_tokens import LEARNT_MARKS

NAMES = {"Tom": "Tom", "Anna": "Anna", "he": "er", "she": "sie"}
NOUNS = {"dogs": "Hunde", "cats": "Katzen", "books": "Bücher", "men": "Männer"}
PAIRS = SentencePairs.from_pairs(
    [
        (f"{word} {name} {verb} {nouns}.", f"{wort} {VERBS[verb]} {NAMES[name]} {NOUNS[nouns]}.")
        for (word, wort), name, verb, nouns in itertools.product(
            (("Now", "Nun"), ("Today", "Heute")), NAMES, VERBS, NOUNS
        )
    ]
    + [
        (f"{name.capitalize()} {verb} {nouns}.", f"{NAMES[name].capitalize()} {VERBS[verb]} {its}.")
        for name, verb, (nouns, its) in itertools.product(NAMES, VERBS, NOUNS.items())
    ]
    + [
        (f"Dogs {word} {nouns}?", f"Hunde {wort} {its}?")
        for (word, wort), (nouns, its) in itertools.product(
            (("and", "und"), ("or", "oder")), NOUNS.items()
        )
    ]
)
LANGUAGES = ("en", "de")
KNOWN = {kind.name: kind for kind in KINDS}
HE, ANNA = ("He sees dogs.", "Er sieht Hunde."), ("Anna loves cats.", "Anna liebt Katzen.")
SHE = ("She knows men.", "Sie kennt Männer.")
NOW = ("Now she knows men.", "Nun kennt sie Männer.")
ASK = ("Dogs and cats?", "Hunde und Katzen?")


def material(pairs: SentencePairs = PAIRS, languages: tuple[str, str] = LANGUAGES) -> Material:
    """What copies are made with."""
    return Material(pairs, WordLinks.of(pairs), languages)


@pytest.fixture(scope="module")
def english() -> Material:
    """What copies of the corpus above are made with."""
    return material()


def test_each_kind_makes_both_sides_alike(english):
    """One of the pairs that each must make; all have the words that they are made of."""
    rows = [
        ("phrase in quotation marks", [HE], '"He" sees dogs. = „Er“ sieht Hunde.'),
        ("phrase in quotation marks", [HE], 'He "sees dogs". = Er „sieht Hunde“.'),
        ("phrase in quotation marks", [NOW], 'Now she knows "men". = Nun kennt sie „Männer“.'),
        ("phrase in quotation marks", [HE], 'He sees "dogs". = Er sieht „Hunde“.'),
        (
            "aside between dashes",
            [ANNA, HE],
            "Anna – he sees dogs – loves cats. = Anna – er sieht Hunde – liebt Katzen.",
        ),
        ("phrase in brackets", [HE], "He sees (dogs). = Er sieht (Hunde)."),
        (
            "aside in brackets",
            [ANNA, HE],
            "Anna (he sees dogs) loves cats. = Anna (er sieht Hunde) liebt Katzen.",
        ),
        ("2 sentences", [HE, ASK], " = ".join(map(" ".join, zip(HE, ASK)))),
        (
            "colon",
            [HE, ANNA],
            "He sees dogs: Anna loves cats. = Er sieht Hunde: Anna liebt Katzen.",
        ),
    ]
    for name, pairs, expected in rows:
        made = {KNOWN[name].make(english, pairs) for _ in range(200)}
        assert tuple(expected.split(" = ")) in made, name
        for pair in made:
            words = [
                sorted(re.findall(r"[^\W\d]+", " ".join(side).lower())) for side in zip(*pairs)
            ]
            found = [sorted(re.findall(r"[^\W\d]+", side.lower())) for side in pair]
            assert words == found, pair
    assert {name for name, *_ in rows} == KNOWN.keys() - {
        "3 sentences", "4 sentences", "5 sentences"
    }  # fmt: skip


def test_what_a_kind_cannot_be_made_of_is_left_out(english):
    shout = ("He sees dogs!", "Er sieht Hunde.")
    two = ("He sees dogs. Anna loves cats.", "Er sieht Hunde. Anna liebt Katzen.")
    rows = [
        ("phrase in quotation marks", [("Igloo sleeps.", "Iglu schläft.")]),  # unknown words
        ("phrase in quotation marks", [("Dogs.", "Hunde.")]),  # a whole sentence
        ("phrase in quotation marks", [("Dogs-men zzz.", "Hunde-Männer zzz.")]),
        (
            "phrase in quotation marks",
            [('He sees "dogs".', "Er sieht „Hunde“.")],
        ),  # has marks already
        ("aside between dashes", [ANNA, two]),
        ("aside between dashes", [ANNA, ("Igloos melt.", "Iglus tauen.")]),  # a name or not?
        ("colon", [shout, HE]),
        ("aside between dashes", [HE, ANNA]),  # no noun before the last word
        ("2 sentences", [HE, ("Dogs", "Hunde")]),
        ("2 sentences", [("Do you see?", "Sehen Sie?"), ("Do you know?", "Kennst du sie?")]),
    ]
    for name, pairs in rows:
        assert {KNOWN[name].make(english, pairs) for _ in range(50)} == {None}, (name, pairs)


def test_words_whose_translation_is_elsewhere_are_no_phrase(english):
    """Of a verb with two parts one is not linked, so no mark may part it from the other."""
    pair = ("Now he sees zzz.", "Nun sieht yyy er.")
    made = {KNOWN["phrase in quotation marks"].make(english, [pair]) for _ in range(200)}
    assert {source.replace('"', "") for source, _ in made} == {pair[0]}
    assert not any('zzz"' in source or '"zzz' in source for source, _ in made)
    assert ('Now he "sees" zzz.', "Nun „sieht“ yyy er.") not in made
    part = ("He sees dogs'.", "Er sieht Hunde.")  # as in "I'm", of which a part may be linked
    made = {KNOWN["phrase in quotation marks"].make(english, [part]) for _ in range(200)}
    assert not any("dogs'\"" in source for source, _ in made)


def test_capitals_are_known_where_they_are_clear():
    inside = ["Nun sie ist da.", "Dann Sie sehen uns.", 'Er rief: "Hol es."', "Der Hund, Rot kam."]
    known = Capitals(inside * 9)
    rows = {
        "Sie ist da.": "sie ist da.",
        "Sie sehen uns.": "Sie sehen uns.",
        "Sie wissen.": None,
        "Hol es.": None,
        "Rot!": None,
        "Es.": "es.",
        "Hund?": "Hund?",
        "Igloo": None,
        "": None,
    }
    assert {text: known.within(text) for text in rows} == rows


def test_copies_are_of_a_share_and_always_the_same(english):
    copies = list(make_marked_copies(PAIRS, 0.5, english, ()))
    assert copies == list(make_marked_copies(PAIRS, 0.5, material(), ()))
    assert 0.3 * len(PAIRS) < len(copies) < 0.7 * len(PAIRS)
    assert not set(copies) & set(zip(*PAIRS))
    assert list(make_marked_copies(PAIRS, 0.0, english, ())) == []
    made = {mark for pair in make_marked_copies(PAIRS, 0.99, english, ()) for mark in "".join(pair)}
    assert made >= set(LEARNT_MARKS) - set("&+/;")


def test_tags_stay_first_and_only_pairs_with_the_same_are_joined():
    tagged = SentencePairs.from_pairs(
        (f"<{'a' if 'Anna' in source else 'b'}> {source}", target) for source, target in zip(*PAIRS)
    )
    copies = list(make_marked_copies(tagged, 0.9, material(), ("a", "b")))
    assert {source[:4] for source, _ in copies} == {"<a> ", "<b> "}
    assert not any("<" in source[1:] for source, _ in copies)
    assert all(source.startswith("<a>") == ("Anna" in source) for source, _ in copies)
    assert all(target.count("Anna") == source.count("Anna") for source, target in copies)


def test_a_kind_that_fits_takes_the_place_of_one_that_does_not(english):
    never = Kind("never", 1000, 1, lambda *_: None)
    copies = list(make_copies(PAIRS, 0.5, [never, KNOWN["colon"]], english))
    assert {name for name, _ in copies} == {"colon"}
    assert len(copies) > 0.3 * len(PAIRS)
