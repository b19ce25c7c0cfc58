"""Finishes a run: writes what translating needs in addition to the weights."""

from collections.abc import Callable

from translator.data.preparation import TrainingData
from translator.export.formats import export_run
from translator.model.transformer import Transformer
from translator.runs.directory import RunDirectory
from translator.runs.weights import load_arrays, set_model_weights
from translator.training.alignment_heads import find_heads
from translator.training.hooks import FINISHERS


def finish_run(
    run: RunDirectory, data: TrainingData, model: Transformer, report: Callable[[str], None]
) -> None:
    """Writes ``restoration.json``, ``lexicon.json`` and the export of a run; add-ons write theirs.

    Args:
        run: with its weights.
        data: what it was trained on.
        model: of the run's configuration; the weights are loaded into it.
        report: is given each line for the user.
    """
    set_model_weights(model, load_arrays(run.weights), run.weights)
    restoration = data.restoration._replace(alignment=find_heads(data, model))
    data.lexicon.save(run.lexicon)
    restoration.save(run.restoration)
    if restoration.alignment is not None:
        layer, heads, accuracy, words = restoration.alignment
        report(
            f"best alignment by cross-attention: layer {layer + 1}, head"
            f" {', '.join(str(head + 1) for head in heads)}: {accuracy:.1%} of {words:,} words"
        )
    report(f"export for CTranslate2: {export_run(run).name}/ in the run")
    for finish in FINISHERS.answers():
        finish(run, data, report)
