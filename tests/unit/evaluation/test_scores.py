"""Scores of texts: what sacreBLEU finds, and which references count."""

import pytest
import sacrebleu

from translator.corpora.pairs import SentencePairs
from translator.evaluation.scores import gather_references, score_translations


def test_scores_are_sacrebleus_own_also_of_chinese():
    hypotheses = ["Der Hund sieht die große Katze.", "Sie liest ein Buch."]
    references = ["Der Hund sieht die kleine Katze.", "Sie liest ein Buch."]
    got = score_translations(hypotheses, [[text] for text in references])
    assert got.bleu == pytest.approx(sacrebleu.corpus_bleu(hypotheses, [references]).score)
    assert got.chrf == pytest.approx(sacrebleu.corpus_chrf(hypotheses, [references]).score)
    assert "case:mixed" in got.bleu_signature
    assert "tok:13a" in got.bleu_signature
    assert got.chrf_signature.startswith("nrefs:1")
    hypotheses, references = ["我看见那只大猫。"], [["我看见那只小猫。"]]
    got = score_translations(hypotheses, references, "zh")
    assert got.bleu == pytest.approx(
        sacrebleu.BLEU(trg_lang="zh").corpus_score(hypotheses, [["我看见那只小猫。"]]).score
    )
    assert got.bleu > 40
    assert "tok:zh" in got.bleu_signature


def test_edit_rate_and_length_ratio_are_sacrebleu_s():
    hypotheses = ["Der Mann sieht die Katze", "Ein Hund", ""]
    references = ["Der Mann sieht eine Katze .", "Der Hund bellt", "Nichts davon"]
    got = score_translations(hypotheses, [[text] for text in references], are_all=True)
    assert got.ter == pytest.approx(sacrebleu.corpus_ter(hypotheses, [references]).score)
    assert got.ter > 50
    assert got.length_ratio == pytest.approx(7 / 11)
    lower = score_translations(["der mann"], [["Der Mann"]], lowercase=True, are_all=True)
    assert (lower.ter, lower.length_ratio) == (0, 1)
    assert "case:lc" in lower.ter_signature
    assert score_translations(["der mann"], [["Der Mann"]]).ter is None
    chinese = score_translations(["他看了书。"], [["他看书了。"]], language="zh", are_all=True)
    assert 0 < chinese.ter < 100


def test_all_references_of_a_sentence_count():
    hypotheses = ["Sie liest ein Buch.", "Der Hund sieht die Katze dort."]
    first = ["Sie liest ein Heft.", "Sie liest ein Buch."]
    references = [first, ["Der Hund sieht die Katze hier."]]
    got = score_translations(hypotheses, references)
    expected = sacrebleu.BLEU().corpus_score(
        hypotheses, [[texts[0] for texts in references], ["Sie liest ein Buch.", None]]
    )
    assert got.bleu == pytest.approx(expected.score)
    assert got.bleu > score_translations(hypotheses, [texts[:1] for texts in references]).bleu
    assert "nrefs:var" in got.bleu_signature


def test_references_are_gathered_by_sentence():
    pairs = SentencePairs(("Hi.", "Go.", "Hi.", "Hi."), ("Hallo.", "Geh.", "Grüß Gott!", "Hallo."))
    assert gather_references(pairs) == {"Hi.": ["Hallo.", "Grüß Gott!"], "Go.": ["Geh."]}
