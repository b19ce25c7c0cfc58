"""Comparison of two lists of translations."""

import pytest

from translator.evaluation.comparison import compare_translations
from translator.evaluation.scores import score_translations

REFERENCES = [[f"Der Mann sieht {i} alte Häuser in der Stadt."] for i in range(40)]
SOURCES = [f"The man sees {i} old houses in the town." for i in range(40)]
RIGHT = [texts[0] for texts in REFERENCES]
WRONG = [text.replace("alte Häuser", "neue Katzen") for text in RIGHT]


def test_a_better_translation_is_told_from_chance():
    found = compare_translations(SOURCES, REFERENCES, (WRONG, RIGHT), "de", 200)
    assert [row.metric for row in found.rows] == ["BLEU", "chrF2", "chrF2++", "TER"]
    bleu, *_, ter = found.rows
    expected = score_translations(WRONG, REFERENCES)
    assert bleu.scores == pytest.approx((expected.bleu, 100))
    assert ter.scores[0] > ter.scores[1] == 0
    assert all(row.p_value < 0.01 for row in found.rows)
    assert len(found.differences) == 40


def test_what_is_better_as_often_as_worse_is_chance():
    one = [WRONG[i] if i % 2 else RIGHT[i] for i in range(40)]
    other = [RIGHT[i] if i % 2 or i == 0 else WRONG[i] for i in range(40)]
    found = compare_translations(SOURCES, REFERENCES, (one, other), "de", 200)
    assert all(row.p_value > 0.1 for row in found.rows)
    assert len(found.differences) == 39
    first = found.differences[0]
    assert first.translations[1] == first.references[0]
    assert first.chrf[0] < first.chrf[1] == pytest.approx(100)
    other = [RIGHT[0], WRONG[1].replace("Mann", "Hund"), WRONG[2]]
    found = compare_translations(SOURCES[:3], REFERENCES[:3], (WRONG[:3], other), "de", 50)
    assert [difference.source for difference in found.differences] == SOURCES[:2]


def test_all_references_of_a_sentence_count():
    references = [[text, text.replace("alte", "neue")] for text in RIGHT[:20]] + REFERENCES[20:]
    renewed = [text.replace("alte", "neue") for text in RIGHT]
    found = compare_translations(SOURCES, references, (WRONG, renewed), "de", 50)
    assert found.rows[0].scores == pytest.approx(
        [score_translations(texts, references).bleu for texts in (WRONG, renewed)]
    )
    assert found.rows[0].scores[1] > score_translations(renewed, REFERENCES).bleu + 1


def test_tokenized_text_is_compared_as_it_stands():
    found = compare_translations(SOURCES, REFERENCES, (WRONG, RIGHT), "de", 50, tokenized=True)
    assert "tok:none" in found.rows[0].signature
    expected = score_translations(WRONG, REFERENCES, tokenized=True)
    assert found.rows[0].scores[0] == pytest.approx(expected.bleu)
    assert found.rows[0].scores[0] < score_translations(WRONG, REFERENCES).bleu
