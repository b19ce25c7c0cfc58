"""Repeats the search for a translation and keeps what each step considered."""

from collections.abc import Sequence

from translator.search.continuations import Continuation
from translator.search.keras_engine import KerasEngine
from translator.text.word_alignment import PointingHeads
from translator.text.writing import show_prefix
from translator.translation.options import TranslationOptions, checked_options
from translator.translation.search_options import make_search_options
from translator.translation.translator import Translator


def trace_search(
    translator: Translator, source_ids: Sequence[int], options: TranslationOptions | None = None
) -> list[Continuation]:
    """The steps of the beam search for one sentence.

    Args:
        translator: a loaded run.
        source_ids: what the model was shown, start and end included.
        options: how it was translated.

    Returns:
        As `translator.search.beam_trace.trace_beam`.
    """
    checked = checked_options(options)
    target = translator.tokenizers.target
    prefix = show_prefix(checked.prefix, (), ())
    search, limits = make_search_options(checked, translator.config, target, prefix, False)
    engine = KerasEngine(translator.model, translator.tokenizers, PointingHeads(0, (0,)))
    return engine.trace(source_ids, limits.of(len(source_ids), search), search)
