"""The training batches, epoch after epoch."""

import numpy as np

from translator.config.schema import Config
from translator.data.batches import Batches, BatchLayout
from translator.data.bpe_dropout import BPEDropout
from translator.data.preparation import TrainingData

DRAWS = 3  # sets the seeds of these draws apart from those of batches


class Epochs:
    """Plans the batches of each epoch of a training.

    Args:
        config: with the settings of the data, the corpora and the seed.
        data: the encoded corpus.
        layout: how batches become arrays.

    Raises:
        InputError: BPE-dropout is configured, and a tokenizer does not merge pieces.
    """

    def __init__(self, config: Config, data: TrainingData, layout: BatchLayout) -> None:
        self.config = config
        self.data = data
        self.layout = layout
        rate, max_length = config.data.bpe_dropout, config.data.max_length
        seed = config.training.seed
        self.dropout = (
            BPEDropout(data.train, data.tokenizers, rate, seed, max_length) if rate else None
        )
        self.latest: tuple[int, Batches] | None = None

    @property
    def pairs(self) -> int:
        """How many an epoch has, those that are drawn from mixed corpora included."""
        drawn = self._draw(0)
        return len(self.data.train) if drawn is None else len(drawn)

    def batches(self, epoch: int) -> Batches:
        """The updates of an epoch.

        Args:
            epoch: from 0. The plan of the latest epoch is kept, no other.
        """
        if self.latest is not None and self.latest[0] == epoch:
            return self.latest[1]
        self.latest = None  # frees it before the next plan is made
        batches = Batches(
            self.dropout.epoch(epoch) if self.dropout else self.data.train,
            self.config.data,
            self.data.tokenizers,
            (self.config.training.seed, epoch),
            self.layout,
            self._draw(epoch),
        )
        self.latest = epoch, batches
        return batches

    def _draw(self, epoch: int) -> np.ndarray | None:
        """The numbers of an epoch's pairs; None for all of them, where no corpus is mixed in."""
        if not self.data.mixed:
            return None
        begin = len(self.data.train) - sum(self.data.mixed)
        drawn = [np.arange(begin)]
        for number, (size, mixed) in enumerate(zip(self.data.mixed, self.config.corpora)):
            count = max(1, round(mixed.weight * len(self.data.written[0])))
            seed = (self.config.training.seed, DRAWS, number)
            drawn.append(begin + draw_pairs(size, count, epoch, seed))
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
