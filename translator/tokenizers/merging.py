"""Byte-pair encoding that can leave merges out, for BPE-dropout."""

import heapq
from collections.abc import Sequence
from typing import Any

import numpy as np


class Merger:
    """Byte-pair encoding of single words with a SentencePiece model's pieces.

    Args:
        model: the opened SentencePiece model.
        size: V, including special ids that the model itself does not have.

    Attributes:
        pieces: each id's piece; empty where the model has none.
    """

    def __init__(self, model: Any, size: int) -> None:
        count = model.get_piece_size()
        self.pieces = [model.id_to_piece(i) if i < count else "" for i in range(size)]
        self.ids = {
            self.pieces[i]: i
            for i in range(count)
            if not (model.is_unknown(i) or model.is_control(i) or model.is_byte(i))
        }
        self.scores = {piece: model.get_score(i) for piece, i in self.ids.items()}

    def text(self, ids: np.ndarray) -> str:
        """The text that pieces spell; empty if one of them is a byte or a special token."""
        pieces = [self.pieces[i] for i in ids.tolist()]
        return "".join(pieces) if all(piece in self.ids for piece in pieces) else ""

    def split(self, word: str, left_out: Sequence[int]) -> tuple[list[int], int]:
        """Merges neighbouring pieces, the pair with the best score first, as long as any can be.

        Args:
            word: the text to split.
            left_out: the merges that are left out, numbered from 0 in the order in which
                they become possible.

        Returns:
            The pieces' ids, and how many merges became possible.
        """
        pieces = list(word)  # "" where a piece was merged into the one before
        following = list(range(1, len(pieces) + 1))
        before = list(range(-1, len(pieces) - 1))
        waiting: list[tuple[float, int, str, str]] = []

        def consider(left: int, right: int) -> None:
            if left >= 0 and right < len(pieces):
                score = self.scores.get(pieces[left] + pieces[right])
                if score is not None:
                    heapq.heappush(waiting, (-score, left, pieces[left], pieces[right]))

        for i in range(len(pieces) - 1):
            consider(i, i + 1)
        count = 0
        while waiting:
            _, left, first, second = heapq.heappop(waiting)
            right = following[left]
            if right == len(pieces) or (pieces[left], pieces[right]) != (first, second):
                continue
            count += 1
            if count - 1 in left_out:
                continue
            pieces[left], pieces[right] = first + second, ""
            following[left] = following[right]
            if following[right] < len(pieces):
                before[following[right]] = left
            consider(before[left], left)
            consider(left, following[left])
        return [self.ids.get(piece, -1) for piece in pieces if piece], count
