"""What this add-on gives to the core: warnings before a training, advice after it, scalars."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from translator.addons.monitoring.tensorboard import record_scalars
from translator.config.schema import Config
from translator.runs.directory import RunDirectory
from translator.runs.figures import Figures
from translator.training.hooks import ADVISERS, FINISHERS, RECORDERS, WARNERS

if TYPE_CHECKING:
    from translator.data.preparation import TrainingData
    from translator.training.choices import Room


def _warn(config: Config, data: "TrainingData", updates: int, room: "Room | None") -> Iterable[str]:
    from translator.addons.monitoring.known_model import offer_known_model
    from translator.addons.monitoring.prospects import warn

    return [*warn(config, data, updates, room), *offer_known_model(config, data)]


def _advise(
    config: Config,
    validations: Sequence[Figures],
    run: RunDirectory,
    updates: int,
    pairs: int,
    room: "Room | None",
) -> str | None:
    from translator.addons.monitoring.advice import Trained, advise

    epochs = config.training.epochs
    last_of_another_epoch = updates + updates // epochs - 1
    is_over = config.training.schedule.is_zero_after(last_of_another_epoch)
    return advise(Trained(config, validations, run.path, is_over, pairs, updates, room))


def _finish(run: RunDirectory, data: "TrainingData", report: Callable[[str], None]) -> None:
    from translator.addons.monitoring.known_model import compare_with_known_model

    compare_with_known_model(run, data, report)


WARNERS.register(_warn)
FINISHERS.register(_finish)
RECORDERS.register(record_scalars)
ADVISERS.register(_advise)
