"""Attention between words: which pieces are a word, and what each looks at."""

import numpy as np

from translator.addons.attention.alignments import words_of_tokens
from translator.addons.attention.picture_content import hide_ends, merge_words, words_with_ends
from translator.tokenizers.words import words_of
from translator.translation.records import AttentionMaps, AttentionRecord


def test_pieces_join_to_words_and_marks_are_words_of_their_own():
    for pieces, words, numbers in [
        ("<s> ▁in ▁00 00 , ▁tom </s> <pad>", ("in", "0000,", "tom"), [-1, 0, 1, 1, 1, 2, -1, -1]),
        ("▁ x y", ("xy",), [0, 0, 0]),
        ("x ▁y", ("x", "y"), [0, 1]),
        ("<s> </s>", (), [-1, -1]),
        # what only looks like a tag is a word
        ("<s> <unk> ▁a </s>", ("<unk>", "a"), [-1, 0, 1, -1]),
        ("<s> <0x41> ▁a </s>", ("A", "a"), [-1, 0, 1, -1]),
        ("<s> ▁<bt> ▁a </s>", ("<bt>", "a"), [-1, 0, 1, -1]),
        ("<s> ▁a <bt> </s>", ("a<bt>",), [-1, 0, 0, -1]),
    ]:
        found = words_of(pieces.split(" "))
        assert (found.texts, list(found.numbers)) == (words, numbers)
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
    whole = words_with_ends(["<s>", "▁sag", "te", ".", "</s>"])
    assert whole.texts == ("<s>", "sagte", ".", "</s>")
    assert whole.numbers == (0, 1, 1, 2, 3)


def test_pieces_join_to_given_tokens():
    for pieces, tokens, numbers in [
        ("<s> ▁he ▁sa id , ▁mr. ▁0 0,0 . </s>", "He said , Mr. 12,5 .",
         [-1, 0, 1, 1, 2, 3, 4, 4, 5, -1]),
        ("▁a b. ▁c", "ab . c", [0, 0, 2]),  # a piece that spans two belongs to the first
        ("▁<unk> ▁ä <0xE2> <0x82> <0xAC> ▁ <0x36> :15 .", "<unk> ä€ 6:15 .",
         [0, 1, 1, 1, 1, 2, 2, 2, 3]),
        ("▁<unk> ▁strasse <0xE2> <0x82> <0xAC>", "Ω Straße€", [0, 1, 1, 1, 1]),  # by spaces
        ("▁<unk> ▁strasse <0xE2> <0x82> <0xAC>", "Ω Straße €", None),
    ]:  # fmt: skip
        words = words_of_tokens(pieces.split(" "), tokens.split())
        assert (None if words is None else list(words.numbers)) == numbers
        assert words is None or words.texts == tuple(tokens.split())


def test_tags_are_part_of_no_word():
    for tags in (["<bt>"], ["<news-2>", "<bt>"], [">>deu<<"]):
        pieces, none = ["<s>", *tags, "▁A", "▁do", "g", ".", "</s>"], [-1] * len(tags)
        assert words_of(pieces).texts == ("A", "dog.")
        assert words_of(pieces[1:]).numbers == (*none, 0, 1, 1, 1, -1)
        assert words_with_ends(pieces).texts == ("<s>", *tags, "A", "dog", ".", "</s>")
        for named in ([], tags):
            words = words_of_tokens(pieces, [*named, "A", "dog", "."])
            assert words.texts == (*named, "A", "dog", ".")
            numbers = [len(named) + number for number in (0, 1, 1, 2)]
            assert words.numbers == (-1, *none, *numbers, -1)
            assert words_of_tokens(pieces, [*named, "A", "big", "dog"]) is None


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


def test_mass_is_conserved():
    """Rows of words sum to 1 for any pieces, hidden ends or not."""
    random = np.random.default_rng(0)
    choice = ["▁a", "b", "▁c", ",", ".", "▁„", "“", "▁", "<0xE2>", "茶", "<unk>", "-"]
    for _ in range(20):
        source, target = (
            ("<s>", *random.choice(choice, random.integers(1, 30)), "</s>") for _ in range(2)
        )
        maps = AttentionMaps(
            target, source, random.dirichlet(np.full(len(source), 0.3), (2, 3, len(target)))
        )
        merged = merge_words(maps)
        assert merged.scores.shape == (2, 3, len(merged.queries), len(merged.keys))
        assert np.allclose(merged.scores.sum(-1), 1, atol=1e-5)
        for inner in (hide_ends(merged), hide_ends(maps)):
            assert not {"<s>", "</s>"} & {*inner.queries, *inner.keys}
            assert np.allclose(inner.scores.sum(-1), 1, atol=1e-5)


def test_only_the_ends_themselves_are_hidden():
    pieces = ("<s>", "▁a", "</s>")
    scores = np.array([[[[1.0, 0, 0], [0.5, 0, 0.5], [0, 1, 0]]]])
    assert hide_ends(AttentionMaps(pieces, pieces, scores)).scores.tolist() == [[[[0.0]]]]
    pieces = ("<s>", "▁<", "/", "s", ">", "▁a", "▁<s>", "</s>")
    maps = AttentionMaps(pieces, pieces, np.full((1, 1, 8, 8), 1 / 8))
    assert hide_ends(merge_words(maps)).keys[-2:] == ("a", "<s>")
    sides = ("</s>", "a", "</s>"), ("<s>", "</s>", "<s>")
    spelt = AttentionMaps(*sides, np.full((1, 1, 3, 3), 1 / 3))
    assert hide_ends(spelt)[:2] == (("</s>", "a"), ("</s>", "<s>"))
    # without end the decoder stands on all but the last piece
    ones = np.full((1, 1, 3, 3), 1 / 3)
    sides = ("<s>", "▁a", "</s>"), ("<s>", "▁sag", "te", "st")
    record = AttentionRecord("", "", *sides, ones, ones, ones)
    assert merge_words(record.maps("decoder")).queries == ("<s>", "sagte")
    assert merge_words(record.maps("cross")).queries == ("sagtest",)
