"""A map of a vocabulary: each piece is a point, near to those that the model holds for alike."""

from typing import NamedTuple

import numpy as np

from translator.addons.explanation.embeddings import (
    Embeddings,
    nearest_of_all,
    principal_components,
)
from translator.base.errors import InputError
from translator.base.extras import missing_package
from translator.base.texts import quoted

METHODS = ("pca", "tsne")
SHOWN_NEIGHBOURS = 8


class EmbeddingMap(NamedTuple):
    """The points of some pieces.

    Attributes:
        pieces: the most frequent first.
        places: (V, 2), from -1 to 1.
        source_shares: (V,) the share of a piece's uses that are on the source side; NaN where it
            is not known.
        uses: (V,) on both sides; 0 where it is not known.
        nearest: (V, 8) the numbers of the nearest pieces among these.
        method: how the places were found.
        kept: the share of the variance that the places keep; None with t-SNE.
    """

    pieces: tuple[str, ...]
    places: np.ndarray
    source_shares: np.ndarray
    uses: np.ndarray
    nearest: np.ndarray
    method: str
    kept: float | None


def check_method(method: str) -> None:
    """Checks that there is such a method.

    Raises:
        InputError: there is not.
    """
    if method not in METHODS:
        raise InputError(f"--method: expected {' or '.join(METHODS)}, found {quoted(method)}")


def make_map(
    embeddings: Embeddings,
    uses: np.ndarray | None,
    method: str = "pca",
    most: int = 5_000,
    seed: int = 1,
) -> EmbeddingMap:
    """Places the most frequent pieces on a plane.

    Args:
        embeddings: of one vocabulary.
        uses: (2, V) how often each piece stands in text of the source and of the target; None
            where that is not known: the first pieces are taken, which are the most frequent ones
            of a vocabulary by SentencePiece.
        method: ``pca`` for the two directions in which vectors vary most; ``tsne`` for t-SNE, which
            puts near what is near and needs scikit-learn: van der Maaten and Hinton (2008),
            https://jmlr.org/papers/v9/vandermaaten08a.html
        most: how many pieces.
        seed: of t-SNE.

    Raises:
        InputError: scikit-learn is missing, or there are too few pieces.
    """
    numbers = np.flatnonzero(embeddings.is_text)
    if uses is not None:
        totals = uses.sum(axis=0)[numbers]
        numbers = numbers[np.argsort(-totals, kind="stable")]
        numbers = numbers[: max(1, int(np.count_nonzero(totals)))]
    numbers = numbers[:most]
    if len(numbers) <= SHOWN_NEIGHBOURS:
        raise InputError(
            f"expected more than {SHOWN_NEIGHBOURS} pieces to draw, found {len(numbers)}"
        )
    vectors = embeddings.vectors[numbers]
    kept = None
    if method == "pca":
        places, kept = principal_components(vectors)
    else:
        places = _tsne(vectors, seed)
    places = places - (places.max(axis=0) + places.min(axis=0)) / 2
    places /= max(float(np.abs(places).max()), 1e-12)
    shares = np.full(len(numbers), np.nan)
    counts = np.zeros(len(numbers), "int64")
    if uses is not None:
        counts = uses.sum(axis=0)[numbers]
        relative = uses / np.maximum(uses.sum(axis=1, keepdims=True), 1)  # sides may differ in size
        relative = relative[:, numbers]
        shares = relative[0] / np.maximum(relative.sum(axis=0), 1e-12)
    return EmbeddingMap(
        tuple(embeddings.pieces[i] for i in numbers),
        places.astype("float32"),
        shares,
        counts,
        nearest_of_all(vectors, SHOWN_NEIGHBOURS),
        method,
        kept,
    )


def _tsne(vectors: np.ndarray, seed: int) -> np.ndarray:
    try:
        from sklearn.manifold import TSNE
    except ModuleNotFoundError as error:
        raise missing_package(error) or error from None
    found: np.ndarray = TSNE(
        metric="cosine", init="pca", random_state=seed, perplexity=min(30, len(vectors) / 4)
    ).fit_transform(vectors)
    return found
