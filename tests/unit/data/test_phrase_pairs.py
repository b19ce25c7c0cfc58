"""Words and short phrases with their translations are found by counting."""

from tests.builders import VERBS, article_pairs
from translator.corpora.pairs import SentencePairs
from translator.data.phrase_pairs import find_phrase_pairs
from translator.data.word_links import WordLinks

ARTICLE_PAIRS = SentencePairs.from_pairs(article_pairs())


def phrases(pairs: SentencePairs, source_language: str = "en") -> dict[str, str]:
    """What is found in sentence pairs, by source."""
    return dict(zip(*find_phrase_pairs(pairs, WordLinks.of(pairs), source_language)))


def with_more(*more: tuple[str, str]) -> SentencePairs:
    """The sentence pairs and further ones."""
    return SentencePairs.from_pairs([*article_pairs(), *more])


def test_words_are_found_with_their_spelling():
    found = phrases(ARTICLE_PAIRS)
    assert {word: found[word] for word in ("dog", "cat", "book", *VERBS)} == {
        "dog": "Hund", "cat": "Katze", "book": "Buch", **VERBS
    }  # fmt: skip
    assert found.get("the") not in ("Hund", "Katze", "Haus", "Buch")


def test_phrases_are_found():
    found = phrases(ARTICLE_PAIRS)
    assert found["the dog"] == "der Hund"
    assert found["knows the cat"] == "kennt die Katze"
    assert found["dog knows"] == "Hund kennt"
    long = phrases(SentencePairs.from_pairs([("we see two old big dogs", "a b c d e f")] * 3))
    assert max(len(phrase.split()) for phrase in long) == 4


def test_a_phrase_holds_no_punctuation():
    words = [("we", "wir"), ("see", "sehen"), ("old", "alte"), ("big", "große"), ("dogs", "Hunde")]
    with_comma = phrases(
        with_more(*words, *[("we see old, big dogs", "wir sehen alte, große Hunde")] * 3)
    )
    assert with_comma["see old"] == "sehen alte"
    assert with_comma["big dogs"] == "große Hunde"
    assert "old big" not in with_comma


def test_a_phrase_whose_translation_is_mostly_that_of_another_is_left_out():
    words = [(word, word.upper()) for word in ("x", "red", "car", "auto")]
    usual, other = ("x red car", "X RED CAR"), ("x red auto", "X RED CAR")
    found = phrases(with_more(*words, *[usual] * 5, *[other] * 3))
    assert found["red car"] == "RED CAR"
    assert "red auto" not in found


def test_words_of_another_order_are_one_phrase_only_together():
    words = [("eat", "essen"), ("old", "altes"), ("bread", "Brot"), ("now", "nun")]
    pairs = with_more(*words, *[("we eat old bread now", "wir essen Brot altes nun")] * 3)
    found = phrases(pairs)
    assert found["old bread"] == "Brot altes"
    assert found["eat old bread now"] == "essen Brot altes nun"
    assert "bread now" not in found
    assert "eat old" not in found


def test_rare_phrases_are_left_out():
    words = [("see", "sieh"), ("rare", "seltener")]
    pair = ("see rare igloo", "sieh seltener Iglu")
    once, twice, thrice = (phrases(with_more(*words, *[pair] * times)) for times in (1, 2, 3))
    assert "igloo" not in once
    assert twice["igloo"] == "Iglu"
    assert "rare igloo" not in twice
    assert thrice["rare igloo"] == "seltener Iglu"


def test_a_translation_among_many_is_left_out():
    german = ("Axt", "Beil", "Hacke", "Haue")
    known = [("an", "eine"), ("old", "alte")] * 4
    pairs = [("an old axe", f"eine alte {word}") for word in german]
    assert "axe" not in phrases(with_more(*known, *pairs * 2))
    assert phrases(with_more(*known, *pairs[:3] * 2))["axe"] in german


def test_the_first_word_is_spelt_as_within_sentences():
    firsts = [("Anna", "Anna"), ("Emma", "Emma"), ("Ida", "Ida")]
    pairs = [(f"{s} {source}", f"{t} {target}") for s, t in firsts for source, target in firsts]
    assert phrases(SentencePairs.from_pairs(pairs)).items() >= dict(firsts).items()
    pairs = [(f"{s} {i}", f"{t} {i}") for s, t in firsts for i in range(4)]
    assert not phrases(SentencePairs.from_pairs(pairs)).keys() & dict(firsts).keys()
    beginning = with_more(*[("The dog sleeps.", "Der Hund schläft.")] * 3)
    assert phrases(beginning)["the dog sleeps"] == "der Hund schläft"


def test_halves_of_contractions_and_phrases_like_sentences_are_left_out():
    words = [("happy", "froh"), ("I", "ich"), ("are", "sind"), ("Bonn", "Bonn"), ("like", "mag")]
    sentences = [("now we're happy", "jetzt sind froh"), ("now I like Bonn", "jetzt ich mag Bonn")]
    pairs = with_more(*words * 3, *sentences * 3)
    found = phrases(pairs)
    assert found["happy"] == "froh"
    assert found["like Bonn"] == "mag Bonn"
    assert found["Bonn"] == "Bonn"
    assert not any("'" in phrase for phrase in found)
    assert not any(phrase.startswith("I ") for phrase in found)
    back = phrases(SentencePairs(pairs.targets, pairs.sources), "de")
    assert back["Hund"] == "dog"
