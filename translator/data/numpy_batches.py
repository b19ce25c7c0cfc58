"""Batches for JAX: NumPy gathers them while the previous step is computed."""

import numpy as np

from translator.data.batches import Batches
from translator.data.encoded_pairs import TokenArray

MicroBatch = tuple[tuple[np.ndarray, np.ndarray], np.ndarray]


class UpdateArrays:
    """Some of an epoch's updates. Each update is gathered when it is requested.

    Args:
        start: the first update, from 0.
        end: the update after the last one; None for all.
        copies: how many times each pair is repeated, such as 2 for R-Drop; its copies are
            neighbours, so that they are on one device.
        process: the number of the process that asks, from 0.
        processes: the number of processes. Every batch's rows are divided equally among the
            processes, in their order.
    """

    def __init__(
        self,
        batches: Batches,
        start: int = 0,
        end: int | None = None,
        copies: int = 1,
        process: int = 0,
        processes: int = 1,
    ) -> None:
        self.batches = batches
        self.updates = range(start, batches.count if end is None else end)
        self.copies = copies
        self.share = process, processes

    def __len__(self) -> int:
        return len(self.updates)

    def __getitem__(self, number: int) -> tuple[MicroBatch, ...]:
        """The batches of an update, from 0.

        Each is ((source ids (B, S), target ids without the last (B, T)), target ids without the
        first (B, T)), int32. All batches of an update have the same shape.
        """
        update, (process, processes) = self.updates[number], self.share
        parts = (
            (np.repeat(np.array_split(rows, processes)[process], self.copies), widths)
            for rows, (_, *widths) in zip(*self.batches.batches_of(update, update + 1))
        )
        return tuple(_gather_batch(self.batches, *part) for part in parts)


def _gather_batch(batches: Batches, rows: np.ndarray, widths: list[int]) -> MicroBatch:
    source, target = (
        gather(side, rows, width, padding_id)
        for side, width, padding_id in zip(batches.pairs, widths, batches.padding_ids)
    )
    return (source, target[:, :-1]), target[:, 1:]


def gather(sentences: TokenArray, rows: np.ndarray, width: int, padding_id: int) -> np.ndarray:
    """Sentences by their numbers as one padded array.

    Args:
        rows: (B,) numbers; -1 for a sentence of padding.

    Returns:
        (B, S) int32.
    """
    starts = sentences.offsets[np.maximum(rows, 0)]
    lengths = np.where(rows >= 0, sentences.offsets[rows + 1] - starts, 0)
    columns = np.arange(width)
    is_real = columns < lengths[:, None]  # (B, S)
    gathered = np.full(is_real.shape, padding_id, np.int32)
    gathered[is_real] = sentences.ids[(starts[:, None] + columns)[is_real]]
    return gathered
