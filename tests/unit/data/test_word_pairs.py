"""Single words and their translations are found by counting."""

from translator.corpora import SentencePairs
from translator.data.word_links import WordLinks
from translator.data.word_pairs import find_word_pairs, make_lexicon

ARTICLES = {"dog": "der Hund", "cat": "die Katze", "house": "das Haus", "book": "das Buch"}
VERBS = {"sees": "sieht", "knows": "kennt", "loves": "liebt"}


def sentences() -> SentencePairs:
    """Every sentence of two nouns and a verb."""
    return SentencePairs.from_pairs(
        (f"Tom says the {s} {v} the {o}.", f"Tom sagt, {ARTICLES[s]} {VERBS[v]} {ARTICLES[o]}.")
        for s in ARTICLES
        for v in VERBS
        for o in ARTICLES
    )


def test_words_that_translate_each_other_are_found_with_their_spelling():
    found = dict(zip(*find_word_pairs(WordLinks.of(sentences()))))
    assert {word: found[word] for word in ("dog", "cat", "book", *VERBS)} == {
        "dog": "Hund", "cat": "Katze", "book": "Buch", **VERBS
    }  # fmt: skip
    assert found.get("the") not in ("Hund", "Katze", "Haus", "Buch")


def test_rare_words_are_left_out():
    rare = SentencePairs.from_pairs([("a rare igloo", "ein seltener Iglu")] * 2)
    pairs = SentencePairs.from_pairs([*zip(*sentences()), *zip(*rare)])
    assert "igloo" not in find_word_pairs(WordLinks.of(pairs)).sources


def test_words_seen_only_at_the_beginning_are_left_out():
    names = [("Anna", "Anna"), ("Emma", "Emma"), ("Ida", "Ida")]
    pairs = [(f"{s} {source}", f"{t} {target}") for s, t in names for source, target in names]
    found = find_word_pairs(WordLinks.of(SentencePairs.from_pairs(pairs)))
    assert sorted(zip(*found)) == sorted(names)
    firsts = [(f"{s} {i}", f"{t} {i}") for s, t in names for i in range(4)]
    found = find_word_pairs(WordLinks.of(SentencePairs.from_pairs(firsts)))
    assert not set(found.sources) & {"Anna", "Emma", "Ida"}


def test_sentences_without_words_have_no_word_pairs():
    assert len(find_word_pairs(WordLinks.of(SentencePairs(("...", ""), ("", "?"))))) == 0
    assert len(find_word_pairs(WordLinks.of(SentencePairs((), ())))) == 0


def test_a_lexicon_has_the_words_that_are_often_in_the_same_pairs():
    lexicon = make_lexicon(WordLinks.of(sentences()))
    best = {word: max(its, key=its.get) for word, its in lexicon.translations.items()}
    assert {verb: best[verb] for verb in VERBS} == VERBS
    assert {"der", "hund"} <= lexicon.translations["dog"].keys()
    assert all(0 < share <= 1 for its in lexicon.translations.values() for share in its.values())
    assert "katze" not in lexicon.translations["dog"]


def test_a_lexicon_leaves_out_words_that_are_together_once():
    once = [*zip(*sentences()), ("an igloo", "ein Iglu")]
    assert "igloo" not in make_lexicon(WordLinks.of(SentencePairs.from_pairs(once))).translations
    twice = [*once, ("an igloo", "ein Iglu")]
    lexicon = make_lexicon(WordLinks.of(SentencePairs.from_pairs(twice)))
    assert "iglu" in lexicon.translations["igloo"]


def test_no_words_make_an_empty_lexicon():
    assert make_lexicon(WordLinks.of(SentencePairs((), ()))).translations == {}
