"""How many training pairs have each tag."""

from types import SimpleNamespace

import numpy as np

from tests.letters import TaggedLetters
from translator.data.encoded_pairs import EncodedPairs, TokenArray
from translator.data.preparation import TrainingData

BT, NEWS = 1000, 1001


def count(sentences: list[list[int]], tokenizer) -> dict[str, int]:
    lengths = np.array([len(each) for each in sentences])
    side = TokenArray.of(np.concatenate(sentences), lengths)
    others = [None] * (len(TrainingData._fields) - 3)
    pairs = EncodedPairs(side, side)
    return TrainingData("", SimpleNamespace(source=tokenizer), pairs, *others).count_tags()


def test_tags_at_the_beginning_are_counted_and_so_are_pairs_without():
    sentences = [[0, BT, 97, 1], [0, 97, BT, 1], [0, NEWS, BT, 97, 1], [0, 97, 1], [0, BT, 98, 1]]
    assert count(sentences, TaggedLetters()) == {"": 2, "bt": 3, "news": 1}


def test_a_tag_alone_does_not_reach_into_the_next_sentence():
    tokenizer = TaggedLetters()
    tokenizer.has_start = False
    assert count([[BT], [NEWS, 97, 1]], tokenizer) == {"": 0, "bt": 1, "news": 1}


def test_a_model_without_tags_counts_none():
    tokenizer = TaggedLetters()
    tokenizer.tags = ()
    assert count([[0, 97, 1]], tokenizer) == {}
