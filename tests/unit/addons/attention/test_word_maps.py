"""Attention between words: which pieces are a word, and that no weight is lost."""

import numpy as np
import pytest

from translator.addons.attention.word_maps import hide_ends, merge_words, words_with_ends
from translator.tokenizers.words import words_of, words_of_tokens
from translator.translation.records import AttentionMaps, AttentionRecord


def test_marks_are_words_of_their_own():
    for pieces, words in [
        ("▁Er ▁sag te , ▁„ Ja “ .", ("Er", "sagte", ",", "„", "Ja", "“", ".")),
        ("▁ ( a ) ▁b", ("(", "a", ")", "b")),
        ("▁um ▁1 2 , 5 0 0 ▁o ' clock ?", ("um", "12,500", "o'clock", "?")),
        ("▁... ▁? !", ("...", "?!")),
        ("▁hard - work ing !", ("hard-working", "!")),
        ("▁我 喜欢 茶 。", ("我", "喜欢", "茶", "。")),
        ("▁a <0xE2> <0x82> <0xAC> .", ("a€", ".")),
        ("▁ <unk> ,", ("<unk>", ",")),
    ]:
        assert words_of(pieces.split(" "), marks_apart=True).texts == words


def test_start_and_end_are_words_too():
    words = words_with_ends(["<s>", "▁sag", "te", ".", "</s>"])
    assert words.texts == ("<s>", "sagte", ".", "</s>")
    assert words.numbers.tolist() == [0, 1, 1, 2, 3]


def test_weights_into_a_word_are_summed_and_out_of_it_averaged():
    scores = np.array(
        [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [0.1, 0.2, 0.3, 0.4, 0.0],
            [0.0, 0.6, 0.2, 0.0, 0.2],
            [0.2, 0.2, 0.2, 0.2, 0.2],
            [0.5, 0.1, 0.1, 0.1, 0.2],
        ]
    )
    pieces = ("<s>", "▁sag", "te", ".", "</s>")
    merged = merge_words(AttentionMaps(pieces, pieces, scores[None, None]))
    assert merged.queries == merged.keys == ("<s>", "sagte", ".", "</s>")
    assert np.allclose(
        merged.scores[0, 0],
        [[1, 0, 0, 0], [0.05, 0.65, 0.2, 0.1], [0.2, 0.4, 0.2, 0.2], [0.5, 0.2, 0.1, 0.2]],
    )
    inner = hide_ends(merged)
    assert inner.queries == inner.keys == ("sagte", ".")
    assert np.allclose(inner.scores[0, 0], [[0.65 / 0.85, 0.2 / 0.85], [4 / 6, 2 / 6]])


@pytest.mark.parametrize("seed", range(20))
def test_mass_is_conserved(seed):
    """Rows of words sum to 1 for any pieces, hidden ends or not."""
    random = np.random.default_rng(seed)
    choice = ["▁a", "b", "▁c", ",", ".", "▁„", "“", "▁", "<0xE2>", "茶", "<unk>", "-"]
    source, target = (
        ("<s>", *random.choice(choice, random.integers(1, 30)), "</s>") for _ in range(2)
    )
    scores = random.dirichlet(np.full(len(source), 0.3), (2, 3, len(target)))
    merged = merge_words(AttentionMaps(target, source, scores))
    assert merged.scores.shape == (2, 3, len(merged.queries), len(merged.keys))
    assert np.allclose(merged.scores.sum(-1), 1, atol=1e-5)
    for maps in (hide_ends(merged), hide_ends(AttentionMaps(target, source, scores))):
        assert not {"<s>", "</s>"} & {*maps.queries, *maps.keys}
        assert np.allclose(maps.scores.sum(-1), 1, atol=1e-5)
    sums = merged.scores.sum(axis=2)  # of one word of several pieces nothing goes to others
    ends = [merged.keys.index("<s>"), merged.keys.index("</s>")]
    counts = np.bincount(words_with_ends(target).numbers)
    into_ends = (scores[..., [0, -1]] / counts[words_with_ends(target).numbers][:, None]).sum(
        axis=2
    )
    assert np.allclose(sums[..., ends], into_ends, atol=1e-5)


def test_a_row_that_saw_only_the_ends_stays_zero():
    pieces = ("<s>", "▁a", "</s>")
    scores = np.array([[[[1.0, 0, 0], [0.5, 0, 0.5], [0, 1, 0]]]])
    assert hide_ends(AttentionMaps(pieces, pieces, scores)).scores.tolist() == [[[[0.0]]]]


def test_words_of_the_text_that_look_like_ends_stay():
    pieces = ("<s>", "▁<", "/", "s", ">", "▁a", "▁<s>", "</s>")
    maps = AttentionMaps(pieces, pieces, np.full((1, 1, 8, 8), 1 / 8))
    inner = hide_ends(merge_words(maps._replace(queries=pieces, keys=pieces)))
    assert inner.keys[-2:] == ("a", "<s>")
    spelt = AttentionMaps(
        ("</s>", "a", "</s>"), ("<s>", "</s>", "<s>"), np.full((1, 1, 3, 3), 1 / 3)
    )
    assert hide_ends(spelt)[:2] == (("</s>", "a"), ("</s>", "<s>"))


def test_a_translation_that_was_cut_keeps_the_rows_of_its_last_word():
    """Without end the decoder stands on all but the last piece."""
    target = ("<s>", "▁sag", "te", "st")
    ones = np.full((1, 1, 3, 3), 1 / 3)
    record = AttentionRecord("", "", ("<s>", "▁a", "</s>"), target, ones, ones, ones)
    assert merge_words(record.maps("decoder")).queries == ("<s>", "sagte")
    assert merge_words(record.maps("cross")).queries == ("sagtest",)


def test_pieces_join_to_given_tokens():
    pieces = ["<s>", "▁he", "▁sa", "id", ",", "▁mr.", "▁0", "0,0", ".", "</s>"]
    words = words_of_tokens(pieces, ["He", "said", ",", "Mr.", "12,5", "."])
    assert words.texts == ("He", "said", ",", "Mr.", "12,5", ".")
    assert words.numbers.tolist() == [-1, 0, 1, 1, 2, 3, 4, 4, 5, -1]


def test_a_piece_that_spans_two_tokens_belongs_to_the_first():
    assert words_of_tokens(["▁a", "b.", "▁c"], ["ab", ".", "c"]).numbers.tolist() == [0, 0, 2]


def test_a_character_of_several_bytes_is_counted_as_they_are():
    pieces = ["▁<unk>", "▁ä", "<0xE2>", "<0x82>", "<0xAC>", "▁", "<0x36>", ":15", "."]
    words = words_of_tokens(pieces, ["<unk>", "ä€", "6:15", "."])
    assert words.numbers.tolist() == [0, 1, 1, 1, 1, 2, 2, 2, 3]


def test_pieces_of_other_length_join_by_spaces_or_not_at_all():
    pieces = ["▁<unk>", "▁strasse", "<0xE2>", "<0x82>", "<0xAC>"]
    assert words_of_tokens(pieces, ["Ω", "Straße€"]).numbers.tolist() == [0, 1, 1, 1, 1]
    assert words_of_tokens(pieces, ["Ω", "Straße", "€"]) is None


@pytest.mark.parametrize("tags", [["<bt>"], ["<news-2>", "<bt>"], [">>deu<<"]])
def test_tags_are_part_of_no_word(tags):
    pieces, none = ["<s>", *tags, "▁A", "▁do", "g", ".", "</s>"], [-1] * len(tags)
    assert words_of(pieces).texts == ("A", "dog.")
    assert words_of(pieces[1:]).numbers.tolist() == [*none, 0, 1, 1, 1, -1]
    assert words_with_ends(pieces).texts == ("<s>", *tags, "A", "dog", ".", "</s>")
    for named in ([], tags):
        words = words_of_tokens(pieces, [*named, "A", "dog", "."])
        assert words.texts == (*named, "A", "dog", ".")
        first = len(named)
        numbers = [first, first + 1, first + 1, first + 2]
        assert words.numbers.tolist() == [-1, *none, *numbers, -1]
        assert words_of_tokens(pieces, [*named, "A", "big", "dog"]) is None


@pytest.mark.parametrize("first", ["<unk>", "<0x41>", "▁<bt>", "<b t>"])
def test_what_only_looks_like_a_tag_is_a_word(first):
    assert words_of(["<s>", first, "▁a", "</s>"]).numbers.tolist() == [-1, 0, 1, -1]
    assert words_of(["<s>", "▁a", "<bt>", "</s>"]).texts == ("a<bt>",)
