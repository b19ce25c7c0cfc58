"""Explains one head on one sentence: all steps, the possible next tokens, the search."""

from collections.abc import Sequence
from typing import NamedTuple

from translator.addons.attention.picture_content import (
    PictureOptions,
    check_picture_options,
    words_with_ends,
)
from translator.addons.explanation.architecture import Architecture, make_architecture
from translator.addons.explanation.next_tokens import (
    Branch,
    NextTokens,
    make_branches,
    next_tokens,
    output_formula,
)
from translator.addons.explanation.steps import Labels, Step, make_steps
from translator.base.errors import InputError
from translator.base.texts import quoted
from translator.search.engine import Continuation
from translator.text.alignment_heads import PointingHeads
from translator.tokenizers.special_tokens import WORD_START, is_text
from translator.translation.given_pairs import encode_pairs, hypothesis_pairs
from translator.translation.options import TranslationOptions, checked_options
from translator.translation.records import RecordedModel
from translator.translation.sentence_translator import make_search_options
from translator.translation.translator import Translator


class Explanation(NamedTuple):
    """A head on a sentence.

    Attributes:
        kind: the kind of its attention: encoder, decoder or cross.
        layer: number of the layer, from 1.
        head: number of the head, from 1.
        row: the position that is explained, from 0.
        target_ids: T ids that the decoder reads, start included.
        steps: from the embedding to the decoder's output.
        output_formula: how the decoder's output becomes probabilities.
        following: for each of T positions, the tokens that may be written next.
        without: the same tokens if the head added nothing.
        branches: those of the search for the translation; empty if the user gave a translation.
    """

    model: RecordedModel
    source: str
    target: str
    kind: str
    layer: int
    head: int
    row: int
    labels: Labels
    architecture: Architecture
    source_ids: tuple[int, ...]
    target_ids: tuple[int, ...]
    steps: tuple[Step, ...]
    output_formula: str
    following: tuple[NextTokens, ...]
    without: tuple[NextTokens, ...]
    branches: tuple[Branch, ...] = ()

    @property
    def strongest_key(self) -> int:
        """The position, from 0, to which the row gives most attention."""
        [weights] = (step.numbers for step in self.steps if step.name == "weights")
        return int(weights[self.row].argmax())

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels to choose a row by. In cross-attention these are the written pieces."""
        return self.labels.writes if self.kind == "cross" else self.labels.queries(self.kind)


def explain(
    translator: Translator,
    source: str,
    layer: int | None = None,
    head: int | None = None,
    kind: str = "cross",
    at: str | None = None,
    target: str | None = None,
) -> Explanation:
    """Explains a head.

    Args:
        layer: number of the layer, from 1; the last one if None.
        head: number of the head, from 1; the first one if None. If layer and head are None, it is
            the head of cross-attention that aligns the words of this sentence best.
        at: a word or piece of the side that looks; in cross-attention, of the translation. If None,
            the first one.
        target: a translation of the user; the run's own if None.
    """
    sizes = translator.config.model
    is_free = layer is None and head is None and kind == "cross"
    layer = sizes.layers_of(kind) if layer is None else layer
    head = 1 if head is None else head
    options = PictureOptions(kind, layer, head)
    check_picture_options(options, sizes.layers_of(kind), sizes.heads_of(kind))
    is_searched = target is None
    source_ids, target_ids, target = _pair(translator, source, target)
    if is_free:
        [record] = translator.attention_of_ids([source_ids], [target_ids])
        if record.aligning is not None:
            layer, head = (number + 1 for number in record.aligning)
    model = translator.model  # first, because it starts Keras
    from translator.addons.explanation.tracing import trace_head

    tokenizers = translator.tokenizers
    written = tuple(tokenizers.target.pieces(target_ids))
    labels = Labels(tuple(tokenizers.source.pieces(source_ids)), written[:-1], written[1:])
    trace = trace_head(model, source_ids, target_ids[:-1], kind, layer, head)
    steps = make_steps(
        trace, labels, sizes.layers_of(kind), sizes.normalize_first, str(sizes.activation)
    )
    pieces = tokenizers.target.pieces(list(range(trace.logits.shape[1])))
    explanation = Explanation(
        translator.recorded_model,
        source,
        target,
        kind,
        layer,
        head,
        0,
        labels,
        make_architecture(sizes, tokenizers.source.size, tokenizers.target.size),
        source_ids,
        target_ids[:-1],
        tuple(steps),
        output_formula(model.projection is None, model.output_weights()[1] is not None),
        tuple(next_tokens(trace.logits, pieces)),
        tuple(next_tokens(trace.logits_without, pieces)),
    )
    if is_searched:
        continuations = _trace_search(translator, source_ids)
        explanation = explanation._replace(branches=tuple(make_branches(continuations, pieces)))
    return explanation._replace(row=_find_row(explanation.rows, at))


def _pair(
    translator: Translator, source: str, target: str | None
) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """The ids of a sentence and of its translation, ends included, and the translation."""
    if target is not None:
        longest = translator.config.data.max_length
        shown_pair = translator.codec.show_pairs([source], [target])
        [source_ids], [target_ids] = encode_pairs(translator.tokenizers, longest, *shown_pair)
        return tuple(source_ids), tuple(target_ids), target
    translations = translator.translate(source, TranslationOptions(per_sentence=True))
    if len(translations) > 1:
        raise InputError(
            f"expected one sentence, found {len(translations)}; explain them one by one"
        )
    pairs = hypothesis_pairs(translator.tokenizers, translations, 1)
    if not pairs:
        raise InputError("expected a sentence, found none that can be translated")
    best = pairs[0]
    return tuple(best.source_ids), tuple(best.target_ids), best.hypothesis.text


def _trace_search(translator: Translator, source_ids: Sequence[int]) -> list[Continuation]:
    """Runs the beam search for a sentence once more, and keeps the candidates of each step."""
    from translator.search.keras_engine import KerasEngine

    options, target = checked_options(None), translator.tokenizers.target
    search, limits = make_search_options(options, translator.settings, target, ())
    engine = KerasEngine(translator.model, translator.tokenizers, PointingHeads(0, (0,)))
    return engine.trace(source_ids, limits.of(len(source_ids), search), search)


def _find_row(rows: tuple[str, ...], at: str | None) -> int:
    """The first row of a word, or of a piece."""
    words = words_with_ends(rows)
    texts = [words.texts[number] for number in words.numbers]
    if at is None:
        return next((i for i, piece in enumerate(rows) if is_text(piece)), 0)
    pieces = [piece.removeprefix(WORD_START) for piece in rows]
    for names in (list(rows), texts, pieces):
        if at in names:
            return names.index(at)
    raise InputError(f"--at: expected one of {', '.join(dict.fromkeys(texts))}, found {quoted(at)}")
