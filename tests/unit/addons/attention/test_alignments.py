"""Word alignments: their format, their error rate, and how they are read from attention."""

import numpy as np
import pytest

from translator.addons.attention.alignment_errors import AlignmentCounter, LinkCounter
from translator.addons.attention.alignments import (
    AlignmentMethod,
    Links,
    WordAttention,
    check_links,
    format_links,
    most_attended,
    parse_links,
    word_attention,
)
from translator.base.errors import InputError
from translator.translation.records import AttentionRecord


def links(line: str) -> Links:
    return parse_links(line, "gold, line 1")


def error_rate_of(hypothesis, gold: Links) -> float:
    """The alignment error rate of one pair."""
    counter = LinkCounter()
    counter.add(hypothesis, gold)
    return counter.rate()


def test_links_are_read_and_written():
    found = links("10-2 0-0 1?2 2p1")
    assert found.sure == {(0, 0), (10, 2)}
    assert found.possible == {(0, 0), (10, 2), (1, 2), (2, 1)}
    assert format_links([(10, 0), (2, 1), (2, 0)]) == "2-0 2-1 10-0"
    assert links("") == Links(frozenset(), frozenset())
    assert format_links([]) == ""


def test_what_is_no_link_or_of_no_word_is_refused():
    for word in (
        "0",
        "0-",
        "a-b",
        "1--2",
        "1-2-3",
        "0:1",
        "-1-0",
        "١-٢",
        "0-0,",
        "9" * 5000 + "-0",
    ):
        with pytest.raises(InputError, match="gold, line 1: expected links such as 0-0 or 1"):
            links(f"0-0 {word}")
    check_links(links("1-2"), 2, 3, "gold, line 7")
    for line in ("2-0", "0?3"):
        with pytest.raises(InputError, match="gold, line 7: expected links of 2 source and 3"):
            check_links(links(line), 2, 3, "gold, line 7")


def test_error_rate_by_hand():
    gold = links("0-0 1-1 2?1 2?2")
    # 3 links, of which 1 sure and 2 possible; 2 sure ones: 1 - (1 + 2) / (3 + 2)
    assert error_rate_of({(0, 0), (2, 2), (3, 3)}, gold) == pytest.approx(0.4)
    assert error_rate_of(gold.sure, gold) == 0
    assert error_rate_of(gold.possible, gold) == 0  # possible links cost nothing
    assert error_rate_of({(5, 5)}, gold) == 1
    assert error_rate_of(set(), gold) == 1
    assert error_rate_of(set(), links("")) == 0
    counter = LinkCounter()
    counter.add([(0, 0), (1, 0), (1, 1)], links("0-0 1-1"))
    counter.add([], links("0-0"))
    assert counter.sentences == 2
    assert counter.rate() == pytest.approx(1 - (2 + 2) / (3 + 3))  # of the links of both together


def test_each_target_word_has_its_most_attended_source_word():
    scores = np.array([[0.1, 0.5, 0.4], [0.0, 0.0, 0.0], [0.2, 0.2, 0.6]])
    assert most_attended(scores).tolist() == [1, -1, 2]


TARGET_WORDS = ("schönes", "haus", ".")


def record(places: list[int]) -> AttentionRecord:
    """One head whose steps look at the given source pieces.

    Its steps write ▁schö, nes, ▁haus, . and end.
    """
    source = ("<s>", "▁nice", "▁hou", "se.", "</s>")
    target = ("<s>", "▁schö", "nes", "▁haus", ".", "</s>")
    cross, even = 0.9 * np.eye(5)[places] + 0.1 / 5, np.ones((1, 1, 5, 5)) / 5
    texts = "nice house.", "schönes haus."
    return AttentionRecord(*texts, source, target, even, even, cross[None, None])


def test_words_of_several_pieces_and_ends_left_out():
    """The steps that write "haus" attend to start most, and yet it is aligned with a word."""
    made = record([1, 2, 0, 3, 4])
    made.cross[0, 0, 2] = [0.8, 0.05, 0.1, 0.05, 0.0]
    words = word_attention(made, ("nice", "house."), TARGET_WORDS)
    # of "nice" one of two steps is sure; into "house." the scores of its pieces are summed
    assert np.allclose(words.written[0, 0, 0], [(0.92 + 0.02) / 2, (0.04 + 0.94) / 2])
    assert np.allclose(words.written[0, 0, 1], [0.05, 0.15])
    assert AlignmentMethod("written").links(words) == [(1, 0), (1, 1), (1, 2)]


def test_a_word_is_read_one_step_after_it_is_written():
    """The steps that write ▁schö nes ▁haus . end look at the word written before them."""
    words = word_attention(record([4, 1, 1, 2, 3]), ("nice", "house."), TARGET_WORDS)
    assert AlignmentMethod("read").links(words) == [(0, 0), (1, 1), (1, 2)]
    assert AlignmentMethod("written").links(words)[1] == (0, 1)


def test_words_that_pieces_do_not_spell_and_words_without_a_piece():
    made = record([1, 1, 2, 3, 4])
    assert word_attention(made, ("a", "nice", "house."), TARGET_WORDS) is None
    assert word_attention(made, (), TARGET_WORDS) is None
    words = word_attention(made, ("nice", "house", "."), TARGET_WORDS)
    assert AlignmentMethod("written").links(words) == [(0, 0), (1, 1), (1, 2)]  # "se." is in house
    one = made._replace(target_tokens=("<s>", "▁sc", "h", "önes", "▁haus.", "</s>"))
    words = word_attention(one, ("nice", "house."), TARGET_WORDS)
    assert AlignmentMethod("written").links(words) == [(0, 0), (1, 1)]


def pointing(*places: tuple[int, ...]) -> np.ndarray:
    """(2, 2, target words, source words) of two layers' heads that look at one word each."""
    return np.eye(3)[list(places)].reshape(2, 2, len(places[0]), 3)


def test_heads_layers_and_the_mean_of_all_are_counted():
    """Each head of layer 2 is wrong on two words, with low weights, so that their mean is right."""
    written = pointing((1, 0, 0), (2, 2, 1), (0, 1, 1), (2, 1, 2))
    written[1, 0, 1:] = [[0.5, 0.45, 0.05], [0, 0.6, 0.4]]
    written[1, 1, :2] = [[0.4, 0, 0.6], [0, 0.45, 0.55]]
    words = WordAttention(written, pointing((2, 0, 0), (2, 0, 0), (2, 0, 0), (2, 0, 0)))
    counter = AlignmentCounter()
    assert counter.result() is None
    for _ in range(2):
        counter.add(words, links("0-0 1-1 2-2"))
    found = counter.result()
    assert found.sentences == 2
    assert np.allclose(found.heads["written"], [[1, 1], [2 / 3, 2 / 3]])
    assert np.allclose(found.layers["written"], [1, 0])
    assert np.allclose(found.heads["read"], 1)
    assert found.best_layer() == (AlignmentMethod("written", 1), 0)
    assert found.best_head() == (AlignmentMethod("written", 1, (0,)), pytest.approx(2 / 3))
    assert found.all_heads() == (AlignmentMethod("written"), 1)  # they point to 2, 2 and 1


def test_links_of_a_method_have_the_error_rates_counted_for_its_heads():
    random = np.random.default_rng(1)
    words = WordAttention(*random.dirichlet(np.ones(4), size=(2, 2, 3, 5)))
    counter, gold = AlignmentCounter(), links("0-0 1-1 2-2 3-3 1?4")
    counter.add(words, gold)
    found = counter.result()
    for reading in ("written", "read"):
        for layer, head in np.ndindex(2, 3):
            its = AlignmentMethod(reading, layer, (head,)).links(words)
            assert found.heads[reading][layer, head] == error_rate_of(its, gold)
        for layer in range(2):
            its = AlignmentMethod(reading, layer).links(words)
            assert found.layers[reading][layer] == error_rate_of(its, gold)
            assert its == AlignmentMethod(reading, layer, (2, 0, 1)).links(words)
        its = AlignmentMethod(reading).links(words)
        assert found.average[reading] == error_rate_of(its, gold)


def test_json_counts_layers_and_heads_of_the_best_from_1():
    counter = AlignmentCounter()
    words = pointing((0, 0, 0), (0, 1, 2), (0, 0, 0), (0, 0, 0))
    counter.add(WordAttention(words * 0, words), links("0-0 1-1 2-2"))
    found = counter.result().to_json()
    assert found["best_head"] == {"layer": 1, "head": 2, "reading": "read", "aer": 0.0}
    assert (found["best_layer"]["head"], found["all_heads"]["layer"]) == (None, None)
    assert found["heads"]["written"] == [[1.0, 1.0], [1.0, 1.0]]  # looks nowhere, links nothing


def test_methods_describe_themselves():
    assert str(AlignmentMethod("read", 3, (1,))) == "head 2 of layer 4, read"
    assert str(AlignmentMethod("written", 3, (1, 0))) == "average of heads 2, 1 of layer 4, written"
    assert str(AlignmentMethod("written", 0)) == "average of all heads of layer 1, written"
    assert str(AlignmentMethod("written")) == "average of all heads, written"
