"""Makes a new run from a mean of weights: of several validations of a run, or of two runs."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_folder
from translator.config.comparison import fixed_settings
from translator.corpora.registry import fingerprint
from translator.data.preparation import prepare
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import load_weights
from translator.runs.figures import read_lines
from translator.text.learnt_words import LearntWords
from translator.training.backends import open_backend
from translator.training.state import kept_snapshots
from translator.training.trainer import average_snapshots, finish_run
from translator.training.validation import Validation, describe

Report = Callable[[str], None]


def average_last(run: RunDirectory, count: int, out: Path, report: Report) -> None:
    """Makes a new run from the mean of the weights of a run's last validations.

    Args:
        run: trained with ``keep_last``.
    """
    RunDirectory(out).check_free("name a new folder with --out")
    numbers = kept_snapshots(len(read_lines(run.metrics)), count)
    stored = [number for number in numbers if run.snapshot(number).exists()]
    if len(stored) < count:
        raise InputError(
            f"{run.path}: expected weights of the last {count} validations in snapshots/, found"
            f" weights of {len(stored)}; train with --set training.keep_last={count}"
        )
    _write_run(run, average_snapshots(run, stored), out, report)


def average_with(
    run: RunDirectory, earlier: RunDirectory, share: float, out: Path, report: Report
) -> None:
    """Makes a new run from the weights of a run and of the earlier run that it continued.

    The mean keeps more of what the earlier run learnt, and less of the later run: Wortsman et al.
    (2022), "Robust fine-tuning of zero-shot models", https://arxiv.org/abs/2109.01903, section 3.

    Args:
        earlier: a run or an export with the same languages, tokenizers and sizes.
        share: the share of the earlier run's weights, above 0 and below 1.
    """
    RunDirectory(out).check_free("name a new folder with --out")
    _check_fit(run, earlier)
    weights, earlier_weights = run.read_weights(run.find_weights()), load_weights(earlier)
    mean = {
        name: ((1.0 - share) * array + share * earlier_weights[name]).astype(np.float32)
        for name, array in weights.items()
    }
    _write_run(run, mean, out, report)


def _check_fit(run: RunDirectory, earlier: RunDirectory) -> None:
    """Checks that two runs have the same tokenizers and the same fixed settings."""
    settings, earlier_settings = (
        {**fixed_settings(path.read_config()), "tokenizers": path.read_record().tokenizers}
        for path in (run, earlier)
    )
    for key, value in settings.items():
        if earlier_settings[key] != value:
            detail = "" if key == "tokenizers" else f" ({value})"
            actual = "others" if key == "tokenizers" else earlier_settings[key]
            raise InputError(
                f"{earlier.path}: expected the same {key} as in {run.path}{detail}, found {actual};"
                " name the run that RUN continued, or another run that continued that run"
            )


def _write_run(
    run: RunDirectory, weights: dict[str, np.ndarray], out: Path, report: Report
) -> None:
    """Compares new weights with a run's weights, and writes them as a new run with its settings."""
    config = run.read_config()
    tokenizers = run.read_tokenizers(config)
    corpus = fingerprint(config.corpus)
    run.check_corpus(corpus)
    data = prepare(config, lambda line: None, tokenizers, corpus)
    exact = config.with_values({"training.precision": "float32"})
    backend = open_backend(exact, tokenizers)
    validation = Validation(config, data, lambda line: None)
    best = run.read_weights(run.find_weights())
    for name, arrays in (("the run's weights", best), ("average", weights)):
        figures = validation.measure_weights(backend, arrays) | validation.translate(arrays)
        report(f"{name}: {describe(figures)}")
    with whole_folder(out, replace=False) as partial:
        run.copy_settings(partial)
        LearntWords.load(run.path).save(partial)
        shutil.copy(run.record, partial)
        written = RunDirectory(partial)
        written.write_weights(written.weights, weights)
        finish_run(written, data, backend.look(), report)
