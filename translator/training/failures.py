"""What goes wrong in a training, said so that the reader can mend it."""

import itertools
from typing import NamedTuple

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.config.schema import DataConfig
from translator.data.batches import Batches
from translator.runs.directory import RunDirectory
from translator.tokenizers.subword import Tokenizers

SHOWN = 2  # pairs of a batch that a message shows
TRY_ANEW = (
    "train anew with a lower training.schedule.learning_rate, more warmup_steps, or"
    " training.clip_grad_norm=1; the last checkpoint is kept"
)


class FailedUpdate(NamedTuple):
    """An update that could not be made.

    Attributes:
        number: of the run's updates, from 1.
        batches: its epoch's.
        index: which of them, from 0.
    """

    number: int
    batches: Batches
    index: int

    def pairs(self, tokenizers: Tokenizers) -> list[tuple[str, str]]:
        """Its sentences, as the tokenizers read them."""
        rows = itertools.chain.from_iterable(self.batches.plan[self._chosen])
        source, target = tokenizers
        pairs = self.batches.pairs
        return [(source.decode(pairs.source[i]), target.decode(pairs.target[i])) for i in rows]

    def describe(self) -> str:
        """Its number, and its batches' shapes."""
        each = (
            f"{sentences} sentences of up to {source} source and {target} target tokens"
            for sentences, source, target in self.batches.shapes[self._chosen].tolist()
        )
        return f"at update {self.number:,}, {' and '.join(each)}"

    @property
    def _chosen(self) -> slice:
        count = self.batches.accumulation_steps
        return slice(self.index * count, (self.index + 1) * count)


def loss_is_no_number(
    found: str, update: FailedUpdate, tokenizers: Tokenizers, run: RunDirectory
) -> InputError:
    """What to say of a loss that is infinite or no number; the sentences go to a file.

    Args:
        found: what the loss became.
        update: where.
        tokenizers: the run's.
        run: its directory.
    """
    pairs = update.pairs(tokenizers)
    with whole_file(run.failed_batch) as file:
        file.writelines(f"{source}\t{target}\n".encode() for source, target in pairs)
    shown = ", ".join(f"{source!r} with {target!r}" for source, target in pairs[:SHOWN])
    return InputError(
        f"the loss became {found} {update.describe()}, such as {shown} (all of them:"
        f" {run.failed_batch}); look for pairs there that are no translations, or {TRY_ANEW}"
    )


def runs_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that there is no memory left, in Python's words or a backend's."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"MemoryError", "ResourceExhaustedError"}) or "RESOURCE_EXHAUSTED" in str(
        error
    )


def memory_is_full(where: str, data: DataConfig) -> InputError:
    """What to say where a batch is too large for the machine.

    Args:
        where: what needed more than there is, and its shape.
        data: bounds the batches.
    """
    setting = "batch_tokens" if data.batch_tokens else "batch_size"
    return InputError(
        f"out of memory {where}; train anew with a lower data.{setting}"
        f" ({getattr(data, setting)}), and training.accumulation_steps=2 or more for updates of"
        " the same size; the last checkpoint is kept"
    )
