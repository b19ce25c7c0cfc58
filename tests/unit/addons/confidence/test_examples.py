"""Sentences with invented words, which the confidence of a run is fitted on too."""

from tests.builders import table_of
from translator.addons.confidence.examples import with_invented_words
from translator.addons.confidence.source_words import SourceWords

WORDS = table_of(["the", "sees", "horse", "badger", "kitchen", "window"])
KNOWN = SourceWords(WORDS, {})
PAIRS = [(f"Anna sees the {word}, in 2013.", [f"{word} 1"]) for word in sorted(WORDS)]


def test_some_words_are_replaced_by_words_that_training_never_saw():
    made = with_invented_words(PAIRS, KNOWN)
    assert with_invented_words(PAIRS, KNOWN) == made
    few = SourceWords(table_of(["the"]), {})
    assert with_invented_words(PAIRS, None) == with_invented_words(PAIRS, few) == []
    assert [references for _, references in made] == [references for _, references in PAIRS]
    for (sentence, _), (before, _) in zip(made, PAIRS):
        new, old = sentence.split(), before.split()
        changed = [i for i, (one, other) in enumerate(zip(new, old)) if one != other]
        assert len(new) == len(old)
        assert set(changed) <= {1, 2, 3}  # no name, no number, and nothing short
        assert len(changed) == len(KNOWN.unseen(new)) - len(KNOWN.unseen(old)) > 0
        assert new[3].endswith(",")


def test_nouns_keep_their_capital_where_every_noun_has_one():
    german = SourceWords(WORDS, {}, capitalizes_nouns=True)
    made = [sentence.split()[0] for sentence, _ in with_invented_words([("Horse", [])] * 5, german)]
    assert all(word.istitle() and word != "Horse" for word in made)
    assert with_invented_words([("Horse", [])], KNOWN) == []
