"""Stages: what one hides from a model, it restores once, whatever the others hide."""

import itertools

import numpy as np
import pytest

from tests.builders import table_of, truecaser_of
from translator.text.casing import CaseReader
from translator.text.marks import LineMarks
from translator.text.masking import Masker
from translator.text.names import NameModel
from translator.text.preprocessing import Preprocessor
from translator.text.read_lines import ReadSentence
from translator.text.sentences import LinePart
from translator.text.shown import AS_LETTERS, LETTERS, ShownText
from translator.text.stages import Capitals, Digits, Marks, Written, shown_by
from translator.text.word_table import WordTable

WORDS = "the dog saw a big house with many cats in it"
PIECES = {  # what stages hide, with what they write for it
    "Farida": "Farida",
    "https://a.b/c": "https://a.b/c",
    "1,234.5": "1.234,5",
    "{count}": "{count}",
    "**big**": "**big**",
    "<b>dog</b>": "<b>dog</b>",
    "😀": "😀",
    "31/12/2026": "31. Dezember 2026",
}


@pytest.fixture(scope="module")
def stages():
    preprocessor = Preprocessor(
        Masker(("en", "de"), NameModel(table_of(WORDS.split()))), True, truecaser_of([WORDS] * 9)
    )
    masks = preprocessor.masks()
    truecaser = truecaser_of([f"I think {WORDS}."] * 9)
    return (
        Marks(LineMarks(masks.find_fixed), "de", WordTable(), ""),
        Capitals(CaseReader(truecaser, "en"), None, masks),
        *preprocessor.stages(masks),
    )


def restored(stages, text: str) -> tuple[str, str]:
    """What a model is shown of a text, and the text that is written if it copies what it sees."""
    shown = shown_by(stages, ShownText(text))
    sentence = ReadSentence(LinePart(text, ""), shown, [], None, True, is_first=True)
    words = [word.translate(AS_LETTERS) for word in shown.text.split()]
    written = Written(words, np.eye(len(words), dtype="float32"))
    for stage in reversed(stages):
        written = stage.restore(written, sentence)
    values = {LETTERS[span.mask]: span.translation for span in shown.spans}
    return shown.text, " ".join(written.words).translate(str.maketrans(values))


def test_what_is_hidden_is_restored_once_at_its_place(stages):
    for pieces in itertools.permutations(PIECES, 3):
        text = f"The dog saw {pieces[0]} in {pieces[1]} with {pieces[2]}."
        expected = text
        for piece in pieces:
            expected = expected.replace(piece, PIECES[piece])
        shown, written = restored(stages, text)
        assert written == expected
        assert shown.startswith("the dog saw ")
        assert not any(piece in shown for piece in pieces)


def test_each_stage_hides_and_restores_by_itself(stages):
    texts = {
        "Marks": ("The **dog** saw it.", "The dog saw it."),
        "Capitals": ("THE DOG SAW IT.", "The dog saw it."),
        "Masks": ("the dog saw {x}.", f"the dog saw {next(iter(LETTERS))}."),
        "Ends": ("The dog saw it.", "the dog saw it."),
    }
    assert list(texts) == [type(stage).__name__ for stage in stages]
    for stage in stages:
        given, hidden = texts[type(stage).__name__]
        assert restored([stage], given) == (hidden, given)


def test_lost_digits_are_those_of_the_sentence():
    sentence = ReadSentence(LinePart("on 24 May 1998", ""), ShownText(""), [], None, True)
    for words, expected in (["am 00. Mai 0000", "am 24. Mai 1998"], ["Mai 0", "Mai 0"]):
        written = Written(words.split(), np.zeros((len(words.split()), 1)))
        assert " ".join(Digits().restore(written, sentence).words) == expected
