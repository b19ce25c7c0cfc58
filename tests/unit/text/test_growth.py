"""What reads text takes linear time, at sizes at which quadratic work shows."""

import pytest

from tests.builders import table_of
from tests.growth import grows_linearly
from translator.text.agreement import AgreementJudge
from translator.text.copied_spans import find_copied
from translator.text.marks import find_marks
from translator.text.masking import Masker
from translator.text.names import NameModel
from translator.text.quantities import QuantityReader
from translator.text.sentences import LinePart, cut_to_fit, sentences_of
from translator.tokenizers.words import words_of

GERMAN, ENGLISH = QuantityReader("de"), QuantityReader("en")
MASKER = Masker(("en", "de"), NameModel(table_of(["tom"])), spells=lambda sign: sign != "☃")
JUDGE = AgreementJudge("de", "en")
COPIES = (
    ". ", ".", "_", "__/", "<%", "[%", "##A", ":a", "[A", "ls -a ", "x", "«a_", "%d a ",
    "a.b('c') ", "x = 1 + ", "x^(", "a++ ", "a1", "7", "_a.",
)  # fmt: skip
MARKS = (
    ". ", ".", "_", "{%", "<%", "{{#", " [ ]", "[x] ", "(", "*a ", "**a** ", "(a b) ", '"', "[a](",
    "'a ", ": ", "| ",
)  # fmt: skip
NUMBERS = ["1 - ", "1 = ", "1+1=", "+1 ", "+12 34 ", "7", "10 000 - "]


@pytest.mark.parametrize(
    ("work", "size"),
    [
        pytest.param(lambda n: GERMAN.find("gib " * n + "zwei"), 4_000, id="beginning of a phrase"),
        pytest.param(lambda n: GERMAN.find("gib acht " * n), 2_000, id="phrases"),
        pytest.param(lambda n: ENGLISH.find("100\u00a0" * n + "x"), 4_000, id="one long number"),
        pytest.param(lambda n: ENGLISH.find("100 " * n + "1"), 4_000, id="many numbers"),
        *(
            pytest.param(lambda n, part=part: find_copied(part * n + " (x'"), 4_000, id=part)
            for part in COPIES
        ),
        *(
            pytest.param(lambda n, part=part: ENGLISH.find(part * n + " q"), 1_000, id=f"no {part}")
            for part in NUMBERS
        ),
        *(
            pytest.param(
                lambda n, part=part: find_marks(part * n + " (x"), 2_000, id=f"mark {part}"
            )
            for part in MARKS
        ),
        pytest.param(lambda n: find_marks("(" * n + "a b" + ")" * n + "c"), 5_000, id="brackets"),
        pytest.param(lambda n: JUDGE.compare("a" * n, "a.de " * n), 2_000, id="lost words"),
        pytest.param(lambda n: MASKER.find("a.txt 5 " * n), 5_000, id="copies and numbers"),
        pytest.param(lambda n: MASKER.find("☃ " * n), 4_000, id="words that are not spelt"),
        pytest.param(lambda n: MASKER.find("☃5 " * n), 2_000, id="numbers among them"),
        pytest.param(lambda n: MASKER.find("A" + "a" * n), 20_000, id="a long name"),
        pytest.param(lambda n: JUDGE.compare("a" * n, "not"), 8_000, id="a long word"),
        pytest.param(lambda n: words_of(["▁a", *["b"] * n]), 200_000, id="pieces of a word"),
        pytest.param(lambda n: sentences_of("あ。" * n, "ja"), 10_000, id="no spaces"),
    ],
)
def test_text_is_read_in_linear_time(work, size):
    assert grows_linearly(work, size)


def test_a_sentence_is_cut_with_few_tries_for_each_piece():
    tried: list[str] = []

    def fits(text: str) -> bool:
        tried.append(text)
        return len(text) <= 200

    parts = cut_to_fit(LinePart("a " * 10_000, ""), fits)
    assert len(parts) == 100
    assert len(tried) < 12 * len(parts)
