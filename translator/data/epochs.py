"""The training batches, epoch after epoch."""

import functools

import numpy as np

from translator.config.schema import Config
from translator.data.batches import Batches, BatchLayout
from translator.data.preparation import TrainingData

DRAWS = 3  # these draws have other seeds than the draws of batches


class Epochs:
    """Plans the batches of a training. An epoch is a pass over the pairs, or a part of one.

    Args:
        config: the settings of the data, the corpora and the seed.
    """

    def __init__(self, config: Config, data: TrainingData, layout: BatchLayout) -> None:
        self.config = config
        self.data = data
        self.layout = layout
        self.latest: tuple[int, Batches] | None = None

    @functools.cached_property
    def pairs(self) -> int:
        """How many pairs a pass has, including pairs that are drawn from further corpora."""
        drawn = self._draw(0)
        return len(self.data.train) if drawn is None else len(drawn)

    @functools.cached_property
    def parts(self) -> int:
        """How many epochs a pass over the pairs is divided into."""
        most = self.config.training.updates_per_epoch
        return 1 if most is None else -(-self._pass(0).count // most)

    def batches(self, epoch: int) -> Batches:
        """The updates of an epoch.

        If a pass is divided, all parts have the same number of updates. The few updates that remain
        are left out; each pass leaves out other pairs.

        Args:
            epoch: from 0. Only the plan of the latest pass stays in memory.
        """
        whole = self.whole_pass(epoch)
        if self.parts == 1:
            return whole
        size = max(whole.count // self.parts, 1)
        start = min(epoch % self.parts * size, whole.count - size)
        return whole.part(start, start + size)

    def whole_pass(self, epoch: int) -> Batches:
        """The updates of the whole pass over the pairs that contains this epoch, from 0."""
        return self._pass(epoch // self.parts)

    def _pass(self, number: int) -> Batches:
        if self.latest is not None and self.latest[0] == number:
            return self.latest[1]
        self.latest = None  # frees memory before the next plan is made
        batches = Batches(
            self.data.train,
            self.config.data,
            self.data.tokenizers,
            (self.config.training.seed, number),
            self.layout,
            self._draw(number),
        )
        self.latest = number, batches
        return batches

    def _draw(self, number: int) -> np.ndarray | None:
        """The numbers of a pass's pairs; None (all pairs) if there is no further corpus."""
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
    """Draws ``count`` numbers below ``size`` for an epoch; no number repeats before all were drawn.

    Args:
        epoch: from 0.
        seed: the seed of the order, which changes whenever all numbers have been drawn.
    """
    first, last = epoch * count, (epoch + 1) * count
    rounds = range(first // size, -(-last // size))
    orders = [np.random.default_rng((*seed, number)).permutation(size) for number in rounds]
    begin = rounds.start * size
    return np.concatenate(orders)[first - begin : last - begin]
