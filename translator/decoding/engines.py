"""What computes the search: the Keras model with its cache."""

import functools
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
from keras import ops

from translator.decoding.search import Hypotheses, SearchLimits, beam_search, greedy_search
from translator.model.transformer import Transformer

LENGTH_STEP = 32  # buffers' lengths are multiples of it, so that few graphs are built


class KerasEngine:
    """Searches with a Keras model, step by step over cached keys and values.

    Args:
        model: built, with its weights.
        start_id: the target side's.
        end_id: the target side's.
        forbidden_ids: what is never produced beside start.
    """

    def __init__(
        self, model: Transformer, start_id: int, end_id: int, forbidden_ids: tuple[int, ...]
    ) -> None:
        self.model = model
        self.special_ids = (start_id, end_id, forbidden_ids)
        self._graphs: dict[tuple[int, int, float], Callable[[Any, Any], Hypotheses]] = {}

    def search(
        self,
        source_ids: np.ndarray,
        max_lengths: np.ndarray,
        beam_size: int,
        length_penalty: float,
        compiled: bool = True,
    ) -> Hypotheses:
        """Finds the best hypotheses of each sentence.

        Args:
            source_ids: (B, S), padded.
            max_lengths: (B,) the most target tokens of each, end included.
            beam_size: K; 1 is greedy.
            length_penalty: see `beam_search`.
            compiled: whether the backend builds a graph of the search first; it
                takes seconds once and pays from a few hundred sentences on.

        Returns:
            Hypotheses of NumPy arrays, (B, K, ...) each.
        """
        longest = int(max_lengths.max())
        length = min(-(-longest // LENGTH_STEP) * LENGTH_STEP, self.model.max_length - 1)
        settings = (length, beam_size, length_penalty)
        search = functools.partial(self._search, *settings)
        if compiled:
            search = self._graphs.setdefault(settings, _compile(search))
        found = search(
            ops.convert_to_tensor(source_ids, "int32"), ops.convert_to_tensor(max_lengths, "int32")
        )
        return Hypotheses(*map(ops.convert_to_numpy, found))

    def _search(
        self, length: int, beam_size: int, length_penalty: float, source_ids: Any, max_lengths: Any
    ) -> Hypotheses:
        memory = self.model.encode(source_ids)
        if beam_size > 1:
            memory = keras.tree.map_structure(lambda x: ops.repeat(x, beam_size, axis=0), memory)
        cache = self.model.empty_cache(ops.shape(source_ids)[0] * beam_size, length)
        limits = SearchLimits(*self.special_ids, max_lengths)

        def step(ids: Any, position: Any, cache: Any) -> tuple[Any, Any]:
            output = self.model.decode_step(ids, position, cache, memory)
            return output.logits, output.cache

        if beam_size == 1:
            return greedy_search(step, cache, limits, length, length_penalty)
        return beam_search(step, cache, limits, length, beam_size, length_penalty)


def _compile(search: Callable[[Any, Any], Hypotheses]) -> Callable[[Any, Any], Hypotheses]:
    """Has the backend build a graph of (B, S) source ids and (B,) limits."""
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        ids = tf.TensorSpec((None, None), tf.int32)
        return tf.function(search, input_signature=(ids, tf.TensorSpec((None,), tf.int32)))
    if keras.backend.backend() == "jax":
        import jax

        return jax.jit(search)
    return search
