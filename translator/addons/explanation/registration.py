"""What this add-on gives to the core: the uses of pieces, counted after a training."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from translator.runs.directory import RunDirectory
from translator.training.hooks import FINISHERS

if TYPE_CHECKING:
    from translator.data.preparation import TrainingData


def _save_uses(run: RunDirectory, data: "TrainingData", _report: Callable[[str], None]) -> None:
    from translator.addons.explanation.piece_uses import save_uses

    save_uses(run, data)


FINISHERS.register(_save_uses)
