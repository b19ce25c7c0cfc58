"""What this add-on gives to the core: a look at the pairs before a training."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from translator.config.schema import Config
from translator.training.hooks import WARNERS

if TYPE_CHECKING:
    from translator.data.preparation import TrainingData
    from translator.training.clock import Room


def _warn(config: Config, data: "TrainingData", updates: int, room: "Room | None") -> Iterable[str]:
    from translator.addons.inspection.report import look_at

    return look_at(config.corpus)


WARNERS.register(_warn)
