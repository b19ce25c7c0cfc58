"""The training batches, epoch after epoch."""

from translator.config.schema import Config
from translator.data.batches import Batches
from translator.data.bpe_dropout import BPEDropout
from translator.data.preparation import TrainingData
from translator.training.feeding import training_layout


class Epochs:
    """Plans the batches of each epoch of a training.

    Args:
        config: resolved; see `translator.training.resolution`.
        data: the encoded corpus.

    Raises:
        InputError: BPE-dropout is configured, and a tokenizer does not merge pieces.
    """

    def __init__(self, config: Config, data: TrainingData) -> None:
        self.config = config
        self.data = data
        rate, max_length = config.data.bpe_dropout, config.data.max_length
        seed = config.training.seed
        self.dropout = (
            BPEDropout(data.train, data.tokenizers, rate, seed, max_length) if rate else None
        )
        self.latest: tuple[int, Batches] | None = None

    def batches(self, epoch: int) -> Batches:
        """The updates of an epoch.

        Args:
            epoch: from 0. The plan of the latest epoch is kept, no other.
        """
        if self.latest is not None and self.latest[0] == epoch:
            return self.latest[1]
        self.latest = None  # frees it before the next plan is made
        training = self.config.training
        batches = Batches(
            self.dropout.epoch(epoch) if self.dropout else self.data.train,
            self.config.data,
            self.data.tokenizers,
            (training.seed, epoch),
            training_layout(training),
        )
        self.latest = epoch, batches
        return batches
