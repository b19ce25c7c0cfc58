"""Translations of a line's parts become the line's."""

import itertools
import time

import pytest

from translator.text.sentences import LinePart
from translator.translation.results import Hypothesis, join, join_samples, with_asides


def test_the_best_of_each_part_is_the_best_of_the_line():
    """Also where a worse one is longer, so that the line's mean a token were better with it."""
    first = [Hypothesis("A1", (1, 2), -1.0, -0.5), Hypothesis("A2", (1, 2, 3), -1.8, -0.6)]
    second = [Hypothesis("B1", (4, 5), -10.0, -5.0), Hypothesis("B2", (4,), -11.0, -11.0)]
    parts = [LinePart("a.", " "), LinePart("b.", "")]
    for n_best in (1, 2, 3, 4):
        joined = join(parts, [first[:n_best], second[:n_best]], n_best, True)
        texts = ["A1 B1", "A2 B1", "A1 B2", "A2 B2"]
        assert [hypothesis.text for hypothesis in joined] == texts[:n_best]
    assert joined[0] == Hypothesis("A1 B1", (1, 2, 4, 5), -11.0, -5.5)


def test_samples_are_joined_in_the_order_in_which_they_were_drawn():
    first = [Hypothesis("A1", (1,), -5.0, -5.0), Hypothesis("A2", (2,), -1.0, -1.0)]
    passed_on = [Hypothesis("★", (), 0.0, 0.0)]
    second = [Hypothesis("B", (3,), -2.0, -1.0), Hypothesis("B", (3,), -2.0, -1.0)]
    parts = [LinePart("a.", " "), LinePart("★", " "), LinePart("b.", "")]
    joined = join_samples(parts, [first, passed_on, second], 2, True)
    assert joined == [
        Hypothesis("A1 ★ B", (1, 3), -7.0, -6.0), Hypothesis("A2 ★ B", (2, 3), -3.0, -2.0)
    ]  # fmt: skip
    assert join_samples([], [], 2, True) == []


def test_combinations_are_those_that_trying_all_finds_and_equal_texts_are_one():
    """Without spaces between words, ab and c give the same line as a and bc."""
    parts = [LinePart("x。", ""), LinePart("y。", "")]
    first = [Hypothesis("ab", (1,), -1.0, -1.0), Hypothesis("a", (2,), -2.0, -2.0)]
    second = [Hypothesis("c", (3,), -1.0, -1.0), Hypothesis("bc", (4,), -2.5, -2.5)]
    joined = join(parts, [first, second], 4, spaces=False)
    assert [(h.text, h.score) for h in joined] == [("abc", -2.0), ("ac", -3.0), ("abbc", -3.5)]
    parts = [LinePart("x.", " ")] * 4
    hypotheses = [
        [Hypothesis(f"{i}{j}", (i,), 0.0, -((7 * i + 3 * j * j) % 11) / 3 - j) for j in range(3)]
        for i in range(4)
    ]
    first, *others = (sum(h.score for h in c) for c in itertools.product(*hypotheses))
    joined = join(parts, hypotheses, 3, True)
    expected = [first, *sorted(others, reverse=True)[:2]]  # the first of each part come first
    assert [h.score for h in joined] == pytest.approx(expected)


def test_spaces_stand_where_the_line_and_the_language_have_them():
    def text(parts: list[tuple[str, str]], spaces: bool) -> str:
        hypotheses = [[Hypothesis(name, (), 0.0, 0.0)] for name, _ in zip("ABCD", parts)]
        return join([LinePart(*part) for part in parts], hypotheses, 1, spaces)[0].text

    assert text([("a.", "  "), ("b.", "\n"), ("c.", "")], True) == "A  B C"
    assert text([("a.", " "), ("b.", "")], False) == "AB"
    assert text([("他来了，", ""), ("他走了。", ""), ("他", "")], True) == "A B C"
    assert text([("abc", ""), ("def", "")], True) == "AB"
    assert text([("a.", ""), ("b!”", ""), ("c", "")], True) == "ABC"
    assert text([("a", "\t"), ("b.", " \t\t"), ("c", "")], True) == "A\tB \t\tC"
    assert text([("a", " \t"), ("b.", " "), ("c", "")], False) == "A\tBC"
    assert join([], [], 1, True) == []


def test_a_line_of_many_sentences_is_joined_quickly():
    began = time.perf_counter()
    words = [f"word{i} " * 10 for i in range(10)]
    hypotheses = [[Hypothesis(text, (1,) * 20, -1.0, -1.0) for text in words]] * 2000
    assert len(join([LinePart("a.", " ")] * 2000, hypotheses, 10, True)) == 10
    assert time.perf_counter() - began < 5


def test_asides_stand_in_the_sentence_that_they_were_taken_from():
    asides = [LinePart("(b b)", "", False, True), LinePart("(d d)", "", False, True)]
    parts = [LinePart("a (b b) c (d d).", " "), *asides, LinePart("e.", "")]
    texts = [["A (d d) C (b b).", "A (b b)."], ["(B)", "(X)"], ["(D)"], ["E."]]
    hypotheses = [
        [Hypothesis(text, (1,), 0.0, -float(i + (text[0] == "A"))) for i, text in enumerate(each)]
        for each in texts
    ]
    joined = join(parts, hypotheses, 3, True)
    assert [each.text for each in joined] == ["A (D) C (B). E.", "A (D) C (X). E.", "A (B). E."]
    filled = [[each.text for each in of_part] for of_part in with_asides(parts, hypotheses)]
    assert filled == [["A (D) C (B).", "A (B)."], ["(B)", "(X)"], ["(D)"], ["E."]]
