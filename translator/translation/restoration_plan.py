"""What is carried over into translations and put back in them, by the options of the user."""

from typing import NamedTuple

from translator.text.spans.kind import SpanKind
from translator.text.spans.registry import SpanSettings, active_kinds
from translator.text.spans.stand_ins import StandIns
from translator.text.spans.unseen_names import KnownNames
from translator.tokenizers.subword import Tokenizers
from translator.translation.options import TranslationOptions


class RestorationPlan(NamedTuple):
    """What is put back in translations with some options.

    Attributes:
        kinds: the kinds of spans that are carried over.
        other_kinds: the same kinds with other stand-ins.
        restores_text: whether digits and capitals that the tokenizer does not have are put back.
        uses_attention: whether anything is put back, for which attention is read by words.
    """

    kinds: tuple[SpanKind, ...]
    other_kinds: tuple[tuple[SpanKind, ...], ...]
    restores_text: bool
    uses_attention: bool


def plan_restoration(
    options: TranslationOptions, tokenizers: Tokenizers, names: KnownNames
) -> RestorationPlan:
    """What is put back in translations of a run.

    Args:
        options: how to translate.
        tokenizers: the run's.
        names: what the run knows of names.
    """
    source, target = tokenizers
    settings = SpanSettings(
        (source.language, target.language),
        masks_digits=target.masks_digits and not options.raw,
        names=names if options.replace_unknown else None,
        words=names.words,
    )
    if not options.raw:
        usual = StandIns.of_run(names.usual_names, names.words, target.masks_digits)
        first = active_kinds(settings._replace(stand_ins=usual))
        others = [
            active_kinds(
                settings._replace(
                    names=settings.names and settings.names.in_order(each.names),
                    stand_ins=each,
                    exchanges_usual_names=True,
                )
            )
            for each in usual.others()
        ]
    else:
        first, others = active_kinds(settings), []
    uses_attention = bool(first) or bool(options.replace_unknown) or settings.masks_digits
    return RestorationPlan(first, tuple(others), settings.masks_digits, uses_attention)
