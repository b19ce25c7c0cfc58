"""Averaging: the mean of the weights of several validations of one run.

Vaswani et al. (2017), https://arxiv.org/abs/1706.03762, section 6.1.
"""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_folder
from translator.corpora import fingerprint
from translator.data.preparation import TrainingData, prepare
from translator.export.ctranslate2 import export_ctranslate2
from translator.model.transformer import Transformer
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays, make_model, save_arrays, set_model_weights
from translator.tokenizers.subword import FILE_NAMES
from translator.training.alignment_heads import find_heads
from translator.training.compilation import compile_model
from translator.training.loop import Rounds
from translator.training.selection import Selection
from translator.training.state import read_lines
from translator.training.validation import Validation, describe

Report = Callable[[str], None]


def average_weights(paths: Sequence[Path]) -> dict[str, np.ndarray]:
    """The mean of each array of some files of weights, summed up in float64.

    Raises:
        InputError: a file is missing or damaged, or holds other arrays than the first.
    """
    sums: dict[str, np.ndarray] = {}
    for path in paths:
        arrays = load_arrays(path)
        shapes = {name: array.shape for name, array in arrays.items()}
        if sums and shapes != {name: array.shape for name, array in sums.items()}:
            raise InputError(f"{path}: expected the same arrays as in {paths[0]}, found others")
        for name, array in arrays.items():
            sums[name] = sums.get(name, 0.0) + array.astype(np.float64)
    return {name: (array / len(paths)).astype(np.float32) for name, array in sums.items()}


def keep_average(rounds: Rounds, report: Report) -> None:
    """Puts the average that a configuration asks for in the place of the best weights.

    Only where it is better on validation. Afterwards the model's weights are the average, and
    the progress, not saved yet, knows its figures.
    """
    which, selection, run = rounds.config.training.average, rounds.selection, rounds.run
    progress = rounds.progress
    numbers = selection.kept(progress.rounds, which)
    weights = average_weights([run.snapshot(number) for number in numbers])
    translate = selection.metric in ("bleu", "chrf")
    figures = rounds.validation.measure_weights(rounds.model, weights, translate)
    best = selection.best(progress)
    better = best is None or selection.badness(figures) < selection.badness(best)
    before = "an average of before" if best is progress.averaged else "the best one"
    report(
        f"average of the {which} {len(numbers)} validations: {describe(figures)};"
        + (f" {before}: {describe(best)};" if best else "")
        + f" kept: {'the average' if better else before}"
    )
    if better:
        save_arrays(run.weights, weights)
        progress.averaged = figures


def average_run(run: RunDirectory, which: str, count: int, out: Path, report: Report) -> None:
    """Makes a new run of the mean of weights that a run has kept.

    Args:
        run: trained with ``keep_last`` or ``keep_best``.
        which: ``last`` or ``best``.
        count: how many.
        out: the new run's directory.
        report: is given each line for the reader.

    Raises:
        InputError: so many are not there, ``out`` is, or the corpus has changed.
    """
    config = run.read_config()
    averaged = RunDirectory(out)
    averaged.check_free()
    rounds = read_lines(run.metrics)
    order = Selection.of(config).ranked(rounds) if which == "best" else range(len(rounds), 0, -1)
    chosen = sorted(order[:count])
    there = [number for number in chosen if run.snapshot(number).exists()]
    if len(there) < count:
        raise InputError(
            f"{run.path}: expected weights of the {which} {count} validations in snapshots/, found"
            f" those of {len(there)}; train with --set training.keep_{which}={count}"
        )
    weights = average_weights([run.snapshot(number) for number in chosen])
    tokenizers = run.read_tokenizers(config)
    corpus = fingerprint(config.corpus)
    run.check_corpus(corpus)
    data = prepare(config, lambda line: None, tokenizers, corpus)
    model = make_model(config, tokenizers)
    compile_model(model, config)
    validation = Validation(config, data, lambda line: None)
    for name, its in (("kept so far", load_arrays(run.find_weights())), ("average", weights)):
        report(f"{name}: {describe(validation.measure_weights(model, its, True))}")
    with whole_folder(out, replace=False) as partial:
        for name in ("config.yaml", "run.json", *FILE_NAMES):
            shutil.copy(run.path / name, partial)
        save_arrays(RunDirectory(partial).weights, weights)
    make_usable(averaged, data, model, report)


def make_usable(run: RunDirectory, data: TrainingData, model: Transformer, report: Report) -> None:
    """Leaves beside a run's weights what using them needs.

    Args:
        run: with its weights.
        data: what it was trained on.
        model: of the run's configuration; it is given the weights.
        report: is given each line for the reader.
    """
    set_model_weights(model, load_arrays(run.weights), run.weights)
    restoration = data.restoration._replace(alignment=find_heads(data, model))
    restoration.save(run.restoration)
    if restoration.alignment is not None:
        layer, heads, accuracy, words = restoration.alignment
        report(
            f"cross-attention points best in layer {layer + 1}, head"
            f" {', '.join(str(head + 1) for head in heads)}: {accuracy:.1%} of {words:,} words"
        )
    export_ctranslate2(run, run.export)
    report(f"export for CTranslate2: {run.export}")
