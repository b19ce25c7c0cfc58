"""What goes wrong in a training, said so that the reader can mend it."""

from typing import NamedTuple

from translator.dataset import Batches
from translator.encoding import EncodedPairs
from translator.errors import InputError
from translator.run import RunDirectory
from translator.tokenizer import Tokenizers
from translator.writing import whole_file

SHOWN = 2  # pairs of a batch that a message shows


class FailedUpdate(NamedTuple):
    """An update that could not be made.

    Attributes:
        number: of the run's updates, from 1.
        shapes: sentences, source tokens and target tokens of each of its batches.
        pairs: their sentences, as the tokenizers read them.
    """

    number: int
    shapes: list[tuple[int, int, int]]
    pairs: list[tuple[str, str]]

    @classmethod
    def of(
        cls, number: int, batches: Batches, index: int, tokenizers: Tokenizers
    ) -> "FailedUpdate":
        """The update with a number that is ``index``, from 0, in its epoch."""
        first = index * batches.accumulation_steps
        chosen = slice(first, first + batches.accumulation_steps)
        pairs: EncodedPairs = batches.pairs
        shapes = [tuple(shape) for shape in batches.shapes[chosen].tolist()]
        sides = (
            [tokenizer.decode(side[i]) for its in batches.plan[chosen] for i in its]
            for tokenizer, side in zip(tokenizers, pairs)
        )
        return cls(number, shapes, list(zip(*sides)))

    def describe(self) -> str:
        """Its batches' shapes."""
        each = (
            f"{sentences} sentences of up to {source} source and {target} target tokens"
            for sentences, source, target in self.shapes
        )
        return " and ".join(each)


def loss_is_no_number(found: str, update: FailedUpdate, run: RunDirectory) -> InputError:
    """What to say of a loss that is infinite or no number; the sentences go to a file.

    Args:
        found: what the loss became.
        update: where.
        run: its directory.
    """
    with whole_file(run.failed_batch) as file:
        file.writelines(f"{source}\t{target}\n".encode() for source, target in update.pairs)
    shown = ", ".join(f"{source!r} with {target!r}" for source, target in update.pairs[:SHOWN])
    return InputError(
        f"the loss became {found} at update {update.number:,}, {update.describe()}, such as"
        f" {shown} (all of them: {run.failed_batch}); look for pairs there that are no"
        " translations, lower training.schedule.learning_rate, raise warmup_steps, or set"
        " training.clip_grad_norm=1; the last checkpoint is kept"
    )


def runs_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that there is no memory left, in Python's words or a backend's."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"MemoryError", "ResourceExhaustedError"}) or "RESOURCE_EXHAUSTED" in str(
        error
    )


def memory_is_full(update: FailedUpdate, setting: str) -> InputError:
    """What to say where a batch is too large for the machine.

    Args:
        update: which needed more than there is.
        setting: the key that bounds a batch, and its value.
    """
    return InputError(
        f"out of memory at update {update.number:,}, {update.describe()}; train anew with a lower"
        f" {setting}, and training.accumulation_steps=2 or more for updates of the same size; the"
        " last checkpoint is kept"
    )
