"""Words behind opening brackets and quotation marks have the pieces that they have elsewhere."""

import pytest

from translator.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer
from translator.tokenizers.special_tokens import put_together, set_apart
from translator.tokenizers.training import train_model
from translator.tokenizers.words import words_of

TEXT = [f"The dog number {i} sees a „cat“ and the “town” of {i * 7} books." for i in range(60)]
ROWS = {
    "the (dog) sees": "the ( dog) sees",
    "„dog“ “cat” “ ": "„ dog“ “ cat” “ ",
    'the "dog", "the': 'the " dog", " the',
    "[„dog“] (": "[ „ dog“] (",
    'five" f(x) dog" ': 'five" f(x) dog" ',
    "(\ue001) () \"\"": "( \ue001) ( ) \" \"",
}  # fmt: skip


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory) -> list[SentencePieceTokenizer]:
    """One that is trained with marks, and one without."""
    made = []
    for name, required in (("with", '()[]"„“'), ("without", "")):
        path = tmp_path_factory.mktemp("tokenizers") / f"{name}.model"
        path.write_bytes(train_model(TEXT, 380, required))
        made.append(SentencePieceTokenizer(path, "en", has_masks=True))
    return made


def test_a_space_behind_opening_marks_comes_and_goes():
    assert {text: set_apart(text) for text in ROWS} == ROWS
    assert {text: put_together(set_apart(text)) for text in ROWS} == {text: text for text in ROWS}


def test_only_a_tokenizer_that_was_trained_so_sets_marks_apart(tokenizers):
    for tokenizer, count in zip(tokenizers, (2, 1)):
        [ids] = tokenizer.encode("dog (dog)")
        assert tokenizer.pieces(ids).count("▁dog") == count
        learnt = tokenizer.pieces(range(tokenizer.size))
        assert ("▁town" in learnt) == (count == 2)  # it only stands behind quotation marks
        for text in map(str.strip, ROWS):
            assert tokenizer.decode(tokenizer.encode(text)[0]) == text


def test_words_have_the_marks_before_them(tokenizers):
    for tokenizer in tokenizers:
        for text in ("the (dog) sees", "[„dog“] the", 'dog" („\ue001“)', "the “ "):
            pieces = tokenizer.pieces(tokenizer.encode(text)[0])
            expected = text.strip().replace("\ue001", "⟨1⟩").split()
            assert words_of(pieces).texts == tuple(expected)
    apart = words_of(["▁the", "▁(", "▁dog", ")"], marks_apart=True)
    assert apart.texts == ("the", "(", "dog", ")")
    in_bytes = words_of(["▁", "<0x28>", "▁dog"])  # of a text with that space
    assert in_bytes.texts == ("(", "dog")
