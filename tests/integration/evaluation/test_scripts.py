"""The scripts that measure text as people type it, and that write a page of samples."""

import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

import translator
from translator.base.errors import InputError
from translator.translation.options import TranslationOptions

SCRIPTS = Path(__file__).parents[3] / "benchmarks"


def run_script(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(SCRIPTS / name))["main"]()


def test_every_form_of_typed_text_is_measured(tiny_run, tiny_corpus, monkeypatch, capsys):
    sources, references = (
        (tiny_corpus / f"test.{side}").read_text("utf-8").splitlines()[:6] for side in ("en", "de")
    )
    texts = [found.text for found in translator.load(tiny_run).translate(sources)]
    expected = sacrebleu.corpus_bleu(texts, [references], lowercase=True).score
    arguments = ["--run", str(tiny_run), "--sentences", "6", "--fragments", "30"]
    run_script("typed_text.py", arguments, monkeypatch)
    printed = capsys.readouterr().out
    rows = dict(re.findall(r"^(\w[\w ]+?) {2,}(\S+ +\S+ +\S+)$", printed, re.MULTILINE))
    assert list(rows) == [
        "as written", "ALL CAPS", "Title Case", "lower case", "without the final mark"
    ]  # fmt: skip
    assert expected > 50
    assert rows["as written"].split() == [f"{expected:.2f}", "+0.00", "0"]
    assert rows["ALL CAPS"].split() == [f"{expected:.2f}", "+0.00", "6"]
    assert rows["lower case"].split()[1:] == ["+0.00", "0"]
    assert "5-best lists with equal texts: 0 of 6" in printed
    assert re.search(r"loops: \d+ of 30 single words and fragments", printed)


@pytest.mark.parametrize(
    ("source", "text", "repeats"),
    [
        ("train", "Zug-Zug-Zug", True),
        ("train", "Der Zug, der Zug der Zug", True),
        ("train train train", "Zug Zug Zug", False),
        ("train", "Der Zug der Zeit", False),
    ],
)
def test_text_three_times_in_a_row_is_a_loop(source, text, repeats):
    script = runpy.run_path(str(SCRIPTS / "typed_text.py"))
    assert script["repeats_itself"](source, text) is repeats


def test_what_is_put_into_sentences_of_a_test_split_is_counted(tiny_run, monkeypatch, capsys):
    arguments = ["--run", str(tiny_run), "--own", "--sentences", "30"]
    run_script("spans.py", arguments, monkeypatch)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["identifier", "2", "2"] in rows
    assert ["in", "all", "30", "30"] in rows


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Die <b>Katze</b> kommt.", True),
        ("Die </b>Katze<b> kommt.", False),
        ("Die <b>Katze</b> kommt</b>.", False),
        ("Die <b>Katze kommt.", False),
    ],
)
def test_a_sentence_is_whole_with_all_that_was_put_in_once_and_in_order(text, whole):
    script = runpy.run_path(str(SCRIPTS / "spans.py"))
    case = script["Case"]("tags", "The <b>cat</b> comes.", ("<b>", "</b>"))
    assert script["is_whole"](case, text) is whole


def test_fragments_are_words_and_parts_of_sentences():
    draw = runpy.run_path(str(SCRIPTS / "typed_text.py"))["draw_fragments"]
    sentences = ["The old man sees the cat today.", "A dog barks at the tall woman again."]
    fragments = draw(sentences, 12)
    assert len(fragments) == len(set(fragments)) == 8
    assert sum(" " not in fragment for fragment in fragments) == 6
    assert all(fragment in " ".join(sentences) for fragment in fragments)


def test_samples_are_the_same_for_the_same_seed(tiny_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pages, arguments = [], ["--run", str(tiny_run), "--sentences", "5", "--out", "my samples.md"]
    for seed in (1, 1, 2):
        run_script("samples.py", [*arguments, "--seed", str(seed)], monkeypatch)
        pages.append(Path("my samples.md").read_text("utf-8"))
    assert pages[0] == pages[1]
    command = f"--run {tiny_run} --sentences 5 --out 'my samples.md' --seed"
    assert f"\n\n    python benchmarks/samples.py {command} 1\n\n" in pages[0]
    rows = [line.split(" | ") for line in pages[0].splitlines() if line.startswith("| ")]
    assert rows[0] == ["| source", "reference", "translation", "confidence |"]
    assert len(rows) == 1 + 5
    assert "| ".join(rows[1]) not in pages[2]
    opened = translator.load(tiny_run)
    for source, _, translation, _ in rows[1:]:
        assert opened.translate(source.removeprefix("| "))[0].text == translation


def test_the_search_is_chosen_by_more_than_chance(tiny_run, monkeypatch, capsys):
    """The tiny run knows its sentences by heart: no beam makes it better."""
    arguments = ["--run", str(tiny_run), "--beam-sizes", "1", "4", "--length-penalties", "1.0"]
    run_script("choose_search.py", arguments, monkeypatch)
    first, second, _, last = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"beam_size 4, length_penalty 1.0: BLEU \d+\.\d\d", first)
    assert re.fullmatch(r"beam_size 1, length_penalty 1.0: BLEU \d+\.\d\d  p \d\.\d{3}", second)
    assert last == "chosen: beam_size 4, length_penalty 1.0"

    script = runpy.run_path(str(SCRIPTS / "choose_search.py"))
    usual, chance, certain, worse = (
        script["Tried"](*values)
        for values in (
            ("usual", 40.0, None), ("chance", 41.0, 0.04), ("certain", 40.8, 0.01), ("worse", 30, 0)
        )
    )  # fmt: skip
    assert script["choose"]([usual, chance]) == chance
    assert script["choose"]([usual, chance, certain, worse]) == certain
    assert script["choose"]([usual, chance, worse]) == usual
    settings = script["settings_to_try"]([1, 4, 8], [0.6, 1.0], (4, 1.0))
    assert settings == [(4, 1.0), (1, 1.0), (4, 0.6), (8, 0.6), (8, 1.0)]


def test_translations_are_chosen_by_the_scores_of_runs(tiny_run, tiny_corpus, monkeypatch, capsys):
    """With one run and no weight, that is the search with a length penalty of 1."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    arguments = ["--forward", str(tiny_run), "--n-best", "4", "--split", "test"]
    run_script("rerank.py", [*arguments, "--weights", "0", "1"], monkeypatch)
    first, without, _ = capsys.readouterr().out.splitlines()
    sources, references = (
        (tiny_corpus / f"test.{side}").read_text("utf-8").splitlines() for side in ("en", "de")
    )
    search = TranslationOptions(beam_size=4, length_penalty=1.0)
    texts = [found.text for found in translator.load(tiny_run).translate(sources, search)]
    expected = sacrebleu.corpus_bleu(texts, [references]).score
    assert re.fullmatch(rf"\d+ hypotheses of {len(sources)} sentences", first)
    assert without.startswith(f"weight 0: BLEU {expected:.2f}  nrefs:1")

    script = runpy.run_path(str(SCRIPTS / "rerank.py"))
    pairs = [("a", "x"), ("b", "y"), ("a", "z")]
    assert script["choose"](pairs, [-1.0, -9.0, -0.5]) == {"a": "z", "b": "y"}
    both_ways = script["score_both_ways"]
    stub = lambda run, pairs: np.array([run[pair] for pair in pairs])  # noqa: E731
    monkeypatch.setitem(both_ways.__globals__, "score", stub)
    scored, turned = both_ways(
        [{("a", "x"): -1.0, ("a", "z"): -2.0}, {("a", "x"): -1.0, ("a", "z"): -1.0}],
        [{("x", "a"): -3.0, ("z", "a"): -0.5}],
        [("a", "x"), ("a", "z")],
    )
    assert (scored.tolist(), turned.tolist()) == ([-1.0, -1.5], [-3.0, -0.5])

    script = runpy.run_path(str(SCRIPTS / "rerank.py"))
    long = [("a", "x"), ("a", "x " * 500)]
    assert script["score"](translator.load(tiny_run), long).tolist()[1] == script["TOO_LONG"]
    with pytest.raises(InputError, match="runs of --backward from that to the first"):
        run_script("rerank.py", [*arguments, "--backward", str(tiny_run)], monkeypatch)
