"""BLEU while training, early stopping, averages, and the pictures of it all."""

import json
import re
import shutil
import sys
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
import sacrebleu

import translator
from tests.builders import quiet
from tests.commands import refused, run
from tests.training_states import assert_same_arrays
from translator.addons.averaging import new_run
from translator.addons.monitoring.curves import make_curves, plot_curves, read_curves
from translator.base.errors import InputError
from translator.config.yaml_file import read_config, replace_values
from translator.data.preparation import prepare
from translator.evaluation.run_evaluation import evaluate_split
from translator.export.ctranslate2 import engine_with
from translator.runs.directory import RunDirectory
from translator.runs.figures import read_lines
from translator.runs.weights import load_arrays, save_arrays
from translator.training.start import train
from translator.training.trainer import average_snapshots
from translator.training.validation import Validation

TRANSLATED = (
    "training.epochs=4", "training.keep_last=6",
    "training.tensorboard=true", "validation.every_updates=4", "validation.translate_every=3",
    "validation.beam_size=2", "validation.metric=bleu",
)  # fmt: skip
AVERAGED = ("training.epochs=3", "training.keep_last=2")


@pytest.fixture(scope="session")
def translated(configure, build_once):
    """A run whose best weights are chosen by BLEU; and what was said."""

    def train_translating(folder):
        lines = []
        train(configure(*TRANSLATED), folder / "run", report=lines.append)
        (folder / "lines").write_text("\n".join(lines), "utf-8")

    folder = build_once("translated", train_translating)
    return RunDirectory(folder / "run"), (folder / "lines").read_text("utf-8").splitlines()


def validations(directory: RunDirectory) -> list[dict]:
    return read_lines(directory.metrics)


def bleus(directory: RunDirectory) -> dict[int, float]:
    """BLEU of the validations that measured it."""
    lines = enumerate(validations(directory), 1)
    return {number: line["val_bleu"] for number, line in lines if "val_bleu" in line}


def test_bleu_while_training_is_what_evaluate_finds(tiny_corpus, tiny_run, tmp_path):
    """Of a model that translates well, as what loops is searched for again in evaluating."""
    pairs = (tiny_corpus / "validation.tsv").read_text("utf-8").replace("die ", "jene ")
    (tmp_path / "validation.tsv").write_text(pairs, "utf-8")
    run = RunDirectory(tiny_run)
    changes = {
        "corpus.validation": {"tsv": f"{tmp_path}/validation.tsv"},
        "validation.beam_size": 2,
    }
    config = replace_values(run.read_config(), changes, "test")
    data = prepare(config, quiet, run.read_tokenizers(config))
    measured = Validation(config, data, quiet).translate(load_arrays(run.weights))
    assert 20 < measured["val_bleu"] < measured["val_chrf"] - 1 < 99
    loaded = translator.load(tiny_run)
    loaded.config = config
    scores = evaluate_split(loaded, "validation").scores
    assert scores.bleu == pytest.approx(measured["val_bleu"], abs=1e-4)
    assert scores.chrf == pytest.approx(measured["val_chrf"], abs=1e-4)


def test_a_validation_finds_what_the_keras_search_finds_sentence_by_sentence(tiny_run):
    run = RunDirectory(tiny_run)
    config = replace_values(run.read_config(), {"validation.beam_size": 3}, "test")
    data = prepare(config, quiet, run.read_tokenizers(config))
    validation = Validation(config, data, quiet)
    weights, sentences = load_arrays(run.weights), list(validation.references)[:12]
    ids = data.tokenizers.source.encode(sentences)
    limits = [validation.limits.of(len(one), validation.options) for one in ids]
    keras = translator.load(tiny_run, "keras").engine
    with engine_with(config, data.tokenizers, weights) as engine:
        both = (one.search(ids, limits, validation.options) for one in (engine, keras))
        for [one], [other] in zip(*both):
            assert one.ids == other.ids
            assert one.score == pytest.approx(other.score, abs=1e-4)
    texts = validation._search(weights, sentences)
    assert texts == [data.tokenizers.target.plain(data.tokenizers.target.decode(best[0].ids))
                     for best in keras.search(ids, limits, validation.options)]  # fmt: skip
    full = mock.patch(
        "ctranslate2.specs.TransformerSpec.save", side_effect=OSError(27, "too large")
    )
    with full, pytest.raises(OSError, match="large") as error:
        validation._search(weights, sentences)
    assert error.value.filename, "the folder is named"


def test_validations_within_an_epoch_of_which_every_third_and_the_last_translate(translated):
    places = [(line["epoch"], line["updates"]) for line in validations(translated[0])]
    assert places == [(1, 4), (1, 7), (2, 11), (2, 14), (3, 18), (3, 21), (4, 25), (4, 28)]
    assert [*bleus(translated[0])] == [3, 6, 8]


def test_each_translation_shows_other_samples_than_the_one_before(translated):
    said = {
        name: [
            line.split(maxsplit=1)[1:] for line in translated[1] if line.startswith(f"  {name} ")
        ]
        for name in ("source", "hypothesis", "reference")
    }
    assert {len(lines) for lines in said.values()} == {4 * 3}, "the last of the average"
    first, second, third = ({text for [text] in said["source"][i : i + 3]} for i in (0, 3, 6))
    assert len(first) == len(second) == len(third) == 3
    assert first.isdisjoint(second)
    assert second.isdisjoint(third)


def test_the_weights_of_the_best_bleu_are_the_run_s_and_the_latest_are_kept(translated):
    directory, lines = translated
    measured, latest = bleus(directory), range(3, 9)
    expected = load_arrays(directory.snapshot(max(measured, key=measured.get)))
    if any(line.endswith("kept: the average") for line in lines):
        expected = average_snapshots(directory, latest)
    assert_same_arrays(load_arrays(directory.weights), expected)
    names = {path.stem for path in directory.snapshots.iterdir()}
    assert names == {f"{number:06}" for number in latest}


def test_tokenized_text_is_scored_as_it_stands(tokenized_run, monkeypatch):
    config = RunDirectory(tokenized_run).read_config()
    data = prepare(config, quiet, RunDirectory(tokenized_run).read_tokenizers(config))
    validation = Validation(config, data, quiet)
    hypotheses = [text.replace("Der", "Das") for [text] in validation.references.values()]
    monkeypatch.setattr(validation, "_search", lambda *_: hypotheses)
    references = [[text for [text] in validation.references.values()]]
    for name, tokenize in (("as it stands", "none"), ("as words and marks", "13a")):
        bleu = sacrebleu.corpus_bleu(hypotheses, references, tokenize=tokenize, force=True).score
        same = validation.translate({})["val_bleu"] == pytest.approx(bleu)
        assert same == (name == "as it stands")


def test_a_model_that_truecases_is_shown_small_beginnings(tiny_run):
    config = RunDirectory(tiny_run).read_config()
    tokenizers = RunDirectory(tiny_run).read_tokenizers(config)
    for truecase, shown in ((False, "The man"), (True, "the man")):
        chosen = config.model_copy(
            update={"data": config.data.model_copy(update={"truecase": truecase})}
        )
        validation = Validation(chosen, prepare(chosen, quiet, tokenizers), quiet)
        _, seen = validation.preprocessor.show_source("The man sees the cat.")
        assert seen.text.startswith(shown)


@pytest.mark.slow
def test_the_best_so_far_is_marked_in_its_line_with_the_time_left(
    train_small, computes_nothing, capfd
):
    train_small("training.epochs=3")
    said = [line for line in capfd.readouterr().err.splitlines() if line.startswith("epoch")]
    assert all("  best loss so far" in line for line in said)
    lefts = [re.search(r"  left (\d\d:\d\d)$", line) for line in said]
    assert [bool(left) for left in lefts] == [True, True, False], said


def test_patience_ends_a_run_and_resume_with_more_goes_on(train_small, computes_nothing, capfd):
    """The accuracy stays the same."""
    settings = ("validation.metric=accuracy", "training.epochs=9", "validation.patience=2")
    _, lines, result = train_small(*settings)
    said = [line for line in capfd.readouterr().err.splitlines() if line.startswith("epoch")]
    assert ["  best accuracy so far" in line for line in said] == [True, False, False]
    assert (result.finished, result.progress.epoch) == (True, 3)
    assert "stopped early: 2 validations without a better accuracy" in "\n".join(lines)
    assert train_small(*settings, resume=True).result.progress.epoch == 3
    patient = train_small(*settings, "validation.patience=4", resume=True)
    assert patient.result.progress.epoch == 5


def test_the_mean_of_weights():
    weights = {i: {"a": np.full((2, 2), value, "float32")} for i, value in enumerate((1, 2, 6))}
    run = SimpleNamespace(snapshot=lambda number: number, read_weights=weights.get)
    mean = average_snapshots(run, range(3))["a"]
    assert np.array_equal(mean, np.full((2, 2), 3.0))
    assert mean.dtype == np.float32


def test_average_makes_a_run_of_its_own(translated, tmp_path, capfd):
    directory, _ = translated
    out = tmp_path / "averaged"
    code, _, said = run(capfd, "average", directory.path, "--last", "2", "--out", out)
    assert code == 0, said
    assert "the run's weights: perplexity" in said
    assert "average: perplexity" in said
    expected = average_snapshots(directory, (7, 8))
    assert_same_arrays(load_arrays(RunDirectory(out).weights), expected)
    assert translator.load(out).engine.name == "ctranslate2"
    shutil.copytree(directory.path, tmp_path / "other")
    change_record(RunDirectory(tmp_path / "other"), corpus="another")
    for arguments, message in [
        ((directory.path, "--last", "3", "--out", out), "a run in it already; name a new folder"),
        ((directory.path,), "expected one of --last and --with"),
        ((directory.path, "--last", "9"), "last 9 validations in snapshots/, found weights of"),
        ((tmp_path / "other", "--last", "3"), "its corpus has changed since the run began"),
        ((directory.path, "--last", "3", "--share", "0.5"), "expected --with RUN, found none"),
    ]:
        assert message in refused(capfd, "average", *arguments)


def change_record(directory: RunDirectory, **changes: object) -> None:
    record = json.loads(directory.record.read_text())
    directory.record.write_text(json.dumps({**record, **changes}))


@pytest.mark.slow
def test_average_mixes_a_run_with_the_one_it_went_on_from(translated, tmp_path, capfd, monkeypatch):
    directory, _ = translated
    other = RunDirectory(shutil.copytree(directory.path, tmp_path / "other"))
    theirs = load_arrays(directory.snapshot(7))
    save_arrays(other.weights, theirs)
    ours, out = load_arrays(directory.weights), tmp_path / "mixed"
    mix = ("average", directory.path, "--with", other.path)
    code, _, said = run(capfd, *mix, "--share", "0.25", "--out", out)
    assert code == 0, said
    for name, array in load_arrays(out / "weights.npz").items():
        np.testing.assert_allclose(array, 0.75 * ours[name] + 0.25 * theirs[name], atol=1e-6)
    with monkeypatch.context() as patch:
        patch.setattr(new_run, "finish_run", lambda *_: (tmp_path / "none").read_text())
        assert run(capfd, *mix, "--out", tmp_path / "partial")[0] == 2
    assert not (tmp_path / "partial").exists()
    change_record(other, tokenizers=["a", "b"])
    error = refused(capfd, *mix, "--out", tmp_path / "none")
    assert f"other: expected the same tokenizers as in {directory.path}, found others" in error
    settings = other.config.read_text().replace("source_language: en", "source_language: fr")
    other.config.write_text(settings)
    other.record.write_text(other.record.read_text().replace('"en"', '"fr"'))
    error = refused(capfd, *mix, "--out", tmp_path / "none")
    assert "expected the same corpus.source_language as in" in error


def average_is_better_by(monkeypatch, margin: float, directory: RunDirectory) -> None:
    """Has every average measure so much less loss than the latest validation."""

    def measure(*_: object) -> dict[str, float]:
        loss = validations(directory)[-1]["val_cross_entropy"] - margin
        return {"val_cross_entropy": loss, "val_perplexity": np.exp(loss), "val_accuracy": 0.5}

    monkeypatch.setattr(Validation, "measure_weights", measure)


@pytest.mark.parametrize(
    ("margin", "kept"),
    [(0.5, "the average"), pytest.param(-0.5, "the best validation", marks=pytest.mark.slow)],
)
def test_an_average_is_kept_where_it_is_better(
    train_small, computes_nothing, tmp_path, monkeypatch, margin, kept
):
    average_is_better_by(monkeypatch, margin, RunDirectory(tmp_path / "run"))
    directory, lines, result = train_small(*AVERAGED)
    [line] = [line for line in lines if line.startswith("average of the last 2 validations")]
    assert line.endswith(f"kept: {kept}")
    average = average_snapshots(directory, (2, 3))
    third = load_arrays(directory.snapshot(3))
    assert_same_arrays(load_arrays(directory.weights), average if margin > 0 else third)
    loss = validations(directory)[-1]["val_cross_entropy"] - max(margin, 0)
    assert result.best_perplexity == pytest.approx(np.exp(loss))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("margin", "kept"), [(4.0, "the earlier average"), (1e-3, "the best validation")]
)
def test_an_average_is_kept_until_something_is_better(
    train_small, computes_nothing, tmp_path, monkeypatch, margin, kept
):
    """A run that goes on for a fourth epoch, and whose next average is no good."""
    average_is_better_by(monkeypatch, margin, RunDirectory(tmp_path / "run"))
    directory = train_small(*AVERAGED).run
    average = load_arrays(directory.weights)
    average_is_better_by(monkeypatch, -0.5, directory)
    lines = train_small(*AVERAGED, "training.epochs=4", resume=True).lines
    [line] = [line for line in lines if line.startswith("average of the last 2 validations")]
    assert line.endswith(f"kept: {kept}")
    fourth = load_arrays(directory.snapshot(4))
    assert_same_arrays(load_arrays(directory.weights), average if margin > 1 else fourth)


def test_curves_of_two_runs(translated, tiny_run, tmp_path, capfd):
    out = tmp_path / "curves.svg"
    code, _, said = run(capfd, "curves", translated[0].path, tiny_run, "--out", out)
    assert code == 0, said
    for text in (
        *("loss, nats a token", "perplexity", "accuracy of tokens", "BLEU", "learning rate"),
        *("target tokens a second", "updates", "minutes, validation included", "training side"),
        *(str(tiny_run), str(translated[0].path)),
    ):
        assert f">{text}<" in out.read_text("utf-8")
    error = refused(capfd, "curves", tmp_path, "--out", out)
    assert "metrics.jsonl: expected the figures of a training, found none" in error


def panels_of(figure) -> dict:
    """The parts of a picture by their names."""
    return {axes.get_ylabel(): axes for axes in figure.axes if axes.get_ylabel()}


def points_of(line) -> list[tuple[float, float]]:
    """What a line of a picture connects."""
    return [tuple(point) for point in line.get_xydata()]


def test_curves_are_what_was_measured(translated):
    directory, _ = translated
    times = [json.loads(line) for line in directory.times.read_text().splitlines()]
    curves = read_curves(directory)
    lines = curves.lines
    taken = [each["seconds"] + each["validation_seconds"] for each in times]
    assert lines[2]["minutes"] == pytest.approx(sum(taken[:3]) / 60)
    assert lines[-1]["perplexity"] == pytest.approx(np.exp(lines[-1]["cross_entropy"]))
    panels = panels_of(plot_curves({"one": curves}))
    bleu, *_ = panels["BLEU"].lines
    assert points_of(bleu) == [
        (line["updates"], line["val_bleu"]) for line in (lines[2], lines[5], lines[7])
    ]
    of_training, of_validation, *_ = panels["loss, nats a token"].lines
    assert points_of(of_training)[-1] == (lines[-1]["updates"], lines[-1]["loss"])
    assert points_of(of_validation)[-1] == (lines[-1]["updates"], lines[-1]["val_loss"])
    figure = plot_curves({"one": curves, "other": curves})
    over_time = [axes for axes in figure.axes if "minutes" in axes.get_xlabel()]
    last = points_of(over_time[-1].lines[0])[-1]
    assert last == (lines[-1]["minutes"], lines[-1]["target_tokens_per_second"])


def test_the_best_validation_is_marked(translated):
    directory, _ = translated
    measured = bleus(directory)
    best = validations(directory)[max(measured, key=measured.get) - 1]
    figure = plot_curves({"one": read_curves(directory)})
    [mark] = [line for line in panels_of(figure)["BLEU"].lines if line.get_marker() == "o"]
    assert points_of(mark) == [(best["updates"], best["val_bleu"])]
    texts = figure.legends[0].get_texts()
    names = [text.get_text() for text in texts]
    assert "one" in names
    assert f"best bleu: {best['val_bleu']:.4g}, at update {best['updates']:,}" in names


def test_the_learning_rate_is_drawn_at_every_update(translated):
    directory, _ = translated
    curves = read_curves(directory)
    count = validations(directory)[-1]["updates"]
    drawn = points_of(panels_of(plot_curves({"one": curves}))["learning rate"].lines[0])
    rates = [4e-3 * min(1, update / 10) for update in range(1, count + 1)]  # of the tiny corpus
    assert [x for x, _ in drawn] == list(range(1, count + 1))
    assert [y for _, y in drawn] == pytest.approx(rates, rel=1e-5)


def test_panels_are_those_that_have_data(translated, tiny_corpus):
    """One run has each once; an empty place at the end is left out."""
    curves = read_curves(translated[0])
    figure = plot_curves({"one": curves})
    assert len(panels_of(figure)) == len(figure.axes) == 6
    silent = [{k: v for k, v in line.items() if k != "val_bleu"} for line in curves.lines]
    config = read_config(tiny_corpus / "config.yaml")
    figure = plot_curves({"one": make_curves(silent, config)})
    assert len(figure.axes) == 5
    assert "BLEU" not in panels_of(figure)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("metrics", "{"),
        ("metrics", '{"updates": "6", "cross_entropy": 1}'),
        ("times", '{"seconds": 1e999, "validation_seconds": [1]}'),
    ],
)
def test_a_broken_line_of_figures_is_one_line(tiny_run, tmp_path, capfd, name, line):
    for path in (RunDirectory(tiny_run).metrics, RunDirectory(tiny_run).times):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    written = tmp_path / f"{name}.jsonl"
    lines = [*written.read_text("utf-8").splitlines(), line]
    written.write_text("\n".join(lines) + "\n", "utf-8")
    error = refused(capfd, "curves", tmp_path, "--out", tmp_path / "curves.png")
    assert f"{name}.jsonl, line {len(lines)}: expected numbers as a JSON object, found" in error


def test_scalars_without_tensorboard_are_refused_before_the_training(
    train_small, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    message = r"found it not installed; .* -m pip install 'keras-translator\[tensorboard\]'"
    with pytest.raises(InputError, match=message) as caught:
        train_small("training.tensorboard=true")
    assert "\n" not in str(caught.value)
    assert not RunDirectory(tmp_path / "run").metrics.exists()


def test_scalars_for_tensorboard(translated):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    directory, _ = translated
    written = EventAccumulator(str(directory.tensorboard), {"scalars": 0}).Reload()
    scalars = written.Scalars("validation/cross_entropy")
    found = [(scalar.step, pytest.approx(scalar.value, rel=1e-5)) for scalar in scalars]
    lines = validations(directory)
    assert [(line["updates"], line["val_cross_entropy"]) for line in lines] == found
    assert "training/target_tokens_per_second" in written.Tags()["scalars"]
