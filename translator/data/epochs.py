"""The training batches, epoch after epoch."""

import contextlib
import functools
import shutil
import threading
from pathlib import Path

import numpy as np

from translator.base.cache import cached_folder, home, key_of, make_folder
from translator.base.errors import InputError
from translator.config.schema import Config
from translator.data.batches import Batches, BatchLayout
from translator.data.planning import LARGE, BatchPlan, plan_batches
from translator.data.preparation import TrainingData

DRAWS = 3  # sets the seeds of these draws apart from those of batches
PLANS = "plans"  # the folder of the cache for those of many pairs
PLAN_VERSION = 1  # raise it when the same settings give other plans


class Epochs:
    """Plans the batches of each epoch of a training: of a pass over the pairs, or of a part of one.

    The plans of many pairs are in the cache, one for all processes of a machine.

    Args:
        config: with the settings of the data, the corpora and the seed.
        data: the encoded corpus.
        layout: how batches become arrays.
    """

    def __init__(self, config: Config, data: TrainingData, layout: BatchLayout) -> None:
        self.config = config
        self.data = data
        self.layout = layout
        self.latest: tuple[int, Batches] | None = None
        self.ahead = 0  # the latest pass that was planned while another one was trained on

    @functools.cached_property
    def pairs(self) -> int:
        """How many a pass has, those that are drawn from mixed corpora included."""
        drawn = self._draw(0)
        return len(self.data.train) if drawn is None else len(drawn)

    @functools.cached_property
    def parts(self) -> int:
        """How many epochs a pass over the pairs is divided into."""
        most = self.config.training.updates_per_epoch
        return 1 if most is None else -(-self._pass(0).count // most)

    def batches(self, epoch: int) -> Batches:
        """The updates of an epoch.

        Where a pass is divided, each part has equally many, and the few that are left over at its
        end, fewer than there are parts, are left out; they are others in each pass.

        Args:
            epoch: from 0. The plan of the latest pass is kept, no other.
        """
        whole = self.whole_pass(epoch)
        if self.parts == 1:
            return whole
        size = max(whole.count // self.parts, 1)
        start = min(epoch % self.parts * size, whole.count - size)
        return whole.part(start, start + size)

    def plan_ahead(self, epoch: int, epochs: int) -> None:
        """Plans the next pass, while an epoch is trained on, where that takes long.

        Args:
            epoch: from 0.
            epochs: of the whole training.
        """
        number = epoch // self.parts + 1
        is_first = self.ahead < number < -(-epochs // self.parts)
        if is_first and self.pairs >= LARGE:
            self.ahead = number
            threading.Thread(target=self._try_to_plan, args=(number,), daemon=True).start()

    def _try_to_plan(self, number: int) -> None:
        with contextlib.suppress(OSError, InputError):  # it is told where the plan is needed
            self._plan(number)

    def whole_pass(self, epoch: int) -> Batches:
        """The updates of the pass over the pairs that an epoch, from 0, is a part of."""
        return self._pass(epoch // self.parts)

    def _pass(self, number: int) -> Batches:
        if self.latest is not None and self.latest[0] == number:
            return self.latest[1]
        self.latest = None  # frees it before the next plan is made
        batches = Batches(
            self.data.train,
            self.config.data,
            self.data.tokenizers,
            (self.config.training.seed, number),
            self.layout,
            self._draw(number),
            self._plan(number) if self.pairs >= LARGE else None,
        )
        self.latest = number, batches
        return batches

    def _plan(self, number: int) -> BatchPlan:
        """The plan of a pass, from the cache; those of earlier passes are removed from it."""
        from filelock import FileLock

        config, edges = self.config, self.layout.edges
        seed, weights = config.training.seed, [mixed.weight for mixed in config.corpora]
        drawn = len(self.data.written[0]), self.data.mixed, weights
        names = {"batch_size", "batch_tokens", "max_length"}
        data = config.data.model_dump(include=names)
        key = key_of([PLAN_VERSION, self.data.train_key, seed, data, edges, drawn])
        folder = home() / PLANS / key

        def write(its: Path) -> None:
            chosen = self._draw(number)
            plan_batches(self.data.train, config.data, (seed, number), edges, chosen).save(its)

        make_folder(folder)
        with FileLock(folder / "lock"):  # others wait for the plan instead of making it, too
            try:
                plan = BatchPlan.load(cached_folder(f"{PLANS}/{key}", str(number), write))
            except (OSError, ValueError):  # it is damaged, or the disk is full
                shutil.rmtree(folder / str(number), ignore_errors=True)
                plan = BatchPlan.load(cached_folder(f"{PLANS}/{key}", str(number), write))
            for each in filter(Path.is_dir, folder.iterdir()):
                if int(each.name.partition(".")[0]) < number - 1:
                    shutil.rmtree(each, ignore_errors=True)
        return plan

    def _draw(self, number: int) -> np.ndarray | None:
        """The numbers of a pass's pairs; None for all of them, where no corpus is mixed in."""
        if not self.data.mixed:
            return None
        begin = len(self.data.train) - sum(self.data.mixed)
        drawn = [np.arange(begin)]
        for place, (size, mixed) in enumerate(zip(self.data.mixed, self.config.corpora)):
            count = max(1, round(mixed.weight * len(self.data.written[0])))
            seed = (self.config.training.seed, DRAWS, place)
            drawn.append(begin + draw_pairs(size, count, number, seed))
            begin += size
        return np.concatenate(drawn)


def draw_pairs(size: int, count: int, epoch: int, seed: tuple[int, ...]) -> np.ndarray:
    """Draws an epoch's numbers below ``size``: all are drawn before one comes again.

    Args:
        size: how many there are.
        count: how many are drawn for each epoch.
        epoch: from 0.
        seed: of the order, which is another one each time that all have been drawn.
    """
    first, last = epoch * count, (epoch + 1) * count
    rounds = range(first // size, -(-last // size))
    orders = [np.random.default_rng((*seed, number)).permutation(size) for number in rounds]
    begin = rounds.start * size
    return np.concatenate(orders)[first - begin : last - begin]
