"""Attention of hypotheses: every layer and head, with the tokens. NumPy only.

Shapes here and in the whole room: L layers, N heads, S source tokens, T target tokens.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from translator.base.addons import Hook
from translator.base.errors import InputError
from translator.base.late import html, np

KINDS = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}
DECIMALS = 6  # decimals of scores as text
FRAME_HEIGHT = 900  # the height of a page in a notebook, in pixels


RECORD_PAGES: Hook[Callable[[Sequence["AttentionRecord"]], str]] = Hook("record pages")
"""Add-ons that draw records as an HTML page."""


class RecordedModel(NamedTuple):
    """The model whose attention was recorded.

    Attributes:
        name: the name of its run's folder.
        source_language: a code such as ``en``.
        target_language: a code such as ``de``.
    """

    name: str = ""
    source_language: str = ""
    target_language: str = ""


class AttentionMaps(NamedTuple):
    """Attention of one kind with its labels, ready to be drawn.

    Attributes:
        queries: a label for each row.
        keys: a label for each column.
        scores: (L, N, queries, keys); each row sums to 1.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    scores: "np.ndarray"


class AttentionRecord(NamedTuple):
    """The attention of one hypothesis.

    The decoder's queries are the positions that predict a target token: query 0 has the start
    token as its input and predicts the first token, the last query predicts the end token. So
    ``target_tokens`` begins with start and ends with end, the decoder's queries and keys are
    ``target_tokens[:-1]``, and query i predicts ``target_tokens[i + 1]``. A translation that
    was cut at the maximum length has no end token; its last token is like the others.

    Attributes:
        source: the sentence.
        hypothesis: its translation.
        source_tokens: S pieces, start and end included.
        target_tokens: T + 1 pieces, with start, and with end unless it was cut.
        encoder: (L, N, S, S), layers, heads, queries, keys.
        decoder: (L, N, T, T).
        cross: (L, N, T, S).
        sentence: number, from 1, of the sentence among all that were translated together.
        rank: the rank of the hypothesis in its sentence, from 1.
        score: the number that hypotheses are ranked by.
        log_probability: the sum over the hypothesis's tokens.
        model: the model whose attention this is.
        confidence: the expected share of right words in the hypothesis; None if unknown.
        word_confidences: its words as they are printed, each with the probability that it is
            right; empty if that is not known.
        aligning: the layer and the head of cross-attention that align its words best, both counted
            from 0; None if they are not known.
    """

    source: str
    hypothesis: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    encoder: "np.ndarray"
    decoder: "np.ndarray"
    cross: "np.ndarray"
    sentence: int = 1
    rank: int = 1
    score: float = 0.0
    log_probability: float = 0.0
    model: RecordedModel = RecordedModel()
    confidence: float | None = None
    word_confidences: tuple[tuple[str, float], ...] = ()
    aligning: tuple[int, int] | None = None

    def __repr__(self) -> str:
        layers, heads = self.cross.shape[:2]
        source, target = len(self.source_tokens), len(self.target_tokens)
        return (
            f"AttentionRecord({self.source!r} → {self.hypothesis!r}, {layers} layers, {heads} heads"
            f", {source} source and {target} target tokens, sentence {self.sentence},"
            f" rank {self.rank}, score {self.score:.4f})"
        )

    def _repr_html_(self) -> str:
        """A page of its heads, for notebooks; its tokens if no add-on draws one."""
        for draw_page in RECORD_PAGES.answers():  # in a frame, away from the notebook's style
            page = html.escape(draw_page([self]), quote=True)
            return (
                f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads"'
                f' style="width: 100%; height: {FRAME_HEIGHT}px; border: 0"></iframe>'
            )
        return html.escape(" ".join((*self.source_tokens, *self.target_tokens)))

    def to_dict(self) -> dict[str, Any]:
        """The record in plain values, ready for ``json.dumps``.

        Returns:
            Every attribute by its name. The scores are nested lists by layer, head, query and
            key. They are rounded to `DECIMALS`, so that rows sum to 1 within 0.0001.
        """
        scores = {
            kind: getattr(self, kind).astype("float64").round(DECIMALS).tolist() for kind in KINDS
        }
        return {**self._asdict(), "model": self.model._asdict(), **scores}

    def maps(self, kind: str = "cross") -> AttentionMaps:
        """The scores of one kind of attention with the tokens of its queries and keys.

        A row of cross-attention is labelled with the token that it predicts, a row of
        self-attention with the token of its own position.

        Args:
            kind: ``encoder``, ``decoder`` or ``cross``.

        Returns:
            Labels and scores.

        Raises:
            InputError: there is no such kind.
        """
        source, before, after = self.source_tokens, self.target_tokens[:-1], self.target_tokens[1:]
        if kind == "encoder":
            return AttentionMaps(source, source, self.encoder)
        if kind == "decoder":
            return AttentionMaps(before, before, self.decoder)
        if kind == "cross":
            return AttentionMaps(after, source, self.cross)
        raise InputError(f"kind: expected one of {', '.join(KINDS)}, found {kind}")


def check_type(record: object) -> None:
    """Refuses an object that is not a record, such as a list of records."""
    if not isinstance(record, AttentionRecord):
        raise InputError(
            f"record: expected an AttentionRecord, found {type(record).__name__};"
            " use Translator.attention or load_records"
        )
