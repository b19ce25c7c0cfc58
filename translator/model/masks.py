"""All masks of the model. They are boolean, and True means "may attend".

Many articles use the opposite convention, 1 for "hidden": that is ``1 - mask``.
"""

from typing import Any

from keras import ops


def padding_mask(ids: Any, padding_id: int) -> Any:
    """Lets every query attend to all positions of a sentence except padding.

    Args:
        ids: (B, S) token ids.
        padding_id: the id that short sentences are padded with.

    Returns:
        (B, 1, 1, S) booleans. They broadcast over heads and queries.
    """
    return ops.not_equal(ids, padding_id)[:, None, None, :]


def look_ahead_mask(length: int) -> Any:
    """Lets each position attend to itself and to the positions before it.

    Args:
        length: T, an integer or an integer tensor.

    Returns:
        (1, 1, T, T) booleans, queries by keys.
    """
    return _up_to_each(ops.arange(length))


def _up_to_each(positions: Any) -> Any:
    return ops.greater_equal(positions[:, None], positions[None, :])[None, None]


def target_mask(ids: Any, padding_id: int) -> Any:
    """Look-ahead and padding mask combined, for the decoder's self-attention.

    Args:
        ids: (B, T) token ids.
        padding_id: the id that short sentences are padded with.

    Returns:
        (B, 1, T, T) booleans.
    """
    length = ops.shape(ids)[1]
    if length is None:  # not known in a functional model
        look_ahead = _up_to_each(ops.cumsum(ops.ones_like(ids[0])))
    else:
        look_ahead = look_ahead_mask(length)
    return ops.logical_and(look_ahead, padding_mask(ids, padding_id))
