"""Words and short phrases with their translations are found by counting."""

from translator.corpora import SentencePairs
from translator.data.phrase_pairs import find_phrase_pairs
from translator.data.word_links import WordLinks

ARTICLES = {
    "dog": "der Hund", "man": "der Mann", "cat": "die Katze", "town": "die Stadt",
    "house": "das Haus", "book": "das Buch",
}  # fmt: skip
VERBS = {"sees": "sieht", "knows": "kennt", "loves": "liebt"}


def sentences() -> SentencePairs:
    """Every sentence of two nouns and a verb."""
    return SentencePairs.from_pairs(
        (f"Well, the {s} {v} the {o}.", f"Tja, {ARTICLES[s]} {VERBS[v]} {ARTICLES[o]}.")
        for s in ARTICLES
        for v in VERBS
        for o in ARTICLES
    )


def phrases(pairs: SentencePairs) -> dict[str, str]:
    """What is found in sentence pairs, by source."""
    return dict(zip(*find_phrase_pairs(pairs, WordLinks.of(pairs))))


def with_more(*more: tuple[str, str]) -> SentencePairs:
    """The sentence pairs and further ones."""
    return SentencePairs.from_pairs([*zip(*sentences()), *more])


def test_words_are_found_with_their_spelling():
    found = phrases(sentences())
    assert {word: found[word] for word in ("dog", "cat", "book", *VERBS)} == {
        "dog": "Hund", "cat": "Katze", "book": "Buch", **VERBS
    }  # fmt: skip
    assert found.get("the") not in ("Hund", "Katze", "Haus", "Buch")


def test_phrases_are_found():
    found = phrases(sentences())
    assert found["the dog"] == "der Hund"
    assert found["knows the cat"] == "kennt die Katze"
    assert found["dog knows"] == "Hund kennt"
    long = phrases(SentencePairs.from_pairs([("we see two old big dogs", "a b c d e f")] * 3))
    assert max(len(phrase.split()) for phrase in long) == 4


def test_a_phrase_holds_no_punctuation():
    assert not any("," in text or "." in text for text in [*phrases(sentences())])
    assert "Well the" not in phrases(sentences())


def test_words_of_another_order_are_one_phrase_only_together():
    words = [("eat", "essen"), ("old", "altes"), ("bread", "Brot"), ("now", "nun")]
    pairs = with_more(*words, *[("we eat old bread now", "wir essen Brot altes nun")] * 3)
    found = phrases(pairs)
    assert found["old bread"] == "Brot altes"
    assert found["eat old bread now"] == "essen Brot altes nun"
    assert "bread now" not in found
    assert "eat old" not in found


def test_rare_phrases_are_left_out():
    twice = phrases(with_more(*[("see a rare igloo", "sieh seltener Iglu")] * 2))
    assert twice["igloo"] == "Iglu"
    assert "rare igloo" not in twice
    assert "igloo" not in phrases(with_more(("see a rare igloo", "sieh seltener Iglu")))


def test_a_translation_among_many_is_left_out():
    words = ("Axt", "Beil", "Hacke", "Haue")
    pairs = with_more(*[(f"an axe {i}", f"ein {word} {i}") for i, word in enumerate(words * 2)])
    assert "axe" not in phrases(pairs)
    assert phrases(with_more(*[("an axe", "eine Axt")] * 2))["axe"] == "Axt"


def test_the_first_word_is_spelt_as_within_sentences():
    firsts = [("Anna", "Anna"), ("Emma", "Emma"), ("Ida", "Ida")]
    pairs = [(f"{s} {source}", f"{t} {target}") for s, t in firsts for source, target in firsts]
    assert phrases(SentencePairs.from_pairs(pairs)).items() >= dict(firsts).items()
    pairs = [(f"{s} {i}", f"{t} {i}") for s, t in firsts for i in range(4)]
    assert not phrases(SentencePairs.from_pairs(pairs)).keys() & dict(firsts).keys()
    beginning = with_more(*[("The dog sleeps.", "Der Hund schläft.")] * 3)
    assert phrases(beginning)["the dog sleeps"] == "der Hund schläft"


def test_sentences_without_words_have_no_phrases():
    assert phrases(SentencePairs(("...", ""), ("", "?"))) == {}
    assert phrases(SentencePairs((), ())) == {}
