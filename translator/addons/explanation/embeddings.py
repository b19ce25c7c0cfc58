"""The vectors of a vocabulary: the nearest ones, and a map of all. NumPy only."""

from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.runs.directory import RunDirectory
from translator.runs.exports import load_weights
from translator.tokenizers.special_tokens import NOT_TEXT, UNKNOWN
from translator.tokenizers.subword import SIDES, Tokenizer

ROWS_AT_ONCE = 1_024  # of the vocabulary, whose nearest ones are looked for


class Embeddings(NamedTuple):
    """The vectors of one vocabulary.

    Attributes:
        tokenizer: of the vocabulary.
        pieces: V pieces.
        vectors: (V, D), each of length 1.
        is_text: (V,) whether each piece spells text.
    """

    tokenizer: Tokenizer
    pieces: tuple[str, ...]
    vectors: np.ndarray
    is_text: np.ndarray


class Neighbour(NamedTuple):
    """A piece that is near.

    Attributes:
        piece: of the vocabulary.
        cosine: of the angle between the two vectors, -1 to 1.
    """

    piece: str
    cosine: float


def load_embeddings(run: RunDirectory, side: str) -> Embeddings:
    """Reads the embedding table of one side of a run; both may share it.

    Args:
        run: a trained run.
        side: source or target.

    Raises:
        InputError: there is no such side, or the run has no weights.
    """
    if side not in SIDES:
        raise InputError(f"--side: expected {' or '.join(SIDES)}, found {quoted(side)}")
    weights = load_weights(run)
    tokenizer = getattr(run.read_tokenizers(run.read_config()), side)
    shared = weights.get("shared_embedding/embedding/embeddings")
    table = weights[f"{side}_embedding/embedding/embeddings"] if shared is None else shared
    table = np.asarray(table, "float32")
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    pieces = tuple(tokenizer.pieces(range(len(table))))
    outside = {*NOT_TEXT, UNKNOWN}
    others = {*tokenizer.control_ids, *tokenizer.tag_ids}
    is_text = [piece not in outside and i not in others for i, piece in enumerate(pieces)]
    return Embeddings(tokenizer, pieces, table / np.maximum(lengths, 1e-12), np.array(is_text))


def pieces_of(embeddings: Embeddings, text: str) -> list[int]:
    """The ids of the pieces that a word is cut into.

    Raises:
        InputError: the tokenizer has no piece for any of it.
    """
    [ids] = embeddings.tokenizer.encode([text])
    inner = [i for i in ids if embeddings.is_text[i]]
    if not inner:
        raise InputError(
            f"expected a word that the tokenizer can spell, found {quoted(text)}; try another"
        )
    return inner


def neighbours(embeddings: Embeddings, text: str, count: int = 10) -> list[Neighbour]:
    """The pieces whose vectors point most nearly where that of a word does.

    A word of several pieces has the mean of their vectors.

    Args:
        embeddings: from `load_embeddings`.
        text: the word.
        count: how many to return.

    Raises:
        InputError: the tokenizer has no piece for the word.
    """
    ids = pieces_of(embeddings, text)
    mean = embeddings.vectors[ids].mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), 1e-12)
    cosines = embeddings.vectors @ mean
    cosines[~embeddings.is_text] = -np.inf
    cosines[ids] = -np.inf  # the word itself
    order = np.argsort(-cosines, kind="stable")[: min(count, int(np.isfinite(cosines).sum()))]
    return [Neighbour(embeddings.pieces[i], float(cosines[i])) for i in order]


def nearest_of_all(vectors: np.ndarray, count: int) -> np.ndarray:
    """(V, count) the numbers of the nearest others of each vector, the nearest first."""
    found = np.zeros((len(vectors), count), "int32")
    for first in range(0, len(vectors), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        cosines = vectors[rows] @ vectors.T
        cosines[np.arange(len(cosines)), np.arange(first, first + len(cosines))] = -np.inf
        best = np.argpartition(-cosines, count, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(cosines, best, axis=1), axis=1)
        found[rows] = np.take_along_axis(best, order, axis=1)
    return found


def principal_components(vectors: np.ndarray, count: int = 2) -> tuple[np.ndarray, float]:
    """Projects vectors on the directions in which they vary most.

    Pearson (1901), "On Lines and Planes of Closest Fit to Systems of Points in Space",
    https://doi.org/10.1080/14786440109462720

    Args:
        vectors: (V, D).
        count: of directions.

    Returns:
        (V, count), and the share of the variance that they keep.
    """
    centred = vectors - vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred)
    chosen = directions[:, ::-1][:, :count]
    total = float(variances.sum())
    kept = float(variances[::-1][:count].sum()) / total if total else 0.0
    return centred @ chosen, kept
