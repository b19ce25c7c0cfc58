"""The vectors of a vocabulary: the nearest ones, and files of all. NumPy only."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from translator.base.errors import InputError
from translator.base.files import whole_file
from translator.base.texts import quoted
from translator.runs.directory import RunDirectory
from translator.runs.export_layout import load_weights
from translator.tokenizers.special_tokens import NOT_TEXT, UNKNOWN
from translator.tokenizers.subword import SIDES, Tokenizer


class Embeddings(NamedTuple):
    """The vectors of one vocabulary.

    Attributes:
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
        cosine: of the angle between the two vectors, -1 to 1.
    """

    piece: str
    cosine: float


def load_embeddings(run: RunDirectory, side: str) -> Embeddings:
    """Reads the embedding table of one side of a run; both may share it."""
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
    special_ids = {*tokenizer.control_ids, *tokenizer.tag_ids}
    is_text = [piece not in outside and i not in special_ids for i, piece in enumerate(pieces)]
    return Embeddings(tokenizer, pieces, table / np.maximum(lengths, 1e-12), np.array(is_text))


def pieces_of(embeddings: Embeddings, text: str) -> list[int]:
    """The ids of the pieces that a word is cut into."""
    [ids] = embeddings.tokenizer.encode([text])
    ids_of_text = [i for i in ids if embeddings.is_text[i]]
    if not ids_of_text:
        raise InputError(
            f"expected a word that the tokenizer can spell, found {quoted(text)}; try another one"
        )
    return ids_of_text


def neighbours(embeddings: Embeddings, text: str, count: int = 10) -> list[Neighbour]:
    """The pieces whose vectors have the smallest angles with the vector of a word.

    If a word has several pieces, its vector is the mean of their vectors.
    """
    ids = pieces_of(embeddings, text)
    mean = embeddings.vectors[ids].mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), 1e-12)
    cosines = embeddings.vectors @ mean
    cosines[~embeddings.is_text] = -np.inf
    cosines[ids] = -np.inf  # the word itself
    order = np.argsort(-cosines, kind="stable")[: min(count, int(np.isfinite(cosines).sum()))]
    return [Neighbour(embeddings.pieces[i], float(cosines[i])) for i in order]


def write_projector_files(embeddings: Embeddings, folder: Path) -> None:
    """Writes ``vectors.tsv`` and ``metadata.tsv`` for TensorBoard's projector.

    Args:
        folder: an existing folder. Line n of both files belongs to the same piece.
    """
    with whole_file(folder / "vectors.tsv") as file:
        np.savetxt(file, embeddings.vectors[embeddings.is_text], "%.5f", delimiter="\t")
    with whole_file(folder / "metadata.tsv") as file:
        for piece, is_text in zip(embeddings.pieces, embeddings.is_text):
            if is_text:
                file.write(f"{piece}\n".encode())
