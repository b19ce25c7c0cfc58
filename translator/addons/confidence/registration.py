"""What this add-on gives to the core: the assessor of a run, and its fit after a training."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from translator.runs.directory import RunDirectory
from translator.training.hooks import FINISHERS
from translator.translation.assessor import ASSESSORS, Assessor

if TYPE_CHECKING:
    from translator.data.preparation import TrainingData
    from translator.translation.translator import Translator


def _open(translator: "Translator") -> Assessor | None:
    from translator.addons.confidence.assessor import open_assessor

    return open_assessor(translator)


def _fit(run: RunDirectory, data: "TrainingData", report: Callable[[str], None]) -> None:
    from translator.addons.confidence.fitting import fit_and_save

    fit_and_save(run, data, report)


ASSESSORS.register(_open)
FINISHERS.register(_fit)
