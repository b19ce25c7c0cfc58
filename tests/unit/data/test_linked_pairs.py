"""Words of a sentence pair are linked if each is the likeliest for the other."""

from tests.builders import article_pairs
from translator.corpora.pairs import SentencePairs
from translator.data.linked_pairs import Linker, Phrase
from translator.data.word_links import WordLinks

LINKS = WordLinks.of(SentencePairs.from_pairs(article_pairs()))


def test_words_are_linked_across_their_order():
    linked = Linker(LINKS).link("Well, the dog (knows) the cat.", "Kennt, der Hund, Katze.")
    assert linked.source.words == ["Well", "the", "dog", "knows", "the", "cat"]
    assert [linked.links[i] for i in (2, 3, 5)] == [2, 0, 3]
    assert linked.source.with_marks(2, 3, "<", ">") == "Well, the <dog (knows>) the cat."
    assert [linked.source.follows(i) for i in range(6)] == [False, False, True, False, False, True]
    assert linked.source.is_joined(1, 2)
    assert not linked.source.is_joined(2, 3)
    assert [linked.source.gap(i) for i in (0, 1, 3)] == ["", ", ", " ("]


def test_words_that_are_unknown_or_never_together_are_not_linked():
    linker = Linker(LINKS)
    for pair in (("igloo", "Iglu"), ("dog", "Iglu"), ("igloo", "Hund"), ("cat", "Hund"), ("", "x")):
        links = linker.link(*pair).links
        assert links == ([0] if pair == ("cat", "Hund") else [-1] * len(pair[0].split())), pair
    pairs = SentencePairs.from_pairs([("a b", "A B"), ("c", "C")])
    assert Linker(WordLinks.of(pairs)).link("a", "C").links == [-1]
    assert Linker(WordLinks.of(pairs)).link("b", "C").links == [-1]
    assert Linker(WordLinks.of(SentencePairs((), ()))).link("a", "A").links == [-1]


def test_weak_links_can_be_left_out():
    weak = Linker(LINKS, least=0.6).link("the dog knows", "der Hund kennt")
    assert weak.links == [-1, 1, 2]
    assert Linker(LINKS, least=1.1).link("dog", "Hund").links == [-1]


def test_phrases_hold_all_words_that_their_words_are_linked_with():
    linked = Linker(LINKS).link("dog knows cat", "Katze kennt Hund")._replace(links=[2, 1, 0])
    assert set(linked.phrases(3, 3)) == {
        Phrase(0, 0, 2, 2),
        Phrase(1, 1, 1, 1),
        Phrase(2, 2, 0, 0),
        Phrase(0, 1, 1, 2),
        Phrase(1, 2, 0, 1),
        Phrase(0, 2, 0, 2),
    }
    assert set(linked._replace(links=[2, -1, 0]).phrases(3, 3)) == {
        Phrase(0, 0, 2, 2),
        Phrase(2, 2, 0, 0),
        Phrase(0, 2, 0, 2),
    }
