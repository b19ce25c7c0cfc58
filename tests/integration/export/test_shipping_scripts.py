"""The script that translates a training split with finished runs."""

import functools
import itertools
import json
import re
import runpy
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import translator
from translator.base.errors import InputError
from translator.config.schema import MixedCorpusConfig
from translator.corpora.corpus import Corpus
from translator.corpora.pairs import SentencePairs
from translator.text.word_table import WordTable

SCRIPTS = Path(__file__).parents[3] / "tools"
LEAST = 80  # chrF of the translations that are kept
MARGIN = 0.5  # of their scores to the best one


def run_script(name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(SCRIPTS / name))["main"]()


@pytest.fixture
def back_run(tiny_run, tmp_path):
    """A run that says that it translates the other way."""
    folder = tmp_path / "back"
    shutil.copytree(tiny_run, folder)
    for name in ("config.yaml", "run.json", "ctranslate2/run.json"):  # JSON is YAML too
        text = (folder / name).read_text("utf-8")
        for key, code in (("source_language", "de"), ("target_language", "en")):
            text = re.sub(rf'({key}"?: "?)\w+', rf"\g<1>{code}", text)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_run_translates_its_training_split_in_both_directions(
    tiny_run, back_run, tmp_path, monkeypatch
):
    out = tmp_path / "synthetic"
    runs = ["--forward", str(tiny_run), "--backward", str(back_run)]
    keep = ["--n-best", "4", "--least-chrf", str(LEAST), "--margin", str(MARGIN)]
    run_script("make_synthetic_pairs.py", [*runs, *keep, "--out", str(out)], monkeypatch)
    sides = [
        (tmp_path / f"synthetic.{language}").read_text("utf-8").splitlines()
        for language in ("en", "de")
    ]
    pairs = list(zip(*sides, strict=True))
    assert len(pairs) == len(set(pairs))
    script = runpy.run_path(str(SCRIPTS / "make_synthetic_pairs.py"))
    choice, files = script["Choice"](2, LEAST, MARGIN), sorted(tmp_path.glob("*.jsonl"))
    backward = [*script["kept_pairs"](files[0], choice.of_any_score())]
    forward = [*script["kept_pairs"](files[1], choice)]
    assert 0 < len(forward) < len(backward)
    assert pairs == [*forward, *((text, source) for source, text in backward)]
    options = translator.TranslationOptions(beam_size=4, n_best=4, split=False)
    translations = translator.load(tiny_run).translate([source for source, _ in forward], options)
    for translation, (_, text) in zip(translations, forward):
        assert text in [hypothesis.text for hypothesis in translation.hypotheses]


def test_a_run_that_has_translated_is_not_asked_again(
    tiny_run, back_run, tmp_path, monkeypatch, capsys
):
    runs = ["--forward", str(tiny_run), "--backward", str(back_run), "--n-best", "4"]
    command = [*runs, "--out", str(tmp_path / "synthetic")]
    translate = translator.Translator.translate_read

    def stop_at_the_second_run(self, *arguments):
        if self.run.path == back_run:
            raise KeyboardInterrupt
        return translate(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(translator.Translator, "translate_read", stop_at_the_second_run)
        with pytest.raises(KeyboardInterrupt):
            run_script("make_synthetic_pairs.py", command, patch)
    [first] = tmp_path.glob("*.jsonl")
    capsys.readouterr()
    run_script("make_synthetic_pairs.py", command, monkeypatch)
    printed = capsys.readouterr().out
    assert printed.startswith(f"{tiny_run}: translated already, {first}\n{back_run}: 84 of 84 ")
    english, german = (
        (tmp_path / f"synthetic.{code}").read_text("utf-8").splitlines() for code in ("en", "de")
    )
    half = len(english) // 2
    assert english[:half] == german[half:]


def test_a_run_that_was_stopped_goes_on_after_its_last_sentence(tiny_run, tmp_path):
    script = runpy.run_path(str(SCRIPTS / "make_synthetic_pairs.py"))
    write, own = script["write_hypotheses"], script["write_hypotheses"].__globals__
    own["CHUNK"] = 20
    opened, translations = translator.load(tiny_run), own["translations"]
    asked = []

    def stops_after(count, *arguments):
        asked.append(arguments[-1])
        yield from itertools.islice(translations(*arguments), count)
        raise KeyboardInterrupt

    for folder in ("whole", "stopped"):
        (tmp_path / folder).mkdir()
    expected = lines_of(write(opened, tmp_path / "whole", 3))
    for count in (30, 25, 0):
        own["translations"] = functools.partial(stops_after, count)
        with pytest.raises(KeyboardInterrupt):
            write(opened, tmp_path / "stopped", 3)
        [part] = (tmp_path / "stopped").iterdir()
        with open(part, "ab") as file:
            file.write(b'["A line that was c')
    own["translations"] = translations
    found = lines_of(write(opened, tmp_path / "stopped", 3))
    assert [source for source, _, _ in found] == [source for source, _, _ in expected]
    for (_, *scored), (_, *whole) in zip(found, expected):
        assert [text for text, _, _ in scored[1]] == [text for text, _, _ in whole[1]]
        assert scored[0] == pytest.approx(whole[0], abs=1e-5)
    assert [path.suffix for path in (tmp_path / "stopped").iterdir()] == [".jsonl"]
    assert asked == [None, expected[29][0], expected[54][0]]


def test_translations_are_kept_by_weights_settings_and_length_of_the_list(tiny_run, tmp_path):
    write = runpy.run_path(str(SCRIPTS / "make_synthetic_pairs.py"))["write_hypotheses"]
    write.__globals__["translations"] = lambda run, n_best, last: [("A dog.", -0.1, [])]
    other = shutil.copytree(tiny_run, tmp_path / "other" / tiny_run.name)
    WordTable.of({"dog": {}}).save(other / "source.words")
    asked = [(tiny_run, 4), (tiny_run, 4), (tiny_run, 5), (other, 4)]
    assert len({write(translator.load(run), tmp_path, n_best) for run, n_best in asked}) == 3


def test_corpora_that_were_learnt_from_are_translated_as_well(tiny_run, tmp_path):
    write = runpy.run_path(str(SCRIPTS / "make_synthetic_pairs.py"))["write_hypotheses"]
    opened = translator.load(tiny_run)
    alone = [source for source, _, _ in lines_of(write(opened, tmp_path, 2))]
    files = {"tsv": str(tmp_path / "further.tsv")}
    (tmp_path / "further.tsv").write_text("The dog swims .\tDer Hund schwimmt .\n", "utf-8")
    for tag, added in ((None, ["The dog swims ."]), ("bt", [])):
        mixed = MixedCorpusConfig(name="files", train=files, weight=1.0, tag=tag)
        opened.config = opened.config.model_copy(update={"corpora": [mixed]})
        found = [source for source, _, _ in lines_of(write(opened, tmp_path, 2))]
        assert found == [*alone, *added]


def lines_of(hypotheses: Path) -> list[list[Any]]:
    return [json.loads(line) for line in hypotheses.read_bytes().splitlines()]


def test_references_are_left_out():
    script = runpy.run_path(str(SCRIPTS / "make_synthetic_pairs.py"))
    hypotheses = [translator.Hypothesis(text, (5,), 0.0, -0.5) for text in ("Good.", "Well.", "")]
    [found] = script["no_references"](translator.Translation("Gut.", tuple(hypotheses)), ["Good."])
    assert found == ("Well.", -0.5, sacrebleu.sentence_chrf("Well.", ["Good."]).score)


def test_of_those_that_are_likely_the_nearest_are_kept():
    for limits, kept in [
        ({}, ["near", "likely"]),
        ({"keep": 3}, ["near", "likely", "far"]),
        ({"least_chrf": 61}, ["near"]),
        ({"margin": 0.2}, ["likely", "far"]),
        ({"least_score": -0.4}, ["likely"]),  # the second nearest stays the second
        ({"margin": 0.2, "least_score": -0.2}, []),
    ]:
        script = runpy.run_path(str(SCRIPTS / "make_synthetic_pairs.py"))
        others = [
            script["Other"](*each)
            for each in (("far", -0.25, 50.0), ("likely", -0.3, 60.0), ("near", -0.5, 70.0))
        ]
        choice = script["Choice"](**{"keep": 2, **limits})
        assert [each.text for each in choice.of(others, best_score=-0.1)] == kept


def test_sentences_that_are_too_long_for_the_model_are_left_out(tiny_run):
    make = runpy.run_path(str(SCRIPTS / "make_synthetic_pairs.py"))["translations"]
    corpus = SentencePairs(("The dog sees.", "the dog " * 60, "A man."), ("", "", ""))
    make.__globals__["load_corpus"] = lambda config: Corpus(corpus, corpus, corpus, {}, {})
    translated = [source for source, _, _ in make(translator.load(tiny_run), 2)]
    assert translated == ["The dog sees.", "A man."]


def test_what_keeps_nothing_or_cannot_be_written_is_refused(
    tiny_run, back_run, tmp_path, monkeypatch, capsys
):
    run, out = ["--forward", str(tiny_run)], ["--out", str(tmp_path / "synthetic")]
    missing = ["--out", str(tmp_path / "none" / "synthetic")]
    for command, said in [
        ([*run, "--least-chrf", "101", *out], "--least-chrf: expected 0 to 100, found 101"),
        ([*run, "--keep", "0", *out], "--keep: expected 1 or more, found 0"),
        ([*run, "--margin", "-0.5", *out], "--margin: expected 0 or more, found -0.5"),
        ([*run, *missing], "synthetic.en: expected an existing folder, found none"),
        ([*run, "--forward", str(back_run), *out], "found de-en, en-de"),
        (out, "expected a run, found none"),
    ]:
        with pytest.raises(InputError, match=said):
            run_script("make_synthetic_pairs.py", command, monkeypatch)
    assert capsys.readouterr().out == ""
    assert not list(tmp_path.glob("synthetic.??"))
