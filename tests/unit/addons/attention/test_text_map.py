"""Attention between words as lines of text."""

import numpy as np

from translator.addons.attention.text_map import strongest_words
from translator.text.word_alignment import PointingHeads
from translator.translation.records import AttentionRecord


def test_each_word_names_what_it_looked_at_most() -> None:
    source = ("<s>", "▁The", "▁do", "g", "▁barks", ".", "</s>")
    target = ("<s>", "▁Der", "▁Hund", "▁bellt", ".", "</s>")
    rows = [
        [0.0, 0.8, 0.1, 0.1, 0.0, 0.0, 0.0],
        [0.5, 0.1, 0.2, 0.2, 0.0, 0.0, 0.0],  # the start takes half, which does not count
        [0.0, 0.25, 0.0, 0.0, 0.7, 0.05, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        [0.2, 0.2, 0.2, 0.2, 0.2, 0.0, 0.0],
    ]
    cross = np.zeros((2, 2, 5, 7), "float32")
    cross[0], cross[1, 0] = 1 / 7, 1 / 7
    cross[1, 1] = rows
    record = AttentionRecord("", "", source, target, cross[:, :, :, :5], cross, cross)
    assert strongest_words(record, PointingHeads(1, (1,))) == [
        "Der    ██████▍  The 80%, dog 20%",
        "Hund   ██████▍  dog 80%, The 20%",
        "bellt  █████▋   barks 70%, The 25%",
        ".",
    ]


def test_the_mean_of_several_heads_is_shown() -> None:
    tokens = ("<s>", "▁a", "▁b", "</s>")
    cross = np.zeros((1, 2, 3, 4), "float32")
    cross[0, 0, :, 1] = cross[0, 1, :, 2] = 1
    record = AttentionRecord("", "", tokens, tokens, cross, cross, cross)
    rows = strongest_words(record, PointingHeads(0, (0, 1)))
    assert [set(row[-12:].split(", ")) for row in rows] == [{"a 50%", "b 50%"}] * 2
