"""What this add-on gives to the core: assessors, kinds of doubts, the fit after a training."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from translator.runs.directory import RunDirectory
from translator.training.hooks import FINISHERS
from translator.translation.assessor import ASSESSORS, DOUBTS, Assessor

if TYPE_CHECKING:
    from translator.data.preparation import TrainingData
    from translator.translation.translator import Translator

KINDS = {  # of doubts, as a summary says them
    "language": "not in the language of the model",
    "words": "with words that the training data does not have",
    "names": "with names that their translations lack",
    "wrong": "probably wrong",
    "confidence": "of low confidence",
}


def _open(translator: "Translator") -> Assessor | None:
    from translator.addons.confidence.assessor import open_assessor

    return open_assessor(translator)


def _fit(run: RunDirectory, data: "TrainingData", report: Callable[[str], None]) -> None:
    from translator.addons.confidence.fitting import fit_and_save

    fit_and_save(run, data, report)


ASSESSORS.register(_open)
DOUBTS.register(KINDS)
FINISHERS.register(_fit)
