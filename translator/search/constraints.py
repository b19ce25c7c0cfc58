"""What every strategy of search keeps to: the least length, and the tokens that are given."""

from typing import Any, NamedTuple

import numpy as np
from keras import ops

from translator.search.ranking import IMPOSSIBLE
from translator.search.state import SearchSettings


def forbid_early_end(logits: Any, positions: Any, settings: SearchSettings) -> Any:
    """Makes the end impossible where a hypothesis would have too few tokens.

    Args:
        logits: (B, K, V).
        positions: (B,) of the token that is searched for.
        settings: see `SearchSettings`.

    Returns:
        The logits, (B, K, V).
    """
    if settings.min_length <= 1:
        return logits
    too_soon = ops.less(positions + 1, settings.min_length)[:, None, None]
    is_end = np.arange(logits.shape[-1]) == settings.end_id
    return ops.where(ops.logical_and(too_soon, is_end), IMPOSSIBLE, logits)


class GivenTokens(NamedTuple):
    """The tokens of the prefix at some positions, (B, 1) each.

    Attributes:
        given: whether the prefix has a token there.
        ids: that token.
    """

    given: Any
    ids: Any


def given_tokens(positions: Any, settings: SearchSettings) -> GivenTokens | None:
    """The tokens that every hypothesis has at ``positions``, (B,); None without a prefix."""
    if not settings.prefix_ids:
        return None
    count, position = len(settings.prefix_ids), positions[:, None]
    ids = np.array([*settings.prefix_ids, settings.end_id], "int32")
    return GivenTokens(position < count, ops.take(ids, ops.minimum(position, count)))
