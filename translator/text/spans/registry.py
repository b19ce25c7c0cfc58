"""The kinds of spans that are carried over.

A new kind is one module and one line in `EXACT_KINDS`, or in `KINDS` if it depends on the run or
on what the user asks for.
"""

from collections.abc import Callable, Collection
from typing import NamedTuple

from translator.text.spans.clock_times import ClockTimeKind
from translator.text.spans.dates import DateKind
from translator.text.spans.file_names import FileNameKind
from translator.text.spans.formulas import FormulaKind
from translator.text.spans.identifiers import IdentifierKind
from translator.text.spans.kind import SpanKind
from translator.text.spans.numbers import NumberKind
from translator.text.spans.placeholders import PlaceholderKind
from translator.text.spans.quantities import QuantityKind
from translator.text.spans.stand_ins import StandIns
from translator.text.spans.unseen_names import KnownNames, NameKind
from translator.text.spans.versions import VersionKind
from translator.text.spans.web_addresses import EmailKind, WebAddressKind


class SpanSettings(NamedTuple):
    """What decides which kinds of spans are carried over.

    Attributes:
        languages: codes of source and target.
        masks_digits: whether the tokenizers write every digit as 0 and the user wants numbers.
        names: what the run knows of names; None unless the user wants new names carried over.
        stand_ins: what the model is shown for spans that are copied exactly once; None if the
            user does not want any.
        words: of the training data in lower case; empty if they are not known.
        exchanges_usual_names: whether a name that the model usually copies is shown as another.
    """

    languages: tuple[str, str]
    masks_digits: bool = False
    names: KnownNames | None = None
    stand_ins: StandIns | None = None
    words: Collection[str] = ()
    exchanges_usual_names: bool = False


# Each returns its kind, or None if the settings do not ask for it. Where spans overlap, an
# earlier kind wins.
EXACT_KINDS: tuple[Callable[[SpanSettings, StandIns], SpanKind], ...] = (
    lambda settings, stand_ins: FormulaKind(stand_ins),
    lambda settings, stand_ins: WebAddressKind(stand_ins),
    lambda settings, stand_ins: EmailKind(stand_ins),
    lambda settings, stand_ins: DateKind(stand_ins, settings.languages),
    lambda settings, stand_ins: ClockTimeKind(stand_ins, settings.languages),
    lambda settings, stand_ins: FileNameKind(stand_ins),
    lambda settings, stand_ins: PlaceholderKind(stand_ins),
    lambda settings, stand_ins: VersionKind(stand_ins, settings.languages[0]),
    lambda settings, stand_ins: IdentifierKind(stand_ins),
    lambda settings, stand_ins: QuantityKind(stand_ins, settings.languages, settings.words),
)
KINDS: tuple[Callable[[SpanSettings], SpanKind | None], ...] = (
    lambda settings: NameKind.of_run(
        settings.names, settings.languages, settings.exchanges_usual_names
    ),
    lambda settings: NumberKind(settings.languages) if settings.masks_digits else None,
)


def active_kinds(settings: SpanSettings) -> tuple[SpanKind, ...]:
    """The kinds of spans that the settings ask for, in the order of the registry."""
    found = (make(settings) for make in KINDS)
    kinds = tuple(kind for kind in found if kind is not None)
    if settings.stand_ins is None:
        return kinds
    return (*(make(settings, settings.stand_ins) for make in EXACT_KINDS), *kinds)
