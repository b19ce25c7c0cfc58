"""How often each piece of a vocabulary stands in text of the source and of the target."""

import json
from typing import TYPE_CHECKING

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.reading import read_file
from translator.runs.directory import RunDirectory
from translator.runs.exports import put_into_export
from translator.tokenizers.subword import SIDES

if TYPE_CHECKING:
    from translator.data.preparation import TrainingData

PAIRS_AT_MOST = 100_000  # of a corpus; the shares of frequent pieces do not change with more


def save_uses(run: RunDirectory, data: "TrainingData") -> None:
    """Counts the pieces of the training split, and writes the counts into a run and its export.

    Args:
        run: with an export.
        data: what it was trained on.
    """
    counts = {}
    for side, tokenizer in zip(SIDES, data.tokenizers):
        total = np.zeros(tokenizer.size, "int64")
        for pairs in data.written:
            ids = getattr(pairs.part(0, PAIRS_AT_MOST), side).ids
            total += np.bincount(ids, minlength=tokenizer.size)
        counts[side] = total.tolist()
    with whole_file(run.piece_uses) as file:
        file.write(json.dumps(counts, separators=(",", ":")).encode())
    put_into_export(run, run.piece_uses)


def load_uses(run: RunDirectory, side: str, size: int) -> np.ndarray | None:
    """How often each piece of a vocabulary stands on the two sides.

    Args:
        run: whose vocabulary it is.
        side: source or target; of two vocabularies, the counts of the other side are 0.
        size: V.

    Returns:
        (2, V), or None where the run does not have them.

    Raises:
        InputError: the file is damaged.
    """
    is_shared = run.read_config().tokenizer.shared
    try:
        counts = json.loads(read_file(run.piece_uses))
        found = np.array([counts[name] for name in SIDES if is_shared or name == side], "int64")
        if found.shape[1:] != (size,) or (found < 0).any():
            raise ValueError
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise InputError(
            f"{run.piece_uses}: expected what training writes, found other text; remove the file"
            " to draw the map without colours"
        ) from None
    if is_shared:
        return found
    uses = np.zeros((2, size), "int64")
    uses[SIDES.index(side)] = found[0]
    return uses
