"""Given pairs become ids as they are: nothing is taken out, replaced or split."""

import pytest

from tests.letters import TaggedLetters
from translator.base.errors import InputError
from translator.tokenizers.subword import Tokenizers
from translator.translation.given_pairs import encode_pairs

A, B = map(ord, "ab")


def encode(source: str, target: str = "b", max_length: int = 8) -> list[list[int]]:
    class Target(TaggedLetters):
        def encode(self, texts, reads_tags=False):
            return super().encode(texts)

    tokenizers = Tokenizers(TaggedLetters(), Target())
    sides = encode_pairs(tokenizers, max_length, ["a", source], ["b", target], first_line=7)
    return [side[1] for side in sides]


def test_a_sentence_is_encoded_as_it_is_or_refused():
    for source, ids in [
        ("a. b.", [0, A, 2, B, 2, 1]),
        ("<bt> <news> a", [0, 1000, 1001, A, 1]),
        ("<b>", [0, 2, B, 2, 1]),  # of markup
        ("* A *", [0, 2, 2, 2, 1]),  # no words
    ]:
        assert encode(source) == [ids, [0, B, 1]]
    for source, target, error in [
        ("abcdefg", "b", "line 8: expected at most 8 tokens, .* found 9; split the line"),
        ("<bt> abcdef", "b", "line 8: expected at most 7 tokens, .* found 8; split the line"),
        ("<bt> <bt> <bt> <bt> a", "b", "line 8: expected at most 3 tags, found 4; remove some"),
        ("ABC", "b", "line 8: expected en text, found only characters .* remove the line"),
        ("a\ud800", "b", "line 8: expected UTF-8, found other bytes"),
        ("<bt> \u200b", "b", "line 8: expected a sentence, found an empty one; remove the line"),
        ("a", "abcdefg", "line 8: expected a translation of at most 8 tokens, .* found 9"),
    ]:
        with pytest.raises(InputError, match=f"^{error}"):
            encode(source, target)
