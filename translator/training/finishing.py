"""Finishes a run: an average of weights, and what translating needs in addition to them.

Averaging is described by Vaswani et al. (2017), https://arxiv.org/abs/1706.03762, section 6.1.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from translator.base.errors import InputError
from translator.corpora import HeldOutPairs
from translator.data.preparation import TrainingData
from translator.export.ctranslate2 import export_run
from translator.model.transformer import Transformer
from translator.runs.directory import RunDirectory
from translator.runs.exports import is_export
from translator.runs.weights import load_arrays, make_model, set_model_weights
from translator.text.word_alignment import PairCrossAttention, find_alignment_heads
from translator.tokenizers.words import words_of
from translator.training.hardware import device_count, on_one_device
from translator.training.hooks import FINISHERS
from translator.training.loop import Training
from translator.training.processes import share
from translator.training.state import read_state, save_state
from translator.training.validation import describe
from translator.translation.attention_reading import read_attention

SENTENCES = 1000  # of the validation split, in which alignment heads are looked for


def average_weights(
    paths: Sequence[Path], read: Callable[[Path], dict[str, np.ndarray]] = load_arrays
) -> dict[str, np.ndarray]:
    """The mean of each array over several weight files, summed in float64.

    Args:
        read: reads one, such as `RunDirectory.read_weights`.
    """
    sums: dict[str, np.ndarray] = {}
    for path in paths:
        arrays = read(path)
        shapes = {name: array.shape for name, array in arrays.items()}
        if sums and shapes != {name: array.shape for name, array in sums.items()}:
            raise InputError(f"{path}: expected the same arrays as in {paths[0]}, found others")
        for name, array in arrays.items():
            sums[name] = sums.get(name, 0.0) + array.astype(np.float64)
    return {name: (array / len(paths)).astype(np.float32) for name, array in sums.items()}


def keep_average_if_better(training: Training) -> None:
    """Replaces a run's best weights by the configured average, if the average validates better.

    Afterwards the model has the averaged weights. If they are kept, their figures are in
    ``training.progress``, which the caller must save.
    """
    which, selection, writer = training.config.training.average, training.selection, training.writer
    progress, validation = training.progress, training.plan.validation
    numbers = selection.kept(progress.validations, which)
    weights = average_weights(list(map(writer.run.snapshot, numbers)), writer.run.read_weights)
    figures = validation.measure_weights(training.backend, weights)
    if selection.metric in ("bleu", "chrf"):
        figures |= share(lambda: validation.translate(weights))
    best = selection.best(progress)
    better = best is None or selection.cost(figures) < selection.cost(best)
    before = "the earlier average" if best is progress.averaged else "the best validation"
    writer.report(
        f"average of the {which} {len(numbers)} validations: {describe(figures)};"
        + (f" {before}: {describe(best)};" if best else "")
        + f" kept: {'the average' if better else before}"
    )
    if better:
        writer.replace_weights(weights)
        progress.averaged = figures


def is_complete(training: Training) -> bool:
    """Whether a training has come to its end and its run has been finished."""
    progress = training.progress
    is_concluded = progress.concluded == len(progress.validations)
    return training.is_finished and is_concluded and is_export(training.writer.run.export)


def finish(training: Training) -> None:
    """Finishes the run of a training in the process that writes; the state says so at the end."""
    model = training.backend.look()
    share(lambda: _finish(training, model))


def _finish(training: Training, model: Transformer) -> None:
    writer, progress, data = training.writer, training.progress, training.plan.data
    is_spread = device_count() > 1
    with on_one_device():
        if is_spread:
            model = make_model(training.config, data.tokenizers)
        if writer.run.weights.exists():
            finish_run(writer.run, data, model, writer.report)
    if training.is_finished:
        state, _ = read_state(writer.run, writer.report)
        writer.run.mark_finished()
        progress.concluded = len(progress.validations)
        save_state(writer.run, state, progress)


def finish_run(
    run: RunDirectory, data: TrainingData, model: Transformer, report: Callable[[str], None]
) -> None:
    """Writes ``restoration.json``, ``lexicon.json``, ``held-out.json`` and the export of a run;
    add-ons write theirs.

    Args:
        model: of the run's configuration; the weights are loaded into it.
    """
    set_model_weights(model, run.read_weights(run.weights), run.weights)
    restoration = data.restoration._replace(
        alignment=find_alignment_heads(_cross_attention(data, model))
    )
    data.lexicon.save(run.lexicon)
    HeldOutPairs.read(data.held_out).write(run.held_out)
    restoration.save(run.restoration)
    if restoration.alignment is not None:
        layer, heads, accuracy, words = restoration.alignment
        report(
            f"best alignment by cross-attention: layer {layer + 1}, head"
            f" {', '.join(str(head + 1) for head in heads)}: {accuracy:.1%} of {words:,} words"
        )
    report(f"export for CTranslate2: {export_run(run).name}/ in the run")
    FINISHERS.ask(run, data, report)


def _cross_attention(data: TrainingData, model: Transformer) -> Iterator[PairCrossAttention]:
    """That of the validation split's first sentences."""
    tokenizers = data.tokenizers
    numbers = range(min(SENTENCES, len(data.validation)))
    sources, targets = ([side[i].tolist() for i in numbers] for side in data.validation)
    scores = read_attention(model, tokenizers, sources, targets)
    for source, target, its in zip(sources, targets, scores):
        yield PairCrossAttention(
            words_of(tokenizers.source.pieces(source)),
            words_of(tokenizers.target.pieces(target[1:])),
            its.cross,
        )
