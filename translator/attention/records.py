"""What a hypothesis's attention was: every layer and head, with the tokens. NumPy only."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.writing import whole_file

FILE_ENDINGS = (".npz",)
KINDS = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}


class AttentionRecord(NamedTuple):
    """The attention of one hypothesis.

    The decoder's queries are the positions whose output is a target token: query
    0 stands on start and produces the first token, the last produces end. So
    ``target_tokens`` begins with start and ends with end, the decoder's queries
    and keys are ``target_tokens[:-1]``, and what query i produces is
    ``target_tokens[i + 1]``.

    Attributes:
        source: the sentence.
        hypothesis: its translation.
        source_tokens: S pieces, start and end included.
        target_tokens: T + 1 pieces, start and end included.
        encoder: (L, N, S, S), layers, heads, queries, keys.
        decoder: (L, N, T, T).
        cross: (L, N, T, S).
    """

    source: str
    hypothesis: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    encoder: np.ndarray
    decoder: np.ndarray
    cross: np.ndarray

    def scores(self, kind: str) -> np.ndarray:
        """The scores of a kind, one of `KINDS`, (L, N, queries, keys)."""
        return {"encoder": self.encoder, "decoder": self.decoder, "cross": self.cross}[kind]

    def labels(self, kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens of a kind's queries and of its keys.

        A row of cross-attention is labelled with the token that it produced, a
        row of self-attention with the token that it stands on.
        """
        queries = {
            "encoder": self.source_tokens,
            "decoder": self.target_tokens[:-1],
            "cross": self.target_tokens[1:],
        }[kind]
        keys = self.target_tokens[:-1] if kind == "decoder" else self.source_tokens
        return queries, keys


def save_record(path: Path, record: AttentionRecord) -> None:
    """Writes a record as ``.npz``; NumPy alone reads it, without pickle."""
    with whole_file(path) as file:
        np.savez_compressed(file, **{k: np.asarray(value) for k, value in record._asdict().items()})


def load_record(path: Path) -> AttentionRecord:
    """Reads what `save_record` wrote."""
    with np.load(path, allow_pickle=False) as archive:
        return AttentionRecord(
            source=str(archive["source"]),
            hypothesis=str(archive["hypothesis"]),
            source_tokens=tuple(map(str, archive["source_tokens"])),
            target_tokens=tuple(map(str, archive["target_tokens"])),
            **{kind: archive[kind] for kind in KINDS},
        )
