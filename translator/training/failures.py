"""Errors of a training that say how the user can correct them."""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from translator.base.errors import InputError
from translator.config.schema import DataConfig
from translator.data.batches import Batches
from translator.tokenizers.masks import with_names
from translator.tokenizers.subword import Tokenizers

EXAMPLE_PAIRS = 2  # sentence pairs of a batch that a message quotes
STABILITY_ADVICE = (
    "train again with a lower training.schedule.learning_rate, more warmup_steps, or"
    " training.clip_grad_norm=1; the last checkpoint is kept"
)


class FailedUpdate(NamedTuple):
    """An update that failed.

    Attributes:
        earlier: number of updates of the run before its epoch.
        position: among the epoch's updates, from 0.
    """

    earlier: int
    batches: Batches
    position: int

    def pairs(self, tokenizers: Tokenizers) -> list[tuple[str, str]]:
        """Its sentence pairs, decoded to text."""
        rows = itertools.chain.from_iterable(self.batches.plan[self._its_batches])
        source, target = tokenizers
        pairs = self.batches.pairs
        return [
            (with_names(source.decode(pairs.source[i])), with_names(target.decode(pairs.target[i])))
            for i in rows
            if i >= 0  # not padding
        ]

    def describe(self) -> str:
        """Its number and the shapes of its batches."""
        each = (
            f"{sentences} sentences of up to {source} source and {target} target tokens"
            for sentences, source, target in self.batches.shapes[self._its_batches].tolist()
        )
        return f"at update {self.earlier + self.position + 1:,}, {' and '.join(each)}"

    @property
    def _its_batches(self) -> slice:
        count = self.batches.layout.accumulation_steps
        return slice(self.position * count, (self.position + 1) * count)


def non_finite_loss_error(
    found: str, update: FailedUpdate, pairs: Sequence[tuple[str, str]], file: Path
) -> InputError:
    """The error for a NaN or infinite loss."""
    quoted = ", ".join(f"{source!r} with {target!r}" for source, target in pairs[:EXAMPLE_PAIRS])
    return InputError(
        f"the loss became {found} {update.describe()}, such as {quoted} (all of them:"
        f" {file}); look there for pairs that are not translations, or"
        f" {STABILITY_ADVICE}"
    )


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error of Python or of a backend means that memory ran out."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"MemoryError", "ResourceExhaustedError"}) or "RESOURCE_EXHAUSTED" in str(
        error
    )


@contextlib.contextmanager
def explaining_lack_of_memory(data: DataConfig, where: Callable[[], str]) -> Iterator[None]:
    """Says what to do where a batch in the block is too large for the machine.

    Args:
        where: the step that ran out of memory, and the shape of its batch.
    """
    try:
        yield
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        setting = "batch_tokens" if data.batch_tokens else "batch_size"
        raise InputError(
            f"out of memory {where()}; train again with a lower data.{setting}"
            f" ({getattr(data, setting)}), and training.accumulation_steps=2 or more for updates of"
            " the same size; the last checkpoint is kept"
        ) from None
