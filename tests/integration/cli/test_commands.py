"""The command line as a user types it, in processes of their own where that matters."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.commands import GERMAN, SENTENCE, refused, run

ROOT = Path(__file__).parents[3]
CONFIGS = ", ".join(path.stem for path in sorted((ROOT / "configs").glob("*.yaml")))


def test_evaluate_prints_scores_and_writes_translations(capfd, tiny_run, tmp_path):
    out_file = tmp_path / "out.de"
    code, out, _ = run(capfd, "evaluate", "--run", tiny_run, "--out", out_file)
    assert code == 0
    assert re.search(r"^BLEU \d+\.\d\d  nrefs:1\|case:mixed", out, re.M)
    assert re.search(r"^TER \d", out, re.M)
    assert re.search(r"^perplexity 1\.\d+ a target token", out, re.M)
    assert re.search(r"^12 sentences in .* sentences/s, .* tokens/s", out, re.M)
    assert len(out_file.read_text("utf-8").splitlines()) == 12
    values = json.loads(run(capfd, "evaluate", "--run", tiny_run, "--json")[1])
    assert values["scores"]["bleu"] > 80
    assert values["scores"]["ter"] < 20
    assert values["uncased"]["bleu"] >= values["scores"]["bleu"]
    assert "translations" not in values


def test_train_command_writes_a_run(capfd, tiny_corpus, tmp_path, computes_nothing):
    code, out, err = run(
        capfd, "train", tiny_corpus / "config.yaml", "--run", tmp_path / "run",
        "--set", "training.epochs=1", "--set", "model.num_layers=1", "--set", "model.dff=32",
    )  # fmt: skip
    assert (code, out) == (0, "")
    assert "84 pairs and 13 copies to train on" in err
    assert "copies: 13 with placeholders" in err
    assert "dff: 32" in (tmp_path / "run" / "config.yaml").read_text()
    assert "found a run in it already" in refused(
        capfd, "train", tiny_corpus / "config.yaml", "--run", tmp_path / "run"
    )


def test_bad_input_is_one_line_and_exit_code_2(capfd, tiny_run, tiny_corpus, tmp_path):
    for arguments, message in [
        (("translate", "x", "--run", "none"), "none: expected a run directory"),
        (("translate", "x", "--run", "{run}", "--file", "x"), "found both"),
        (("translate", "--run", "{run}", "--file", "none"), "found nothing there"),
        (("export", "{tmp}/none"), "none: expected a run directory of translator train"),
        (("translate", "x", "--run", "{run}", "--beam-size", "many"),
         "'many' is not a valid integer"),
        (("attention", f"{SENTENCE} {SENTENCE}", "--run", "{run}", "--out", "{tmp}/a.png"),
         "expected one sentence, found 2; draw them one by one"),
        (("attention", SENTENCE, "--run", "{run}"),
         "expected --out PICTURE, --html FILE.html or --save FILE.npz, found none"),
        (("attention", SENTENCE, "--run", "{run}", "--save", "maps.txt"), "ends in .npz"),
        (("attention", SENTENCE, "--run", "{run}", "--out", "none/maps.png"),
         "expected an existing folder"),
        (("evaluate", "--run", "{run}", "--test-set", ""), "--test-set: expected the name of a"),
        (("evaluate", "--run", "{run}", "--test-set", "nix"), "--test-set: expected demo, phr"),
        (("evaluate", "--run", "{run}", "--test-set", "demo", "--split", "test"), "leave one out"),
        (("evaluate", "--run", "{run}", "--source", "none.en", "--reference", "none.de"),
         "none.en: expected a text file, found nothing there"),
        (("train", "none.yaml"), "none.yaml: expected a configuration file"),
        (("train", "none"), f"or one of {CONFIGS}, found nothing there"),
        (("train", "{corpus}/train.tsv", "--run", "{tmp}/run"), "expected YAML"),
        (("train", "{corpus}/config.yaml", "--run", "{tmp}/run", "--set", "model.depth=3"),
         "model.depth: unknown key"),
        (("tranlsate", "x"), "found a word that resembles translate; to translate it: translator"),
        (("Trains",), "a word that resembles train; to translate it: translator translate Trains"),
        (("--run", "{run}", "trian"), "translator translate --run"),
        (("--beam-size", "2", "evaluate", "x"), "evaluate: expected a sentence, or a command"),
        (("name: cldr", "--run", "none"), "none: expected a run directory"),
        (("data.bpe_dropout", "--run", "none"), "none: expected a run directory"),
        (("help",), "found a word that resembles --help"),
        (("translate", "--beam", "3"), "No such option"),
    ]:  # fmt: skip
        names = {"run": tiny_run, "corpus": tiny_corpus, "tmp": tmp_path}
        filled = [a.format(**names) if isinstance(a, str) else a for a in arguments]
        assert message in refused(capfd, *filled)
        assert list(tmp_path.iterdir()) == []


def test_words_are_one_sentence_and_text_after_two_hyphens_is_no_option(capfd, tiny_run):
    short = run(capfd, "--run", tiny_run, "--", "-5.5")
    assert short == run(capfd, "translate", "--run", tiny_run, "--", "-5.5")
    assert short[:2] == (0, "-5,5\n")
    for command in ((), ("translate",)):
        words = run(capfd, *command, "--run", tiny_run, *SENTENCE.split())
        assert words[:2] == (0, f"{GERMAN}\n")


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="needs /proc")
def test_folder_that_cannot_be_written_is_one_line(capfd, tiny_run, tiny_corpus):
    """/proc takes no new files, whoever asks."""
    code, _, err = run(capfd, "train", tiny_corpus / "config.yaml", "--run", "/proc/run")
    assert code == 2
    assert err.splitlines()[-1].startswith("translator: /proc/run: ")
    code, out, err = run(capfd, "attention", SENTENCE, "--run", tiny_run, "--out", "/proc/maps.png")
    assert (code, out) == (2, f"{GERMAN}\n")  # nor is what was translated
    assert err.startswith("translator: /proc/maps.png: ")
    code, out, err = run(capfd, "evaluate", "--run", tiny_run, "--out", "/proc/out.de")
    assert code == 2
    assert out.startswith("BLEU ")  # what was measured is not lost
    assert err.startswith("translator: /proc/out.de: ")


def test_an_output_may_not_be_a_file_of_the_run_or_of_its_corpus(
    capfd, tiny_run, tiny_corpus, tmp_path
):
    (tmp_path / "train.svg").symlink_to(tiny_corpus / "train.tsv")
    for name in ("metrics.jsonl", "run.json"):
        shutil.copy(tiny_run / name, tmp_path)
    (tmp_path / "run.svg").hardlink_to(tmp_path / "metrics.jsonl")
    for arguments in (
        ("heads", tiny_run, "--out", tmp_path / "train.svg"),
        ("evaluate", "--run", tiny_run, "--out", tiny_corpus / "test.en"),
        ("evaluate", "--run", tiny_run, "--out", tiny_run / "config.yaml"),
        ("attention", SENTENCE, "--run", tiny_run, "--save", tiny_run / "weights.npz"),
        ("curves", tmp_path, "--out", tmp_path / "run.svg"),
    ):
        before = arguments[-1].read_bytes()
        said = refused(capfd, *arguments)
        assert said.startswith(f"{arguments[-1]}: expected a file to write")
        assert arguments[-1].read_bytes() == before


def test_curves_of_no_run_are_refused_before_keras_starts(capfd, tmp_path, monkeypatch):
    monkeypatch.setattr("translator.base.keras_startup.start_keras", None)
    said = refused(capfd, "curves", tmp_path, "--out", tmp_path / "a.svg")
    assert "metrics.jsonl: expected the figures of a training, found none" in said


def test_tokenize_uses_the_tokenizer_of_the_side_that_is_named(capfd, tiny_run, tiny_translator):
    source, target = tiny_translator.tokenizers
    sides = (((), source), (("--side", "source"), source), (("--side", "target"), target))
    for side, tokenizer in sides:
        [ids] = tokenizer.encode(GERMAN)
        code, out, _ = run(capfd, "tokenize", GERMAN, "--run", tiny_run, *side, "--as", "pieces")
        assert (code, out) == (0, " ".join(tokenizer.pieces(ids)) + "\n")
    assert source.encode(GERMAN) != target.encode(GERMAN)
