"""Scores against sacreBLEU itself, perplexity against a sum by hand."""

import os
import shutil
import threading
from types import SimpleNamespace

import numpy as np
import pytest
import sacrebleu

import translator
from translator.base.errors import InputError
from translator.corpora.pairs import SentencePairs
from translator.evaluation.run_evaluation import (
    evaluate_files,
    evaluate_sentences,
    evaluate_split,
    load_test_set,
    measure_perplexity,
    pairs_of,
)
from translator.evaluation.scores import uncased
from translator.runs.directory import RunDirectory
from translator.runs.held_out import LoadedSplit


def test_perplexity_is_that_of_each_real_target_token(tiny_translator, tiny_corpus):
    sources = (tiny_corpus / "test.en").read_text("utf-8").splitlines()[:5]
    targets = (tiny_corpus / "test.de").read_text("utf-8").splitlines()[:5]
    total, count = 0.0, 0
    for source, target in zip(sources, targets):
        [source_ids] = tiny_translator.tokenizers.source.encode([source])
        [target_ids] = tiny_translator.tokenizers.target.encode([target])
        logits = np.array(
            tiny_translator.model((np.array([source_ids]), np.array([target_ids[:-1]])))
        )[0].astype("float64")
        likely = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        total -= sum(likely[i, token] for i, token in enumerate(target_ids[1:]))
        count += len(target_ids) - 1
    pairs = SentencePairs((*sources, "", sources[0]), (*targets, "", targets[0] * 9))
    got, pair_count = measure_perplexity(tiny_translator, pairs)
    assert got == pytest.approx(np.exp(total / count), rel=1e-4)
    assert pair_count == 5


def test_each_phenomenon_is_scored_on_its_own_sentences(tiny_translator):
    sources = ("The man sees the cat.", "The dog loves the house.")
    references = (["Der Mann sieht die Katze."], ["Das ist etwas ganz anderes."])
    labels = (frozenset({"all", "right"}), frozenset({"all", "wrong"}))
    result = evaluate_sentences(tiny_translator, sources, references, labels)
    assert result.phenomena["right"].bleu == pytest.approx(100)
    assert result.phenomena["wrong"].bleu < 20
    assert result.phenomena["all"].bleu == result.scores.bleu
    assert [s.sentences for s in result.phenomena.values()] == [2, 1, 1]
    assert result.tokens == sum(len(t.hypotheses[0].ids) for t in result.translations)


def test_a_test_set_is_the_test_split_of_a_known_corpus(tiny_translator):
    found = pairs_of(load_test_set(tiny_translator, "phrasebook"))
    assert len(found) == 1_500
    with pytest.raises(InputError, match="^--test-set: expected demo, phrasebook, .*found 'nix';"):
        load_test_set(tiny_translator, "nix")
    corpus = tiny_translator.config.corpus.model_copy(update={"source_language": "fr"})
    french = SimpleNamespace(config=SimpleNamespace(corpus=corpus))
    with pytest.raises(InputError, match="^--test-set: phrasebook .*found fr"):
        load_test_set(french, "phrasebook")


def test_a_run_is_evaluated_on_a_test_set(tiny_translator, monkeypatch):
    asked = []

    def load(translator, name):
        asked.append(name)
        return LoadedSplit(
            SentencePairs(("The man sees the cat.",), ("Der Mann sieht die Katze.",))
        )

    monkeypatch.setattr("translator.evaluation.run_evaluation.load_test_set", load)
    result = evaluate_split(tiny_translator, "test", test_set="phrasebook")
    assert (asked, result.scores.sentences) == (["phrasebook"], 1)
    assert result.scores.bleu == pytest.approx(100)


def test_tokenized_text_is_scored_as_it_stands(tokenized_run, tiny_translator):
    """As published scores of tokenized text are; the default tokenizer splits "Haus." in two."""
    sources, references = ["The man sees the cat."], [["Der Mann sieht die Katze !"]]
    found = evaluate_sentences(translator.load(tokenized_run), sources, references)
    assert "tok:none" in found.scores.bleu_signature
    expected = sacrebleu.corpus_bleu(
        ["Der Mann sieht die Katze."], references, tokenize="none", force=True
    )
    assert found.scores.bleu == pytest.approx(expected.score)
    assert (
        found.scores.bleu < evaluate_sentences(tiny_translator, sources, references).scores.bleu - 5
    )


def test_a_corpus_that_changed_since_training_is_told(tiny_translator, tiny_run, tmp_path):
    assert not evaluate_split(tiny_translator, "validation").corpus_changed
    changed = RunDirectory(shutil.copytree(tiny_run, tmp_path / "changed"))
    changed.read_record()._replace(corpus="another").write(changed.path)
    assert evaluate_split(translator.load(changed.path), "validation").corpus_changed


def test_sentences_that_do_not_fit_the_model_count_as_they_are(tiny_translator):
    sources = ["The man sees the cat.", "你好"]
    result = evaluate_sentences(tiny_translator, sources, [["Der Mann sieht die Katze."]] * 2)
    assert result.unusable == 1
    assert [translation.text for translation in result.translations][1] == "你好"
    assert (result.pairs, result.perplexity_pairs) == (2, 2)
    assert result.scores.bleu < 50  # the brevity penalty


def test_uncased_scores_are_of_lowercase_text_with_zeros(tiny_translator):
    assert uncased("Im Jahr 1989, ÄRGER.") == "im jahr 0000, ärger."
    reference = [["der mann sieht DIE katze."]]
    result = evaluate_sentences(tiny_translator, ["The man sees the cat."], reference)
    assert result.scores.bleu < 50 < result.uncased.bleu == pytest.approx(100)
    assert "case:lc" in result.uncased.bleu_signature


def test_splits_and_files(tiny_translator, tiny_corpus):
    test = evaluate_split(tiny_translator, "test")
    files = evaluate_files(tiny_translator, tiny_corpus / "test.en", [tiny_corpus / "test.de"])
    assert test.scores == files.scores
    assert test.scores.bleu > 80
    assert evaluate_split(tiny_translator, "validation").perplexity == pytest.approx(
        test.perplexity
    )
    with pytest.raises(InputError, match="found no tab in .*, or name two files"):
        evaluate_files(tiny_translator, tiny_corpus / "test.en", [])


def test_files_are_read_once_and_blank_lines_at_their_end_do_not_count(
    tiny_translator, tiny_corpus, tmp_path
):
    source, reference = tiny_corpus / "test.en", tiny_corpus / "test.de"
    pipe, longer = tmp_path / "pipe", tmp_path / "longer.en"
    os.mkfifo(pipe)
    longer.write_text(source.read_text("utf-8") + "\n\n", "utf-8")
    writer = threading.Thread(target=lambda: pipe.write_bytes(source.read_bytes()))
    writer.start()
    of_pipe, of_longer = (
        evaluate_files(tiny_translator, path, [reference, reference]) for path in (pipe, longer)
    )
    writer.join()
    assert of_pipe.scores == of_longer.scores
    assert of_pipe.pairs == 2 * len(of_pipe.translations)
