"""The kinds of spans that are carried over: a new kind is a class and its name here."""

from collections.abc import Collection
from typing import NamedTuple

from translator.text.stand_ins.kind import SpanKind
from translator.text.stand_ins.known_names import KnownNames
from translator.text.stand_ins.numbers import NumberKind
from translator.text.stand_ins.numeric import ClockTimeKind, DateKind, QuantityKind
from translator.text.stand_ins.stand_ins import StandIns
from translator.text.stand_ins.unseen_names import NameKind
from translator.text.stand_ins.verbatim import (
    CodeKind,
    EmailKind,
    FileNameKind,
    FormulaKind,
    IdentifierKind,
    PlaceholderKind,
    VerbatimKind,
    VersionKind,
    WebAddressKind,
)

EXACT_KINDS: tuple[type[VerbatimKind], ...] = (  # where spans overlap, an earlier kind wins
    CodeKind, FormulaKind, WebAddressKind, EmailKind, DateKind, ClockTimeKind, FileNameKind,
    PlaceholderKind, VersionKind, IdentifierKind, QuantityKind,
)  # fmt: skip


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


def active_kinds(settings: SpanSettings) -> tuple[SpanKind, ...]:
    """The kinds of spans that the settings ask for; the first one wins where spans overlap."""
    languages, stand_ins = settings.languages, settings.stand_ins
    kinds: list[SpanKind] = []
    if stand_ins is not None:
        kinds += (kind(stand_ins, languages, settings.words) for kind in EXACT_KINDS)
    if settings.names is not None and settings.names.usual is not None:
        kinds.append(NameKind(settings.names, languages, settings.exchanges_usual_names))
    if settings.masks_digits:
        kinds.append(NumberKind(languages))
    return tuple(kinds)
