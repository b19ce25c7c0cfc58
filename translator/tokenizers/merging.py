"""Byte-pair encoding with merges left out at will."""

import heapq
from collections.abc import Sequence

import numpy as np

from translator.tokenizers.subword import SubwordTokenizer


class Merger:
    """Byte-pair encoding of single words with a SentencePiece model's pieces.

    Args:
        tokenizer: whose.
    """

    def __init__(self, tokenizer: SubwordTokenizer) -> None:
        model = tokenizer.model
        count = model.get_piece_size()
        self.pieces = [model.id_to_piece(i) if i < count else "" for i in range(tokenizer.size)]
        self.ids = {
            self.pieces[i]: i
            for i in range(count)
            if not (model.is_unknown(i) or model.is_control(i) or model.is_byte(i))
        }
        self.scores = {piece: model.get_score(i) for piece, i in self.ids.items()}

    def text(self, ids: np.ndarray) -> str:
        """What pieces spell together; nothing where one is a byte or not of the text."""
        pieces = [self.pieces[i] for i in ids.tolist()]
        return "".join(pieces) if all(piece in self.ids for piece in pieces) else ""

    def split(self, word: str, left_out: Sequence[int]) -> tuple[list[int], int]:
        """Merges characters, the best-scored pair first, until nothing more can be.

        Args:
            word: its characters.
            left_out: the merges that are passed over, by their number in the
                order in which they come up, from 0.

        Returns:
            The pieces' ids; and how many merges came up.
        """
        pieces = list(word)  # "" where a piece has become part of the one before
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
